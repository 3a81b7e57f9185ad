/** Credential of the page: a pasted key, or the session of a signed-in user. */
import { createStore, readStored, writeStored } from "../store.ts";

export type Credential =
  /** Kept until the tab is closed. */
  | { readonly kind: "key"; readonly secret: string }
  /** The cookie itself is out of reach of scripts; the token goes with every request that changes something. */
  | { readonly kind: "session"; readonly csrf_token: string; readonly name: string };

const isStoredKey = (value: unknown): value is string => typeof value === "string" && value !== "";

const KEEPING = { storage: sessionStorage, name: "assay.key", isRight: isStoredKey };

const storedKey = (): Credential | null => {
  const secret = readStored(KEEPING, "");
  return secret === "" ? null : { kind: "key", secret };
};

export const credential = createStore<Credential | null>(storedKey());

/** Replaces the credential; null forgets it. */
export const takeCredential = (next: Credential | null): void => {
  writeStored(KEEPING, next?.kind === "key" ? next.secret : null);
  credential.set(next);
};

/** Headers that say who asks. */
export const credentialHeaders = (): Readonly<Record<string, string>> => {
  const now = credential.get();
  if (now === null) return {};
  return now.kind === "key" ? { authorization: `Bearer ${now.secret}` } : { "x-csrf-token": now.csrf_token };
};
