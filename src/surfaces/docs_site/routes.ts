import type { FastifyInstance } from "fastify";
import { DOCS_CSP } from "../../lib/csp.ts";
import { Document, Prebuilt } from "../http/cached_body.ts";
import * as refusals from "../refusals.ts";
import type { Responder } from "../responder.ts";
import { freeAnswer, type SurfaceResponse } from "../surface_response.ts";
import { DocsSite, type SiteFile } from "./site.ts";

const DOCS_PATH = "/docs";
/** Texts at the root of the service by convention (llmstxt.org). */
const LLMS_PATHS = ["/llms.txt", "/llms-full.txt"];

const HEADERS = {
  "cache-control": "public, max-age=300",
  "content-security-policy": DOCS_CSP,
  "referrer-policy": "no-referrer",
};

const documents = new WeakMap<SiteFile, Document>();

/** One document for each file, so that it is compressed once. */
const documentOf = (file: SiteFile): Document => {
  const document = documents.get(file) ?? new Document(file.bytes);
  documents.set(file, document);
  return document;
};

const answerOf = (file: SiteFile | null): SurfaceResponse =>
  file === null ? refusals.notFound : freeAnswer(documentOf(file), { ...HEADERS, "content-type": file.type });

const TO_FIRST_PAGE: SurfaceResponse = {
  ...freeAnswer(new Prebuilt(""), { location: `${DOCS_PATH}/index.html` }),
  status: 308,
};

/** The documentation under `/docs`, read on the first request, and the texts for language models. */
export const addDocs = (app: FastifyInstance, folder: string | null, { send }: Pick<Responder, "send">): void => {
  let site: DocsSite | null = null;
  const show = (path: string): SurfaceResponse => {
    if (folder === null) return refusals.notFound;
    site ??= new DocsSite(folder);
    return answerOf(site.file(path));
  };
  app.get(DOCS_PATH, (request, reply) => send(request, reply, folder === null ? refusals.notFound : TO_FIRST_PAGE));
  app.get(`${DOCS_PATH}/*`, (request, reply) =>
    send(request, reply, show(String(Reflect.get(Object(request.params), "*")))),
  );
  for (const path of LLMS_PATHS) app.get(path, (request, reply) => send(request, reply, show(path.slice(1))));
};
