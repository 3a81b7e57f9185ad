import { useState } from "preact/hooks";
import { CASE_LIMITS } from "../../../src/case/format.ts";
import { groupsByEntity } from "../../../src/case/graph_groups.ts";
import type { Graph } from "../../../src/case/graph_model.ts";
import { nameOf } from "../../../src/case/graph_view.ts";
import { newId } from "../case/case_store.ts";
import { Strange } from "../ui/strange.tsx";
import type { GraphUse } from "./use_graph.ts";

export interface GroupPanelProps {
  readonly use: GraphUse;
  /** The whole graph, before groups are closed. */
  readonly graph: Graph;
  /** Addresses that the user selected for a group. */
  readonly picked: ReadonlySet<string>;
  readonly onPicked: (picked: ReadonlySet<string>) => void;
}

const ByHand = ({ use, graph, picked, onPicked }: GroupPanelProps) => {
  const [name, setName] = useState("");
  const group = (event: Event): void => {
    event.preventDefault();
    if (picked.size < 2 || name.trim() === "") return;
    const nodes = [...picked];
    use.move({ kind: "group", groups: [{ id: newId(), name: name.trim(), nodes, is_open: false }] });
    setName("");
    onPicked(new Set());
  };
  return (
    <form class="actions" onSubmit={group} aria-label="New group">
      <span>
        Selected:{" "}
        {[...picked].map((id) => nameOf(graph.nodes.get(id) ?? { label: null, address: id })).join(", ") || "none"}
      </span>
      <label>
        Name of the group{" "}
        <input
          type="text"
          required
          maxLength={CASE_LIMITS.label_length}
          value={name}
          onInput={(e) => setName(e.currentTarget.value)}
        />
      </label>
      <button type="submit" aria-disabled={picked.size < 2}>
        Group {picked.size} addresses
      </button>
      <button type="button" onClick={() => onPicked(new Set())}>
        Select none
      </button>
    </form>
  );
};

/** Groups of the graph: made by entity or by hand, opened and closed. */
export const GroupPanel = (props: GroupPanelProps) => {
  const { use, graph, picked } = props;
  const { groups } = use.board;
  const found = groupsByEntity(graph, groups, () => "");
  return (
    <details class="graph-groups" open={groups.length > 0 || picked.size > 0}>
      <summary>
        Groups: {groups.length}
        {picked.size === 0 ? "" : `, ${picked.size} selected`}
      </summary>
      <p class="actions">
        <button
          type="button"
          disabled={found.length === 0}
          onClick={() => use.move({ kind: "group", groups: groupsByEntity(graph, groups, newId) })}
        >
          Group by entity ({found.length})
        </button>
        <span class="hint">
          Or select addresses by "Select for a group" of the chosen address. Payments inside a closed group are not
          shown.
        </span>
      </p>
      {picked.size === 0 ? null : <ByHand {...props} />}
      {groups.length === 0 ? null : (
        <ul>
          {groups.map(({ id, name, nodes, is_open }) => (
            <li key={id} class="actions">
              <Strange text={name} width={40} is_marked={false} /> ({nodes.length} addresses)
              <button type="button" aria-expanded={is_open} onClick={() => use.move({ kind: "fold", group: id })}>
                {is_open ? "Close" : "Open"}
              </button>
              <button type="button" onClick={() => use.move({ kind: "ungroup", group: id })}>
                Ungroup
              </button>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
};
