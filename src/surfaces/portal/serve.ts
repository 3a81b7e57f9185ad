import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Network } from "../../chains/chain.ts";
import type { Answer } from "../answer.ts";
import * as answers from "../answer.ts";
import { Document } from "../documents.ts";
import { toJson } from "../json.ts";
import { PORTAL_ASSETS, PORTAL_NETWORKS_PATH, PORTAL_PATH } from "../routes.ts";
import { PortalSite } from "./site.ts";

/** Nothing but our own files, and questions to this service. No style and no script stands inline, and nobody frames it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const HEADERS = {
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** A name with a hash never means other bytes; every other name is asked for again. */
const FOREVER = "public, max-age=31536000, immutable";
const ASK_AGAIN = "no-cache";

const OPEN = { status: 200, charged: 0, standing: null };

const INDEX = "index.html";

export interface PortalParts {
  /** Folder of the built page; null where there is none, and then no page is served. */
  readonly folder: string | null;
  /** Every enabled network, in configuration order. */
  /** Those of now. */
  readonly networks: () => readonly Network[];
  readonly send: (request: FastifyRequest, reply: FastifyReply, answer: Answer) => unknown;
}

/** What the page must know of the networks before anybody has shown a key: how addresses of each look, and its name. */
const networkList = (networks: readonly Network[]) => ({
  networks: networks.map(({ id, name, family, caip2, native }) => ({
    id,
    name,
    family,
    chain_id: caip2,
    native_symbol: native.symbol,
  })),
});

/** The page at `/` and `/app/…`, and its files. Which page of it is meant, the page itself finds in its address. */
export const servePortal = (app: FastifyInstance, { folder, networks, send }: PortalParts): void => {
  let site: PortalSite | null = null;
  const show = (path: string): Answer => {
    if (folder === null) return answers.notFound;
    site ??= new PortalSite(folder);
    const file = site.file(path);
    if (file === null) return answers.notFound;
    const headers: Record<string, string> = {
      ...HEADERS,
      "cache-control": file.is_hashed ? FOREVER : ASK_AGAIN,
      "content-type": file.type,
    };
    return { ...OPEN, body: file.document, headers };
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
  app.get(PORTAL_NETWORKS_PATH, (request, reply) =>
    send(request, reply, folder === null ? answers.notFound : { ...OPEN, body: listNow() }),
  );
};
