/** The case that is open: one of the account, or that of this browser for readers without the right to the account's cases. */
import { useEffect } from "preact/hooks";
import { CASE_LIMITS, type CaseFile, type CaseResult, type SavedGraph } from "../../../src/case/format.ts";
import { credential } from "../api/credential.ts";
import { createStore, readStored, useStore, writeStored } from "../store.ts";
import { browserFile, browserKeeper, keepInBrowser } from "./browser_case.ts";
import {
  type CaseKeeper,
  type CaseView,
  DONE,
  emptyFile,
  isEmpty,
  type NewParts,
  type Outcome,
  type PartKind,
} from "./case_view.ts";
import { type CaseList, createCase, deleteCase, type ListedCase, listCases, serverKeeper } from "./server_case.ts";

/** Null until it was read, and while no case of the account is chosen. */
export const openCase = createStore<CaseView | null>(null);

/** Cases of the account; null until they were read. */
export const caseList = createStore<CaseList | null>(null);

/** Why the last change is not stored; null if it is. */
export const caseFault = createStore<string | null>(null);

const isId = (value: unknown): value is string => typeof value === "string" && value !== "";
/** The account's case that answers are pinned into. */
const CURRENT = { storage: localStorage, name: "assay.case", isRight: isId };
/** The account's case into which the case of this browser is being moved. */
const MOVING = { storage: localStorage, name: "assay.case.moving", isRight: isId };

const NO_CASES: CaseList = { kind: "none" };

let keeper: CaseKeeper | null = null;
let listing: Promise<CaseList> | null = null;
/** Counts credentials: an answer to a request of an earlier one is dropped. */
let round = 0;

const forget = (): void => {
  keeper = null;
  openCase.set(null);
};

credential.subscribe(() => {
  round += 1;
  listing = null;
  caseList.set(null);
  forget();
});

export const readCases = async ({ is_fresh = false } = {}): Promise<CaseList> => {
  const mine = round;
  if (is_fresh) listing = null;
  listing ??= credential.get() === null ? Promise.resolve(NO_CASES) : listCases();
  const list = await listing;
  if (mine === round) caseList.set(list);
  return list;
};

const refresh = async (of: CaseKeeper): Promise<Outcome> => {
  const mine = round;
  const read = await of.read();
  if ("kind" in read) return read;
  if (mine !== round) return { kind: "refused", message: "You signed in or out in the meantime." };
  keeper = of;
  openCase.set(read);
  return DONE;
};

/** Opens a case of the account, and pins into it from now on. */
export const openCaseOf = async (id: string): Promise<Outcome> => {
  const list = await readCases();
  const may_write = list.kind === "listed" && list.may_write;
  const outcome = await refresh(serverKeeper(id, may_write));
  if (outcome.kind === "done") writeStored(CURRENT, id);
  return outcome;
};

let opening: { readonly of: number; readonly done: Promise<void> } | null = null;

const openKept = async (): Promise<void> => {
  const list = await readCases();
  if (list.kind === "none") {
    await refresh(browserKeeper);
    return;
  }
  const id = readStored(CURRENT, "");
  if (list.kind === "listed" && list.cases.some((one) => one.id === id)) await openCaseOf(id);
};

/** Opens the case that was open last, if there is one. */
export const theCase = async (): Promise<CaseView | null> => {
  if (openCase.get() === null) {
    if (opening?.of !== round) opening = { of: round, done: openKept().finally(() => (opening = null)) };
    await opening.done;
  }
  return openCase.get();
};

/** The open case, for components. */
export const useCase = (): CaseView | null => {
  const by = useStore(credential);
  useEffect(() => void theCase(), [by]);
  return useStore(openCase);
};

const note = (outcome: Outcome): Outcome => {
  caseFault.set(outcome.kind === "done" ? null : outcome.message);
  return outcome;
};

const today = (): string => new Date().toISOString().slice(0, 10);

/** The place of the next change: without an open case of the account, a new one. */
const forWriting = async (): Promise<CaseKeeper | Outcome> => {
  await theCase();
  if (keeper !== null) return keeper;
  const list = await readCases();
  if (list.kind === "failed") return { kind: "refused", message: list.message };
  if (list.kind === "listed" && !list.may_write)
    return { kind: "refused", message: "Your role reads cases and does not change them." };
  const outcome = await beginCase(`Case of ${today()}`);
  return outcome.kind === "refused" || keeper === null ? outcome : keeper;
};

const changing = async (change: (of: CaseKeeper) => Promise<Outcome>): Promise<Outcome> => {
  const of = await forWriting();
  if ("kind" in of) return note(of);
  const outcome = await change(of);
  // After a refusal, too: another person may have changed the case.
  await refresh(of);
  return note(outcome);
};

/** Begins a case of the account and opens it; without an account, the browser's case begins again. */
export const beginCase = async (title: string): Promise<Outcome> => {
  if ((await readCases()).kind === "none") {
    const kept = await keepInBrowser({ ...emptyFile(), title });
    await refresh(browserKeeper);
    return note(kept);
  }
  const made = await createCase(title.slice(0, CASE_LIMITS.title_length));
  if ("kind" in made) return note(made);
  await readCases({ is_fresh: true });
  return note(await openCaseOf(made.id));
};

export const newId = (): string => crypto.randomUUID();

const addParts = (parts: NewParts): Promise<Outcome> => changing((of) => of.add(parts));
export const pinEntries = (entries: readonly CaseResult[]): Promise<Outcome> => addParts({ entries });
export const removePart = (kind: PartKind, id: string): Promise<Outcome> => changing((of) => of.remove(kind, id));
export const changeCase = (to: Partial<Pick<CaseView, "title" | "status">>): Promise<Outcome> =>
  changing((of) => {
    const { title, status } = openCase.get() ?? { title: "", status: "open" };
    return of.change({ title, status, ...to });
  });
export const saveGraph = (graph: SavedGraph, entries: readonly CaseResult[]): Promise<Outcome> =>
  addParts({ entries, graphs: [graph] });

/** Stores a graph of the case again, with the results that the case does not have yet. */
export const storeGraph = (graph: SavedGraph, entries: readonly CaseResult[]): Promise<Outcome> =>
  changing(async (of) => {
    const known = new Set(openCase.get()?.entries.map(({ id }) => id));
    const added = entries.filter(({ id }) => !known.has(id));
    const outcome = added.length === 0 ? DONE : await of.add({ entries: added });
    return outcome.kind === "refused" ? outcome : of.changeGraph(graph);
  });

/** @param id of the note; omitted: a new one. @param entry that a new note is about */
export const writeNote = (text: string, { id, entry }: { id?: string; entry: string | null }): Promise<Outcome> => {
  const written = { at: new Date().toISOString(), text: text.slice(0, CASE_LIMITS.note_length), entry };
  return id === undefined
    ? addParts({ notes: [{ id: newId(), ...written }] })
    : changing((of) => of.changeNote({ id, ...written }));
};

/** The open case with all answers; null if there is none, or it could not be read. */
export const wholeCase = async (): Promise<CaseFile | null> => ((await theCase()) === null ? null : fileOf());

const fileOf = async (): Promise<CaseFile | null> => {
  const file = (await keeper?.file()) ?? null;
  if (file === null) caseFault.set("The service did not send the case. Try again.");
  return file;
};

export const wholeEntry = async (id: string): Promise<CaseResult | null> => (await keeper?.entry(id)) ?? null;

/** Takes over a case file: as a new case of the account, or as the case of this browser. */
export const takeFile = async (file: CaseFile): Promise<Outcome> => {
  if ((await readCases()).kind === "none") {
    const kept = await keepInBrowser(file);
    await refresh(browserKeeper);
    return note(kept);
  }
  const begun = await beginCase(file.title || "Opened from a file");
  return begun.kind === "refused" ? begun : addParts(file);
};

/** Deletes a case of the account. */
export const removeCase = async (one: Pick<ListedCase, "id" | "version">): Promise<Outcome> => {
  const outcome = await deleteCase(one);
  if (outcome.kind === "done" && readStored(CURRENT, "") === one.id) {
    writeStored(CURRENT, null);
    forget();
  }
  await readCases({ is_fresh: true });
  return note(outcome);
};

/** Whether this browser keeps a case that is not in the account. */
export const hasBrowserCase = async (): Promise<boolean> => !isEmpty(await browserFile());

/** Moves the case of this browser to the account. A move that was interrupted goes on where it ended. */
export const moveToAccount = async (): Promise<Outcome> => {
  const file = await browserFile();
  const begun = readStored(MOVING, "");
  const list = await readCases({ is_fresh: true });
  const is_known = list.kind === "listed" && list.cases.some(({ id }) => id === begun);
  const opened = is_known ? await openCaseOf(begun) : await beginCase(file.title || "Case of a browser");
  if (opened.kind === "refused") return note(opened);
  writeStored(MOVING, openCase.get()?.id ?? null);
  const moved = await addParts(file);
  if (moved.kind === "refused") return moved;
  writeStored(MOVING, null);
  await keepInBrowser(emptyFile());
  await readCases({ is_fresh: true });
  return DONE;
};
