import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CATEGORIES } from "../../../src/labels/categories.ts";
import { type ListedNetwork, networks } from "../api/client.ts";
import { CallButton } from "../ui/call_button.tsx";
import type { FlowDirection, GraphQuestion } from "./question.ts";

export interface QuestionFormProps {
  readonly question: GraphQuestion;
  /** Button label with the price. */
  readonly action: string;
  readonly is_waiting: boolean;
  readonly onAsk: (question: GraphQuestion) => void;
  /** Other actions on the question; it is null until it names a wallet. */
  readonly more?: (question: GraphQuestion | null) => ComponentChildren;
}

const DIRECTIONS: readonly (readonly [FlowDirection, string])[] = [
  ["all", "in and out"],
  ["in", "only what came in"],
  ["out", "only what went out"],
];

const useNetworks = (): readonly ListedNetwork[] => {
  const [list, setList] = useState<readonly ListedNetwork[]>([]);
  useEffect(() => {
    networks().then(setList, () => setList([]));
  }, []);
  return list;
};

const Categories = ({
  chosen,
  onChoose,
}: {
  chosen: readonly string[];
  onChoose: (list: readonly string[]) => void;
}) => (
  <details>
    <summary>{chosen.length === 0 ? "Of every category" : `Only ${chosen.join(", ").replaceAll("_", " ")}`}</summary>
    <fieldset class="categories">
      <legend>Only counterparties that are</legend>
      {CATEGORIES.map((category) => (
        <label key={category}>
          <input
            type="checkbox"
            checked={chosen.includes(category)}
            onChange={({ currentTarget: { checked } }) =>
              onChoose(checked ? [...chosen, category] : chosen.filter((one) => one !== category))
            }
          />
          {category.replaceAll("_", " ")}
        </label>
      ))}
    </fieldset>
  </details>
);

const Directions = ({ chosen, onChoose }: { chosen: FlowDirection; onChoose: (direction: FlowDirection) => void }) => (
  <label>
    Direction
    <select value={chosen} onChange={(e) => onChoose(DIRECTIONS[e.currentTarget.selectedIndex]?.[0] ?? "all")}>
      {DIRECTIONS.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </select>
  </label>
);

/** Where a graph starts, and which counterparties every expansion of it takes. */
export const QuestionForm = ({ question, action, is_waiting, onAsk, more }: QuestionFormProps) => {
  const list = useNetworks();
  const [asked, setAsked] = useState(question);
  const set = (part: Partial<GraphQuestion>): void => setAsked({ ...asked, ...part });
  useEffect(() => setAsked(question), [JSON.stringify(question)]);
  const network = asked.network === "" ? (list[0]?.id ?? "") : asked.network;
  const whole = asked.address === "" || network === "" ? null : { ...asked, network };
  const submit = (event: Event): void => {
    event.preventDefault();
    if (whole !== null) onAsk(whole);
  };
  const day = (name: "from_date" | "to_date", words: string) => (
    <label>
      {words}
      <input type="date" value={asked[name] ?? ""} onInput={(e) => set({ [name]: e.currentTarget.value || null })} />
    </label>
  );
  return (
    <form class="graph-form" onSubmit={submit} aria-label="Where the graph starts">
      <label>
        Network
        <select value={network} onChange={(e) => set({ network: e.currentTarget.value })}>
          {list.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="wide">
        Wallet
        <input
          type="text"
          required
          spellcheck={false}
          autocomplete="off"
          value={asked.address}
          onInput={(e) => set({ address: e.currentTarget.value.trim() })}
        />
      </label>
      <Directions chosen={asked.direction} onChoose={(direction) => set({ direction })} />
      <label>
        At least, USD
        <input
          type="number"
          min="0"
          value={asked.min_usd}
          onInput={(e) => set({ min_usd: Math.max(0, Number(e.currentTarget.value) || 0) })}
        />
      </label>
      {day("from_date", "From")}
      {day("to_date", "To")}
      <Categories chosen={asked.categories} onChoose={(categories) => set({ categories })} />
      <CallButton class="button-main" is_idle={is_waiting} onAsk={null}>
        {action}
      </CallButton>
      {more?.(whole)}
    </form>
  );
};
