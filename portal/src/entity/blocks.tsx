import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";
import { answerStore, recallAnswers, type ToolQuestion } from "../api/answers.ts";
import { type Catalog, listedIn, type PortalTool } from "../api/client.ts";
import { useStore } from "../store.ts";
import { Block, requestInTurn } from "../ui/block.tsx";
import { CallButton } from "../ui/call_button.tsx";
import { creditsText } from "../ui/format.ts";
import { type PricesContext, WithPrices } from "../ui/prices.tsx";
import { Heading } from "./heading.tsx";
import { mergedFacts, useIdentity } from "./identity.ts";
import type { Entity } from "./page_address.ts";
import { Parameters, sharedArgs } from "./parameters.tsx";
import { type HeadFacts, UNKNOWN_HEAD } from "./summary/model.ts";
import { SUMMARIES } from "./summary/plans.ts";
import { Summary } from "./summary/summary.tsx";

/** One block of a page: a tool, and which of its fields holds what the page is about. */
export interface BlockPlan {
  readonly tool: string;
  readonly title: string;
  /** Names the entity in the tool's input: `address`, `token_address`, … */
  readonly field: string;
  readonly more?: (answer: ToolAnswer) => ComponentChildren;
  /** Arguments of this block unless the page has others. */
  readonly args?: JsonObject;
  /** Left out when all blocks are called together. */
  readonly is_apart?: boolean;
}

interface PlannedBlock extends BlockPlan {
  readonly listed: PortalTool;
  readonly question: ToolQuestion;
}

interface EntityPagePlan {
  readonly entity: Entity;
  readonly query: URLSearchParams;
  readonly plan: readonly BlockPlan[];
}

/** Blocks whose tools the operator shows and the network has. */
const plannedOf = ({ entity, query, plan }: EntityPagePlan, prices: Catalog): readonly PlannedBlock[] =>
  plan.flatMap((block) => {
    const listed = listedIn(prices, block.tool);
    const is_here = entity.network === "" || listed?.networks.includes(entity.network);
    if (listed === undefined || !is_here) return [];
    const network = entity.network === "" ? {} : { network: entity.network };
    const args = { [block.field]: entity.id, ...network, ...block.args, ...sharedArgs(listed, query) };
    return [{ ...block, listed, question: { tool: block.tool, args, path: listed.path } }];
  });

const CallAll = ({
  planned,
  priced,
}: {
  readonly planned: readonly PlannedBlock[];
  readonly priced: PricesContext;
}) => {
  const [at, setAt] = useState<number | null>(null);
  const [, redraw] = useState(0);
  useEffect(() => {
    const stops = planned.map(({ question }) => answerStore(question).subscribe(() => redraw((count) => count + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [planned]);
  const open = planned.filter(
    ({ question, listed }) => answerStore(question).get() === null && listed.credits !== null,
  );
  const sum = open.reduce((total, { listed }) => total + (listed.credits ?? 0), 0);
  if (open.length < 2 && at === null) return null;
  const askOpen = async () => {
    await requestInTurn(
      open.map(({ question }) => question),
      priced,
      setAt,
    );
    // With nothing left to ask this button goes away: the focus goes to the answers.
    if (document.activeElement?.classList.contains("ask-all"))
      document.querySelector<HTMLElement>(".blocks")?.focus({ preventScroll: true });
    setAt(null);
  };
  return (
    <CallButton class="ask-all" is_idle={at !== null} onAsk={() => void askOpen()}>
      {at === null
        ? `Ask ${open.length === planned.length ? "all" : "the other"} ${open.length} · ${creditsText(sum)}`
        : `Asking, ${open.length} to go…`}
    </CallButton>
  );
};

/** Links to the blocks of the page. */
const Contents = ({ planned }: { readonly planned: readonly PlannedBlock[] }) => (
  <nav class="contents" aria-label="Contents">
    <ul class="plain">
      {planned.map(({ tool, title, question }) => (
        <ContentsEntry key={`${tool}${title}`} tool={tool} title={title} question={question} />
      ))}
    </ul>
  </nav>
);

const ContentsEntry = ({ tool, title, question }: Pick<PlannedBlock, "tool" | "title" | "question">) => {
  const held = useStore(answerStore(question));
  return (
    <li>
      <a href={`#${tool}`} class={held === null ? "contents-link quiet" : "contents-link"}>
        {title}
      </a>
    </li>
  );
};

interface BlocksProps {
  readonly parts: EntityPagePlan;
  readonly priced: PricesContext;
  readonly onHead: (head: HeadFacts) => void;
}

const Blocks = ({ parts, priced, onHead }: BlocksProps) => {
  const planned = plannedOf(parts, priced.prices);
  const asking = JSON.stringify(planned.map(({ question }) => question));
  useEffect(() => void recallAnswers(planned.map(({ question }) => question)), [asking]);
  const summary = SUMMARIES[parts.entity.kind];
  const asked = (summary?.tools ?? []).flatMap((name) => planned.filter(({ tool }) => tool === name));
  return (
    <>
      <Parameters tools={planned.map(({ listed }) => listed)} query={parts.query} />
      {summary === undefined ? null : (
        <Summary plan={summary} tools={asked} network={parts.entity.network} priced={priced} onHead={onHead} />
      )}
      <div class={planned.length > 1 ? "details details-many" : "details"}>
        {planned.length > 1 ? <Contents planned={planned} /> : null}
        <div>
          <div class="page-bar">
            <h2>Details</h2>
            <CallAll planned={planned.filter(({ is_apart }) => is_apart !== true)} priced={priced} />
          </div>
          <div class="blocks" tabIndex={-1}>
            {planned.map(({ tool, title, question, more }) => (
              <Block
                key={`${tool}${title}`}
                id={tool}
                title={title}
                question={question}
                prices={priced.prices}
                onPrices={priced.onPrices}
                {...(more === undefined ? {} : { more })}
              />
            ))}
          </div>
        </div>
      </div>
      {planned.length === 0 ? <p class="quiet">No tool of this service answers about this here.</p> : null}
    </>
  );
};

/** The page of an entity: its identity, the summary and its tools. */
export const EntityPage = (parts: EntityPagePlan) => {
  const [head, setHead] = useState(UNKNOWN_HEAD);
  const free = useIdentity(parts.entity);
  return (
    <>
      <Heading entity={parts.entity} facts={mergedFacts(free, head)} />
      <WithPrices>{(priced) => <Blocks parts={parts} priced={priced} onHead={setHead} />}</WithPrices>
    </>
  );
};
