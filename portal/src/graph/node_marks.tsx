import { CASE_LIMITS } from "../../../src/case/format.ts";
import type { GraphNode } from "../../../src/case/graph_model.ts";
import { DraftField } from "../ui/draft_field.tsx";
import type { Board } from "./board.ts";
import type { GraphUse } from "./use_graph.ts";

interface NodeMarksProps extends Pick<GraphUse, "move"> {
  readonly node: GraphNode;
  readonly board: Board;
}

/** The user's own label and note of an address, and a button that hides it. */
export const NodeMarks = ({ node: { id }, board, move }: NodeMarksProps) => (
  <div class="graph-marks">
    <DraftField
      class="field"
      label="Your label"
      length_max={CASE_LIMITS.label_length}
      text={board.labels.get(id) ?? ""}
      onText={(text) => move({ kind: "label", node: id, text })}
    />
    <DraftField
      class="field"
      label="Your note"
      is_long
      length_max={CASE_LIMITS.remark_length}
      text={board.remarks.get(id) ?? ""}
      onText={(text) => move({ kind: "remark", node: id, text })}
    />
    {id === board.start ? null : (
      <button type="button" onClick={() => move({ kind: "hide", node: id })}>
        Hide
      </button>
    )}
  </div>
);
