/** Sign-in for assistants: a program gets a key of the account whose user said yes on a page (docs/design/mcp_and_sdks.md). */
import { recorderOf } from "../audit.ts";
import type { Database } from "../database.ts";
import type { Peppers, RandomBytes } from "../secret.ts";
import { type ClientBook, openClients } from "./clients.ts";
import { type AssistantCodes, openCodes } from "./codes.ts";
import { openEndings } from "./end.ts";
import { type AssistantTokens, openTokens } from "./tokens.ts";

/** Lifetimes, in seconds. */
export interface AssistantTerms {
  /** Of an access token. */
  readonly access_s: number;
  /** Of a refresh token that is not used. */
  readonly refresh_s: number;
}

export const ASSISTANT_TERMS: AssistantTerms = { access_s: 3_600, refresh_s: 30 * 86_400 };

export interface AssistantSettings {
  readonly database: Database;
  readonly prefix: string;
  readonly peppers: Peppers;
  readonly random: RandomBytes;
  readonly now: () => number;
  readonly newId: (kind: string) => string;
  /** Called after a change of keys. */
  readonly changed: () => void;
  readonly terms: AssistantTerms;
}

export interface Assistants extends AssistantCodes, AssistantTokens {
  readonly clients: ClientBook;
  /** Removes what has expired: codes, unused registrations, and keys whose refresh token was not used in time. */
  sweep(): Promise<void>;
}

/** Interval of sweeps that look at anything. */
const SWEEP_EVERY_MS = 60_000;

export const openAssistants = (settings: AssistantSettings): Assistants => {
  const { database, now } = settings;
  const end = openEndings({ ...settings, recorder: (actor) => recorderOf(actor, now) });
  const clients = openClients(settings);
  let next_at = 0;
  return {
    clients,
    ...openCodes(settings, end),
    ...openTokens(settings, end),
    async sweep() {
      const at = now();
      if (at < next_at) return;
      next_at = at + SWEEP_EVERY_MS;
      await clients.sweep();
      await database.run("delete from assistant_codes where expires_at <= $1", [at]);
      await end.expired();
    },
  };
};
