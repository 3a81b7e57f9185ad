import { useState } from "preact/hooks";
import type { Graph } from "../../../src/case/graph_model.ts";
import { openCase } from "../case/case_store.ts";
import { download } from "../export/download.ts";
import { useStore } from "../store.ts";
import { PictureButtons } from "./picture_buttons.tsx";
import type { GraphUse } from "./use_graph.ts";
import { entriesOf, type GraphContent, type GraphSaving, savedOf } from "./use_saved.ts";

interface ToolbarProps {
  readonly use: GraphUse;
  /** As it is shown. */
  readonly graph: Graph;
  readonly content: GraphContent;
  readonly saving: GraphSaving;
  readonly onLayout: () => void;
}

/** Copies the page's address, which opens the saved graph for the people of the account. */
const CopyLink = () => {
  const [state, setState] = useState<"new" | "copied" | "refused">("new");
  const copy = (): void =>
    void navigator.clipboard.writeText(location.href).then(
      () => setState("copied"),
      () => setState("refused"),
    );
  return (
    <>
      <button type="button" onClick={copy}>
        {state === "copied" ? "Link copied" : "Copy link for the account"}
      </button>
      {state === "refused" ? <span class="quiet">The browser did not let the page copy it.</span> : null}
    </>
  );
};

/** Actions on the whole graph. */
export const Toolbar = ({ use, graph, content, saving, onLayout }: ToolbarProps) => {
  const case_id = useStore(openCase)?.id ?? null;
  const { board } = use;
  const entries = entriesOf(board);
  const json = (): void =>
    download("graph.json", JSON.stringify({ graph: savedOf(content, "graph"), entries }, null, 1), "application/json");
  return (
    <p class="actions" role="toolbar" aria-label="Graph">
      <button type="button" disabled={board.past.length === 0} onClick={() => use.move({ kind: "undo" })}>
        Undo
      </button>
      <button type="button" onClick={onLayout}>
        Lay out again
      </button>
      {board.hidden.size === 0 ? null : (
        <button type="button" onClick={() => use.move({ kind: "show_hidden" })}>
          Show {board.hidden.size} hidden
        </button>
      )}
      {saving.is_saved ? null : (
        <button type="button" disabled={entries.length === 0} onClick={() => void saving.save()}>
          Save in the case
        </button>
      )}
      {saving.is_saved && case_id !== null ? <CopyLink /> : null}
      <button type="button" disabled={entries.length === 0} onClick={json}>
        JSON
      </button>
      <PictureButtons graph={graph} content={content} />
      <span role="status">{saving.state ?? ""}</span>
      {saving.is_saved ? <a href={`/app/case${case_id === null ? "" : `/${case_id}`}`}>Open the case</a> : null}
    </p>
  );
};
