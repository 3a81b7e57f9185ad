import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { AssayError, messageOf } from "../lib/errors.ts";
import type { Instance, Queries } from "./database.ts";
import { connectionSettings, type PostgresSettings } from "./postgres.ts";
import { isLost } from "./postgres_errors.ts";
import { lockNumber, queriesOn } from "./postgres_queries.ts";

/** Maximum processes that may have one accounts store open at a time. */
const INSTANCES_MAX = 1_000;
/** When this process lost its connection, others may have too: they have this long to take their names again. */
const RETURN_WITHIN_MS = 15_000;
/** A name that stays free for this long has no process: a process that only lost its connection takes it again at once. */
const GONE_FOR_MS = 1_000;
const OWNERS_SQL = "select distinct owner from charges where state = 'running' and owner <> $1 order by owner";

/** Session locks of this database by their numbers (pg_locks: the upper half in classid, objsubid 1). */
const HELD_SQL = `select cast((cast(classid as bigint) << 32) | cast(objid as bigint) as text) as number from pg_locks
  where locktype = 'advisory' and objsubid = 1 and granted
    and database = (select oid from pg_database where datname = current_database())`;

/** A peer that vanished silently is noticed after 10 + 3 * 5 seconds. */
const KEEPALIVE_SQL = "set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3";

/**
 * The persistent connection of this process: it holds the instance's name as a session lock, which ends with the
 * process however it ends, and receives notifications of other processes' changes. When it is lost, `renew` makes a new
 * one and takes the same name, or another one when that is taken.
 * @throws AssayError ACCOUNTS_CROWDED
 */
export const claimPostgresInstance = async (settings: PostgresSettings, changed: () => void): Promise<Instance> => {
  const session = openSession(settings, changed);
  await session.connect(0);
  let returned_at = Number.NEGATIVE_INFINITY;
  return {
    get name() {
      return nameOf(session.number());
    },
    async eachGone(sweep) {
      // An answer also proves that the connection, and so the name, is still held.
      const owners = await session.ask((queries) =>
        queries.all<{ owner: string }>(OWNERS_SQL, [nameOf(session.number())]),
      );
      if (performance.now() - returned_at < RETURN_WITHIN_MS) return;
      const free = [];
      for (const { owner } of owners) {
        const other = numberOf(owner);
        if (other !== null && (await session.ask((queries) => isFree(queries, other)))) free.push(other);
      }
      if (free.length > 0) await sleep(GONE_FOR_MS);
      for (const other of free) {
        if (!(await session.ask((queries) => tryLock(queries, other)))) continue;
        try {
          await sweep(nameOf(other));
        } finally {
          await session.ask((queries) => unlock(queries, other));
        }
      }
    },
    async others() {
      const rows = await session.ask((queries) => queries.all<{ number: string }>(HELD_SQL));
      const held = new Set(rows.map(({ number }) => number));
      const names = Array.from({ length: INSTANCES_MAX }, (_, number) => nameOf(number));
      return names.filter((name) => name !== nameOf(session.number()) && held.has(lockNumber(name)));
    },
    async renew(sweep) {
      if (session.is_open()) return;
      const before = session.number();
      await session.connect(before);
      returned_at = performance.now();
      if (session.number() !== before) await sweep(nameOf(session.number()));
      // Notifications in the meantime were lost.
      changed();
    },
    release: () => session.end(),
  };
};

/** A persistent connection with its instance number. Each `connect` replaces a lost one. */
const openSession = (settings: PostgresSettings, changed: () => void) => {
  let client: pg.Client | null = null;
  let number = 0;
  const drop = (lost: pg.Client): void => {
    if (client === lost) client = null;
    lost.end().catch(() => undefined);
  };
  return {
    number: () => number,
    is_open: () => client !== null,
    async connect(wanted: number): Promise<void> {
      const fresh = await connect(settings, changed);
      try {
        number = await claim(queriesOn(fresh), wanted);
      } catch (error) {
        drop(fresh);
        throw error;
      }
      client = fresh;
      fresh.once("end", () => drop(fresh));
    },
    async ask<T>(question: (queries: Queries) => Promise<T>): Promise<T> {
      const asked = client;
      if (asked === null) throw unavailable("it is reconnecting");
      try {
        return await question(queriesOn(asked));
      } catch (error) {
        if (isLost(error)) drop(asked);
        throw error;
      }
    },
    async end(): Promise<void> {
      const last = client;
      client = null;
      await last?.end();
    },
  };
};

const connect = async (settings: PostgresSettings, changed: () => void): Promise<pg.Client> => {
  const client = new pg.Client(connectionSettings(settings));
  client.on("error", () => undefined);
  client.on("notification", changed);
  try {
    await client.connect();
    await client.query(`${KEEPALIVE_SQL}; listen assay_changes`);
    return client;
  } catch (error) {
    await client.end().catch(() => undefined);
    throw unavailable(messageOf(error));
  }
};

/** Takes `wanted`, or the first free number. */
const claim = async (queries: Queries, wanted: number): Promise<number> => {
  if (await tryLock(queries, wanted)) return wanted;
  for (let number = 0; number < INSTANCES_MAX; number += 1) if (await tryLock(queries, number)) return number;
  throw new AssayError({
    code: "ACCOUNTS_CROWDED",
    message: `${INSTANCES_MAX} processes have the accounts store open already. Stop some of them.`,
  });
};

const nameOf = (number: number): string => `instance-${number}`;

const numberOf = (name: string): number | null => {
  const digits = /^instance-(\d{1,4})$/.exec(name)?.[1];
  return digits === undefined ? null : Number(digits);
};

const tryLock = async (queries: Queries, number: number): Promise<boolean> => {
  const row = await queries.get<{ locked: number }>(
    `select case when pg_try_advisory_lock($1) then 1 else 0 end as locked`,
    [lockNumber(nameOf(number))],
  );
  return row?.locked === 1;
};

const isFree = async (queries: Queries, number: number): Promise<boolean> => {
  if (!(await tryLock(queries, number))) return false;
  await unlock(queries, number);
  return true;
};

const unlock = async (queries: Queries, number: number): Promise<void> => {
  await queries.run("select pg_advisory_unlock($1)", [lockNumber(nameOf(number))]);
};

const unavailable = (reason: string): AssayError =>
  new AssayError({ code: "ACCOUNTS_UNAVAILABLE", message: `PostgreSQL does not answer: ${reason}.`, retryable: true });
