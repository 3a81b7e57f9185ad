/** Programs that registered by themselves (RFC 7591). */
import type { Database, Queries } from "../database.ts";
import { originDigest } from "../sign_in_delay.ts";

/** A program that wants to call for a user. All of it is its own word. */
export interface AssistantClient {
  readonly id: string;
  /** Sanitized for display. */
  readonly name: string;
  readonly redirect_uris: readonly string[];
}

export interface ClientBook {
  /** Null when too many programs have registered, from this network address or in all. */
  register(wish: Omit<AssistantClient, "id"> & { readonly address: string }): Promise<AssistantClient | null>;
  /** Null for an unknown or expired one. */
  find(id: string): Promise<AssistantClient | null>;
  sweep(): Promise<void>;
}

interface ClientSettings {
  readonly database: Database;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
}

type ClientRow = { readonly id: string; readonly name: string; readonly redirect_uris: string };

const HOUR_MS = 3_600_000;
/** A registration is forgotten when no user has said yes to it within this time. */
const UNUSED_MS = 24 * HOUR_MS;
/** One that a user said yes to is forgotten this long after the last time. */
const USED_MS = 365 * 24 * HOUR_MS;
/** Registrations from one network address in an hour. */
const HOURLY_MAX = 20;
/** Registrations without a user, from all addresses. */
const UNUSED_MAX = 5_000;

const COUNT_SQL = `select (select count(*) from assistant_clients where origin = $1 and created_at > $2) as hourly,
    (select count(*) from assistant_clients where used_at is null) as unused`;

const ADD_SQL = `insert into assistant_clients (id, name, redirect_uris, origin, created_at, used_at)
  values ($1, $2, $3, $4, $5, null)`;

const FIND_SQL = `select id, name, redirect_uris from assistant_clients
  where id = $1 and (used_at is not null or created_at > $2)`;

export const openClients = ({ database, now, newId }: ClientSettings): ClientBook => ({
  async register({ name, redirect_uris, address }) {
    const [id, at, origin] = [newId("client"), now(), originDigest(address)];
    const proof = { sql: "select id from assistant_clients where id = $1", values: [id] };
    const has_room = await database.transaction({ lock: "assistant clients", proof }, async (within) => {
      await forget(within, at);
      const count = await within.get<{ hourly: number; unused: number }>(COUNT_SQL, [origin, at - HOUR_MS]);
      if (count === null || count.hourly >= HOURLY_MAX || count.unused >= UNUSED_MAX) return false;
      await within.run(ADD_SQL, [id, name, JSON.stringify(redirect_uris), origin, at]);
      return true;
    });
    return has_room ? { id, name, redirect_uris } : null;
  },
  async find(id) {
    const row = await database.get<ClientRow>(FIND_SQL, [id, now() - UNUSED_MS]);
    // `register` wrote the list.
    return row === null ? null : { ...row, redirect_uris: JSON.parse(row.redirect_uris) as readonly string[] };
  },
  sweep: () => forget(database, now()),
});

const forget = async (queries: Queries, at: number): Promise<void> => {
  await queries.run("delete from assistant_clients where used_at is null and created_at <= $1", [at - UNUSED_MS]);
  await queries.run("delete from assistant_clients where used_at <= $1", [at - USED_MS]);
};

/** Notes that a user said yes to a program; part of a transaction. A program known by its document has no row. */
export const noteUse = (within: Queries, client_id: string, at: number): Promise<number> =>
  within.run("update assistant_clients set used_at = $2 where id = $1", [client_id, at]);
