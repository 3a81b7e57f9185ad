import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type ToolAnswer, textOf } from "../api/answer.ts";
import { type AnswerState, answerStore, requestAnswer, type ToolQuestion } from "../api/answers.ts";
import { type Catalog, catalog, listedIn } from "../api/client.ts";
import { ExportMenu } from "../case/export_menu.tsx";
import { Problem } from "../sheet/problem.tsx";
import { coveragesOf } from "../sheet/read.ts";
import { Codes, Sheet } from "../sheet/sheet.tsx";
import { useStore } from "../store.ts";
import { BlockStatus } from "./block_status.tsx";
import { CallButton } from "./call_button.tsx";
import { creditsText } from "./format.ts";
import { Notice } from "./notice.tsx";
import { firstSentence, Prose } from "./prose.tsx";

/** Asks and, where the prices have changed meanwhile, reads them again for the button. */
export const requestPriced = async (
  question: ToolQuestion,
  { version }: Catalog,
  onPrices: () => void,
): Promise<ToolAnswer | null> => {
  const answer = await requestAnswer(question, version);
  if (answer?.status === "error" && answer.code === "PRICE_CHANGED") {
    await catalog(true);
    onPrices();
  }
  return answer;
};

/** Errors after which further calls would fail as well. */
const isFinal = (answer: ToolAnswer | null): boolean =>
  answer?.status === "error" && (answer.http_status === 401 || answer.http_status === 429 || answer.http_status === 0);

/** Asks one after another: the plan's rate and its credits are met one question at a time, and later answers reuse what earlier ones read. */
export const requestInTurn = async (
  questions: readonly ToolQuestion[],
  { prices, onPrices }: { readonly prices: Catalog; readonly onPrices: () => void },
  onNext: (number: number) => void,
): Promise<void> => {
  for (const [number, question] of questions.entries()) {
    onNext(number);
    if (isFinal(await requestPriced(question, prices, onPrices))) break;
  }
};

/** This button goes away with the waiting: the focus goes to the one that asks again. */
const stopped = (button: HTMLElement, held: Extract<AnswerState, { kind: "asking" }>): void => {
  button.closest("section")?.querySelector<HTMLElement>(".ask")?.focus();
  held.stop();
};

const Waiting = ({ held }: { readonly held: Extract<AnswerState, { kind: "asking" }> }) => {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <p class="waiting" role="status">
      Asking… {Math.max(0, Math.round((now - held.since_ms) / 1_000))} s{" "}
      <button type="button" onClick={(event) => stopped(event.currentTarget, held)}>
        Stop waiting
      </button>
    </p>
  );
};

const Absence = ({ answer }: { readonly answer: ToolAnswer }) => {
  const list = coveragesOf(answer.body).map(({ network, block }) => `${network} up to block ${block ?? "unknown"}`);
  const message = textOf(answer.body.message) ?? "The service does not say what was searched.";
  return (
    <Notice tone="quiet" title="Nothing was found">
      {message}
      {list.length === 0 ? "" : ` Searched: ${list.join(", ")}.`}
    </Notice>
  );
};

const Body = ({
  held,
  question,
}: {
  readonly held: AnswerState | null;
  readonly question: ToolQuestion;
}): ComponentChildren => {
  if (held === null) return null;
  const answer = held.kind === "asking" ? held.earlier : held.answer;
  return (
    <>
      {held.kind === "asking" ? <Waiting held={held} /> : null}
      {answer === null ? null : answer.status === "error" ? (
        <Problem answer={answer} />
      ) : answer.status === "no_data" ? (
        <Absence answer={answer} />
      ) : (
        <Sheet question={question} body={answer.body} />
      )}
    </>
  );
};

export interface BlockProps {
  readonly title: string;
  readonly question: ToolQuestion;
  readonly prices: Catalog;
  readonly onPrices: () => void;
  /** The call as code, also before it is made. */
  readonly has_code?: boolean;
  /** Name of the block in the page's address. */
  readonly id?: string;
  /** Tool-specific content below the answer. */
  readonly more?: (answer: ToolAnswer) => ComponentChildren;
}

/** A tool call: its price before, its answer afterwards. It is repeated only on request. */
export const Block = ({ title, question, prices, onPrices, more, id, has_code = false }: BlockProps) => {
  const held = useStore(answerStore(question));
  const tool = listedIn(prices, question.tool);
  const price = tool?.credits ?? null;
  const answered = held?.kind === "answered" ? held.answer : null;
  const label =
    answered === null || answered.status === "error" ? "Ask" : answered.is_kept === true ? "Refresh" : "Ask again";
  return (
    <section id={id} class={`block block-${question.tool}`} aria-label={title} data-state={held?.kind ?? "open"}>
      <header class="block-head">
        <h2>{title}</h2>
        {answered === null ? null : <BlockStatus answers={[answered]} />}
        {price === null ? (
          <span class="quiet">This tool has no price, so it cannot be called</span>
        ) : (
          <CallButton
            class={answered === null ? "button-main ask" : "ask"}
            is_idle={held?.kind === "asking"}
            label={`${label} · ${creditsText(price)}: ${title}`}
            onAsk={() => void requestPriced(question, prices, onPrices)}
          >
            {label} · {creditsText(price)}
          </CallButton>
        )}
      </header>
      {held === null ? (
        <p class="quiet what">
          <Prose text={firstSentence(tool?.description ?? "")} />
        </p>
      ) : (
        <Body held={held} question={question} />
      )}
      {answered === null ? null : (
        <ExportMenu
          question={question}
          answer={answered}
          catalog_version={answered.is_kept === true ? null : prices.version}
        />
      )}
      {answered === null || more === undefined ? null : more(answered)}
      {held === null && has_code ? (
        <div class="carry">
          <Codes question={question} />
        </div>
      ) : null}
    </section>
  );
};
