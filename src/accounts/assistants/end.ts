/** Ends the key of an assistant with everything that renews it. */
import type { Recorder } from "../audit.ts";
import type { Database, Queries } from "../database.ts";
import { KEYS_SCOPE } from "../keys.ts";
import { isoMs } from "../period.ts";

/** Why a key of an assistant ends, as the audit trail names it. */
type Ending =
  /** A code was sent a second time: a thief may have one of the copies. */
  | "assistant.code_reuse"
  /** An earlier refresh token was sent. */
  | "assistant.refresh_reuse"
  /** The program itself gave it up. */
  | "assistant.revoke"
  /** The refresh token was not used in time. */
  | "assistant.expire";

export interface Endings {
  end(key_id: string, why: Ending): Promise<void>;
  /** Ends keys whose refresh token was not used in time, and removes the rest of keys that ended otherwise. */
  expired(): Promise<void>;
}

interface EndSettings {
  readonly database: Database;
  readonly now: () => number;
  readonly changed: () => void;
  readonly recorder: (actor: string) => Recorder;
}

/** Actor in the audit trail for what the service does by itself. */
const ACTOR = "assistants";

const REVOKE_SQL = `update keys set revoked_at = $2, previous_digest = null, previous_until = null
  where id = $1 and revoked_at is null returning account_id`;

const EXPIRED_SQL = "select key_id from assistant_grants where refresh_until <= $1";

const ENDED_SQL = `delete from assistant_grants where key_id in
    (select g.key_id from assistant_grants g join keys k on k.id = g.key_id where k.revoked_at is not null)`;

export const openEndings = ({ database, now, changed, recorder }: EndSettings): Endings => {
  const endOne = async (within: Queries, key_id: string, why: Ending): Promise<void> => {
    const at = now();
    const row = await within.get<{ account_id: string }>(REVOKE_SQL, [key_id, at]);
    await within.run("delete from assistant_grants where key_id = $1", [key_id]);
    if (row === null) return;
    const record = recorder(why === "assistant.revoke" ? `key:${key_id}` : ACTOR);
    const states = { before: { ...row, revoked_at: null }, after: { ...row, revoked_at: isoMs(at) } };
    await record(within, { action: why, subject: key_id, ...states });
  };
  const end = async (key_id: string, why: Ending): Promise<void> => {
    await database.transaction(KEYS_SCOPE, (within) => endOne(within, key_id, why));
    changed();
  };
  return {
    end,
    async expired() {
      const rows = await database.all<{ key_id: string }>(EXPIRED_SQL, [now()]);
      for (const { key_id } of rows) await end(key_id, "assistant.expire");
      await database.run(ENDED_SQL);
    },
  };
};
