import { useEffect } from "preact/hooks";
import { CASE_LIMITS, type CaseFile, type SavedGraph } from "../../../src/case/format.ts";
import { CaseEntry } from "../case/case_entry.tsx";
import { CaseFiles } from "../case/case_files.tsx";
import { CaseNotes } from "../case/case_notes.tsx";
import { dropGraph, nameCase, openCase, theCase, unkept } from "../case/case_store.ts";
import { useStore } from "../store.ts";
import { Notice } from "../ui/notice.tsx";
import "../styles/graph.css";

/** Arguments of the first answer, so that further calls use the same block. */
const graphHref = ({ entries }: CaseFile, graph: SavedGraph): string => {
  const first = entries.find(({ id }) => id === graph.expansions[0]?.entry);
  const query = new URLSearchParams({ network: graph.network, address: graph.start, graph: graph.id });
  for (const name of ["direction", "min_usd", "from_date", "to_date"] as const) {
    const value = first?.arguments[name];
    if (typeof value === "string" || typeof value === "number") query.set(name, String(value));
  }
  const block = first?.as_of[0]?.block_number;
  if (block !== undefined) query.set("as_of", String(block));
  return `/app/graph?${query}`;
};

const Graphs = ({ file }: { readonly file: CaseFile }) =>
  file.graphs.length === 0 ? null : (
    <section aria-labelledby="graphs">
      <h2 id="graphs">Graphs</h2>
      <ul>
        {file.graphs.map((graph) => (
          <li key={graph.id} class="actions">
            <a href={graphHref(file, graph)}>
              <bdi>{graph.title}</bdi>
            </a>
            <span class="quiet">
              {graph.network}, {graph.expansions.length} answers, {graph.saved_at}
            </span>
            <button type="button" onClick={() => void dropGraph(graph.id)}>
              Remove graph
            </button>
          </li>
        ))}
      </ul>
    </section>
  );

const Case = () => {
  const file = useStore(openCase);
  const warning = useStore(unkept);
  useEffect(() => void theCase(), []);
  if (file === null) return <p class="waiting">Opening…</p>;
  return (
    <div class="case-page">
      <h1>Case</h1>
      {warning === null ? null : <Notice tone="warn" title={warning} />}
      <label class="case-title">
        Title
        <input
          type="text"
          maxLength={CASE_LIMITS.title_length}
          value={file.title}
          onChange={({ currentTarget: { value } }) => void nameCase(value)}
        />
      </label>
      <CaseFiles file={file} />
      <CaseNotes notes={file.notes} />
      <Graphs file={file} />
      <section aria-labelledby="results">
        <h2 id="results">
          Results: {file.entries.length} of at most {CASE_LIMITS.entries}
        </h2>
        {file.entries.length === 0 ? (
          <p class="quiet">Nothing is pinned yet: results have a button for it, and so has the graph.</p>
        ) : null}
        {file.entries.map((entry, i) => (
          <CaseEntry key={entry.id} entry={entry} number={i + 1} />
        ))}
      </section>
    </div>
  );
};

export default Case;
