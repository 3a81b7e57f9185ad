import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Answer } from "../answer.ts";
import * as answers from "../answer.ts";
import { Document, Prebuilt } from "../documents.ts";
import { DOCS_PATH, LLMS_PATHS } from "../routes.ts";
import { DocsSite, type SiteFile } from "./site.ts";

/** Nothing but our own files, and questions to this service. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = {
  "cache-control": "public, max-age=300",
  "content-security-policy": POLICY,
  "referrer-policy": "no-referrer",
};

const OPEN = { status: 200, charged: 0, standing: null };

const documents = new WeakMap<SiteFile, Document>();

/** One for each file, so that it is compressed once. */
const documentOf = (file: SiteFile): Document => {
  const document = documents.get(file) ?? new Document(file.bytes);
  documents.set(file, document);
  return document;
};

const answerOf = (file: SiteFile | null): Answer =>
  file === null
    ? answers.notFound
    : { ...OPEN, body: documentOf(file), headers: { ...HEADERS, "content-type": file.type } };

const TO_FIRST_PAGE: Answer = {
  ...OPEN,
  status: 308,
  body: new Prebuilt(""),
  headers: { location: `${DOCS_PATH}/index.html` },
};

type Send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => unknown;

/** The documentation under `/docs`, read when it is first asked for, and the texts for language models. */
export const serveDocs = (app: FastifyInstance, folder: string | null, send: Send): void => {
  let site: DocsSite | null = null;
  const show = (path: string): Answer => {
    if (folder === null) return answers.notFound;
    site ??= new DocsSite(folder);
    return answerOf(site.file(path));
  };
  app.get(DOCS_PATH, (request, reply) => send(request, reply, folder === null ? answers.notFound : TO_FIRST_PAGE));
  app.get(`${DOCS_PATH}/*`, (request, reply) =>
    send(request, reply, show(String(Reflect.get(Object(request.params), "*")))),
  );
  for (const path of LLMS_PATHS) app.get(path, (request, reply) => send(request, reply, show(path.slice(1))));
};
