/** The signed-in user, as reported by the service. The page cannot read the cookie. */
import type { ToolAnswer } from "../api/answer.ts";
import { fieldsOf, textOf } from "../api/answer.ts";
import { credential, takeCredential } from "../api/credential.ts";
import { createStore, readStored, writeStored } from "../store.ts";
import { sendRequest } from "./request.ts";

export interface SignedIn {
  readonly user_id: string;
  readonly name: string;
  readonly account_id: string | null;
  readonly is_operator: boolean;
  /** Inside the account; null = the user belongs to none. */
  readonly role: string | null;
  /** Rights of the role: the page shows nothing else, and the service rejects the rest. */
  readonly rights: readonly string[];
  readonly ends_at: string;
}

/** Null without a session, and while it is unknown. */
export const signedIn = createStore<SignedIn | null>(null);

/** Whether the session is being read. */
export const restoring = createStore(false);

/** Set after the first sign-in in this browser; without it, no session is read. It is not a secret. */
const HINT = {
  storage: localStorage,
  name: "assay.signed_in",
  isRight: (value: unknown): value is boolean => value === true,
};

/** Takes over what the service says of the session. */
const take = ({ body }: ToolAnswer): void => {
  const user = fieldsOf(body.user);
  const [name, csrf_token] = [textOf(user.name), textOf(body.csrf_token)];
  const is_in = name !== null && csrf_token !== null;
  writeStored(HINT, is_in ? true : null);
  signedIn.set(
    is_in
      ? {
          name,
          user_id: textOf(user.id) ?? "",
          account_id: textOf(user.account_id),
          is_operator: user.is_operator === true,
          role: textOf(user.role),
          rights: Array.isArray(user.rights) ? user.rights.filter((right) => typeof right === "string") : [],
          ends_at: textOf(body.ends_at) ?? "",
        }
      : null,
  );
  if (is_in) takeCredential({ kind: "session", csrf_token, name });
  else if (credential.get()?.kind === "session") takeCredential(null);
};

/** At the start of the page: a session of this browser is taken up again, unless a key is in use. */
export const restoreSession = async (): Promise<void> => {
  if (credential.get() !== null || !readStored(HINT, false)) return;
  restoring.set(true);
  const answer = await sendRequest("GET", "/api/session");
  if (answer.status === "data") take(answer);
  restoring.set(false);
};

/** Handles the end of a session, for any reason. */
credential.subscribe(() => {
  if (credential.get()?.kind !== "session") signedIn.set(null);
});

const changing = async (path: string, body: Readonly<Record<string, string>>): Promise<ToolAnswer> => {
  const answer = await sendRequest("POST", path, body);
  if (answer.status === "data") take(answer);
  return answer;
};

export const signIn = (name: string, password: string): Promise<ToolAnswer> => {
  // A pasted key would be used instead of the session.
  takeCredential(null);
  return changing("/api/session", { name, password });
};

export const setUp = (token: string, password: string): Promise<ToolAnswer> => {
  takeCredential(null);
  return changing("/api/session/set-up", { token, password });
};

export const changePassword = (password: string, new_password: string): Promise<ToolAnswer> =>
  changing("/api/session/password", { password, new_password });

export const signOut = (): Promise<ToolAnswer> => changing("/api/session/end", {});
