/** The user's yes or no to a program, on a page of the portal. */
import * as z from "zod";
import type { Assistants } from "../../../accounts/assistants/open.ts";
import type { AccountsStore } from "../../../accounts/open.ts";
import { rightsOf } from "../../../accounts/roles.ts";
import type { Session } from "../../../accounts/sessions.ts";
import { AssayError } from "../../../lib/errors.ts";
import { definer } from "../../operations/operation.ts";
import type { AssistantClients } from "./clients.ts";
import { ASSISTANT_SCOPE } from "./metadata.ts";
import { isLoopback } from "./redirects.ts";
import { answerTo, readAssistantRequest } from "./request.ts";

/** The parts that a user's answer needs. */
export interface AssistantDesk {
  readonly accounts: AccountsStore["accounts"];
  readonly book: Pick<Assistants, "consent">;
  readonly clients: AssistantClients;
  /** Of this service, as the browser sees it. */
  readonly origin: string;
}

interface ConsentContext {
  readonly present: { readonly session: Session } | null;
  /** Null where assistants cannot sign in. */
  readonly assistants: AssistantDesk | null;
}

const define = definer<ConsentContext>();

const refusal = (code: string, message: string): AssayError => new AssayError({ code, message, public: message });

const request = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: "The query with which the program opened the page: an OAuth 2.1 authorization request." });

/** The user who answers, with an account and the right to call tools over MCP. */
const userOf = ({ present, assistants }: ConsentContext) => {
  if (assistants === null) throw refusal("ASSISTANTS_OFF", "Programs cannot sign in at this service.");
  if (present === null) throw refusal("NOT_SIGNED_IN", "The session has ended: sign in again");
  const { session } = present;
  const { account_id } = session;
  if (account_id === null) throw refusal("NOT_ALLOWED", "This user belongs to no account, and calls no tools");
  if (!rightsOf(session.role).includes(ASSISTANT_SCOPE))
    throw refusal("NOT_ALLOWED", "Your role calls no tools: an owner of the account can give you another");
  return { desk: assistants, session, account_id };
};

/** @throws AssayError BAD_CLIENT when the browser must not return to the program */
const read = async (desk: AssistantDesk, text: string) => {
  const asked = await readAssistantRequest(text, desk.origin, desk.clients);
  if (asked.kind === "refused") throw refusal("BAD_CLIENT", asked.message);
  return asked;
};

export const assistantOperations = {
  show_assistant_request: define({
    method: "GET",
    path: "/api/session/assistant",
    summary: "Get what a program requests that wants to sign in for the user.",
    input: z.strictObject({ request }),
    output: z.strictObject({
      client_name: z.string().meta({ description: "Name that the program gives itself. Nothing proves it." }),
      client_host: z
        .string()
        .nullable()
        .meta({ description: "Host that publishes the program's document; null for a program that registered." }),
      return_host: z.string().meta({ description: "Host and port that the browser returns to." }),
      is_local: z.boolean().meta({ description: "True when the browser returns to a program on its own machine." }),
      user_name: z.string(),
      account_name: z.string(),
      scopes: z.array(z.string()).meta({ description: "Scopes of the key; empty for a faulty request." }),
      fault: z.string().nullable().meta({ description: "Why the request cannot be allowed; null when it can." }),
      return_to: z
        .string()
        .nullable()
        .meta({ description: "Address that tells the program of its fault; null without one." }),
    }),
    async run(context, input) {
      const { desk, session, account_id } = userOf(context);
      const asked = await read(desk, input.request);
      const { name: account_name } = await desk.accounts.show(account_id);
      const { client, redirect_uri } = asked;
      const is_faulty = asked.kind === "faulty";
      return {
        ...{ client_name: client.name, client_host: client.host, user_name: session.name, account_name },
        ...{ return_host: new URL(redirect_uri).host, is_local: isLoopback(redirect_uri) },
        scopes: is_faulty ? [] : [...asked.scopes],
        fault: is_faulty ? asked.message : null,
        return_to: is_faulty ? asked.return_to : null,
      };
    },
  }),
  answer_assistant_request: define({
    method: "POST",
    path: "/api/session/assistant",
    summary: "Allow or deny a program to call tools over MCP with a key of the user's account.",
    input: z.strictObject({ request, is_allowed: z.boolean() }),
    output: z.strictObject({
      return_to: z.string().meta({ description: "Address of the program that the browser returns to." }),
    }),
    async run(context, input) {
      const { desk, session, account_id } = userOf(context);
      const asked = await read(desk, input.request);
      if (asked.kind === "faulty") return { return_to: asked.return_to };
      const { origin } = desk;
      if (!input.is_allowed) return { return_to: answerTo(asked, origin, { error: "access_denied" }) };
      const { client, redirect_uri, scopes, challenge, resource } = asked;
      const code = await desk.book.consent({
        ...{ user_id: session.user_id, account_id, client_id: client.id, client_name: client.name },
        ...{ redirect_uri, scopes, challenge, resource },
      });
      return { return_to: answerTo(asked, origin, { code }) };
    },
  }),
} as const;
