import type { Engine } from "../engine.ts";
import { BEGUN_SUMS, type KnownSegment, readSegments } from "../segments.ts";
import { type Batch, readBatches, readSubjectsOf, withdrawn, writeBatch, writeSubject } from "../subjects/records.ts";
import type { NetworkRange } from "../sums.ts";
import type { Writer } from "../writer.ts";
import { type BalancesFindings, compareBalances } from "./balances.ts";
import { batchWindows, compareBatches, edgesOf, strayRows } from "./batches.ts";
import { compareWindow, overlaps, RECORD_TABLES, rangeOf, type TableFinding, windowsOf } from "./record.ts";

export interface VerifyStore {
  readonly engine: Engine;
  readonly writer: Writer;
}

/** Consistency of a network's facts. */
export interface VerificationReport {
  readonly network: string;
  readonly segments: number;
  /** Of a network that is read on demand, which has no segments. */
  readonly batches: number;
  readonly blocks: number;
  /** Segments and batches that were begun and are not done: the next start of the indexer finishes them. */
  readonly unfinished: readonly { readonly from: number; readonly to: number }[];
  readonly findings: readonly TableFinding[];
  /** Null where the record or a layout is damaged, or a segment is unfinished: there is nothing to compare them with. */
  readonly balances: BalancesFindings | null;
}

export interface VerifyOptions {
  readonly signal: AbortSignal;
  /** Called after every window with the blocks compared so far. */
  readonly onProgress?: (blocks: number) => void;
}

/** Networks of which something was indexed. */
export const indexedNetworks = async (engine: Engine): Promise<readonly string[]> =>
  (await engine.query("SELECT DISTINCT network FROM networks ORDER BY network")).map(([network]) => String(network));

const isDone = ({ latest }: KnownSegment): boolean => latest.state === "done";

const blocksOf = (segments: readonly KnownSegment[]): number =>
  segments.reduce((sum, { from, to }) => sum + to - from + 1, 0);

/** Compares record, layouts and balances of a network, some segments at a time. Writes nothing. */
export const verifyNetwork = async (
  engine: Engine,
  network: string,
  how: VerifyOptions,
): Promise<VerificationReport> => {
  const batches = await readBatches(engine, network);
  if (batches.length > 0) return verifyBatches(engine, batches, { ...how, network });
  const segments = await readSegments(engine, network);
  const done = segments.filter(isDone);
  const { apart, overlapping } = overlaps(done);
  const findings: TableFinding[] = overlapping.map(({ from, to }) => ({
    table: "segments",
    from,
    to,
    kind: "doubled",
    rows_expected: 0,
    rows_found: to - from + 1,
    part: "record",
  }));
  let below: { readonly number: number; readonly hash: string | null } = { number: -1, hash: null };
  let blocks = 0;
  for (const window of windowsOf(network, apart)) {
    how.signal.throwIfAborted();
    const compared = await compareWindow(engine, window, below.number === window.from - 1 ? below.hash : null);
    findings.push(...compared.findings);
    below = { number: window.to, hash: compared.last_hash };
    blocks += blocksOf(window.segments);
    how.onProgress?.(blocks);
  }
  how.signal.throwIfAborted();
  const unfinished = segments.filter((segment) => !isDone(segment)).map(({ from, to }) => ({ from, to }));
  return {
    network,
    segments: done.length,
    batches: 0,
    blocks,
    unfinished,
    findings,
    balances: findings.length > 0 ? null : await compareBalances(engine, network),
  };
};

const verifyBatches = async (
  engine: Engine,
  batches: readonly Batch[],
  { network, signal, onProgress }: VerifyOptions & { readonly network: string },
): Promise<VerificationReport> => {
  const findings = [...(await strayRows(engine, network))];
  let [done, blocks] = [0, 0];
  for (const window of batchWindows(network, batches)) {
    signal.throwIfAborted();
    findings.push(...(await compareBatches(engine, window)));
    done += window.units.length;
    blocks += window.units.reduce((sum, unit) => sum + unit.blocks.length, 0);
    onProgress?.(blocks);
  }
  signal.throwIfAborted();
  const balances = findings.length > 0 ? null : await compareBalances(engine, network);
  const unfinished = batches.filter(({ state }) => state !== "done").map(edgesOf);
  return { network, segments: 0, batches: done, blocks, unfinished, findings, balances };
};

export const isSound = ({ findings, balances }: VerificationReport): boolean =>
  findings.length === 0 &&
  balances !== null &&
  balances.wrong.length === 0 &&
  balances.miscounted.length === 0 &&
  balances.misreaching.length === 0 &&
  !balances.is_unsettled;

/** Segments whose record is damaged: only the node knows what they hold. */
const damagedSegments = (verified: VerificationReport, segments: readonly KnownSegment[]): readonly KnownSegment[] => {
  const bad = verified.findings.filter(({ part }) => part === "record");
  return segments.filter((segment) => bad.some(({ from, to }) => segment.from <= to && segment.to >= from));
};

const hasEdges = (batch: Batch, { from, to }: Pick<TableFinding, "from" | "to">): boolean => {
  const edges = edgesOf(batch);
  return edges.from === from && edges.to === to;
};

/** Addresses that these blocks concern are not read until the blocks are written again. Returns how many addresses. */
const withdrawSubjects = async (
  { engine, writer }: VerifyStore,
  network: string,
  blocks: readonly number[],
): Promise<number> => {
  const records = await readSubjectsOf(engine, network, blocks);
  for (const record of records)
    if (record.state === "read")
      await writeSubject(writer, { ...record, ...withdrawn(record) }, { network, now_ms: Date.now() });
  return records.length;
};

/**
 * Reverts batches with a damaged record. Rows of no batch are removed, unless their block concerns an address: then the mark of its batch
 * is lost, and the block becomes a batch of its own.
 */
const takeBatchesBack = async (
  store: VerifyStore,
  batches: readonly Batch[],
  { network, findings }: VerificationReport,
): Promise<readonly NetworkRange[]> => {
  const bad = findings.filter(({ part }) => part === "record");
  const damaged = batches.filter((batch) => batch.state === "done" && bad.some((found) => hasEdges(batch, found)));
  const begun: (readonly number[])[] = [];
  const begin = async (blocks: readonly number[], after_ms: number): Promise<void> => {
    // After the mark that it reverts, independent of the clocks of two machines.
    const written_ms = Math.max(Date.now(), after_ms + 1);
    await writeBatch(store.writer, network, { blocks, state: "begun", sums: BEGUN_SUMS, written_ms });
    begun.push(blocks);
  };
  for (const { blocks, written_ms } of damaged) {
    await withdrawSubjects(store, network, blocks);
    await begin(blocks, written_ms);
  }
  const isStray = (found: TableFinding): boolean => !batches.some((batch) => hasEdges(batch, found));
  for (const block of new Set(bad.filter(isStray).map(({ from }) => from))) {
    const range = { network, from: block, to: block, blocks: [block] };
    if ((await withdrawSubjects(store, network, range.blocks)) > 0) {
      await begin(range.blocks, 0);
      continue;
    }
    await store.writer.finals.writeRecord(range, { tables: RECORD_TABLES, rows: new Map() });
    await store.writer.finals.writeLayouts(range);
  }
  return begun.map((blocks) => ({ network, ...edgesOf({ blocks }), blocks }));
};

/**
 * Reverts segments and batches with a damaged record: they count as not indexed until the indexer has read them again and made the
 * tables hold what the node says.
 */
export const takeBack = async (store: VerifyStore, verified: VerificationReport): Promise<readonly NetworkRange[]> => {
  const { network } = verified;
  const batches = await readBatches(store.engine, network);
  if (batches.length > 0) return takeBatchesBack(store, batches, verified);
  const segments = (await readSegments(store.engine, network)).filter(isDone);
  const damaged = damagedSegments(verified, segments);
  const rows = damaged.map(({ latest }) => ({
    network,
    from_block: latest.from_block,
    to_block: latest.to_block,
    to_hash: Buffer.from(latest.to_hash, "hex"),
    state: "begun" as const,
    has_traces: latest.has_traces,
    untraced: latest.untraced,
    verified: "none" as const,
    sums: BEGUN_SUMS,
    // After the row that it reverts, independent of the clocks of two machines.
    written_at: Math.max(Date.now(), latest.written_ms + 1) / 1000,
  }));
  await store.writer.insert("segments", rows);
  return damaged.map((segment) => rangeOf(network, segment));
};

/** Writes again what follows from the record. */
export const mendLayouts = async (store: VerifyStore, { network, findings }: VerificationReport): Promise<void> => {
  const ranges = new Map(findings.filter(({ part }) => part === "layout").map((found) => [found.from, found]));
  const batches = await readBatches(store.engine, network);
  for (const found of ranges.values()) {
    const batch = batches.find((one) => hasEdges(one, found));
    const only = batch === undefined ? {} : { blocks: batch.blocks };
    await store.writer.finals.writeLayouts({ ...rangeOf(network, found), ...only });
  }
};
