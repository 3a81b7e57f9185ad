/** Routes that programs call on their way to a key. They read no cookie. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Assistants } from "../../../accounts/assistants/open.ts";
import type { TokenAnswer } from "../../../accounts/assistants/tokens.ts";
import { valuesOf } from "../../http/headers.ts";
import { readJsonBody } from "../../http/json_body.ts";
import * as refusals from "../../refusals.ts";
import { retryAfter } from "../../retry_after.ts";
import { freeAnswer, refusal, type SurfaceResponse } from "../../surface_response.ts";
import { originOf, ownOrigin, type PagesSettings } from "../sign_in/browser.ts";
import { type StrangerParts, strangerBody } from "../sign_in/stranger_body.ts";
import { clientMetadata, isSupported, nameOf, type ReadDocument } from "./clients.ts";
import { ASSISTANT_SCOPE, metadataAt, REGISTER_PATH, REVOKE_PATH, TOKEN_PATH } from "./metadata.ts";
import { isRedirectAllowed } from "./redirects.ts";
import { parametersOf } from "./request.ts";

interface AssistantRouteParts extends StrangerParts {
  readonly settings: PagesSettings;
  readonly book: Assistants;
  readonly readDocument: ReadDocument | null;
}

const NOT_HERE = refusal(
  404,
  "Assistants sign in at this machine's own address alone: set sign_in.origin to the https address of the service",
);

/** An error in the form of RFC 6749, 5.2. */
const fault = (error: string, error_description: string, status = 400): SurfaceResponse => ({
  ...{ status, body: { error, error_description }, charged: 0, credit_status: null },
});

type Parameters = ReadonlyMap<string, string>;

/** The parameters of a form; the refusal of any other body. */
const formOf = ({ raw }: FastifyRequest, body: Buffer): Parameters | SurfaceResponse => {
  const [type = ""] = valuesOf(raw.rawHeaders, "content-type");
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    return fault("invalid_request", "The body must be application/x-www-form-urlencoded");
  return parametersOf(body.toString("utf8")) ?? fault("invalid_request", "A parameter is repeated");
};

const isAnswer = (read: Parameters | SurfaceResponse): read is SurfaceResponse => "status" in read;

const tokensOf = (answer: TokenAnswer): SurfaceResponse => {
  if (answer.kind === "refused") return fault("invalid_grant", answer.why);
  const { access_token, expires_in, refresh_token, scopes } = answer;
  return freeAnswer({ access_token, token_type: "Bearer", expires_in, refresh_token, scope: scopes.join(" ") });
};

/** `POST /oauth/token` (RFC 6749, 4.1.3 and 6). */
const exchange = async ({ book }: AssistantRouteParts, form: Parameters): Promise<SurfaceResponse> => {
  const [grant_type, client_id] = [form.get("grant_type"), form.get("client_id")];
  const resource = form.get("resource") ?? null;
  if (grant_type !== "authorization_code" && grant_type !== "refresh_token")
    return fault("unsupported_grant_type", "grant_type is authorization_code or refresh_token");
  if (client_id === undefined) return fault("invalid_client", "client_id is missing");
  if (grant_type === "refresh_token") {
    if ((form.get("scope") ?? ASSISTANT_SCOPE) !== ASSISTANT_SCOPE)
      return fault("invalid_scope", `The key has the scope ${ASSISTANT_SCOPE} alone`);
    return tokensOf(await book.renew({ refresh_token: form.get("refresh_token") ?? "", client_id, resource }));
  }
  const [code = "", redirect_uri = "", verifier = ""] = ["code", "redirect_uri", "code_verifier"].map((name) =>
    form.get(name),
  );
  return tokensOf(await book.exchange({ code, client_id, redirect_uri, verifier, resource }));
};

/** `POST /oauth/revoke` (RFC 7009): 200 for an unknown token too. */
const revoke = async ({ book }: AssistantRouteParts, form: Parameters): Promise<SurfaceResponse> => {
  const [token, client_id] = [form.get("token"), form.get("client_id")];
  if (token === undefined || client_id === undefined) return fault("invalid_request", "token or client_id is missing");
  await book.giveUp({ token, client_id });
  return freeAnswer({});
};

const HOUR_S = 3_600;

/** `POST /oauth/register` (RFC 7591). */
const register = async (
  { book, settings }: AssistantRouteParts,
  request: FastifyRequest,
  body: Buffer,
): Promise<SurfaceResponse> => {
  const json = readJsonBody(valuesOf(request.raw.rawHeaders, "content-type")[0], body);
  if (json.kind !== "object") return fault("invalid_client_metadata", "The body must be JSON");
  const read = clientMetadata.safeParse(json.value);
  if (!read.success || !isSupported(read.data))
    return fault("invalid_client_metadata", "A program has redirect_uris and uses authorization codes");
  if (!read.data.redirect_uris.every(isRedirectAllowed))
    return fault("invalid_redirect_uri", "Redirects lead to https addresses, or to http://127.0.0.1 or localhost");
  const { redirect_uris } = read.data;
  const { address } = originOf(request, settings);
  const client = await book.clients.register({ name: nameOf(read.data), redirect_uris, address });
  if (client === null)
    return {
      ...fault("temporarily_unavailable", "Too many programs have registered", 429),
      headers: retryAfter(HOUR_S),
    };
  return {
    ...freeAnswer({
      ...{ client_id: client.id, client_name: client.name, redirect_uris: client.redirect_uris },
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      scope: ASSISTANT_SCOPE,
    }),
    status: 201,
  };
};

export const addAssistants = (app: FastifyInstance, parts: AssistantRouteParts): void => {
  const { responder, settings } = parts;
  const metadata = metadataAt(parts.readDocument !== null);
  for (const [path, documentAt] of Object.entries(metadata))
    app.get(path, (request, reply) => {
      const origin = ownOrigin(request.raw.rawHeaders, settings);
      return responder.send(request, reply, origin === null ? NOT_HERE : freeAnswer(documentAt(origin)));
    });
  const route = (path: string, serve: (request: FastifyRequest, body: Buffer) => Promise<SurfaceResponse>) =>
    app.post(path, async (request, reply) => {
      const answer = await answered(request, parts, serve);
      return answer === null ? reply.hijack() : responder.send(request, reply, answer);
    });
  const form = (serve: typeof exchange) => async (request: FastifyRequest, body: Buffer) => {
    const read = formOf(request, body);
    return isAnswer(read) ? read : serve(parts, read);
  };
  route(TOKEN_PATH, form(exchange));
  route(REVOKE_PATH, form(revoke));
  route(REGISTER_PATH, (request, body) => register(parts, request, body));
};

/** Null when the client is gone. */
const answered = async (
  request: FastifyRequest,
  parts: AssistantRouteParts,
  serve: (request: FastifyRequest, body: Buffer) => Promise<SurfaceResponse>,
): Promise<SurfaceResponse | null> => {
  if (ownOrigin(request.raw.rawHeaders, parts.settings) === null) return NOT_HERE;
  try {
    const body = await strangerBody(request, parts);
    if (body === null || !Buffer.isBuffer(body)) return body;
    if (!request.context.deadline.mayBegin()) return refusals.tooLate;
    return await serve(request, body);
  } catch (error) {
    return parts.responder.failure(error, request.id);
  }
};
