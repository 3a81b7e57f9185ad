import { useEffect, useState } from "preact/hooks";
import { fieldsOf, type JsonObject } from "../api/answer.ts";
import { Strange } from "../ui/strange.tsx";
import type { HighlightedText } from "./highlight.ts";

/** More lines than this are shown on demand, because a page of a hundred thousand elements is unusable. */
const LINES_FIRST = 400;

interface SourceFile {
  readonly path: string;
  readonly content: string;
}

const filesOf = (body: JsonObject): readonly SourceFile[] =>
  (Array.isArray(body.files) ? body.files.map(fieldsOf) : []).flatMap(({ path, content }) =>
    typeof content === "string" ? [{ path: String(path ?? ""), content }] : [],
  );

/** Colours load as a separate chunk; without it, the text still shows. */
const usePieces = (text: string): readonly HighlightedText[] => {
  const [pieces, setPieces] = useState<readonly HighlightedText[] | null>(null);
  useEffect(() => {
    let is_wanted = true;
    setPieces(null);
    import("./highlight.ts").then(
      ({ highlighted }) => is_wanted && setPieces(highlighted(text)),
      () => undefined, // the text stays without colours
    );
    return () => {
      is_wanted = false;
    };
  }, [text]);
  return pieces ?? [{ hue: "plain", text }];
};

/** Signs that would turn the reading of code are named, as everywhere. */
const NAMED = /[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u061c]/g;
const shown = (text: string): string =>
  text.replace(NAMED, (sign) => `⟦U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}⟧`);

const Source = ({ file }: { readonly file: SourceFile }) => {
  const [is_whole, setWhole] = useState(false);
  const lines = file.content.split("\n");
  const text = is_whole ? file.content : lines.slice(0, LINES_FIRST).join("\n");
  const pieces = usePieces(text);
  return (
    <div class="source">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
      <pre tabIndex={0} class="code">
        {pieces.map(({ hue, text: piece }, at) => (
          <span key={at} class={hue === "plain" ? undefined : `hue-${hue}`}>
            {shown(piece)}
          </span>
        ))}
      </pre>
      {lines.length > LINES_FIRST && !is_whole ? (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          Show all {lines.length} lines
        </button>
      ) : null}
    </div>
  );
};

/** The files of a verified source, one open at a time. */
export const SourceFiles = ({ body }: { readonly body: JsonObject }) => {
  const files = filesOf(body);
  return (
    <div class="files">
      {files.map((file, at) => (
        <details key={file.path} open={at === 0}>
          <summary>
            <Strange text={file.path} width={120} />
          </summary>
          <Source file={file} />
        </details>
      ))}
    </div>
  );
};
