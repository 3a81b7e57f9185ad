/** The open case as pages see it, wherever it is kept. */
import type { CaseFile, CaseResult, Note, SavedGraph } from "../../../src/case/format.ts";
import { emptyCase } from "../../../src/case/format.ts";

/** A result without its answer. */
export type CaseCall = Omit<CaseResult, "answer">;

/** Version of a stored part, and its last change. */
export interface StoredStamp {
  readonly version: number;
  readonly changed_at: string;
  /** Name of the user, or id of the key. */
  readonly changed_by: string;
}

export interface CaseView {
  /** Null for the case that this browser keeps. */
  readonly id: string | null;
  readonly title: string;
  readonly status: "open" | "closed";
  /** Of title and status. */
  readonly version: number;
  readonly created_at: string;
  /** Whether the user may change the case. */
  readonly may_write: boolean;
  readonly entries: readonly CaseCall[];
  readonly notes: readonly Note[];
  readonly graphs: readonly SavedGraph[];
  /** By kind and id; empty for the case of this browser. */
  readonly stamps: ReadonlyMap<string, StoredStamp>;
}

export type PartKind = "entry" | "note" | "graph";

export const stampKey = (kind: PartKind, id: string): string => `${kind} ${id}`;

/** Parts to be added. */
export interface NewParts {
  readonly entries?: readonly CaseResult[];
  readonly notes?: readonly Note[];
  readonly graphs?: readonly SavedGraph[];
}

export type Outcome =
  | { readonly kind: "done" }
  /** `message`: a sentence for the user. Nothing was changed. */
  | { readonly kind: "refused"; readonly message: string };

export const DONE: Outcome = { kind: "done" };

/** Where a case is kept. Each change is followed by a new `read`. */
export interface CaseKeeper {
  readonly read: () => Promise<CaseView | Outcome>;
  readonly add: (parts: NewParts) => Promise<Outcome>;
  readonly changeNote: (note: Note) => Promise<Outcome>;
  readonly changeGraph: (graph: SavedGraph) => Promise<Outcome>;
  readonly remove: (kind: PartKind, id: string) => Promise<Outcome>;
  readonly change: (to: Pick<CaseView, "title" | "status">) => Promise<Outcome>;
  /** The case with all answers; null if it could not be read. */
  readonly file: () => Promise<CaseFile | null>;
  readonly entry: (id: string) => Promise<CaseResult | null>;
}

export const viewOfFile = (file: CaseFile): CaseView => ({
  ...{ id: null, title: file.title, status: "open", version: 1, created_at: file.created_at, may_write: true },
  ...{ entries: file.entries, notes: file.notes, graphs: file.graphs, stamps: new Map() },
});

export const isEmpty = ({ entries, notes, graphs }: Pick<CaseFile, "entries" | "notes" | "graphs">): boolean =>
  entries.length + notes.length + graphs.length === 0;

export const emptyFile = (): CaseFile => emptyCase("", new Date().toISOString());
