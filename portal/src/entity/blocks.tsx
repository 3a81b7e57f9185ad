import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Answer, Fields } from "../api/answer.ts";
import { heldFor, type Question } from "../api/answers.ts";
import type { Catalog, ListedTool } from "../api/client.ts";
import { AskButton } from "../ui/ask_button.tsx";
import { askShown, Block } from "../ui/block.tsx";
import { creditsText } from "../ui/format.ts";
import { type Priced, WithPrices } from "../ui/prices.tsx";
import { Heading } from "./heading.tsx";
import { Parameters, sharedArgs } from "./parameters.tsx";
import type { Entity } from "./places.ts";

/** One block of a page: a tool, and which of its fields holds what the page is about. */
export interface BlockPlan {
  readonly tool: string;
  readonly title: string;
  /** Names the entity in the tool's input: `address`, `token_address`, … */
  readonly field: string;
  readonly more?: (answer: Answer) => ComponentChildren;
  /** Arguments of this block beyond those of the page. */
  readonly args?: Fields;
}

interface Planned extends BlockPlan {
  readonly listed: ListedTool;
  readonly question: Question;
}

interface PageParts {
  readonly entity: Entity;
  readonly query: URLSearchParams;
  readonly plan: readonly BlockPlan[];
}

/** Blocks whose tools the operator shows and the network has. */
const plannedOf = ({ entity, query, plan }: PageParts, { tools }: Catalog): readonly Planned[] =>
  plan.flatMap((block) => {
    const listed = tools.find(({ name }) => name === block.tool);
    const is_here = entity.network === "" || listed?.networks.includes(entity.network);
    if (listed === undefined || !is_here) return [];
    const network = entity.network === "" ? {} : { network: entity.network };
    const args = { [block.field]: entity.id, ...network, ...block.args, ...sharedArgs(listed, query) };
    return [{ ...block, listed, question: { tool: block.tool, args } }];
  });

/** Errors after which further calls would fail as well. */
const isFinal = (answer: Answer | null): boolean =>
  answer?.status === "error" && (answer.http_status === 401 || answer.http_status === 429 || answer.http_status === 0);

const AskAll = ({ planned, priced }: { readonly planned: readonly Planned[]; readonly priced: Priced }) => {
  const [at, setAt] = useState<number | null>(null);
  const [, redraw] = useState(0);
  useEffect(() => {
    const stops = planned.map(({ question }) => heldFor(question).subscribe(() => redraw((count) => count + 1)));
    return () => {
      for (const stop of stops) stop();
    };
  }, [planned]);
  const open = planned.filter(({ question, listed }) => heldFor(question).get() === null && listed.credits !== null);
  const sum = open.reduce((total, { listed }) => total + (listed.credits ?? 0), 0);
  if (open.length < 2 && at === null) return null;
  // One after another: the plan's rate and its credits are met one question at a time.
  const askOpen = async () => {
    for (const [number, { question }] of open.entries()) {
      setAt(number);
      if (isFinal(await askShown(question, priced.prices, priced.onPrices))) break;
    }
    // With nothing left to ask this button goes away: the focus goes to the answers.
    if (document.activeElement?.classList.contains("ask-all"))
      document.querySelector<HTMLElement>(".blocks")?.focus({ preventScroll: true });
    setAt(null);
  };
  return (
    <AskButton class="ask-all" is_idle={at !== null} onAsk={() => void askOpen()}>
      {at === null
        ? `Ask ${open.length === planned.length ? "all" : "the other"} ${open.length} · ${creditsText(sum)}`
        : `Asking, ${open.length} to go…`}
    </AskButton>
  );
};

const Blocks = ({ parts, priced }: { readonly parts: PageParts; readonly priced: Priced }) => {
  const planned = plannedOf(parts, priced.prices);
  return (
    <>
      <div class="page-bar">
        <Parameters tools={planned.map(({ listed }) => listed)} query={parts.query} />
        <AskAll planned={planned} priced={priced} />
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
export const EntityPage = (parts: PageParts) => (
  <>
    <Heading entity={parts.entity} />
    <WithPrices>{(priced) => <Blocks parts={parts} priced={priced} />}</WithPrices>
  </>
);
