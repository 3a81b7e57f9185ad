/** Reads the documents by which programs are known that sign in for users. */
import type { Settings } from "../config/settings.ts";
import type { ReadDocument } from "../surfaces/rest/assistants/clients.ts";
import { type GuardedOptions, guardedWeb } from "../web/guarded.ts";

/** A document of a program has a few hundred bytes. */
const BYTES_MAX = 16_384;
const DEADLINE_MS = 5_000;

/** Null where the operator has not enabled requests to addresses that others name: then programs register instead. */
export const clientDocuments = ({ web }: Pick<Settings, "web">, options: GuardedOptions): ReadDocument | null => {
  if (!web.enabled) return null;
  const guarded = guardedWeb({ ...options, bytes_max: BYTES_MAX, deadline_ms: DEADLINE_MS });
  return async (url) => {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const headers = { accept: "application/json" };
    const answer = await guarded.fetch({ url, headers, needs_tls: true, signal });
    // The address is the program's name, so another address would be another program.
    if (answer.kind !== "answer" || answer.redirects.length > 0 || answer.status !== 200 || answer.is_cut) return null;
    return Buffer.from(answer.body).toString("utf8");
  };
};
