import * as z from "zod";
import { RIGHTS, ROLES, rightsOf } from "../../../accounts/roles.ts";
import type { Session, Sessions } from "../../../accounts/sessions.ts";
import type { NewSession, SignInOrigin } from "../../../accounts/sign_in.ts";
import { AssayError } from "../../../lib/errors.ts";
import { definer } from "../../operations/operation.ts";
import { type AssistantDesk, assistantOperations } from "../assistants/operations.ts";
import { csrfToken } from "./browser.ts";

/** The context of a page's request about signing in. */
export interface SignInContext {
  readonly sessions: Sessions;
  /** The open session of the request's cookie, with its secret; null without one. */
  readonly present: { readonly session: Session; readonly secret: string } | null;
  /** Of an earlier sign-in of this browser. */
  readonly device: string | null;
  readonly from: SignInOrigin;
  /** Whether operators' pages are served here. */
  readonly operators: boolean;
  /** Null where programs cannot sign in. */
  readonly assistants: AssistantDesk | null;
  /** Sets the browser's session cookie, or removes it. */
  readonly give: (session: NewSession | null) => void;
  /** Sets the number of seconds after which to try again. */
  readonly delay: (seconds: number) => void;
}

const define = definer<SignInContext>();

const refusal = (code: string, message: string): AssayError => new AssayError({ code, message, public: message });

const time = z.string().meta({ format: "date-time" });
const password = z.string().min(1).max(1_000);
const token = z.string().min(1).max(200).meta({ description: "The part of the set-up link after #." });

const user = z.strictObject({
  id: z.string(),
  name: z.string(),
  account_id: z
    .string()
    .nullable()
    .meta({ description: "Account that pays for the user's calls; null for a user without tool calls." }),
  is_operator: z.boolean().meta({ description: "True when operator pages are served and this user may use them." }),
  role: z.enum(ROLES).nullable().meta({ description: "Role in the account; null for a user without an account." }),
  rights: z
    .array(z.enum(RIGHTS))
    .meta({ description: "Rights of the role. The server enforces them; pages only display them." }),
});

const signedIn = z.strictObject({
  user: user.nullable().meta({ description: "The signed-in user; null without a session." }),
  session_id: z.string().nullable(),
  ends_at: time.nullable(),
  csrf_token: z.string().nullable().meta({
    description:
      "Send as X-Csrf-Token with every request that changes something or costs credits, during this session; null without a session.",
  }),
});

const nobody = { user: null, session_id: null, ends_at: null, csrf_token: null };

const shown = (
  { session, secret }: NonNullable<SignInContext["present"]>,
  { operators }: SignInContext,
): z.input<typeof signedIn> => {
  const { user_id: id, name, account_id, is_operator, role } = session;
  return {
    user: { id, name, account_id, is_operator: is_operator && operators, role, rights: [...rightsOf(role)] },
    session_id: session.id,
    ends_at: session.ends_at,
    csrf_token: csrfToken(secret),
  };
};

/** The answer with a new session, which the browser receives as a cookie. */
const opened = async (desk: SignInContext, fresh: NewSession): Promise<z.input<typeof signedIn>> => {
  const session = await desk.sessions.find(fresh.secret);
  if (session === null) throw refusal("NOT_SIGNED_IN", "The session has ended: sign in again");
  desk.give(fresh);
  return shown({ session, secret: fresh.secret }, desk);
};

const delayed = (desk: SignInContext, seconds: number): AssayError => {
  desk.delay(seconds);
  const wait = seconds === 1 ? "a second" : `${seconds} seconds`;
  return refusal("SIGN_IN_DELAYED", `Too many sign-ins have failed. Try again in ${wait}.`);
};

const mustBePresent = ({ present }: SignInContext): NonNullable<SignInContext["present"]> => {
  if (present === null) throw refusal("NOT_SIGNED_IN", "The session has ended: sign in again");
  return present;
};

/** Every operation by its id. */
export const operations = {
  show_session: define({
    method: "GET",
    path: "/api/session",
    summary: "Get the signed-in user, and the CSRF token for requests that change something or cost credits.",
    input: z.strictObject({}),
    output: signedIn,
    run: async (desk) => (desk.present === null ? nobody : shown(desk.present, desk)),
  }),
  begin_session: define({
    method: "POST",
    path: "/api/session",
    summary: "Sign in with a new session. Failed attempts delay later ones.",
    input: z.strictObject({ name: z.string().min(1).max(200), password }),
    output: signedIn,
    async run(desk, wish) {
      const answer = await desk.sessions.signIn({ ...wish, device: desk.device, from: desk.from });
      if (answer.kind === "delayed") throw delayed(desk, answer.wait_s);
      if (answer.kind === "refused") throw refusal("SIGN_IN_REFUSED", "The name or the password is wrong.");
      // This browser replaces its earlier session, so that session ends.
      if (desk.present !== null) await endQuietly(desk, desk.present.session);
      return opened(desk, answer);
    },
  }),
  end_session: define({
    method: "POST",
    path: "/api/session/end",
    summary: "Sign out: this session ends.",
    input: z.strictObject({}),
    output: signedIn,
    async run(desk) {
      const { session } = mustBePresent(desk);
      await desk.sessions.end(session.user_id, session.id);
      desk.give(null);
      return nobody;
    },
  }),
  read_link: define({
    method: "POST",
    path: "/api/session/link",
    summary: "Get the user of a set-up link. The link stays valid.",
    input: z.strictObject({ token }),
    output: z.strictObject({ name: z.string(), link_until: time }),
    async run({ sessions }, input) {
      const link = await sessions.linkOf(input.token);
      if (link === null) throw linkRefused();
      return link;
    },
  }),
  set_up: define({
    method: "POST",
    path: "/api/session/set-up",
    summary: "Set a password with a set-up link, once, and sign in.",
    input: z.strictObject({ token, password }),
    output: signedIn,
    async run(desk, wish) {
      const answer = await desk.sessions.setUp({ ...wish, from: desk.from });
      if (answer.kind === "refused") throw linkRefused();
      return opened(desk, answer);
    },
  }),
  change_password: define({
    method: "POST",
    path: "/api/session/password",
    summary: "Change the password. All sessions of the user end; this browser gets a new one.",
    input: z.strictObject({ password, new_password: password }),
    output: signedIn,
    async run(desk, wish) {
      const { session } = mustBePresent(desk);
      const answer = await desk.sessions.changePassword(session.user_id, { ...wish, from: desk.from });
      if (answer.kind === "delayed") throw delayed(desk, answer.wait_s);
      if (answer.kind === "refused") throw refusal("NOT_ALLOWED", "The current password is wrong.");
      return opened(desk, answer);
    },
  }),
  list_sessions: define({
    method: "GET",
    path: "/api/session/list",
    summary: "List the user's sessions, newest first.",
    input: z.strictObject({}),
    output: z.strictObject({
      sessions: z.array(
        z.strictObject({
          id: z.string(),
          is_this: z.boolean(),
          created_at: time,
          seen_at: time.meta({ description: "Time of last use, updated at most once a minute." }),
          ends_at: time.meta({
            description: "Latest end of the session. It ends earlier when unused for twelve hours.",
          }),
          address: z.string(),
          agent: z.string().meta({ description: "User agent of the browser." }),
        }),
      ),
    }),
    async run(desk) {
      const { session } = mustBePresent(desk);
      const listed = await desk.sessions.list(session.user_id);
      return { sessions: listed.map((one) => ({ ...one, is_this: one.id === session.id })) };
    },
  }),
  end_listed_session: define({
    method: "POST",
    path: "/api/session/list/{session_id}/end",
    summary: "End one of the user's own sessions.",
    input: z.strictObject({ session_id: z.string().min(1).max(100) }),
    output: z.strictObject({ session_id: z.string() }),
    async run(desk, { session_id }) {
      const { session } = mustBePresent(desk);
      await desk.sessions.end(session.user_id, session_id);
      if (session_id === session.id) desk.give(null);
      return { session_id };
    },
  }),
  ...assistantOperations,
} as const;

const linkRefused = (): AssayError =>
  refusal("LINK_REFUSED", "This link was used, has expired or never existed. Request a new one from the operator.");

/** Idempotent: ending an ended session succeeds. */
const endQuietly = async ({ sessions }: SignInContext, { user_id, id }: Session): Promise<void> => {
  try {
    await sessions.end(user_id, id);
  } catch (error) {
    if (!(error instanceof AssayError) || error.code !== "UNKNOWN_SESSION") throw error;
  }
};
