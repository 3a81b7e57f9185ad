import { readJsonOrNull, SOURCE_BOUNDS } from "../lib/json_bounds.ts";
import { isRecord } from "../lib/record.ts";
import type { Web, WebAnswer, WebFailure } from "../web/web.ts";
import { optimizationOf, orderedFiles } from "./recompile.ts";
import {
  type Match,
  type SourceAnswer,
  type SourceProvider,
  type SourceQuery,
  unknownBecause,
  type VerifiedSource,
} from "./source.ts";

/** Sourcify's second API: `GET /v2/contract/{chainId}/{address}?fields=…` (docs.sourcify.dev/docs/api). */

const FIELDS = "abi,compilation,sources";
/** Fields of the second request, without sources, when a response exceeds the fetcher's limit. */
const FIELDS_SMALL = "abi,compilation";
const FILES_MAX = 2_000;

type SourcifyFields = Readonly<Record<string, unknown>>;

const textOrNull = (value: unknown): string | null => (typeof value === "string" && value !== "" ? value : null);

const matchOf = (value: unknown): Match | null => (value === "exact_match" || value === "match" ? value : null);

const isoOrNull = (value: unknown): string | null => {
  const ms = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().replace(/\.\d{3}Z$/, "Z");
};

const contentsOf = (sources: unknown): Readonly<Record<string, string>> => {
  const entries = Object.entries(isRecord(sources) ? sources : {}).slice(0, FILES_MAX);
  return Object.fromEntries(
    entries.flatMap(([path, source]) =>
      isRecord(source) && typeof source.content === "string" ? [[path, source.content]] : [],
    ),
  );
};

/** Only the languages that the API lists; any other is `other`. */
const languageOf = (value: unknown): string =>
  value === "Solidity" || value === "Vyper" || value === "Yul" ? value : "other";

const sourceOf = (body: SourcifyFields, match: Match): VerifiedSource => {
  const compilation = isRecord(body.compilation) ? body.compilation : {};
  const settings = isRecord(compilation.compilerSettings) ? compilation.compilerSettings : {};
  const name = textOrNull(compilation.name);
  const qualified = textOrNull(compilation.fullyQualifiedName);
  const first = qualified === null ? null : qualified.slice(0, Math.max(0, qualified.lastIndexOf(":")));
  return {
    provider: "sourcify",
    match,
    runtime_match: matchOf(body.runtimeMatch),
    creation_match: matchOf(body.creationMatch),
    verified_at: isoOrNull(body.verifiedAt),
    contract_name: name,
    language: languageOf(compilation.language),
    compiler_version: textOrNull(compilation.compilerVersion),
    evm_version: textOrNull(settings.evmVersion),
    optimization: Object.keys(settings).length === 0 ? null : optimizationOf(settings),
    files: orderedFiles(contentsOf(body.sources), first),
    abi: Array.isArray(body.abi) ? body.abi : null,
    creation: null,
  };
};

const DOWN = unknownBecause("UNREACHABLE", "Sourcify did not give a valid response");

const parsed = (answer: WebAnswer): SourcifyFields | null => {
  // A response that is not JSON is ignored.
  const value = readJsonOrNull(Buffer.from(answer.body).toString("utf8"), SOURCE_BOUNDS);
  return isRecord(value) ? value : null;
};

/** The response must describe the requested contract. */
const isAbout = (body: SourcifyFields, { chain_id, address }: SourceQuery): boolean =>
  String(body.chainId) === String(chain_id) && String(body.address).toLowerCase() === `0x${address}`;

const read = (answer: WebAnswer | WebFailure, question: SourceQuery): SourceAnswer => {
  if (answer.kind !== "answer" || answer.is_cut) return DOWN;
  const body = parsed(answer);
  if (body === null || (answer.status !== 200 && answer.status !== 404) || !isAbout(body, question)) return DOWN;
  const match = matchOf(body.match);
  if (match === null) return { kind: "unverified" };
  return answer.status === 200 ? { kind: "verified", source: sourceOf(body, match) } : DOWN;
};

/** Sources verified by a Sourcify server. `origin` without a trailing slash. */
export const sourcifySources = (web: Web, origin: string): SourceProvider => ({
  id: "sourcify",
  serves: () => true,
  find: async (question) => {
    const { chain_id, address, signal } = question;
    const ask = (fields: string) =>
      web.fetch({ url: `${origin}/v2/contract/${chain_id}/0x${address}?fields=${fields}`, signal });
    const whole = await ask(FIELDS);
    return read(whole.kind === "answer" && whole.is_cut ? await ask(FIELDS_SMALL) : whole, question);
  },
});
