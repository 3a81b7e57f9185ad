import { useEffect, useRef, useState } from "preact/hooks";
import { useStore } from "../store.ts";
import { theme } from "../theme.ts";
import { type GraphLayout, openLayout } from "./layout.ts";
import type { NodePositions } from "./layout_matrix.ts";
import { paced } from "./paced.ts";
import { paletteNow } from "./palette.ts";
import type { GraphHandlers, RenderedGraph, Renderer } from "./renderer.ts";

export interface CanvasProps {
  readonly shown: RenderedGraph;
  /** Where nodes are: kept by the page, changed here. */
  readonly places: NodePositions;
  /** Another value each time that nodes are to be laid out again. */
  readonly occasion: unknown;
  readonly hands: GraphHandlers;
}

const hasWebgl = (): boolean => document.createElement("canvas").getContext("webgl2") !== null;

type State = "opening" | "open" | "no_webgl" | "failed";

const SENTENCES: Readonly<Record<State, string | null>> = {
  opening: "Opening the canvas…",
  open: null,
  no_webgl: "This browser draws no WebGL: the graph is shown as tables, which hold all of it.",
  failed: "The canvas could not be opened: the graph is shown as tables, which hold all of it.",
};

/** A node that was dragged stays where it was put: it is pinned by the page. */
export const Canvas = ({ shown, places, occasion, hands }: CanvasProps) => {
  const box = useRef<HTMLDivElement>(null);
  const renderer = useRef<Renderer | null>(null);
  const layout = useRef<GraphLayout | null>(null);
  const newest = useRef({ shown, hands });
  newest.current = { shown, hands };
  const [state, setState] = useState<State>("opening");
  const colours = useStore(theme);

  useEffect(() => {
    const container = box.current;
    if (container === null) return;
    if (!hasWebgl()) return setState("no_webgl");
    let is_wanted = true;
    layout.current = openLayout(places, {
      onPlaces: paced(() => renderer.current?.place(places)),
      onRest: () => container.setAttribute("data-rest", String(Date.now())),
    });
    layout.current.run(newest.current.shown.graph, newest.current.shown.pinned);
    const open = async (): Promise<void> => {
      const { openRenderer } = await import("./renderer.ts");
      if (!is_wanted) return;
      renderer.current = openRenderer(container, paletteNow(), {
        onNode: (id) => newest.current.hands.onNode(id),
        onEdge: (id) => newest.current.hands.onEdge(id),
        onMove: (id, x, y) => newest.current.hands.onMove(id, x, y),
      });
      renderer.current.show(newest.current.shown, places);
      setState("open");
    };
    open().catch(() => is_wanted && setState("failed"));
    return () => {
      is_wanted = false;
      layout.current?.stop();
      renderer.current?.close();
      renderer.current = null;
    };
  }, [places, colours]);

  const { graph, pinned, selected, marked } = shown;
  useEffect(
    () => renderer.current?.show({ graph, pinned, selected, marked }, places),
    [graph, pinned, selected, marked],
  );
  useEffect(() => layout.current?.run(newest.current.shown.graph, newest.current.shown.pinned), [occasion]);

  const sentence = SENTENCES[state];
  return (
    <div class={`graph-canvas graph-canvas-${state}`}>
      {sentence === null ? null : <p role="status">{sentence}</p>}
      <div class="graph-stage" ref={box} aria-hidden="true" />
      {state === "open" ? (
        <button type="button" class="graph-fit" onClick={() => renderer.current?.fit()}>
          Show all
        </button>
      ) : null}
    </div>
  );
};
