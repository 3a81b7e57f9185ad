import { useState } from "preact/hooks";
import { CASE_LIMITS, type CaseFile } from "../../../src/case/format.ts";
import { caseHtml, caseJsonOf } from "../../../src/case/html.ts";
import { readCase } from "../../../src/case/read.ts";
import { download } from "../export/download.ts";
import { Notice } from "../ui/notice.tsx";
import { beginCase, replaceCase } from "./case_store.ts";

const nameOf = (file: CaseFile, ending: string): string =>
  `case-${file.title.trim() || file.created_at.slice(0, 10)}`.slice(0, 60) + ending;

/** Exports a case to a file and imports one. An import replaces the open case, after confirmation. */
export const CaseFiles = ({ file }: { readonly file: CaseFile }) => {
  const [fault, setFault] = useState<string | null>(null);
  const is_empty = file.entries.length + file.notes.length + file.graphs.length === 0;
  const mayReplace = (): boolean => is_empty || confirm("The case that is open will be gone unless it was exported.");
  const take = async (input: HTMLInputElement): Promise<void> => {
    const [chosen] = input.files ?? [];
    input.value = "";
    if (chosen === undefined) return;
    if (chosen.size > CASE_LIMITS.file_bytes)
      return setFault(`It is larger than ${CASE_LIMITS.file_bytes / 1024 / 1024} MB.`);
    const read = readCase(caseJsonOf(await chosen.text()));
    if (read.kind === "refused") return setFault(`${read.reason}.`);
    setFault(null);
    if (mayReplace()) await replaceCase(read.file);
  };
  return (
    <>
      <p class="actions">
        <button
          type="button"
          class="button-main"
          onClick={() => download(nameOf(file, ".html"), caseHtml(file), "text/html;charset=utf-8")}
        >
          Export as one page
        </button>
        <button
          type="button"
          onClick={() => download(nameOf(file, ".json"), JSON.stringify(file, null, 1), "application/json")}
        >
          Export as JSON
        </button>
        <label class="button">
          Open a file{" "}
          <input type="file" accept=".json,.html" onChange={({ currentTarget }) => void take(currentTarget)} />
        </label>
        <button type="button" onClick={() => mayReplace() && void beginCase()}>
          Begin a new case
        </button>
      </p>
      <p class="hint">
        <code>assay case verify FILE</code> asks every result of an exported file again, as of its block, and compares
        it byte by byte. The case is kept in this browser only.
      </p>
      {fault === null ? null : (
        <Notice tone="bad" title="The file was not taken">
          {fault}
        </Notice>
      )}
    </>
  );
};
