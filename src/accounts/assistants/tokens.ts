/** Refresh tokens, which renew the secret of an assistant's key and change each time (RFC 9700, 4.14). */
import { createHmac } from "node:crypto";
import { AssayError } from "../../lib/errors.ts";
import type { Queries } from "../database.ts";
import { KEYS_SCOPE } from "../keys.ts";
import { mustReach } from "../reach.ts";
import { digestsOf, displayPrefix, isWellFormed, makeSecret, pepperId, type RandomBytes } from "../secret.ts";
import { isToken, tokenDigest } from "../users.ts";
import type { Endings } from "./end.ts";
import type { AssistantSettings } from "./open.ts";

export interface IssuedTokens {
  readonly kind: "issued";
  /** The secret of a key. */
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly refresh_token: string;
  readonly scopes: readonly string[];
}

export type TokenAnswer = IssuedTokens | { readonly kind: "refused"; readonly why: string };

interface Renewal {
  readonly refresh_token: string;
  readonly client_id: string;
  /** Null = not named. */
  readonly resource: string | null;
}

export interface AssistantTokens {
  /** Renews the secret. An earlier refresh token ends the key, because either sender may be a thief. */
  renew(wish: Renewal): Promise<TokenAnswer>;
  /** Ends the key of an access or refresh token of this program; anything else changes nothing (RFC 7009). */
  giveUp(wish: { readonly token: string; readonly client_id: string }): Promise<void>;
}

type GrantRow = {
  readonly key_id: string;
  readonly client_id: string;
  readonly user_id: string;
  readonly resource: string;
  readonly turn_digest: string;
  readonly last_digest: string | null;
  readonly seed: string;
  readonly turned_at: number;
  readonly refresh_until: number;
  readonly scopes: string;
  readonly revoked_at: number | null;
  readonly expires_at: number;
};

/** Programs send requests side by side, and each may renew: for so long the same token gets the same answer. */
const AGAIN_MS = 10_000;
/** The old secret works for so long: requests with it may be on their way. */
const GRACE_MS = 60_000;

const GRANT_SQL = `select g.key_id, g.client_id, g.user_id, g.resource, g.turn_digest, g.last_digest, g.seed, g.turned_at, g.refresh_until,
    k.scopes, k.revoked_at, k.expires_at
  from assistant_grants g join keys k on k.id = g.key_id where g.family_digest = $1`;

const TURN_SQL = `update assistant_grants set turn_digest = $3, last_digest = $2, turned_at = $4, refresh_until = $5
  where key_id = $1 and turn_digest = $2`;

const RENEW_SQL = `update keys set previous_digest = digest, previous_by = created_by, digest = $2, prefix = $3, pepper_id = $4,
    expires_at = $5, previous_until = case when expires_at < $6 then expires_at else $6 end
  where id = $1 and revoked_at is null`;

const OF_SECRET_SQL = `select g.key_id from assistant_grants g join keys k on k.id = g.key_id
  where g.client_id = $2 and (k.digest = $1 or k.previous_digest = $1)`;

const OF_FAMILY_SQL = "select key_id from assistant_grants where family_digest = $1 and client_id = $2";

const REFUSED: TokenAnswer = {
  kind: "refused",
  why: "The refresh token is unknown, expired or used, or was given to another program or for another address",
};

interface RefreshToken {
  /** Stays the same as long as the key lives. */
  readonly family: string;
  /** Of this token alone. */
  readonly turn: string;
}

const readRefreshToken = (text: string): RefreshToken | null => {
  const [family = "", turn = "", ...more] = text.split(".");
  return more.length === 0 && isToken(family) && isToken(turn) ? { family, turn } : null;
};

/** The tokens after a refresh token: neither the token nor the store alone makes it, and both make it again. */
const nextOf = (turn: string, seed: string, prefix: string): { readonly turn: string; readonly secret: string } => {
  const bytesOf = (what: string) => createHmac("sha256", turn).update(`${what} ${seed}`).digest();
  let round = 0;
  const bytes: RandomBytes = () => {
    round += 1;
    return bytesOf(`secret ${round}`);
  };
  return { turn: bytesOf("turn").toString("base64url"), secret: makeSecret(prefix, bytes) };
};

export const openTokens = (settings: AssistantSettings, endings: Endings): AssistantTokens => ({
  async renew({ refresh_token, client_id, resource }) {
    const { database, now, prefix, changed } = settings;
    const sent = readRefreshToken(refresh_token);
    if (sent === null) return REFUSED;
    const family_digest = tokenDigest(sent.family);
    const answer = await database.transaction(KEYS_SCOPE, async (within): Promise<TokenAnswer | GrantRow> => {
      const grant = await within.get<GrantRow>(GRANT_SQL, [family_digest]);
      if (grant === null || grant.client_id !== client_id || grant.revoked_at !== null) return REFUSED;
      if (grant.refresh_until <= now() || (resource !== null && resource !== grant.resource)) return REFUSED;
      const next = nextOf(sent.turn, grant.seed, prefix);
      const turn_digest = tokenDigest(sent.turn);
      const is_again = grant.last_digest === turn_digest && now() - grant.turned_at < AGAIN_MS;
      if (grant.turn_digest !== turn_digest && !is_again) return grant;
      const scopes = grant.scopes.split(" ");
      if (!(await reaches(within, grant.user_id, scopes))) return REFUSED;
      const expires_at = is_again ? grant.expires_at : await turn(settings, within, { grant, next });
      if (expires_at === null) return REFUSED;
      const expires_in = Math.floor((expires_at - now()) / 1_000);
      const tokens = { access_token: next.secret, refresh_token: `${sent.family}.${next.turn}` };
      return { kind: "issued", ...tokens, expires_in, scopes };
    });
    changed();
    if ("kind" in answer) return answer;
    await endings.end(answer.key_id, "assistant.refresh_reuse");
    return REFUSED;
  },
  async giveUp({ token, client_id }) {
    const { database, peppers } = settings;
    const sent = readRefreshToken(token);
    const digests = isWellFormed(token) ? digestsOf(token, peppers) : [];
    const found =
      sent === null
        ? await Promise.all(digests.map((one) => database.get<{ key_id: string }>(OF_SECRET_SQL, [one, client_id])))
        : [await database.get<{ key_id: string }>(OF_FAMILY_SQL, [tokenDigest(sent.family), client_id])];
    for (const row of found) if (row !== null) await endings.end(row.key_id, "assistant.revoke");
  },
});

/** Whether the user still has the rights of the key. */
const reaches = async (within: Queries, user_id: string, scopes: readonly string[]): Promise<boolean> => {
  try {
    await mustReach(within, `user:${user_id}`, scopes);
    return true;
  } catch (error) {
    if (error instanceof AssayError && error.code === "NOT_ALLOWED") return false;
    throw error;
  }
};

interface Turn {
  readonly grant: GrantRow;
  readonly next: { readonly turn: string; readonly secret: string };
}

/** Writes the next turn. @returns the end of the new secret, in unix milliseconds; null = the key has ended */
const turn = async (settings: AssistantSettings, within: Queries, { grant, next }: Turn): Promise<number | null> => {
  const { now, terms, peppers } = settings;
  const at = now();
  const expires_at = at + terms.access_s * 1_000;
  const [digest] = digestsOf(next.secret, peppers);
  const pepper_id = peppers.current === null ? null : pepperId(peppers.current);
  const values = [digest, displayPrefix(next.secret), pepper_id, expires_at, at + GRACE_MS];
  if ((await within.run(RENEW_SQL, [grant.key_id, ...values])) === 0) return null;
  const turned = [grant.turn_digest, tokenDigest(next.turn), at, at + terms.refresh_s * 1_000];
  await within.run(TURN_SQL, [grant.key_id, ...turned]);
  return expires_at;
};
