import { realpathSync } from "node:fs";
import type { Secret } from "../lib/log.ts";
import type { Engine } from "./database.ts";
import { claimInstance } from "./instance.ts";
import { openSqlite } from "./sqlite.ts";

/** Location of the accounts. */
export type AccountsLocation =
  /** Lock files `<path>.instance-N` are created next to the file. */
  | { readonly engine: "sqlite"; readonly path: string }
  | { readonly engine: "postgres"; readonly url: Secret; readonly connections: number };

/** @throws AssayError ACCOUNTS_UNREADABLE, ACCOUNTS_UNAVAILABLE, ACCOUNTS_UNSAFE */
export const openEngine = async (place: AccountsLocation): Promise<Engine> => {
  if (place.engine === "sqlite") {
    const { path } = place;
    const database = openSqlite(path);
    return { name: "sqlite", database, claimInstance: async () => claimInstance(realpathSync(path)) };
  }
  // The driver is loaded only where it is used.
  const [{ openPostgres }, { claimPostgresInstance }] = await Promise.all([
    import("./postgres.ts"),
    import("./postgres_session.ts"),
  ]);
  const database = await openPostgres(place);
  return { name: "postgres", database, claimInstance: (changed) => claimPostgresInstance(place, changed) };
};
