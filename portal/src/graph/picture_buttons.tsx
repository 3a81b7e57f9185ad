import { useState } from "preact/hooks";
import type { Graph } from "../../../src/case/graph_model.ts";
import { graphFile, type PictureFile } from "../../../src/case/graph_picture.ts";
import { svgText } from "../../../src/charts/node.ts";
import { download } from "../export/download.ts";
import { entriesOf, type GraphContent, savedOf } from "./use_saved.ts";

/** Title of the picture, and the blocks that its answers are of. */
const headOf = ({ question, board }: GraphContent): readonly string[] => {
  const blocks = entriesOf(board).flatMap(({ as_of }) =>
    as_of.map(
      ({ network, block_number, block_hash, timestamp }) =>
        `As of ${network} block ${block_number} (${block_hash.slice(0, 18)}…), ${timestamp}`,
    ),
  );
  return [`Money graph of ${board.start} on ${question.network}`, ...new Set(blocks)].slice(0, 6);
};

/** Pixels of the file for each unit of the picture. */
const SCALE = 2;

/** The picture as PNG, through the browser's own reading of the SVG; null where it cannot. */
const pngOf = async ({ picture, width, height }: PictureFile): Promise<Blob | null> => {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(picture))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  if (context === null) return null;
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

interface PictureButtonsProps {
  /** As it is shown: with the filter and the user's labels. */
  readonly graph: Graph;
  readonly content: GraphContent;
}

/** Saves the shown graph as a picture. */
export const PictureButtons = ({ graph, content }: PictureButtonsProps) => {
  const [fault, setFault] = useState<string | null>(null);
  const save = async (format: "svg" | "png"): Promise<void> => {
    const file = graphFile(graph, savedOf(content, "graph"), headOf(content));
    setFault(file === null ? "The graph shows no edge to draw." : null);
    if (file === null) return;
    if (format === "svg") return download("graph.svg", svgText(file.picture), "image/svg+xml");
    const png = await pngOf(file).catch(() => null);
    if (png === null) setFault("This browser cannot turn the picture into PNG. Save it as SVG.");
    else download("graph.png", png, "image/png");
  };
  return (
    <>
      {(["svg", "png"] as const).map((format) => (
        <button key={format} type="button" onClick={() => void save(format)}>
          {format.toUpperCase()}
        </button>
      ))}
      {fault === null ? null : <span role="alert">{fault}</span>}
    </>
  );
};
