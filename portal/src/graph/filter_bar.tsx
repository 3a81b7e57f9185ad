import { type CategoryKind, type GraphFilter, KINDS } from "./board.ts";

export interface FilterBarProps {
  readonly filter: GraphFilter;
  readonly onFilter: (filter: GraphFilter) => void;
}

/** Object.keys of a constant: its names are its keys. */
const NAMES = Object.keys(KINDS) as readonly CategoryKind[];

/** Filters of the loaded graph, free of charge. The boxes are also its legend. */
export const FilterBar = ({ filter, onFilter }: FilterBarProps) => {
  const toggled = (kind: CategoryKind): ReadonlySet<string> => {
    const kinds = new Set(filter.kinds);
    if (!kinds.delete(kind)) kinds.add(kind);
    return kinds;
  };
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
    </fieldset>
  );
};
