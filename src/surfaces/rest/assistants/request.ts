/** The request of a program for a key, as its user's browser brings it (RFC 6749, 4.1.1; RFC 7636; RFC 8707; RFC 9207). */
import type { AssistantClients, FoundClient } from "./clients.ts";
import { ASSISTANT_SCOPE, resourceOf } from "./metadata.ts";
import { isRegistered, withParameters } from "./redirects.ts";

interface FromClient {
  readonly client: FoundClient;
  readonly redirect_uri: string;
  readonly state: string | null;
}

export type AssistantRequest =
  /** Its program or address is not known, so the browser must not go there. */
  | { readonly kind: "refused"; readonly message: string }
  /** The program hears of its fault when the user goes back to it. */
  | ({ readonly kind: "faulty"; readonly message: string; readonly return_to: string } & FromClient)
  | ({
      readonly kind: "asked";
      readonly scopes: readonly string[];
      readonly challenge: string;
      readonly resource: string;
    } & FromClient);

const refused = (message: string): AssistantRequest => ({ kind: "refused", message });

/** Parameters by name; null when one is repeated (RFC 6749, 3.1). */
export const parametersOf = (text: string): ReadonlyMap<string, string> | null => {
  const all = [...new URLSearchParams(text)];
  const parameters = new Map(all);
  return parameters.size === all.length ? parameters : null;
};

/** The answer that a program gets by the user's browser. */
export const answerTo = (
  { redirect_uri, state }: Pick<FromClient, "redirect_uri" | "state">,
  origin: string,
  answer: Readonly<Record<string, string>>,
): string => withParameters(redirect_uri, { ...answer, state, iss: origin });

/** The fault in the rest of a request: an error code of OAuth, and a sentence. */
const faultOf = (
  parameters: ReadonlyMap<string, string>,
  origin: string,
): { readonly error: string; readonly message: string } | null => {
  const fault = (error: string, message: string) => ({ error, message });
  if (parameters.get("response_type") !== "code")
    return fault("unsupported_response_type", "The program must request a code (response_type=code).");
  if (parameters.get("response_mode") !== undefined && parameters.get("response_mode") !== "query")
    return fault("invalid_request", "The program must take its answer in the query of the address.");
  if (parameters.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(parameters.get("code_challenge") ?? ""))
    return fault("invalid_request", "The program must protect the code by PKCE with S256.");
  const resource = parameters.get("resource");
  if (resource !== undefined && resource !== resourceOf(origin))
    return fault("invalid_target", "The program wants access to another service than this one.");
  const stray = scopesOf(parameters).find((scope) => scope !== ASSISTANT_SCOPE);
  return stray === undefined ? null : fault("invalid_scope", "The program wants more than calling tools over MCP.");
};

const scopesOf = (parameters: ReadonlyMap<string, string>): readonly string[] =>
  (parameters.get("scope") ?? "").split(" ").filter((scope) => scope !== "");

/** Reads a request. @param text the query of the page's address */
export const readAssistantRequest = async (
  text: string,
  origin: string,
  clients: AssistantClients,
): Promise<AssistantRequest> => {
  const parameters = parametersOf(text.replace(/^\?/, ""));
  if (parameters === null) return refused("A parameter of the request is repeated.");
  const client = await clients.find(parameters.get("client_id") ?? "");
  if (client === null)
    return refused("The program is not known here, or its document could not be read. Let it connect again.");
  const redirect_uri = parameters.get("redirect_uri") ?? "";
  if (!isRegistered(redirect_uri, client.redirect_uris))
    return refused("The program wants to return to an address that it has not registered.");
  const from = { client, redirect_uri, state: parameters.get("state") ?? null };
  const fault = faultOf(parameters, origin);
  if (fault !== null) {
    const { error, message } = fault;
    return {
      kind: "faulty",
      ...from,
      message,
      return_to: answerTo(from, origin, { error, error_description: message }),
    };
  }
  const challenge = parameters.get("code_challenge") ?? "";
  return { kind: "asked", ...from, scopes: [ASSISTANT_SCOPE], challenge, resource: resourceOf(origin) };
};
