/** The case that this browser keeps, for readers without an account: in IndexedDB until a new one is begun, and nowhere else. */
import { CASE_LIMITS, type CaseFile, type CaseResult, NO_MARKS, type SavedGraph } from "../../../src/case/format.ts";
import { type CaseKeeper, DONE, emptyFile, type NewParts, type Outcome, viewOfFile } from "./case_view.ts";

const DATABASE = "assay";
const TABLE = "cases";
const OPEN = "open";
const UNKEPT = "The browser has no room for this case, or keeps nothing: export it before you leave.";
const FULL: Outcome = { kind: "refused", message: "The case is full." };

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const database = (): Promise<IDBDatabase> => {
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(TABLE);
  return resultOf(request);
};

const inTable = async <T>(mode: IDBTransactionMode, ask: (table: IDBObjectStore) => IDBRequest<T>): Promise<T> => {
  const opened = await database();
  try {
    return await resultOf(ask(opened.transaction(TABLE, mode).objectStore(TABLE)));
  } finally {
    opened.close();
  }
};

/** A case written by this page, by its own validation. Those of earlier releases lack newer members. */
const caseIn = (value: unknown): CaseFile | null => {
  if (value === null || typeof value !== "object" || !("entries" in value)) return null;
  const file = value as CaseFile;
  return {
    ...file,
    notes: file.notes.map((note) => ({ ...note, entry: note.entry ?? null })),
    graphs: file.graphs.map((graph) => ({ ...NO_MARKS, ...graph })),
  };
};

let kept: CaseFile | null = null;

/** The case of this browser, read when it is first wanted. */
export const browserFile = async (): Promise<CaseFile> => {
  if (kept !== null) return kept;
  const read = await inTable<unknown>("readonly", (table) => table.get(OPEN)).then(caseIn, () => null);
  kept ??= read ?? emptyFile();
  return kept;
};

/** Replaces the case of this browser. It stays on the page even if the browser stores nothing. */
export const keepInBrowser = async (file: CaseFile): Promise<Outcome> => {
  kept = file;
  try {
    await inTable("readwrite", (table) => table.put(file, OPEN));
    return DONE;
  } catch {
    return { kind: "refused", message: UNKEPT };
  }
};

/** A graph with its answers, as this browser keeps it. */
export interface GraphDraft {
  readonly graph: SavedGraph;
  readonly entries: readonly CaseResult[];
}

const DRAFT = "draft";

/** The graph that was drawn last and is in no case; null without one. */
export const readDraft = async (): Promise<GraphDraft | null> => {
  const value = await inTable<unknown>("readonly", (table) => table.get(DRAFT)).catch(() => null);
  // Written by `keepDraft`.
  return value !== null && typeof value === "object" && "graph" in value ? (value as GraphDraft) : null;
};

/** Keeps a graph for a reload. A browser that stores nothing loses it then. */
export const keepDraft = async (draft: GraphDraft): Promise<void> => {
  await inTable("readwrite", (table) => table.put(draft, DRAFT)).catch(() => undefined);
};

/** Parts by id; those that are there stay. */
const joined = <T extends { readonly id: string }>(before: readonly T[], added: readonly T[] = []): readonly T[] => {
  const known = new Set(before.map(({ id }) => id));
  return [...before, ...added.filter(({ id }) => !known.has(id))];
};

const withParts = (file: CaseFile, { entries, notes, graphs }: NewParts): CaseFile => ({
  ...file,
  entries: joined(file.entries, entries),
  notes: joined(file.notes, notes),
  graphs: joined(file.graphs, graphs),
});

const isTooLarge = ({ entries, notes, graphs }: CaseFile): boolean =>
  entries.length > CASE_LIMITS.entries || notes.length > CASE_LIMITS.notes || graphs.length > CASE_LIMITS.graphs;

const replaced = <T extends { readonly id: string }>(all: readonly T[], part: T): readonly T[] =>
  all.map((one) => (one.id === part.id ? part : one));

/** A result goes with the graphs that need it; notes about it are about the case from then on. */
const withoutEntry = (file: CaseFile, id: string): CaseFile => ({
  ...file,
  entries: file.entries.filter((entry) => entry.id !== id),
  notes: file.notes.map((note) => (note.entry === id ? { ...note, entry: null } : note)),
  graphs: file.graphs.filter(({ expansions }) => !expansions.some(({ entry }) => entry === id)),
});

const change = async (made: (file: CaseFile) => CaseFile): Promise<Outcome> => keepInBrowser(made(await browserFile()));

export const browserKeeper: CaseKeeper = {
  read: async () => viewOfFile(await browserFile()),
  async add(parts) {
    const next = withParts(await browserFile(), parts);
    return isTooLarge(next) ? FULL : keepInBrowser(next);
  },
  changeNote: (note) => change((file) => ({ ...file, notes: replaced(file.notes, note) })),
  changeGraph: (graph) => change((file) => ({ ...file, graphs: replaced(file.graphs, graph) })),
  remove: (kind, id) =>
    change((file) => {
      if (kind === "entry") return withoutEntry(file, id);
      const rest = <T extends { readonly id: string }>(all: readonly T[]) => all.filter((one) => one.id !== id);
      return kind === "note" ? { ...file, notes: rest(file.notes) } : { ...file, graphs: rest(file.graphs) };
    }),
  change: ({ title }) => change((file) => ({ ...file, title })),
  file: browserFile,
  entry: async (id) => (await browserFile()).entries.find((entry) => entry.id === id) ?? null,
};
