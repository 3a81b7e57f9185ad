import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AssayError } from "../lib/errors.ts";
import { databasesOf, type Engine, type Options, type Shard } from "./engine.ts";
import { unavailable } from "./http.ts";
import { encodeParam } from "./param.ts";
import { columnsOf, inRange, type NetworkRange, rangeParams } from "./sums.ts";
import type { TableName } from "./writer.ts";

/** Settings of every statement that writes final tables. */
export interface FinalOptions {
  readonly signal?: AbortSignal;
  /**
   * Nothing of the range was ever begun: it is written first and counted afterwards, without hashes (which cost a tenth
   * of all indexing). Where the counts are wrong everything is compared after all.
   */
  readonly is_fresh?: boolean;
  /** Sums of the record that have entered the balances where any have (`KnownSegment.entered`); left out or null: those that are to be written. */
  readonly entered?: string | null;
  /** Of the whole segment, in all tables of its record; left out: many. */
  readonly rows?: number;
}

/** How often what does not stay as it was written is written. */
export const ATTEMPTS = 3;

export const damaged = (range: NetworkRange, tables: readonly string[]): AssayError =>
  new AssayError({
    code: "FACTS_DAMAGED",
    message: `${range.network}: blocks ${range.from} to ${range.to} do not stay in ${tables.join(", ")} as they are written`,
    public: "The index is not available right now.",
    retryable: true,
  });

const MUTATION_POLL_MS = 50;
const DELETIONS_MS_MAX = 600_000;

/** Statements that write facts carry ids that begin so. */
export const WRITES = "assay-write:";

/** Settings of one writer: a network's indexer, or a process that backfills a range (`epochs.ts`). */
export const writesOf = (subject: string): string => `${WRITES}${subject}:`;

export const writeId = (subject: string): string => `${writesOf(subject)}${randomUUID()}`;

/** Pairs of token and holder as two lists say them. */
const PAIRS = `SELECT unhex(pair.1), unhex(pair.2)
  FROM (SELECT arrayJoin(arrayZip({tokens:Array(String)}, {holders:Array(String)})) AS pair)`;

/** Deletions that have not reached every part yet. */
const DELETIONS = `
SELECT count() FROM system.mutations
WHERE database = {database:String} AND NOT is_done AND position(command, '_row_exists') > 0`;

/** Waits for interrupted deletions, which the engine continues by itself and which could still remove rows. */
const awaitDeletions = async (shard: Shard, signal: AbortSignal | undefined): Promise<void> => {
  for (let waited_ms = 0; waited_ms < DELETIONS_MS_MAX; waited_ms += MUTATION_POLL_MS) {
    const [row] = await shard.query(DELETIONS, { params: { database: encodeParam(shard.database) } });
    if (Number(row?.[0]) === 0) return;
    signal?.throwIfAborted();
    await sleep(MUTATION_POLL_MS);
  }
  throw unavailable(`a deletion does not end in ${DELETIONS_MS_MAX} ms`);
};

/**
 * Every statement that writes a final table out of another one, or takes rows away.
 * @param range_name of a writer that fills one range; null for a network's indexer.
 */
export const openStatements = (engine: Engine, range_name: string | null) => {
  const optionsOf = (range: NetworkRange, { signal }: FinalOptions): Options => ({
    params: rangeParams(range),
    id: writeId(range_name ?? range.network),
    settings: { max_threads: 1 },
    ...(signal === undefined ? {} : { signal }),
  });
  return {
    optionsOf,
    /** Ends what an earlier writer of the same may still be doing, deletions included. */
    async quiet(network: string, { signal }: FinalOptions): Promise<void> {
      await engine.settle(writesOf(range_name ?? network));
      for (const one of databasesOf(engine)) await awaitDeletions(one, signal);
    },
    insert: (table: TableName, select: string, options: Options): Promise<void> =>
      engine.command(`INSERT INTO ${table} (${columnsOf(table).join(", ")})\n${select}`, options),
    remove: (table: TableName, range: NetworkRange, options: FinalOptions): Promise<void> =>
      engine.command(`DELETE FROM ${table} WHERE ${inRange(range)}`, optionsOf(range, options)),
    /** Takes the sums of some pairs (as hex) out of a table of balances. */
    removePairs: (
      table: "balances" | "balances_by_holder",
      network: string,
      pairs: readonly { readonly token: string; readonly holder: string }[],
    ): Promise<void> =>
      engine.command(`DELETE FROM ${table} WHERE network = {network:String} AND (token, holder) IN (${PAIRS})`, {
        params: {
          network: encodeParam(network),
          tokens: encodeParam(pairs.map(({ token }) => token)),
          holders: encodeParam(pairs.map(({ holder }) => holder)),
        },
        id: writeId(network),
      }),
  };
};
