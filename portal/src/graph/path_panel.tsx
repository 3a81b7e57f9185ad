import type { Graph } from "../../../src/case/graph_model.ts";
import { nameOf } from "../../../src/case/graph_view.ts";
import { type GraphPath, shortestPath, widestPath } from "../../../src/case/paths.ts";
import { Strange } from "../ui/strange.tsx";
import { usd } from "./node_panel.tsx";

export interface PathChoice {
  readonly from: string;
  readonly to: string;
  readonly by: "hops" | "amount";
  readonly along_the_money: boolean;
}

export const pathOf = (graph: Graph, choice: PathChoice): GraphPath | null =>
  choice.by === "hops" ? shortestPath(graph, choice) : widestPath(graph, choice);

export interface PathPanelProps {
  readonly graph: Graph;
  readonly choice: PathChoice;
  readonly path: GraphPath | null;
  readonly onChange: (choice: PathChoice | null) => void;
  readonly onEdge: (id: string) => void;
}

/** A path between two addresses, step by step. */
export const PathPanel = ({ graph, choice, path, onChange, onEdge }: PathPanelProps) => {
  const name = (id: string): string => {
    const node = graph.nodes.get(id);
    return node === undefined ? "an address to be chosen" : nameOf(node);
  };
  return (
    <section class="graph-panel" aria-label="Path">
      <h2>
        Path from <Strange text={name(choice.from)} is_marked={false} /> to{" "}
        <Strange text={name(choice.to)} is_marked={false} />
      </h2>
      <p class="actions">
        <label>
          By{" "}
          <select
            value={choice.by}
            onChange={(e) => onChange({ ...choice, by: e.currentTarget.value === "amount" ? "amount" : "hops" })}
          >
            <option value="hops">fewest hops</option>
            <option value="amount">largest amount all the way</option>
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={choice.along_the_money}
            onChange={(e) => onChange({ ...choice, along_the_money: e.currentTarget.checked })}
          />{" "}
          only along the money
        </label>
        <button type="button" onClick={() => onChange(null)}>
          Close
        </button>
      </p>
      {path === null ? (
        <p>No path in the loaded graph. Others may exist: expand more addresses.</p>
      ) : (
        <>
          <p>
            {path.edges.length} {path.edges.length === 1 ? "hop" : "hops"}; at least {usd(path.narrowest_usd)} over
            each. Only among what was loaded.
          </p>
          <ol>
            {path.edges.map((edge, i) => (
              <li key={edge.id}>
                <button type="button" class="choose" onClick={() => onEdge(edge.id)}>
                  <Strange text={name(path.nodes[i] ?? "")} is_marked={false} />{" "}
                  {edge.from === path.nodes[i] ? "→" : "←"}{" "}
                  <Strange text={name(path.nodes[i + 1] ?? "")} is_marked={false} />
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
};
