import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AssayError } from "../lib/errors.ts";
import type { Cluster, Engine, Options, Shard } from "./engine.ts";
import { rangesOf } from "./epochs.ts";
import { WRITES } from "./final_statements.ts";
import { unavailable } from "./http.ts";
import { encodeParam } from "./param.ts";
import { endingWith, queryRows } from "./query.ts";
import { TABLES } from "./tables.gen.ts";

/** The right to write a network's facts, or a range of them, as the store itself knows it. */
export interface Fence {
  /** A network, or the name of a range (`epochs.ts`). */
  readonly subject: string;
  readonly epoch: number;
  /** Random name of the holding: of two with one epoch the store knows one. */
  readonly holder: string;
  /** Of a range: the network, and the epoch of its indexer, which ends the right with its own. */
  readonly under?: { readonly network: string; readonly epoch: number };
}

/** Signal that ends the writes of a lease holder. */
export interface LeaseGuard {
  /** @throws AssayError LEASE_LOST */
  readonly confirm: () => Promise<void>;
  /** Ends every statement that is under way. */
  readonly signal: AbortSignal;
}

const REFUSED = "this writer is superseded";

const OWN =
  "max((epoch, holder)) = ({fence_epoch:UInt64}, {fence_holder:String}) FROM index_epochs WHERE network = {fence_subject:String}";
const ABOVE = "max(epoch) = {fence_under:UInt64} FROM index_epochs WHERE network = {fence_network:String}";

const conditionsOf = ({ under }: Fence): readonly string[] => (under === undefined ? [OWN] : [OWN, ABOVE]);

const conditionOf = (fence: Fence): string =>
  conditionsOf(fence)
    .map((is_newest) => `(SELECT throwIf(NOT (${is_newest.replace(" FROM ", `), '${REFUSED}') FROM `)}) = 0`)
    .join(" AND ");

/** The same for a mutation, which would be tried for ever if it failed: it then finds nothing to do. */
const quietConditionOf = (fence: Fence): string =>
  conditionsOf(fence)
    .map((is_newest) => `(SELECT ${is_newest})`)
    .join(" AND ");

const INSERT_SELECT = /^INSERT INTO \w+ \([^)]*\)\s+(?=SELECT\b|WITH\b)/;
/** Rows on their way, in tables of random names that no other writer reads. */
const PRIVATE = /^(?:CREATE TABLE IF NOT EXISTS|TRUNCATE TABLE) stage_/;
const DELETION = /^(?:ALTER TABLE \w+ DELETE|DELETE FROM \w+) WHERE /;

const superseded = ({ subject }: Fence, cause: unknown): AssayError =>
  new AssayError({
    code: "LEASE_LOST",
    message: `${subject}: this process does not write its facts any more: the facts store knows a newer writer`,
    retryable: true,
    cause,
  });

const paramsOf = ({ subject, epoch, holder, under }: Fence): Readonly<Record<string, string>> => ({
  fence_subject: encodeParam(subject),
  fence_epoch: encodeParam(epoch),
  fence_holder: encodeParam(holder),
  ...(under === undefined ? {} : { fence_network: encodeParam(under.network), fence_under: encodeParam(under.epoch) }),
});

/** Statements of an indexer are known by how their ids begin, so that the next one can end them. */
const INDEX = "assay-index:";

/** The servers of a cluster, each fenced as the whole is. */
const fencedCluster = (
  cluster: Cluster | undefined,
  fencedNode: (node: Engine) => Engine,
  fencedShard: (shard: Shard) => Shard,
): Pick<Engine, "cluster"> =>
  cluster === undefined
    ? {}
    : { cluster: { ...cluster, nodes: cluster.nodes.map(fencedNode), shards: cluster.shards.map(fencedShard) } };

/**
 * The store as one indexer of one network may write it. Every statement ends with the lease, and everything that changes
 * rows carries the epoch: the store itself refuses it (LEASE_LOST) once it knows a newer one, however long this process slept
 * between its last look and the statement. Commands are inserts of a SELECT, deletions by a condition, or others that cannot
 * carry one: the store is checked before them, and they must be harmless when late (`dropHead`).
 */
export const fenceEngine = (engine: Engine, fence: Fence, tenure: LeaseGuard): Engine => {
  const { signal } = tenure;
  const condition = conditionOf(fence);
  const quiet = quietConditionOf(fence);
  const fenced = (options: Options): Options => ({
    ...options,
    params: { ...options.params, ...paramsOf(fence) },
    id: options.id ?? `${INDEX}${fence.subject}:${randomUUID()}`,
    signal: bothOf(options.signal, signal),
  });
  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    await tenure.confirm();
    try {
      return await work();
    } catch (error) {
      if (error instanceof AssayError && error.message.includes(REFUSED)) throw superseded(fence, error);
      throw error;
    }
  };
  const confirm = async () => void (await told(() => engine.query(`SELECT ${condition}`, fenced({}))));
  const fencedShard = (shard: Shard): Shard => ({
    database: shard.database,
    query: (sql, options = {}) => shard.query(sql, { ...options, signal: bothOf(options.signal, signal) }),
    async command(sql, options = {}) {
      await confirm();
      await told(() => shard.command(sql, fenced(options)));
    },
  });
  return {
    ...engine,
    ...fencedCluster(engine.cluster, (node) => fenceEngine(node, fence, tenure), fencedShard),
    query: (sql, options = {}) => engine.query(sql, { ...options, signal: bothOf(options.signal, signal) }),
    native: (sql, options = {}) => engine.native(sql, { ...options, signal: bothOf(options.signal, signal) }),
    async command(sql, options = {}) {
      const insert = INSERT_SELECT.exec(sql)?.[0];
      if (insert !== undefined) {
        const text = `${insert}SELECT * FROM (\n${sql.slice(insert.length)}\n) WHERE ${condition}`;
        return told(() => engine.command(text, fenced(options)));
      }
      const deletion = DELETION.exec(sql)?.[0];
      if (deletion !== undefined) {
        const text = `${deletion}(${sql.slice(deletion.length)}) AND ${quiet}`;
        await told(() => engine.command(text, fenced(options)));
        return confirm();
      }
      if (!PRIVATE.test(sql)) await confirm();
      return told(() => engine.command(sql, fenced(options)));
    },
    insert(into, rows, options = {}) {
      if (!(into.table in TABLES)) return told(() => engine.insert(into, rows, fenced(options)));
      const only_if = options.only_if === undefined ? condition : `${options.only_if} AND ${condition}`;
      return told(() => engine.insert(into, rows, { ...fenced(options), only_if }));
    },
    // A writer that was superseded would end what the new one is doing.
    async settle(prefix) {
      await confirm();
      await told(() => engine.settle(prefix));
    },
  };
};

const bothOf = (one: AbortSignal | undefined, other: AbortSignal): AbortSignal =>
  one === undefined ? other : AbortSignal.any([one, other]);

/** The name of a facts store. */
export const factsIdentity = async (engine: Engine): Promise<string> => {
  const [row] = await queryRows(engine, "facts_identity", {});
  return row?.id ?? "";
};

const ENTER = `INSERT INTO index_epochs (network, epoch, holder, host, pid, written_at)
SELECT {network:String}, {epoch:UInt64}, {holder:String}, {host:String}, {pid:UInt64}, now64(3)
WHERE (SELECT max(epoch) FROM index_epochs WHERE network = {network:String}) < {epoch:UInt64}`;

/** Time after which an older writer's statements must have ended at their next check. */
const OLDER_END_WITHIN_MS = 60_000;

/** Writers rejected from now on: earlier holders, and for a network all processes that backfill its ranges. */
const endedBy = ({ subject }: Fence): readonly string[] =>
  [`${subject}:`, rangesOf(subject)].flatMap((name) => [`${INDEX}${name}`, `${WRITES}${name}`]);

/**
 * Makes a fence the newest one and waits until nothing older writes any more: whatever an older writer begins from here on is
 * refused, and what it had begun has ended when this returns. Only then it is known what the store holds.
 * @throws AssayError LEASE_LOST when the store knows a newer one already; FACTS_UNAVAILABLE (retryable)
 */
export const enterFence = async (
  engine: Engine,
  fence: Fence,
  { host, pid, signal }: { readonly host: string; readonly pid: number; readonly signal: AbortSignal },
): Promise<void> => {
  const { subject, epoch, holder } = fence;
  const row = { network: subject, epoch, holder, host, pid };
  const params = Object.fromEntries(Object.entries(row).map(([name, value]) => [name, encodeParam(value)]));
  await engine.command(ENTER, { params, signal });
  const [newest] = await queryRows(endingWith(engine, signal), "index_epoch", { network: subject });
  if (newest?.epoch !== epoch || newest.holder !== holder) throw superseded(fence, undefined);
  const settled = Promise.all(endedBy(fence).map((prefix) => engine.settle(prefix)));
  await within(settled, signal, unavailable(`${subject}: statements of an earlier writer do not end`));
};

/** Result of `work`, or the end of waiting for it. */
const within = async (work: Promise<unknown>, signal: AbortSignal, late: AssayError): Promise<void> => {
  const waited = new AbortController();
  const either = AbortSignal.any([signal, waited.signal]);
  const wait = sleep(OLDER_END_WITHIN_MS, undefined, { signal: either }).then(() => {
    throw late;
  });
  await Promise.race([work, wait]).finally(() => Promise.allSettled([waited.abort(), wait]));
};
