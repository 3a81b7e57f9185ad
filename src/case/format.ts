/** Format of a case file: notes, and answers with their block, so that each call can be repeated. */

/** Name and version of the format: the first two members of each file. */
export const CASE_FORMAT = "assay.case";
export const CASE_VERSION = 1;

/** The block of an answer on one network. */
export interface AsOf {
  readonly network: string;
  readonly block_number: number;
  readonly block_hash: string;
  /** ISO 8601, of the block. */
  readonly timestamp: string;
}

export interface Note {
  readonly id: string;
  /** ISO 8601: time of the last write. */
  readonly at: string;
  readonly text: string;
  /** Id of the result that the note is about; null = the whole case. */
  readonly entry: string | null;
}

export type JsonMembers = Readonly<Record<string, unknown>>;

/** One result: the call, its block, and the whole answer. */
export interface CaseResult {
  readonly id: string;
  readonly tool: string;
  /** Exactly as sent. */
  readonly arguments: JsonMembers;
  /** The `network` argument, or a word such as `all`; null for tools without it. */
  readonly network: string | null;
  /** One per network that was read, in the order of the answer. */
  readonly as_of: readonly AsOf[];
  readonly request_id: string | null;
  readonly credits: number | null;
  /** ISO 8601. */
  readonly asked_at: string;
  readonly catalog_version: string | null;
  readonly answer: JsonMembers;
  /** SHA-256 of the answer's canonical JSON (`canonical.ts`), hex. */
  readonly answer_sha256: string;
}

/** The part of one answer that is in a graph. */
export interface GraphExpansion {
  /** An entry of `get_wallet_counterparties` or `get_wallet_transactions`, or with `trace` of `get_wallet_risk_overview`. */
  readonly entry: string;
  /** The paths of this direction; left out: the counterparties. */
  readonly trace?: "in" | "out" | undefined;
  /** Only counterparties of these categories; empty means all. */
  readonly categories: readonly string[];
}

/** A graph: the answers that it consists of, and its layout. */
export interface SavedGraph {
  readonly id: string;
  readonly title: string;
  readonly saved_at: string;
  readonly network: string;
  /** The starting wallet, as the user wrote it. */
  readonly start: string;
  readonly expansions: readonly GraphExpansion[];
  readonly pinned: readonly string[];
  /** Node id, x, y. */
  readonly places: readonly (readonly [string, number, number])[];
  /** Node id, and the label that the user gave it. */
  readonly labels: readonly (readonly [string, string])[];
  /** Node id, and the user's note about it. */
  readonly remarks: readonly (readonly [string, string])[];
  /** Nodes that the user hid. */
  readonly hidden: readonly string[];
  readonly groups: readonly GraphGroup[];
  readonly filter: SavedFilter;
}

/** The visible part of a graph. */
export interface SavedFilter {
  readonly text: string;
  readonly min_usd: number;
  /** Groups of categories; empty means all. */
  readonly kinds: readonly string[];
  /** Days, both included; null: no bound. */
  readonly from: string | null;
  readonly to: string | null;
  /** Key of a token; null: all tokens. */
  readonly token: string | null;
}

/** Addresses that a graph can show as one. */
export interface GraphGroup {
  readonly id: string;
  readonly name: string;
  readonly nodes: readonly string[];
  /** Shown as its addresses. */
  readonly is_open: boolean;
}

export const NO_FILTER: SavedFilter = { text: "", min_usd: 0, kinds: [], from: null, to: null, token: null };

/** A graph without marks of its user. */
export const NO_MARKS = { labels: [], remarks: [], hidden: [], groups: [], filter: NO_FILTER } as const;

export interface CaseFile {
  readonly format: typeof CASE_FORMAT;
  readonly version: typeof CASE_VERSION;
  readonly title: string;
  readonly created_at: string;
  readonly notes: readonly Note[];
  readonly entries: readonly CaseResult[];
  readonly graphs: readonly SavedGraph[];
}

/** Limits of a file; a larger file is rejected as a whole. */
export const CASE_LIMITS = {
  file_bytes: 64 * 1024 * 1024,
  title_length: 200,
  note_length: 20_000,
  notes: 1_000,
  entries: 500,
  graphs: 50,
  expansions: 500,
  places: 20_000,
  groups: 500,
  label_length: 100,
  remark_length: 2_000,
  /** Levels of nesting, and values of an answer in total. */
  depth: 40,
  values: 4_000_000,
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
