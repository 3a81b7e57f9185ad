import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { JsonObject, ToolAnswer } from "../api/answer.ts";
import { answerStore, type ToolQuestion } from "../api/answers.ts";
import type { Catalog, PortalTool } from "../api/client.ts";
import { Block, requestPriced } from "../ui/block.tsx";
import { CallButton } from "../ui/call_button.tsx";
import { creditsText } from "../ui/format.ts";
import { type PricesContext, WithPrices } from "../ui/prices.tsx";
import { Heading } from "./heading.tsx";
import type { Entity } from "./page_address.ts";
import { Parameters, sharedArgs } from "./parameters.tsx";

/** One block of a page: a tool, and which of its fields holds what the page is about. */
export interface BlockPlan {
  readonly tool: string;
  readonly title: string;
  /** Names the entity in the tool's input: `address`, `token_address`, … */
  readonly field: string;
  readonly more?: (answer: ToolAnswer) => ComponentChildren;
  /** Arguments of this block beyond those of the page. */
  readonly args?: JsonObject;
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
const plannedOf = ({ entity, query, plan }: EntityPagePlan, { tools }: Catalog): readonly PlannedBlock[] =>
  plan.flatMap((block) => {
    const listed = tools.find(({ name }) => name === block.tool);
    const is_here = entity.network === "" || listed?.networks.includes(entity.network);
    if (listed === undefined || !is_here) return [];
    const network = entity.network === "" ? {} : { network: entity.network };
    const args = { [block.field]: entity.id, ...network, ...block.args, ...sharedArgs(listed, query) };
    return [{ ...block, listed, question: { tool: block.tool, args } }];
  });

/** Errors after which further calls would fail as well. */
const isFinal = (answer: ToolAnswer | null): boolean =>
  answer?.status === "error" && (answer.http_status === 401 || answer.http_status === 429 || answer.http_status === 0);

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
  // One after another: the plan's rate and its credits are met one question at a time.
  const askOpen = async () => {
    for (const [number, { question }] of open.entries()) {
      setAt(number);
      if (isFinal(await requestPriced(question, priced.prices, priced.onPrices))) break;
    }
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

const Blocks = ({ parts, priced }: { readonly parts: EntityPagePlan; readonly priced: PricesContext }) => {
  const planned = plannedOf(parts, priced.prices);
  return (
    <>
      <div class="page-bar">
        <Parameters tools={planned.map(({ listed }) => listed)} query={parts.query} />
        <CallAll planned={planned} priced={priced} />
      </div>
      <div class="blocks" tabIndex={-1}>
        {planned.map(({ tool, title, question, more }) => (
          <Block
            key={`${tool}${title}`}
            title={title}
            question={question}
            prices={priced.prices}
            onPrices={priced.onPrices}
            {...(more === undefined ? {} : { more })}
          />
        ))}
      </div>
      {planned.length === 0 ? <p class="quiet">No tool of this service answers about this here.</p> : null}
    </>
  );
};

/** The page of an entity: its identity and its tools. */
export const EntityPage = (parts: EntityPagePlan) => (
  <>
    <Heading entity={parts.entity} />
    <WithPrices>{(priced) => <Blocks parts={parts} priced={priced} />}</WithPrices>
  </>
);
