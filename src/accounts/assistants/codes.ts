/** Authorization codes: a user's yes, which the program exchanges for a key once (RFC 6749, 4.1; RFC 7636). */
import { createHash } from "node:crypto";
import { AssayError } from "../../lib/errors.ts";
import { recorderOf } from "../audit.ts";
import { checkKeyLimit } from "../keys.ts";
import { lockOf } from "../pools.ts";
import { mustReach } from "../reach.ts";
import { digestsOf, displayPrefix, makeSecret, pepperId } from "../secret.ts";
import { isToken, makeToken, tokenDigest } from "../users.ts";
import { noteUse } from "./clients.ts";
import type { Endings } from "./end.ts";
import type { AssistantSettings } from "./open.ts";
import type { IssuedTokens, TokenAnswer } from "./tokens.ts";

/** A user's yes to a request that was checked before. */
export interface Consent {
  readonly user_id: string;
  readonly account_id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uri: string;
  /** The address that the key is for. */
  readonly resource: string;
  readonly scopes: readonly string[];
  /** SHA-256 of the program's verifier, in base64url. */
  readonly challenge: string;
}

interface CodeExchange {
  readonly code: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly verifier: string;
  /** Null = not named. */
  readonly resource: string | null;
}

export interface AssistantCodes {
  /** Makes a code for the program. @throws AssayError NOT_ALLOWED (more than the user's rights), KEY_LIMIT, UNKNOWN_ACCOUNT */
  consent(wish: Consent): Promise<string>;
  /** Makes the key. A code that was exchanged before ends the key that it was exchanged for. */
  exchange(wish: CodeExchange): Promise<TokenAnswer>;
}

type CodeRow = {
  readonly digest: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly redirect_uri: string;
  readonly resource: string;
  readonly scopes: string;
  readonly challenge: string;
  readonly user_id: string;
  readonly account_id: string;
  readonly expires_at: number;
};

const CODE_MS = 60_000;

const ADD_CODE_SQL = `insert into assistant_codes
    (digest, client_id, client_name, redirect_uri, resource, scopes, challenge, user_id, account_id, expires_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

const FIND_SQL = `select digest, client_id, client_name, redirect_uri, resource, scopes, challenge, user_id, account_id, expires_at
  from assistant_codes where digest = $1`;

const EXCHANGED_SQL = "select key_id from assistant_grants where code_digest = $1";

const ADD_KEY_SQL = `insert into keys (id, account_id, digest, previous_digest, previous_until, prefix, scopes,
    limit_per_minute, created_at, revoked_at, last_used_at, pepper_id, created_by, client_name, expires_at)
  values ($1, $2, $3, null, null, $4, $5, null, $6, null, null, $7, $8, $9, $10)`;

const ADD_GRANT_SQL = `insert into assistant_grants
    (key_id, client_id, user_id, resource, code_digest, family_digest, turn_digest, last_digest, seed, turned_at, refresh_until)
  values ($1, $2, $3, $4, $5, $6, $7, null, $8, $9, $10)`;

const REFUSED: TokenAnswer = {
  kind: "refused",
  why: "The code is unknown, expired or used, or was given to another program or for another address",
};

export const openCodes = (settings: AssistantSettings, endings: Endings): AssistantCodes => ({
  async consent(wish) {
    const { database, random, now } = settings;
    const code = makeToken(random);
    const [digest, at] = [tokenDigest(code), now()];
    const proof = { sql: "select digest from assistant_codes where digest = $1", values: [digest] };
    await database.transaction({ lock: lockOf(wish.account_id), proof }, async (within) => {
      await mustReach(within, `user:${wish.user_id}`, wish.scopes);
      await checkKeyLimit(within, wish.account_id);
      const { client_id, client_name, redirect_uri, resource, scopes, challenge, user_id, account_id } = wish;
      const asked = [client_id, client_name, redirect_uri, resource, scopes.join(" "), challenge, user_id, account_id];
      await within.run(ADD_CODE_SQL, [digest, ...asked, at + CODE_MS]);
      await noteUse(within, client_id, at);
    });
    return code;
  },
  async exchange(wish) {
    const { database, now } = settings;
    if (!isToken(wish.code)) return REFUSED;
    const row = await database.get<CodeRow>(FIND_SQL, [tokenDigest(wish.code)]);
    if (row !== null && (row.expires_at <= now() || !isOf(row, wish))) return REFUSED;
    const issued = row === null ? null : await issue(settings, row);
    if (issued !== null) return issued;
    const before = await database.get<{ key_id: string }>(EXCHANGED_SQL, [tokenDigest(wish.code)]);
    if (before !== null) await endings.end(before.key_id, "assistant.code_reuse");
    return REFUSED;
  },
});

const isOf = (row: CodeRow, { client_id, redirect_uri, verifier, resource }: CodeExchange): boolean =>
  row.client_id === client_id &&
  row.redirect_uri === redirect_uri &&
  (resource === null || row.resource === resource) &&
  row.challenge === createHash("sha256").update(verifier).digest("base64url");

/** The key of a code; null when another exchange was faster. */
const issue = async (settings: AssistantSettings, row: CodeRow): Promise<TokenAnswer | null> => {
  const { database, random, prefix, peppers, now, terms, changed } = settings;
  const [key_id, secret, at] = [settings.newId("key"), makeSecret(prefix, random), now()];
  const [digest] = digestsOf(secret, peppers);
  const [family, turn] = [makeToken(random), makeToken(random)];
  const scopes = row.scopes.split(" ");
  const actor = `user:${row.user_id}`;
  const shown = displayPrefix(secret);
  const pepper_id = peppers.current === null ? null : pepperId(peppers.current);
  const expires_at = at + terms.access_s * 1_000;
  const proof = { sql: "select id from keys where id = $1", values: [key_id] };
  const tokens: IssuedTokens = {
    ...{ kind: "issued", access_token: secret, expires_in: terms.access_s, refresh_token: `${family}.${turn}`, scopes },
  };
  try {
    const is_first = await database.transaction({ lock: lockOf(row.account_id), proof }, async (within) => {
      if ((await within.run("delete from assistant_codes where digest = $1", [row.digest])) === 0) return false;
      await mustReach(within, actor, scopes);
      await checkKeyLimit(within, row.account_id);
      const key = [
        key_id,
        row.account_id,
        digest,
        shown,
        row.scopes,
        at,
        pepper_id,
        actor,
        row.client_name,
        expires_at,
      ];
      await within.run(ADD_KEY_SQL, key);
      const renewed_by = [tokenDigest(family), tokenDigest(turn), makeToken(random), at, at + terms.refresh_s * 1_000];
      await within.run(ADD_GRANT_SQL, [
        ...[key_id, row.client_id, row.user_id, row.resource, row.digest],
        ...renewed_by,
      ]);
      const { account_id, client_id, client_name } = row;
      const after = { account_id, prefix: shown, scopes, client_id, client_name, redirect_uri: row.redirect_uri };
      await recorderOf(actor, now)(within, { action: "assistant.connect", subject: key_id, before: null, after });
      return true;
    });
    changed();
    return is_first ? tokens : null;
  } catch (error) {
    // The user's rights, or the account's room, have changed since the yes.
    if (error instanceof AssayError && ["NOT_ALLOWED", "KEY_LIMIT"].includes(error.code))
      return { kind: "refused", why: error.message };
    throw error;
  }
};
