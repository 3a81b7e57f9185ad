/** What a case file holds: notes, and answers with the block they are of, so that each can be asked again. */

/** Name and version of the format: the first two members of every file. */
export const CASE_FORMAT = "assay.case";
export const CASE_VERSION = 1;

/** The block that an answer of one network is of. */
export interface AsOf {
  readonly network: string;
  readonly block_number: number;
  readonly block_hash: string;
  /** ISO 8601, of the block. */
  readonly timestamp: string;
}

export interface Note {
  readonly id: string;
  /** ISO 8601: when it was written last. */
  readonly at: string;
  readonly text: string;
}

export type Members = Readonly<Record<string, unknown>>;

/** One result: what was asked, of which block, and the whole answer. */
export interface Entry {
  readonly id: string;
  readonly tool: string;
  /** Exactly as they were sent. */
  readonly arguments: Members;
  /** The network asked, or a word such as `all`; null where the tool takes none. */
  readonly network: string | null;
  /** One a network that was read, in the order of the answer. */
  readonly as_of: readonly AsOf[];
  readonly request_id: string | null;
  readonly credits: number | null;
  /** ISO 8601. */
  readonly asked_at: string;
  readonly catalog_version: string | null;
  readonly answer: Members;
  /** SHA-256 of the answer's canonical JSON (`canonical.ts`), hex. */
  readonly answer_sha256: string;
}

/** Counterparties of one answer that were taken into a graph. */
export interface Expansion {
  /** The `get_wallet_counterparties` entry. */
  readonly entry: string;
  /** Only counterparties of these categories; empty: all. */
  readonly categories: readonly string[];
}

/** A graph is the answers that it was made of; beside them only how it was laid out. */
export interface SavedGraph {
  readonly id: string;
  readonly title: string;
  readonly saved_at: string;
  readonly network: string;
  /** The wallet that it starts from, as it was written. */
  readonly start: string;
  readonly expansions: readonly Expansion[];
  readonly pinned: readonly string[];
  /** Node id, x, y. */
  readonly places: readonly (readonly [string, number, number])[];
}

export interface CaseFile {
  readonly format: typeof CASE_FORMAT;
  readonly version: typeof CASE_VERSION;
  readonly title: string;
  readonly created_at: string;
  readonly notes: readonly Note[];
  readonly entries: readonly Entry[];
  readonly graphs: readonly SavedGraph[];
}

/** What a file may hold at most; a larger one is refused as a whole. */
export const CASE_LIMITS = {
  file_bytes: 64 * 1024 * 1024,
  title_length: 200,
  note_length: 20_000,
  notes: 1_000,
  entries: 500,
  graphs: 50,
  expansions: 500,
  places: 20_000,
  /** Of values inside of one another, and of all values of an answer together. */
  depth: 40,
  values: 1_000_000,
} as const;

export const emptyCase = (title: string, created_at: string): CaseFile => ({
  format: CASE_FORMAT,
  version: CASE_VERSION,
  title,
  created_at,
  notes: [],
  entries: [],
  graphs: [],
});
