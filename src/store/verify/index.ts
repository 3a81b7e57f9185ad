import type { Engine } from "../engine.ts";
import { BEGUN_SUMS, type KnownSegment, readSegments } from "../segments.ts";
import type { NetworkRange } from "../sums.ts";
import type { Writer } from "../writer.ts";
import { type BalancesFindings, compareBalances } from "./balances.ts";
import { compareWindow, overlaps, rangeOf, type TableFinding, windowsOf } from "./record.ts";

export interface VerifyStore {
  readonly engine: Engine;
  readonly writer: Writer;
}

/** Consistency of a network's facts. */
export interface VerificationReport {
  readonly network: string;
  readonly segments: number;
  readonly blocks: number;
  /** Segments that were begun and are not done: the next start of the indexer finishes them. */
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
    blocks,
    unfinished,
    findings,
    balances: findings.length > 0 ? null : await compareBalances(engine, network),
  };
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

/**
 * Reverts segments with a damaged record: they count as not indexed until the indexer has read them again and made the
 * tables hold what the node says.
 */
export const takeBack = async (store: VerifyStore, verified: VerificationReport): Promise<readonly NetworkRange[]> => {
  const { network } = verified;
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
  for (const found of ranges.values()) await store.writer.finals.writeLayouts(rangeOf(network, found));
};
