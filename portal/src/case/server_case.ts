/** A case of the account, kept by the service. */
import type { CaseFile, CaseResult, Note, SavedGraph } from "../../../src/case/format.ts";
import { numberOf, rowsOf, sendRequest, words } from "../account/request.ts";
import { fieldsOf, type JsonObject, type ToolAnswer } from "../api/answer.ts";
import {
  type CaseCall,
  type CaseKeeper,
  type CaseView,
  DONE,
  type NewParts,
  type Outcome,
  type PartKind,
  type StoredStamp,
  stampKey,
} from "./case_view.ts";

const CASES = "/api/account/cases";

/** A case in the list. */
export interface ListedCase {
  readonly id: string;
  readonly title: string;
  readonly status: string;
  readonly version: number;
  readonly entries: number;
  readonly notes: number;
  readonly changed_at: string;
}

/** The cases of the account. Null: the caller reads no cases there, and the browser keeps one. */
export type CaseList =
  | { readonly kind: "listed"; readonly cases: readonly ListedCase[]; readonly may_write: boolean }
  | { readonly kind: "none" }
  | { readonly kind: "failed"; readonly message: string };

const outcomeOf = (answer: ToolAnswer): Outcome =>
  answer.status === "error" ? { kind: "refused", message: answer.message } : DONE;

const listedOf = (row: JsonObject): ListedCase => ({
  ...{ id: words(row, "id"), title: words(row, "title"), status: words(row, "status") },
  ...{ version: numberOf(row, "version") ?? 0, entries: numberOf(row, "entries") ?? 0 },
  ...{ notes: numberOf(row, "notes") ?? 0, changed_at: words(row, "changed_at") },
});

export const listCases = async (): Promise<CaseList> => {
  const answer = await sendRequest("GET", CASES);
  // No credential, or one without the right: the browser keeps the case.
  if (answer.http_status === 401 || answer.http_status === 403) return { kind: "none" };
  if (answer.status === "error") return { kind: "failed", message: answer.message };
  return {
    ...{ kind: "listed", cases: rowsOf(answer.body, "cases").map(listedOf) },
    may_write: answer.body.may_write === true,
  };
};

/** @returns its id, or why there is none. */
export const createCase = async (title: string): Promise<{ readonly id: string } | Outcome> => {
  const answer = await sendRequest("POST", CASES, { title });
  return answer.status === "error" ? outcomeOf(answer) : { id: words(fieldsOf(answer.body.case), "id") };
};

export const deleteCase = async ({ id, version }: Pick<ListedCase, "id" | "version">): Promise<Outcome> =>
  outcomeOf(await sendRequest("POST", `${CASES}/${id}/remove`, { version }));

const stampOf = (row: JsonObject, names: ReadonlyMap<string, string>): StoredStamp => {
  const stored = fieldsOf(row.stored);
  const by = words(stored, "changed_by");
  return {
    ...{ version: numberOf(stored, "version") ?? 1, changed_at: words(stored, "changed_at") },
    changed_by: names.get(by) ?? by,
  };
};

/** The answer of `show_case`, which the service has validated. */
const viewOf = (body: JsonObject, may_write: boolean): CaseView => {
  const head = fieldsOf(body.case);
  const names = new Map(rowsOf(body, "people").map((row) => [words(row, "actor"), words(row, "name")] as const));
  const parts = (["entry", "note", "graph"] as const).flatMap((kind) =>
    rowsOf(body, { entry: "entries", note: "notes", graph: "graphs" }[kind]).map((row) => ({ kind, row })),
  );
  const of = (wanted: PartKind): unknown =>
    parts.flatMap(({ kind, row: { stored: _, ...part } }) => (kind === wanted ? [part] : []));
  return {
    ...{ id: words(head, "id"), title: words(head, "title"), status: head.status === "closed" ? "closed" : "open" },
    ...{ version: numberOf(head, "version") ?? 1, created_at: words(head, "created_at"), may_write },
    entries: of("entry") as readonly CaseCall[],
    notes: of("note") as readonly Note[],
    graphs: of("graph") as readonly SavedGraph[],
    stamps: new Map(parts.map(({ kind, row }) => [stampKey(kind, words(row, "id")), stampOf(row, names)] as const)),
  };
};

/** Bytes of results in one request, below the limit of the service. */
const BATCH_BYTES = 1_000_000;

/** Parts in requests of a bounded size: results first, since graphs need them. */
const batchesOf = ({ entries = [], notes = [], graphs = [] }: NewParts): readonly NewParts[] => {
  const parts = [
    ...entries.map((one) => ({ name: "entries", one })),
    ...notes.map((one) => ({ name: "notes", one })),
    ...graphs.map((one) => ({ name: "graphs", one })),
  ] as const;
  const batches: Record<string, unknown[]>[] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const { name, one } of parts) {
    const size = JSON.stringify(one).length;
    if (bytes + size > BATCH_BYTES) {
      batches.push({});
      bytes = 0;
    }
    bytes += size;
    const batch = batches.at(-1) ?? {};
    batch[name] = [...(batch[name] ?? []), one];
  }
  return batches;
};

/** A case by its id. `readVersion` gives the version of a part as the page shows it. */
export const serverKeeper = (id: string, may_write: boolean): CaseKeeper => {
  const at = `${CASES}/${id}`;
  let shown: CaseView | null = null;
  const versionOf = (kind: PartKind, part: string): number => shown?.stamps.get(stampKey(kind, part))?.version ?? 1;
  return {
    async read() {
      const answer = await sendRequest("GET", at);
      if (answer.status === "error") return outcomeOf(answer);
      shown = viewOf(answer.body, may_write);
      return shown;
    },
    async add(parts) {
      for (const batch of batchesOf(parts)) {
        const outcome = outcomeOf(await sendRequest("POST", `${at}/parts`, { ...batch }));
        if (outcome.kind === "refused") return outcome;
      }
      return DONE;
    },
    async changeNote({ id: note, ...text }) {
      const body = { ...text, version: versionOf("note", note) };
      return outcomeOf(await sendRequest("PUT", `${at}/notes/${note}`, body));
    },
    async changeGraph({ id: graph, ...content }) {
      const body = { ...content, version: versionOf("graph", graph) };
      return outcomeOf(await sendRequest("PUT", `${at}/graphs/${graph}`, body));
    },
    async remove(kind, part) {
      const body = { version: versionOf(kind, part) };
      return outcomeOf(await sendRequest("POST", `${at}/parts/${kind}/${part}/remove`, body));
    },
    async change(to) {
      return outcomeOf(await sendRequest("PUT", at, { ...to, version: shown?.version ?? 1 }));
    },
    async file() {
      const answer = await sendRequest("GET", `${at}/file`);
      // The service has validated it.
      return answer.status === "error" ? null : (answer.body as unknown as CaseFile);
    },
    async entry(part) {
      const answer = await sendRequest("GET", `${at}/entries/${part}`);
      return answer.status === "error" ? null : (answer.body as unknown as CaseResult);
    },
  };
};

/** Changes of a case, newest first. */
export const changesOf = async (id: string): Promise<ToolAnswer> => sendRequest("GET", `${CASES}/${id}/changes`);
