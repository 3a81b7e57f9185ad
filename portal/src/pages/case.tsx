import { useEffect, useState } from "preact/hooks";
import { CASE_LIMITS, type SavedGraph } from "../../../src/case/format.ts";
import { Sure } from "../account/parts.tsx";
import { restoring } from "../account/session.ts";
import { credential } from "../api/credential.ts";
import { CaseChanges } from "../case/case_changes.tsx";
import { CaseEntry } from "../case/case_entry.tsx";
import { BrowserFiles, CaseExports } from "../case/case_files.tsx";
import { CasesOfAccount } from "../case/case_list.tsx";
import { NewNote, NotesOf } from "../case/case_notes.tsx";
import {
  caseFault,
  caseList,
  changeCase,
  openCase,
  openCaseOf,
  readCases,
  removeCase,
  removePart,
  theCase,
} from "../case/case_store.ts";
import { CaseVerify } from "../case/case_verify.tsx";
import type { CaseView } from "../case/case_view.ts";
import { open } from "../navigation.ts";
import type { PageProps } from "../routes.ts";
import { useStore } from "../store.ts";
import { DraftField } from "../ui/draft_field.tsx";
import { Notice } from "../ui/notice.tsx";
import "../styles/graph.css";

/** Arguments of the first answer, so that further calls use the same block. */
const graphHref = ({ id, entries }: CaseView, graph: SavedGraph): string => {
  const first = entries.find((entry) => entry.id === graph.expansions[0]?.entry);
  const query = new URLSearchParams({ network: graph.network, address: graph.start, graph: graph.id });
  if (id !== null) query.set("case", id);
  for (const name of ["direction", "min_usd", "from_date", "to_date"] as const) {
    const value = first?.arguments[name];
    if (typeof value === "string" || typeof value === "number") query.set(name, String(value));
  }
  const block = first?.as_of[0]?.block_number;
  if (block !== undefined) query.set("as_of", String(block));
  return `/app/graph?${query}`;
};

const Graphs = ({ view }: { readonly view: CaseView }) =>
  view.graphs.length === 0 ? null : (
    <section aria-labelledby="graphs">
      <h2 id="graphs">Graphs</h2>
      <ul>
        {view.graphs.map((graph) => (
          <li key={graph.id} class="actions">
            <a href={graphHref(view, graph)}>
              <bdi>{graph.title}</bdi>
            </a>
            <span class="quiet">
              {graph.network}, {graph.expansions.length} answers, {graph.saved_at}
            </span>
            {view.may_write ? (
              <button type="button" onClick={() => void removePart("graph", graph.id)}>
                Remove graph
              </button>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );

/** Status, exports and deletion of a case of the account. */
const AccountActions = ({ view, id }: { readonly view: CaseView; readonly id: string }) => {
  const remove = async (): Promise<void> => {
    if ((await removeCase({ id, version: view.version })).kind === "done") open("/app/case");
  };
  const is_closed = view.status === "closed";
  return (
    <>
      <p class="actions">
        <a href="/app/case">All cases</a>
        <span>The case is {view.status}.</span>
        <CaseExports />
        {view.may_write ? (
          <>
            <button type="button" onClick={() => void changeCase({ status: is_closed ? "open" : "closed" })}>
              {is_closed ? "Open the case again" : "Close the case"}
            </button>
            <Sure
              name="Delete the case"
              question="Its results and notes are deleted for all people of the account."
              onSure={() => void remove()}
            />
          </>
        ) : null}
      </p>
      <p class="hint">
        The people of the account see this case. <code>assay case verify FILE</code> verifies an exported file.
      </p>
    </>
  );
};

const Title = ({ view }: { readonly view: CaseView }) => (
  <DraftField
    class="case-title"
    label="Title"
    length_max={CASE_LIMITS.title_length}
    text={view.title}
    is_fixed={!view.may_write || view.status === "closed"}
    onText={(title) => void changeCase({ title })}
  />
);

const OpenedCase = ({ view: read }: { readonly view: CaseView }) => {
  const view = read.status === "closed" ? { ...read, may_write: false } : read;
  return (
    <>
      <Title view={read} />
      {read.id === null ? <BrowserFiles view={read} /> : <AccountActions view={read} id={read.id} />}
      <section aria-labelledby="notes" class="case-page">
        <h2 id="notes">Notes</h2>
        <NotesOf view={view} entry={null} />
        {view.may_write ? <NewNote entry={null} label="New note" button="Add note" /> : null}
      </section>
      <Graphs view={view} />
      <section aria-labelledby="results" class="case-page">
        <h2 id="results">
          Results: {view.entries.length} of at most {CASE_LIMITS.entries}
        </h2>
        {view.entries.length === 0 ? (
          <p class="quiet">Nothing is pinned yet: results have a button for it, and so has the graph.</p>
        ) : null}
        {view.entries.map((entry, i) => (
          <CaseEntry key={entry.id} view={view} entry={entry} number={i + 1} />
        ))}
      </section>
      <CaseVerify results={view.entries.length} />
      {view.id === null ? null : <CaseChanges id={view.id} />}
    </>
  );
};

/** Shows the list of the account, or the case of this browser. */
const showPlace = async (): Promise<void> => {
  if ((await readCases({ is_fresh: true })).kind === "none") await theCase();
};

/** Opens the case that the address names, or shows the list, or the case of this browser. */
const useWanted = (id: string | undefined): string | null => {
  const by = useStore(credential);
  const is_restoring = useStore(restoring);
  const [fault, setFault] = useState<string | null>(null);
  useEffect(() => {
    setFault(null);
    caseFault.set(null);
    if (is_restoring) return;
    if (id === undefined) void showPlace();
    else void openCaseOf(id).then((outcome) => setFault(outcome.kind === "refused" ? outcome.message : null));
  }, [id, by, is_restoring]);
  return fault;
};

const Content = ({ id }: { readonly id: string | undefined }) => {
  const view = useStore(openCase);
  const list = useStore(caseList);
  const fault = useWanted(id);
  if (fault !== null || list?.kind === "failed")
    return (
      <Notice tone="bad" title="The case could not be opened">
        {fault ?? (list?.kind === "failed" ? list.message : "")} <a href="/app/case">All cases</a>
      </Notice>
    );
  if (id === undefined && list?.kind === "listed") return <CasesOfAccount {...list} />;
  if (view === null || (id !== undefined && view.id !== id)) return <p class="waiting">Opening…</p>;
  return <OpenedCase view={view} />;
};

const Case = ({ params }: PageProps) => {
  const warning = useStore(caseFault);
  return (
    <div class="case-page">
      <h1>{params.id === undefined ? "Cases" : "Case"}</h1>
      {warning === null ? null : <Notice tone="warn" title={warning} />}
      <Content id={params.id} />
    </div>
  );
};

export default Case;
