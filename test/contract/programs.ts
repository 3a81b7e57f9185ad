import { createHash } from "node:crypto";
import { postMcp } from "./mcp_client.ts";
import { legacyMessage } from "./mcp_messages.ts";
import { openPeople } from "./people.ts";
import type { ServiceSettings } from "./service.ts";

/** Address to which a program lets the browser return. */
export const CALLBACK = "http://127.0.0.1:7777/callback";
const VERIFIER = "v".repeat(43);
export const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");
export const JSON_TYPE = { "content-type": "application/json" };
/** The one address at which the service finds the document of a program. */
export const DOCUMENT_URL = "https://helper.example/client.json";

/** Parameters by name; null leaves one out. */
type FormFields = Readonly<Record<string, string | null>>;

export const formOf = (fields: FormFields): URLSearchParams =>
  new URLSearchParams(Object.entries(fields).filter((one): one is [string, string] => one[1] !== null));

/** A service with people, and a program that has registered there. */
export const openPrograms = async (settings: ServiceSettings = {}) => {
  /** Documents that the service has read. */
  const read: string[] = [];
  const service = await openPeople({
    readDocument: async (url) => {
      read.push(url);
      return url === DOCUMENT_URL ? JSON.stringify({ client_id: url, redirect_uris: [CALLBACK] }) : null;
    },
    ...settings,
  });
  const { url, settle } = service;
  const post = async (path: string, body: string | URLSearchParams, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${path}`, { method: "POST", body, headers });
    // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each asserted where it is read.
    return { status: response.status, headers: response.headers, body: (await response.json()) as any };
  };
  const register = (body: object = {}) =>
    post("/oauth/register", JSON.stringify({ client_name: "Helper", redirect_uris: [CALLBACK], ...body }), JSON_TYPE);
  const client_id: string = (await register()).body.client_id;
  const resource = `${url}/mcp`;
  /** The query with which the program opens the page. */
  const requestOf = (changes: FormFields = {}): string =>
    `?${formOf({
      ...{ response_type: "code", client_id, redirect_uri: CALLBACK, state: "s 1", resource },
      ...{ code_challenge: CHALLENGE, code_challenge_method: "S256", scope: "mcp:call", ...changes },
    })}`;
  type Person = Pick<Awaited<ReturnType<typeof settle>>, "ask">;
  const show = ({ ask }: Person, request: string) =>
    ask("GET", `/api/session/assistant?request=${encodeURIComponent(request)}`);
  const decide = ({ ask }: Person, request: string, is_allowed = true) =>
    ask("POST", "/api/session/assistant", { body: { request, is_allowed } });
  return {
    ...{ service, read, post, register, client_id, requestOf, show, decide },
    token: (fields: FormFields) => post("/oauth/token", formOf(fields)),
    exchangeOf: (code: string, changes: FormFields = {}): FormFields => ({
      ...{ grant_type: "authorization_code", code, client_id, redirect_uri: CALLBACK, code_verifier: VERIFIER },
      ...changes,
    }),
    codeOf: async (person: Person, changes: FormFields = {}): Promise<string> => {
      const { body } = await decide(person, requestOf(changes));
      return new URL(body.return_to).searchParams.get("code") ?? "";
    },
    /** Status of a call with a token. */
    list: async (secret: string) => (await postMcp(url, { key: secret, body: legacyMessage("tools/list", {}) })).status,
  };
};
