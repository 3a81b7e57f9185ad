import { useEffect, useState } from "preact/hooks";
import type { JsonObject } from "../../api/answer.ts";
import { type AnswerState, answerStore, type ToolQuestion } from "../../api/answers.ts";
import type { PortalTool } from "../../api/client.ts";
import { Value } from "../../sheet/value.tsx";
import { requestInTurn } from "../../ui/block.tsx";
import { BlockStatus } from "../../ui/block_status.tsx";
import { CallButton } from "../../ui/call_button.tsx";
import { creditsText } from "../../ui/format.ts";
import type { PricesContext } from "../../ui/prices.tsx";
import { Strange } from "../../ui/strange.tsx";
import type { HeadFacts, RowAnswer, SummaryPlan, SummaryRow, SummaryText } from "./model.ts";

/** A tool of the summary with its question on this page. */
export interface SummaryTool {
  readonly listed: PortalTool;
  readonly question: ToolQuestion;
}

export interface SummaryProps {
  readonly plan: SummaryPlan;
  readonly tools: readonly SummaryTool[];
  readonly network: string;
  readonly priced: PricesContext;
  readonly onHead: (head: HeadFacts) => void;
}

/** States of several calls, followed. */
const useAnswers = (tools: readonly SummaryTool[]): ReadonlyMap<string, AnswerState | null> => {
  const [, redraw] = useState(0);
  const keys = JSON.stringify(tools.map(({ question }) => question));
  useEffect(() => {
    redraw((count) => count + 1);
    const stops = tools.map(({ question }) => answerStore(question).subscribe(() => redraw((count) => count + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [keys]);
  return new Map(tools.map(({ question }) => [question.tool, answerStore(question).get()]));
};

/** The newest answer: while a call repeats one, the earlier one. */
const answerIn = (state: AnswerState | null | undefined) =>
  state === null || state === undefined ? null : state.kind === "asking" ? state.earlier : state.answer;

const SIGNS = { plain: "·", good: "✓", warn: "!", bad: "✕", unknown: "?" } as const;

const ValueText = ({ part, network }: { readonly part: SummaryText; readonly network: string }) =>
  typeof part === "string" ? (
    <Strange text={part} width={900} is_marked={false} />
  ) : (
    <Value kind={part.kind} value={part.value} network={network} reason={part.reason ?? null} />
  );

const Answered = ({ answer, network }: { readonly answer: RowAnswer; readonly network: string }) => (
  <>
    <span class={`sign sign-${answer.tone}`} aria-hidden="true">
      {SIGNS[answer.tone]}
    </span>
    <div>
      <p class="summary-answer">
        {answer.parts.map((part, at) => (
          <ValueText key={at} part={part} network={network} />
        ))}
      </p>
      {answer.notes.map((note) => (
        <p key={note} class="summary-note">
          <Strange text={note} width={300} is_marked={false} />
        </p>
      ))}
    </div>
  </>
);

/** A row without data: open, running or failed. */
const Open = ({ state }: { readonly state: AnswerState | null | undefined }) => {
  const answer = answerIn(state);
  const text =
    state?.kind === "asking"
      ? "Asking…"
      : answer === null
        ? "No answer yet"
        : answer.status === "no_data"
          ? String(answer.body.message ?? "Nothing was found.")
          : answer.status === "error"
            ? answer.message
            : "No answer yet";
  return (
    <>
      <span class={answer?.status === "error" ? "sign sign-bad" : "sign"} aria-hidden="true">
        {answer?.status === "error" ? SIGNS.bad : SIGNS.plain}
      </span>
      <p class={state?.kind === "asking" ? "quiet skeleton" : "quiet"}>
        <Strange text={text} width={400} is_marked={false} />
      </p>
    </>
  );
};

interface RowProps {
  readonly row: SummaryRow;
  readonly state: AnswerState | null | undefined;
  readonly body: JsonObject | null;
  readonly network: string;
}

const Row = ({ row, state, body, network }: RowProps) => (
  <div class="summary-row">
    <dt>
      <a href={`#${row.tool}`}>{row.question}</a>
    </dt>
    <dd>{body === null ? <Open state={state} /> : <Answered answer={row.read(body)} network={network} />}</dd>
  </div>
);

/** Asks all of them at once: those of an error again, and all again where every one has an answer. */
const AskTogether = ({
  tools,
  states,
  priced,
}: Pick<SummaryProps, "tools" | "priced"> & { readonly states: ReadonlyMap<string, AnswerState | null> }) => {
  const has = ({ question }: SummaryTool) => {
    const answer = answerIn(states.get(question.tool));
    return answer !== null && answer.status !== "error";
  };
  const open = tools.filter((tool) => !has(tool));
  const wanted = open.length === 0 ? tools : open;
  const callable = wanted.filter(({ listed }) => listed.credits !== null);
  const [number, setNumber] = useState<number | null>(null);
  const is_asking = number !== null || [...states.values()].some((state) => state?.kind === "asking");
  if (callable.length === 0) return null;
  const sum = callable.reduce((total, { listed }) => total + (listed.credits ?? 0), 0);
  const ask = () =>
    void requestInTurn(
      callable.map(({ question }) => question),
      priced,
      setNumber,
    ).then(() => setNumber(null));
  const names = callable.map(({ listed }) => `${listed.title} (${creditsText(listed.credits ?? 0)})`).join(", ");
  const word = open.length === 0 ? "Refresh the summary" : "Ask the summary";
  return (
    <CallButton class={open.length === 0 ? "ask-summary" : "ask-summary button-main"} is_idle={is_asking} onAsk={ask}>
      <span title={names}>{is_asking ? "Asking…" : `${word} · ${creditsText(sum)}`}</span>
    </CallButton>
  );
};

/** The questions that the page answers first, by a few tools and one click. */
export const Summary = ({ plan, tools, network, priced, onHead }: SummaryProps) => {
  const states = useAnswers(tools);
  const read = (tool: string) => {
    const answer = answerIn(states.get(tool));
    return answer?.status === "data" ? answer.body : null;
  };
  const head = plan.head(read);
  const head_key = JSON.stringify(head);
  useEffect(() => onHead(head), [head_key]);
  const rows = plan.rows.filter(({ tool }) => states.has(tool));
  if (rows.length === 0) return null;
  const answers = [...states.values()].flatMap((state) => answerIn(state) ?? []);
  const is_asking = [...states.values()].some((state) => state?.kind === "asking");
  return (
    <section class="summary" aria-label="Summary" aria-busy={is_asking}>
      <header class="block-head">
        <h2>Summary</h2>
        <BlockStatus answers={answers} />
        <AskTogether tools={tools} states={states} priced={priced} />
      </header>
      {answers.length > 0 || is_asking ? null : (
        <p class="quiet">
          One click asks{" "}
          {tools.map(({ listed }) => `${listed.title} (${creditsText(listed.credits ?? 0)})`).join(" and ")}. The
          details below reuse the answers.
        </p>
      )}
      <dl>
        {rows.map((row) => (
          <Row key={row.question} row={row} state={states.get(row.tool)} body={read(row.tool)} network={network} />
        ))}
      </dl>
    </section>
  );
};
