import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Network } from "../../chains/chain.ts";
import { PORTAL_CSP } from "../../lib/csp.ts";
import { Document } from "../http/cached_body.ts";
import { toJson } from "../http/json.ts";
import * as refusals from "../refusals.ts";
import type { Responder } from "../responder.ts";
import { freeAnswer, type SurfaceResponse } from "../surface_response.ts";
import { PortalFiles } from "./files.ts";

/** The portal, its assets, and the list of networks that it needs before sign-in. */
const PORTAL_PATH = "/app";
const PORTAL_ASSETS = "/assets";
const PORTAL_NETWORKS_PATH = "/app/networks.json";

const HEADERS = {
  "content-security-policy": PORTAL_CSP,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** The bytes under a name with a hash never change; browsers revalidate every other name. */
const FOREVER = "public, max-age=31536000, immutable";
const REVALIDATE = "no-cache";

const INDEX = "index.html";

interface PortalParts {
  /** Folder of the built page. */
  readonly folder: string;
  /** The enabled networks, in configuration order. */
  readonly networks: () => readonly Network[];
  readonly responder: Pick<Responder, "send">;
}

/** The facts of each network that the page needs before sign-in: its name, and the family that decides how addresses look. */
const networkList = (networks: readonly Network[]) => ({
  networks: networks.map(({ id, name, family, caip2, native }) => ({
    id,
    name,
    family,
    chain_id: caip2,
    native_symbol: native.symbol,
  })),
});

/** The portal at `/` and `/app/…`, and its files. Its script reads the address to find which page to show. */
export const addPortal = (app: FastifyInstance, { folder, networks, responder: { send } }: PortalParts): void => {
  let site: PortalFiles | null = null;
  const show = (path: string): SurfaceResponse => {
    site ??= new PortalFiles(folder);
    const file = site.file(path);
    if (file === null) return refusals.notFound;
    const headers: Record<string, string> = {
      ...HEADERS,
      "cache-control": file.is_hashed ? FOREVER : REVALIDATE,
      "content-type": file.type,
    };
    return freeAnswer(file.document, headers);
  };
  const index = (request: FastifyRequest, reply: FastifyReply) => send(request, reply, show(INDEX));
  app.get("/", index);
  app.get(PORTAL_PATH, index);
  app.get(`${PORTAL_PATH}/*`, index);
  app.get(`${PORTAL_ASSETS}/*`, (request, reply) =>
    send(request, reply, show(`assets/${String(Reflect.get(Object(request.params), "*"))}`)),
  );
  let list: { readonly text: string; readonly document: Document } | null = null;
  const listNow = (): Document => {
    const text = toJson(networkList(networks()));
    if (list?.text !== text) list = { text, document: new Document(text) };
    return list.document;
  };
  app.get(PORTAL_NETWORKS_PATH, (request, reply) => send(request, reply, freeAnswer(listNow())));
};
