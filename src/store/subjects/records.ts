/** The records of a network that is read on demand: which addresses it follows, how far, and which blocks it has written. */
import { fromHex, type Hex } from "../../lib/bytes.ts";
import type { VerificationLevel } from "../../lib/verified.ts";
import { VERIFIED } from "../../lib/verified.ts";
import type { Engine } from "../engine.ts";
import type { QueryRow } from "../facts.ts";
import { queryRows } from "../query.ts";
import { BEGUN_SUMS } from "../segments.ts";
import type { Writer } from "../writer.ts";

type Reads = Pick<Engine, "query">;
type Writes = Pick<Writer, "insert">;

type SubjectState = QueryRow<"subjects">["state"];

/** Where the history of an address ends above the final block. */
export interface SubjectHead extends Pick<SubjectRecord, "is_plain" | "is_balanced" | "verified" | "untraced"> {
  /** Its blocks above this one are listed here. */
  readonly after: number;
  readonly number: number;
  readonly hash: Hex;
  /** Unix seconds. */
  readonly time: number;
  /** Numbers and hashes of the rows of the tail that concern it, ascending. */
  readonly blocks: readonly (readonly [number, Hex])[];
}

/** How far the history of an address is read. */
export interface SubjectRecord {
  readonly subject: Hex;
  readonly state: SubjectState;
  readonly from_block: number;
  /** While it is `read`: every block up to this one that concerns the address is stored. */
  readonly to_block: number;
  readonly to_hash: Hex;
  /** Unix seconds of block `to_block`. */
  readonly to_time: number;
  /** The wish that it follows, unix milliseconds. */
  readonly wished_ms: number;
  /** Its search proves that no block is missing: on EVM, of an address without code. */
  readonly is_plain: boolean;
  /** Its stored movements add up to the node's balance. */
  readonly is_balanced: boolean;
  readonly verified: VerificationLevel;
  /** Its blocks without inner calls. */
  readonly untraced: readonly (readonly [number, number])[];
  readonly found: number;
  readonly fetched: number;
  readonly requests: number;
  /** A sentence for the operator; '' without one. */
  readonly problem: string;
  /** How often stored blocks of it were written again. */
  readonly rewrites: number;
  /** Some are being written again, or were when a process ended: it is `reading`, and the rest of its record holds. */
  readonly is_rewriting: boolean;
  /** Null: it ends at `to_block`. */
  readonly head: SubjectHead | null;
}

interface SubjectWish {
  readonly subject: Hex;
  readonly wish: "track" | "untrack";
  /** The account that asked; '' for the operator. */
  readonly asked_by: string;
  /** An address with more blocks is not read; 0: it is read whatever their number. */
  readonly blocks_max: number;
  readonly wished_ms: number;
}

/** Blocks that were written together. */
export interface Batch {
  readonly blocks: readonly number[];
  readonly state: "begun" | "done";
  /** Sums of the record that were marked last; null where none were. */
  readonly entered: string | null;
  readonly written_ms: number;
}

/** It is `read` no more until blocks of it are written again. Then its head is searched again. */
export const withdrawn = (record: SubjectRecord): Partial<SubjectRecord> => ({
  ...{ state: "reading", is_rewriting: true, rewrites: record.rewrites + 1, head: null },
});

const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array(0);

const recordOf = (row: QueryRow<"subjects">): SubjectRecord => ({
  subject: row.subject_hex,
  state: row.state,
  from_block: row.from_block,
  to_block: row.to_block,
  to_hash: row.to_hash_hex,
  to_time: row.to_time_s,
  wished_ms: row.wished_ms,
  is_plain: row.is_plain === 1,
  is_balanced: row.is_balanced === 1,
  verified: VERIFIED.find((word) => word === row.verified_word) ?? "none",
  // The format of writeSubject.
  untraced: row.untraced === "" ? [] : (JSON.parse(row.untraced) as [number, number][]),
  found: row.found,
  fetched: row.fetched,
  requests: row.requests,
  problem: row.problem,
  rewrites: row.rewrites,
  is_rewriting: row.is_rewriting === 1,
  // The format of writeSubject.
  head: row.head === "" ? null : (JSON.parse(row.head) as SubjectHead),
});

/** Records of these addresses; of all where none are named. */
export const readSubjects = async (
  engine: Reads,
  network: string,
  among: readonly Hex[] = [],
): Promise<readonly SubjectRecord[]> => (await queryRows(engine, "subjects", { network, among })).map(recordOf);

export interface DatedRecord {
  readonly record: SubjectRecord;
  readonly written_ms: number;
}

/** Written by the network's indexer alone. */
export const writeSubjects = (writer: Writes, network: string, records: readonly DatedRecord[]): Promise<void> =>
  writer.insert(
    "subjects",
    records.map(({ record, written_ms }) => ({
      network,
      subject: bytesOf(record.subject),
      state: record.state,
      from_block: record.from_block,
      to_block: record.to_block,
      to_hash: bytesOf(record.to_hash),
      to_time: record.to_time,
      wished_at: record.wished_ms / 1000,
      is_plain: record.is_plain ? 1 : 0,
      is_balanced: record.is_balanced ? 1 : 0,
      verified: record.verified,
      untraced: record.untraced.length === 0 ? "" : JSON.stringify(record.untraced),
      found: record.found,
      fetched: record.fetched,
      requests: record.requests,
      problem: record.problem,
      rewrites: record.rewrites,
      is_rewriting: record.is_rewriting ? 1 : 0,
      head: record.head === null ? "" : JSON.stringify(record.head),
      written_at: written_ms / 1000,
    })),
    { network },
  );

export const writeSubject = (
  writer: Writes,
  record: SubjectRecord,
  { network, now_ms }: { readonly network: string; readonly now_ms: number },
): Promise<void> => writeSubjects(writer, network, [{ record, written_ms: now_ms }]);

/** Records of the addresses that some of these blocks concern. */
export const readSubjectsOf = async (
  engine: Reads,
  network: string,
  blocks: readonly number[],
): Promise<readonly SubjectRecord[]> => {
  const found = await queryRows(engine, "subjects_of_blocks", { network, blocks });
  const among = found.map(({ subject_hex }) => subject_hex);
  return among.length === 0 ? [] : readSubjects(engine, network, among);
};

export const readWishes = async (engine: Reads, network: string): Promise<readonly SubjectWish[]> =>
  (await queryRows(engine, "subject_wishes", { network })).map(({ subject_hex, ...row }) => ({
    subject: subject_hex,
    ...row,
  }));

/** Asks for addresses to be followed, or to be followed no more. */
export const writeWishes = (
  writer: Writes,
  network: string,
  {
    subjects,
    blocks_max = 0,
    ...wish
  }: Pick<SubjectWish, "wish" | "asked_by"> & { readonly subjects: readonly Hex[]; readonly blocks_max?: number },
): Promise<void> =>
  writer.insert(
    "subject_wishes",
    subjects.map((subject) => ({
      ...{ network, subject: bytesOf(subject), ...wish, blocks_max, written_at: Date.now() / 1000 },
    })),
  );

/** Addresses that an account wishes to follow, and what it used since a time (unix seconds). */
export const readUse = async (engine: Reads, account: string, asked_since: number) => {
  const [row] = await queryRows(engine, "subject_use", { account, asked_since });
  return { subjects: row?.subjects ?? 0, requests: row?.requests ?? 0, blocks: row?.blocks ?? 0 };
};

/** Blocks that calls since a time (unix seconds) need, ascending. `open`: those that are not stored. */
export const readWishedBlocks = async (
  engine: Reads,
  network: string,
  { asked_since, which }: { readonly asked_since: number; readonly which: "all" | "open" },
) => {
  const rows = await queryRows(engine, "wished_blocks", { network, asked_since, open_only: which === "open" ? 1 : 0 });
  return rows.map(({ block_number }) => block_number);
};

/** Those of some blocks that are stored. */
export const readStoredAmong = async (engine: Reads, network: string, numbers: readonly number[]) =>
  new Set((await queryRows(engine, "stored_among", { network, numbers })).map(({ block_number }) => block_number));

export const writeWishedBlock = (
  writer: Writes,
  network: string,
  wish: { readonly block_number: number; readonly asked_by: string },
): Promise<void> => writer.insert("wished_blocks", [{ network, ...wish, written_at: Date.now() / 1000 }]);

/** When everything about this block was stored, unix milliseconds: later once it is written again. Null while it is not, or is written. */
export const heldSince = async (engine: Reads, network: string, number: number): Promise<number | null> =>
  (await queryRows(engine, "batch_state", { network, number })).find(({ state }) => state === "done")?.written_ms ??
  null;

/** Those of these blocks that the unfinalised tail holds, and how often it had been cut. */
export const readTail = (engine: Reads, network: string, blocks: readonly number[]) =>
  queryRows(engine, "tail_blocks", { network, blocks });

/** The blocks that concern an address, with what is stored of each: null where it is not stored. */
export const readSubjectBlocks = async (engine: Reads, network: string, subject: Hex) =>
  (await queryRows(engine, "subject_blocks", { network, subject })).map(({ number, traced, verified_word }) => ({
    number,
    stored:
      traced === 2
        ? null
        : { has_traces: traced === 1, verified: VERIFIED.find((word) => word === verified_word) ?? "none" },
  }));

export const writeSubjectBlocks = (
  writer: Writes,
  network: string,
  { subject, blocks }: { readonly subject: Hex; readonly blocks: readonly number[] },
): Promise<void> => {
  const bytes = bytesOf(subject);
  const rows = blocks.map((block_number) => ({ network, subject: bytes, block_number }));
  return writer.insert("subject_blocks", rows, { network });
};

/** Each batch once, in the order in which they were begun: those that were not finished, those that hold a block, or all. */
export const readBatches = async (
  engine: Reads,
  network: string,
  which: "begun" | "all" | { readonly holding: number } = "all",
): Promise<readonly Batch[]> => {
  const batches = new Map<string, Batch>();
  const asked = {
    network,
    begun_only: which === "begun" ? 1 : 0,
    holding: typeof which === "object" ? which.holding : -1,
  };
  for (const { blocks, state, sums, written_ms } of await queryRows(engine, "batches", asked)) {
    const entered = sums === BEGUN_SUMS ? (batches.get(blocks)?.entered ?? null) : sums;
    // The format of writeBatch.
    batches.set(blocks, { blocks: JSON.parse(blocks) as number[], state, entered, written_ms });
  }
  return [...batches.values()];
};

export const writeBatch = (
  writer: Writes,
  network: string,
  batch: Pick<Batch, "blocks" | "state"> & { readonly sums: string; readonly written_ms: number },
): Promise<void> => {
  const { blocks, state, sums, written_ms } = batch;
  const [from_block = 0, to_block = from_block] = [blocks[0], blocks.at(-1)];
  const row = { network, from_block, to_block, blocks: JSON.stringify(blocks), state, sums };
  return writer.insert("batches", [{ ...row, written_at: written_ms / 1000 }], { network });
};
