import { useState } from "preact/hooks";
import { answerHash } from "../../../src/case/canonical.ts";
import type { JsonMembers } from "../../../src/case/format.ts";
import { type CaseCell, type CaseTable, tablesOf } from "../../../src/case/tables.ts";
import { ExportButtons } from "../export/export_buttons.tsx";
import { Strange } from "../ui/strange.tsx";
import { NewNote, NotesOf } from "./case_notes.tsx";
import { removePart, wholeEntry } from "./case_store.ts";
import type { CaseCall, CaseView } from "./case_view.ts";

const ROWS_SHOWN = 50;

const formatCell = (cell: CaseCell): string => (cell === null ? "–" : String(cell));

const Rows = ({ table, name }: { readonly table: CaseTable; readonly name: string }) => (
  <div>
    <ExportButtons table={table} name={name} />
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
    <section class="scroll" tabIndex={0} aria-label={`${name}: ${table.name}`}>
      <table>
        <caption>
          {table.name}: {table.rows.length}
        </caption>
        <thead>
          <tr>
            {table.columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.slice(0, ROWS_SHOWN).map((row, i) => (
            // Rows of a kept answer never move.
            <tr key={`row ${i}`}>
              {row.map((cell, at) => (
                <td key={table.columns[at]} class={typeof cell === "number" ? "number" : ""}>
                  <Strange text={formatCell(cell)} width={200} is_marked={false} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
    {table.rows.length > ROWS_SHOWN ? <p class="hint">The first {ROWS_SHOWN}; the exports hold all.</p> : null}
  </div>
);

interface EntryProps {
  readonly view: CaseView;
  readonly entry: CaseCall;
  readonly number: number;
}

/** The answer of a result: at hand, or read when it is wanted. Null until then. */
const useAnswer = (entry: CaseCall) => {
  const [answer, setAnswer] = useState<JsonMembers | null>("answer" in entry ? (entry.answer as JsonMembers) : null);
  const [is_open, setOpen] = useState(false);
  const toggle = async (): Promise<void> => {
    if (!is_open && answer === null) setAnswer((await wholeEntry(entry.id))?.answer ?? null);
    setOpen(!is_open);
  };
  return { answer, is_open, toggle };
};

const Facts = ({ entry, answer }: { readonly entry: CaseCall; readonly answer: JsonMembers | null }) => {
  const blocks = entry.as_of.map(({ network, block_number, timestamp }) => `${network} ${block_number}, ${timestamp}`);
  const is_altered = answer !== null && answerHash(answer) !== entry.answer_sha256;
  return (
    <dl>
      <dt>Asked</dt>
      <dd class="mono">
        <Strange text={JSON.stringify(entry.arguments)} width={600} is_marked={false} />
      </dd>
      <dt>As of</dt>
      <dd>{blocks.length === 0 ? "the answer names no block" : blocks.join("; ")}</dd>
      <dt>Block hash</dt>
      <dd class="mono">{entry.as_of.map(({ block_hash }) => block_hash).join(" ") || "–"}</dd>
      <dt>When</dt>
      <dd>
        {entry.asked_at}, {entry.credits ?? "?"} credits, request {entry.request_id ?? "not known"}
      </dd>
      <dt>SHA-256</dt>
      <dd class="mono">{is_altered ? "does not belong to the answer: the file was altered" : entry.answer_sha256}</dd>
    </dl>
  );
};

/** A pinned result: its arguments, its block, its notes, and its tables on demand. */
export const CaseEntry = ({ view, entry, number }: EntryProps) => {
  const { answer, is_open, toggle } = useAnswer(entry);
  return (
    <article class="case-entry" aria-label={`Result ${number}: ${entry.tool}`}>
      <h3>
        {number}. {entry.tool}
      </h3>
      <Facts entry={entry} answer={answer} />
      <p class="actions">
        <button type="button" aria-expanded={is_open} onClick={() => void toggle()}>
          {is_open ? "Hide the result" : "Show the result"}
        </button>
        {view.may_write ? (
          <button type="button" onClick={() => void removePart("entry", entry.id)}>
            Remove result {number}
          </button>
        ) : null}
      </p>
      {is_open && answer !== null
        ? tablesOf(answer).map((table) => <Rows key={table.name} table={table} name={entry.tool} />)
        : null}
      <NotesOf view={view} entry={entry.id} />
      {view.may_write ? (
        <details>
          <summary>Add a note about result {number}</summary>
          <NewNote entry={entry.id} label={`Note about result ${number}`} button={`Save under result ${number}`} />
        </details>
      ) : null}
    </article>
  );
};
