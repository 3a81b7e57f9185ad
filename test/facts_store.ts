import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { massTransfersOf } from "../src/indexer/mass_transfers.ts";
import type { VerificationLevel } from "../src/lib/verified.ts";
import type { Engine, ResultCell } from "../src/store/engine.ts";
import type { Facts } from "../src/store/facts.ts";
import { type FactsStore, openFacts } from "../src/store/open.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import type { TableName, Writer } from "../src/store/writer.ts";
import { IdleStores } from "./idle_stores.ts";
import { fillWith } from "./run_folder.ts";

/** Rows by table. */
export type SeedRows = { readonly [T in TableName]?: readonly TableRows[T][] };

export interface TestSegment {
  readonly network: string;
  readonly from: number;
  readonly to: number;
  readonly has_traces?: boolean;
  /** `full` when omitted. */
  readonly verified?: VerificationLevel;
  /** First wanted block of the network; `from` when omitted. */
  readonly first?: number;
  /** 0: blocks before the first wanted one were not read. */
  readonly is_opened?: number;
  /** Unix seconds of block `from`, and between two blocks: 12 when omitted. Ignored if `rows` has blocks. */
  readonly time?: number;
  readonly block_s?: number;
}

export interface TestFacts {
  readonly data_dir: string;
  readonly facts: Facts;
  readonly writer: Writer;
  readonly engine: Engine;
  query(sql: string): Promise<readonly (readonly ResultCell[])[]>;
  /** Writes rows as one finished segment: `begun`, rows, balances, `done`. Makes up missing blocks. */
  seed(segment: TestSegment, rows: SeedRows): Promise<void>;
  close(): Promise<void>;
}

const SEED_TIME = 1_700_000_000;
const SEED_BLOCK_SECONDS = 12;

/** 32 bytes that contain the block number: 00…number. */
export const blockHash = (number: number): Uint8Array => Buffer.from(number.toString(16).padStart(64, "0"), "hex");

/** 20 bytes that contain the number: a readable address for tests. */
export const testAddress = (number: number): Uint8Array => Buffer.from(number.toString(16).padStart(40, "0"), "hex");

export const blockRows = ({
  network,
  from,
  to,
  has_traces = true,
  verified = "full",
  time = SEED_TIME,
  block_s = SEED_BLOCK_SECONDS,
}: TestSegment) =>
  Array.from({ length: to - from + 1 }, (_, index) => ({
    network,
    block_number: from + index,
    hash: blockHash(from + index),
    parent_hash: blockHash(Math.max(0, from + index - 1)),
    time: time + index * block_s,
    producer: testAddress(0xbeef),
    transaction_count: 0,
    has_traces: has_traces ? 1 : 0,
    verified,
  }));

/** Rows that the indexer derives from the transfers. */
export const massRows = (transfers: readonly TableRows["transfers"][]): TableRows["mass_transfers"][] =>
  massTransfersOf(
    transfers.map(({ network, token, destination, ...scope }) => ({
      ...scope,
      network: network.toString(),
      block_number: Number(scope.block_number),
      token: Buffer.from(token),
      destination: Buffer.from(destination),
    })),
  );

const insertAll = async (writer: Writer, rows: SeedRows): Promise<void> => {
  // Keys of SeedRows are table names, and each list has the rows of its table.
  for (const table of Object.keys(rows) as TableName[]) await writer.insert(table, rows[table] ?? []);
};

const seeder = (writer: Writer) => {
  return async (segment: TestSegment, rows: SeedRows): Promise<void> => {
    const { network, from, to, first = from, is_opened = 1, has_traces = true, verified = "full" } = segment;
    const written_at = Date.now() / 1000;
    await writer.insert("networks", [
      { network, chain_id: 1, from_block: first, from_hash: blockHash(first), is_opened, written_at },
    ]);
    const mark = {
      network,
      from_block: from,
      to_block: to,
      to_hash: blockHash(to),
      has_traces: has_traces ? 1 : 0,
      untraced: "",
      verified,
    } as const;
    await writer.insert("segments", [{ ...mark, state: "begun", sums: "{}", written_at }]);
    const mass_transfers = rows.mass_transfers ?? massRows(rows.transfers ?? []);
    const blocks = rows.blocks ?? blockRows(segment);
    await insertAll(writer, { ...rows, mass_transfers, blocks });
    await writer.finals.writeLayouts({ network, from, to }, { is_fresh: true });
    await writer.finals.writeBalances({ network, from, to }, { is_fresh: true });
    await writer.insert("segments", [{ ...mark, state: "done", sums: "{}", written_at }]);
  };
};

const makeEmpty = async (data_dir: string): Promise<void> =>
  (await openFacts({ engine: "embedded", data_dir })).close();

/** Creates a temporary folder with facts of all tables and no rows, as `openFacts` does. */
export const emptyFacts = async (): Promise<string> => {
  const data_dir = await mkdtemp(join(tmpdir(), "assay-facts-"));
  await fillWith(data_dir, "empty_facts", makeEmpty);
  return data_dir;
};

const idle = new IdleStores();

/** A folder of facts without rows, and its store: reused from another test of this process, or new. */
const openEmpty = async (): Promise<{ readonly data_dir: string; readonly store: FactsStore }> => {
  const used = idle.take();
  const data_dir = used?.data_dir ?? (await emptyFacts());
  const store = await openFacts({ engine: "embedded", data_dir });
  await used?.keeper.close();
  if (used === undefined) await idle.learn(store);
  return { data_dir, store };
};

/** A separate facts store in a temporary folder, on a real engine. `close` empties or removes it. */
export const openTestFacts = async (): Promise<TestFacts> => {
  const { data_dir, store } = await openEmpty();
  const { facts, writer, engine } = store;
  let closing: Promise<void> | null = null;
  const end = async (): Promise<void> => {
    if (await idle.give({ data_dir, keeper: store })) return;
    await store.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
  return {
    data_dir,
    facts,
    writer,
    engine,
    query: (sql) => engine.query(sql),
    seed: seeder(writer),
    close() {
      // A second close would empty it under its next user.
      closing ??= end();
      return closing;
    },
  };
};

/** Writes rows of blocks up to `final` as one finished segment, and later ones up to `head` to the tail. */
export const seedUpTo = async (
  store: TestFacts,
  { final, head, ...segment }: Omit<TestSegment, "to"> & { readonly final: number; readonly head: number },
  rows: SeedRows,
): Promise<void> => {
  // Keys of SeedRows are table names, and each list has the rows of its table.
  const tables = Object.entries(rows) as [TableName, readonly { readonly block_number: number | bigint }[]][];
  const within = (from: number, to: number) =>
    tables.map(([table, all]) => {
      return [table, all.filter(({ block_number }) => block_number >= from && block_number <= to)] as const;
    });
  await store.seed({ ...segment, to: final }, Object.fromEntries(within(segment.from, final)));
  const time = (segment.time ?? SEED_TIME) + (final + 1 - segment.from) * (segment.block_s ?? SEED_BLOCK_SECONDS);
  const blocks = blockRows({ ...segment, from: final + 1, to: head, time });
  for (const [table, late] of [...within(final + 1, head), ["blocks", blocks] as const])
    await store.writer.insert(table, late as never, { is_tail: true });
};
