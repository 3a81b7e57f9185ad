import { useState } from "preact/hooks";
import { CASE_LIMITS, type CaseFile } from "../../../src/case/format.ts";
import { caseHtml, caseJsonOf } from "../../../src/case/html.ts";
import { readCase } from "../../../src/case/read.ts";
import { download } from "../export/download.ts";
import { Notice } from "../ui/notice.tsx";
import { beginCase, takeFile, wholeCase } from "./case_store.ts";
import type { CaseView } from "./case_view.ts";

const nameOf = (file: CaseFile, ending: string): string =>
  `case-${file.title.trim() || file.created_at.slice(0, 10)}`.slice(0, 60) + ending;

const exportPage = async (): Promise<void> => {
  const file = await wholeCase();
  if (file !== null) download(nameOf(file, ".html"), caseHtml(file), "text/html;charset=utf-8");
};

const exportJson = async (): Promise<void> => {
  const file = await wholeCase();
  if (file !== null) download(nameOf(file, ".json"), JSON.stringify(file, null, 1), "application/json");
};

/** Exports of the open case. */
export const CaseExports = () => (
  <>
    <button type="button" class="button-main" onClick={() => void exportPage()}>
      Export as one page
    </button>
    <button type="button" onClick={() => void exportJson()}>
      Export as JSON
    </button>
  </>
);

interface OpenFileProps {
  /** Whether the page may take the file; called when the file was read. */
  readonly mayTake?: () => boolean;
  readonly onTaken?: () => void;
}

/** A button that opens a case file. */
export const OpenFile = ({ mayTake = () => true, onTaken }: OpenFileProps) => {
  const [fault, setFault] = useState<string | null>(null);
  const take = async (input: HTMLInputElement): Promise<void> => {
    const [chosen] = input.files ?? [];
    input.value = "";
    if (chosen === undefined) return;
    if (chosen.size > CASE_LIMITS.file_bytes)
      return setFault(`It is larger than ${CASE_LIMITS.file_bytes / 1024 / 1024} MB.`);
    const read = readCase(caseJsonOf(await chosen.text()));
    if (read.kind === "refused") return setFault(`${read.reason}.`);
    setFault(null);
    if (!mayTake()) return;
    const taken = await takeFile(read.file);
    if (taken.kind === "refused") setFault(taken.message);
    else onTaken?.();
  };
  return (
    <>
      <label class="button">
        Open a file{" "}
        <input type="file" accept=".json,.html" onChange={({ currentTarget }) => void take(currentTarget)} />
      </label>
      {fault === null ? null : (
        <Notice tone="bad" title="The file was not taken">
          {fault}
        </Notice>
      )}
    </>
  );
};

/** Files of the case of this browser: an import replaces it, after confirmation. */
export const BrowserFiles = ({ view }: { readonly view: CaseView }) => {
  const mayReplace = (): boolean =>
    (view.entries.length === 0 && view.notes.length === 0 && view.graphs.length === 0) ||
    confirm("The case that is open will be gone unless it was exported.");
  return (
    <>
      <p class="actions">
        <CaseExports />
        <OpenFile mayTake={mayReplace} />
        <button type="button" onClick={() => mayReplace() && void beginCase("")}>
          Begin a new case
        </button>
      </p>
      <p class="hint">
        <code>assay case verify FILE</code> repeats every call of an exported file, as of its block, and compares the
        answers byte by byte. Only this browser keeps the case: sign in, or use a key with <code>cases:write</code>, and
        the account keeps it.
      </p>
    </>
  );
};
