/** The case that is open: kept in this browser until a new one is begun, and nowhere else. */
import { CASE_LIMITS, type CaseFile, type CaseResult, emptyCase, type SavedGraph } from "../../../src/case/format.ts";
import { createStore } from "../store.ts";

const DATABASE = "assay";
const TABLE = "cases";
const OPEN = "open";

const now = (): string => new Date().toISOString();

/** Null until what the browser keeps was read. */
export const openCase = createStore<CaseFile | null>(null);

/** Why the last change is not stored; null if it is. */
export const unkept = createStore<string | null>(null);

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

/** A case written by this page, by its own validation. */
const isCase = (value: unknown): value is CaseFile => value !== null && typeof value === "object" && "entries" in value;

let reading: Promise<CaseFile> | null = null;

const readOpen = async (): Promise<CaseFile> => {
  try {
    const value = await inTable<unknown>("readonly", (table) => table.get(OPEN));
    if (isCase(value)) return value;
  } catch {
    unkept.set("This browser keeps nothing for the page: export the case before you leave.");
  }
  return emptyCase("", now());
};

/** The case, read from the browser when it is first wanted. */
export const theCase = async (): Promise<CaseFile> => {
  reading ??= readOpen();
  const read = await reading;
  if (openCase.get() === null) openCase.set(read);
  return openCase.get() ?? read;
};

const storeCase = async (file: CaseFile): Promise<void> => {
  openCase.set(file);
  try {
    await inTable("readwrite", (table) => table.put(file, OPEN));
    unkept.set(null);
  } catch {
    unkept.set("The browser has no room for this case, or keeps nothing: export it before you leave.");
  }
};

const change = async (made: (file: CaseFile) => CaseFile): Promise<void> => storeCase(made(await theCase()));

export const newId = (): string => crypto.randomUUID();

export const replaceCase = (file: CaseFile): Promise<void> => storeCase(file);
export const beginCase = (): Promise<void> => storeCase(emptyCase("", now()));
export const nameCase = (title: string): Promise<void> =>
  change((file) => ({ ...file, title: title.slice(0, CASE_LIMITS.title_length) }));

/** @returns false where the case is full. An answer that is pinned already stays where it is. */
export const pinEntries = async (entries: readonly CaseResult[]): Promise<boolean> => {
  const file = await theCase();
  const known = new Set(file.entries.map(({ id }) => id));
  const added = entries.filter(({ id }) => !known.has(id));
  if (file.entries.length + added.length > CASE_LIMITS.entries) return false;
  await storeCase({ ...file, entries: [...file.entries, ...added] });
  return true;
};

/** A graph that needs the answer goes with it. */
export const unpinEntry = (id: string): Promise<void> =>
  change((file) => ({
    ...file,
    entries: file.entries.filter((entry) => entry.id !== id),
    graphs: file.graphs.filter(({ expansions }) => !expansions.some(({ entry }) => entry === id)),
  }));

/** @returns false where the case is full. */
export const saveGraph = async (graph: SavedGraph, entries: readonly CaseResult[]): Promise<boolean> => {
  if ((await theCase()).graphs.length >= CASE_LIMITS.graphs || !(await pinEntries(entries))) return false;
  await change((file) => ({ ...file, graphs: [...file.graphs.filter(({ id }) => id !== graph.id), graph] }));
  return true;
};

export const dropGraph = (id: string): Promise<void> =>
  change((file) => ({ ...file, graphs: file.graphs.filter((graph) => graph.id !== id) }));

export const writeNote = (text: string, id: string = newId()): Promise<void> =>
  change((file) => {
    const note = { id, at: now(), text: text.slice(0, CASE_LIMITS.note_length) };
    const is_known = file.notes.some((one) => one.id === id);
    const notes = is_known ? file.notes.map((one) => (one.id === id ? note : one)) : [...file.notes, note];
    return { ...file, notes: notes.slice(0, CASE_LIMITS.notes) };
  });

export const dropNote = (id: string): Promise<void> =>
  change((file) => ({ ...file, notes: file.notes.filter((note) => note.id !== id) }));
