import { useMemo } from "preact/hooks";
import type { Graph } from "../../../src/case/graph_model.ts";
import { daysOf, tokensIn } from "../../../src/case/graph_time.ts";
import { type CategoryKind, type GraphFilter, KINDS } from "../../../src/case/graph_view.ts";
import { strangeParts } from "../ui/strange.tsx";
import { TimeRange } from "./time_range.tsx";

export interface FilterBarProps {
  /** The whole graph, whose days and tokens can be chosen. */
  readonly graph: Graph;
  readonly filter: GraphFilter;
  readonly onFilter: (filter: GraphFilter) => void;
}

/** Object.keys of a constant: its names are its keys. */
const NAMES = Object.keys(KINDS) as readonly CategoryKind[];

/** The kinds of addresses, which are also the legend. */
const Kinds = ({ filter, onFilter }: Omit<FilterBarProps, "graph">) => {
  const toggled = (kind: CategoryKind): ReadonlySet<string> => {
    const kinds = new Set(filter.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    return kinds;
  };
  return (
    <>
      {NAMES.map((kind) => (
        <label key={kind} class="legend">
          <input
            type="checkbox"
            checked={filter.kinds.has(kind)}
            onChange={() => onFilter({ ...filter, kinds: toggled(kind) })}
          />
          <span class={`kind kind-${kind}`} aria-hidden="true">
            {KINDS[kind].sign}
          </span>
          {KINDS[kind].name}
        </label>
      ))}
    </>
  );
};

/** Filters of the loaded graph, free of charge. The boxes are also its legend. */
export const FilterBar = ({ graph, filter, onFilter }: FilterBarProps) => {
  const tokens = useMemo(() => tokensIn(graph), [graph]);
  const days = useMemo(() => daysOf(graph), [graph]);
  return (
    <fieldset class="graph-filter">
      <legend>Show loaded data</legend>
      <label>
        Name or address
        <input
          type="search"
          value={filter.text}
          onInput={(e) => onFilter({ ...filter, text: e.currentTarget.value })}
        />
      </label>
      <label>
        Edges of at least, USD
        <input
          type="number"
          min="0"
          value={filter.min_usd}
          onInput={(e) => onFilter({ ...filter, min_usd: Math.max(0, Number(e.currentTarget.value) || 0) })}
        />
      </label>
      <label>
        Token
        <select
          value={filter.token ?? ""}
          onChange={(e) => onFilter({ ...filter, token: e.currentTarget.value || null })}
        >
          <option value="">all tokens</option>
          {tokens.map(({ key, symbol }) => (
            <option key={key} value={key}>
              {strangeParts(symbol, 24)
                .parts.map(({ text }) => text)
                .join("")}
            </option>
          ))}
        </select>
      </label>
      {days === null || days.first === days.last ? null : (
        <TimeRange
          days={days}
          from={filter.from}
          to={filter.to}
          onRange={(from, to) => onFilter({ ...filter, from, to })}
        />
      )}
      <Kinds filter={filter} onFilter={onFilter} />
    </fieldset>
  );
};
