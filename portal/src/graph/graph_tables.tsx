import { useMemo, useState } from "preact/hooks";
import { sortedEdges, sortedNodes } from "../../../src/case/graph.ts";
import type { Graph } from "../../../src/case/graph_model.ts";
import { edgeTable, nodeTable } from "../../../src/case/graph_tables.ts";
import { paymentTable, TIME_STEPS, type TimeStep } from "../../../src/case/graph_time.ts";
import { GraphTable } from "./graph_table.tsx";

const NODE_COLUMNS = ["address", "label", "category", "volume_usd", "transfers", "hops", "is_expanded"];
const EDGE_COLUMNS = ["from", "from_label", "to", "to_label", "tokens", "usd", "transfers", "pair_first", "pair_last"];
const PAYMENT_COLUMNS = ["since", "from", "to", "token", "amount", "usd", "transactions"];

interface TablesProps {
  /** As it is shown. */
  readonly graph: Graph;
  readonly selected: string | null;
  readonly onChoose: (id: string) => void;
}

/** Every node and edge: for keyboard and screen reader. */
export const Tables = ({ graph, selected, onChoose }: TablesProps) => {
  const nodes = useMemo(() => ({ table: nodeTable(graph), ids: sortedNodes(graph).map(({ id }) => id) }), [graph]);
  const edges = useMemo(() => ({ table: edgeTable(graph), ids: sortedEdges(graph).map(({ id }) => id) }), [graph]);
  return (
    <>
      <GraphTable
        table={nodes.table}
        caption="Addresses"
        ids={nodes.ids}
        selected={selected}
        onChoose={onChoose}
        columns={NODE_COLUMNS}
      />
      <GraphTable
        table={edges.table}
        caption="Edges"
        ids={edges.ids}
        selected={selected}
        onChoose={onChoose}
        columns={EDGE_COLUMNS}
      />
    </>
  );
};

/** Known payments by token and step of time. */
export const Payments = ({ graph, selected, onChoose }: TablesProps) => {
  const [step, setStep] = useState<TimeStep>("week");
  const { table, ids } = useMemo(() => paymentTable(graph, step), [graph, step]);
  if (ids.length === 0) return null;
  return (
    <>
      <label>
        Payments by token and{" "}
        <select value={step} onChange={(e) => setStep(TIME_STEPS[e.currentTarget.selectedIndex] ?? "week")}>
          {TIME_STEPS.map((one) => (
            <option key={one} value={one}>
              {one}
            </option>
          ))}
        </select>
      </label>
      <p class="hint">
        Payments that traces and the transactions of edges name. Ask for the transactions of an edge to have all of its
        days.
      </p>
      <GraphTable
        table={table}
        caption={`Payments by token and ${step}`}
        ids={ids}
        selected={selected}
        onChoose={onChoose}
        columns={PAYMENT_COLUMNS}
      />
    </>
  );
};
