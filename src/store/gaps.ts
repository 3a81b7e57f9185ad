import { fromHex } from "../lib/bytes.ts";
import type { Engine } from "./engine.ts";
import { queryRows } from "./query.ts";
import { readSegments, untracedOf } from "./segments.ts";
import type { Writer } from "./writer.ts";

/** `traces`: inner calls are not known. `refused`: verification refuses the block, and nothing of it is stored. */
export type GapKind = "traces" | "refused";

/** `accepted`: an operator skipped the block, and it is not fetched again. */
export type GapState = "open" | "accepted" | "closed";

/** Result of an attempt to fill a gap. Times are unix milliseconds. */
export interface GapRecord {
  readonly kind: GapKind;
  readonly from_block: number;
  readonly to_block: number;
  readonly state: GapState;
  /** The check that refuses the block; '' for gaps of traces. */
  readonly check_name: string;
  /** A sentence for the operator. */
  readonly reason: string;
  /** Hash of the block as the node reports it, as hex; '' = not known. */
  readonly block_hash: string;
  /** Endpoints of the last attempt. */
  readonly endpoints: number;
  readonly attempts: number;
  readonly first_asked_ms: number;
  readonly last_asked_ms: number;
  /** Time of the next attempt. */
  readonly ask_ms: number;
}

/** A gap for display. Fields that trace gaps do not record are null: the indexer retries those on its own schedule. */
export interface Gap extends Pick<GapRecord, "kind" | "from_block" | "to_block"> {
  readonly state: "open" | "accepted";
  readonly check_name: string | null;
  readonly reason: string | null;
  readonly endpoints: number | null;
  readonly attempts: number | null;
  readonly first_asked_ms: number | null;
  readonly last_asked_ms: number | null;
}

/** Records that are not closed, with the time of their rows. */
export const readGapRecords = (
  engine: Pick<Engine, "query">,
  network: string,
): Promise<readonly (GapRecord & { readonly written_ms: number })[]> => queryRows(engine, "recorded_gaps", { network });

/**
 * Writes the current record of a gap. `written_ms`: time of the row that it replaces.
 */
export const writeGapRecord = async (
  writer: Pick<Writer, "insert">,
  network: string,
  record: GapRecord & { readonly written_ms?: number },
): Promise<void> => {
  const { kind, from_block, to_block, state, check_name, reason, endpoints, attempts } = record;
  const { block_hash, first_asked_ms, last_asked_ms, ask_ms, written_ms = 0 } = record;
  const row = {
    network,
    ...{ kind, from_block, to_block, state, check_name, reason, endpoints, attempts },
    block_hash: fromHex(block_hash) ?? new Uint8Array(0),
    first_asked_at: first_asked_ms / 1000,
    last_asked_at: last_asked_ms / 1000,
    ask_at: ask_ms / 1000,
    // Later than the row that it replaces, even when the clocks of two machines differ.
    written_at: Math.max(Date.now(), written_ms + 1) / 1000,
  };
  await writer.insert("recorded_gaps", [row], { network });
};

/** Neighbouring blocks as one gap. */
const tracesGaps = (runs: readonly { readonly from: number; readonly to: number }[]): readonly Gap[] => {
  const merged: { from: number; to: number }[] = [];
  for (const { from, to } of [...runs].sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged.map(({ from, to }) => ({
    kind: "traces",
    from_block: from,
    to_block: to,
    state: "open",
    ...{ check_name: null, reason: null, endpoints: null, attempts: null, first_asked_ms: null, last_asked_ms: null },
  }));
};

/**
 * Gaps in a network's final blocks, by kind, besides unread history: ranges without inner calls, and blocks that
 * verification refuses.
 */
export const readGaps = async (engine: Pick<Engine, "query">, network: string): Promise<readonly Gap[]> => {
  const [segments, records] = await Promise.all([readSegments(engine, network), readGapRecords(engine, network)]);
  const done = segments.filter(({ latest }) => latest.state === "done");
  const refused = records.flatMap((record): Gap[] => {
    const { kind, from_block, to_block, state, check_name, reason } = record;
    const { endpoints, attempts, first_asked_ms, last_asked_ms } = record;
    const told = { from_block, to_block, check_name, reason, endpoints, attempts, first_asked_ms, last_asked_ms };
    const is_held = done.some(({ from, to }) => from <= record.from_block && record.to_block <= to);
    return kind !== "refused" || state === "closed" || is_held ? [] : [{ kind, state, ...told }];
  });
  return [...tracesGaps(done.flatMap((segment) => untracedOf(segment, segment.latest))), ...refused];
};
