/** Runs the layout beside the page and tells where nodes are now. */
import type { Graph } from "../../../src/case/graph_model.ts";
import { type LayoutResponse, matrixOf, type NodePositions, positionNew } from "./layout_matrix.ts";

/** Enough for some thousand nodes to come to rest. */
const ROUNDS = 400;

export interface GraphLayout {
  readonly places: NodePositions;
  /** Lays out this graph from where its nodes are; `rounds` 0 only gives new ones a place. */
  readonly run: (graph: Graph, pinned: ReadonlySet<string>, rounds?: number) => void;
  readonly stop: () => void;
}

export interface LayoutWatch {
  readonly onPlaces: () => void;
  readonly onRest: () => void;
}

export const openLayout = (places: NodePositions, { onPlaces, onRest }: LayoutWatch): GraphLayout => {
  const worker = new Worker(new URL("./layout_worker.ts", import.meta.url), { type: "module" });
  let asked = 0;
  let ids: readonly string[] = [];
  let held: ReadonlySet<string> = new Set();
  worker.addEventListener("message", ({ data }: MessageEvent<LayoutResponse>) => {
    if (data.id !== asked) return;
    for (const [i, id] of ids.entries())
      if (!held.has(id)) places.set(id, [data.places[i * 2] ?? 0, data.places[i * 2 + 1] ?? 0]);
    onPlaces();
    if (data.is_done) onRest();
  });
  return {
    places,
    run(graph, pinned, rounds = ROUNDS) {
      positionNew(graph, places);
      asked += 1;
      ids = [...graph.nodes.keys()];
      held = pinned;
      onPlaces();
      if (rounds > 0) worker.postMessage({ id: asked, rounds, ...matrixOf(graph, places, pinned) });
    },
    stop: () => worker.terminate(),
  };
};
