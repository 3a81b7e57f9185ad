import { keccak256, toHex } from "../lib/bytes.ts";
import type { Web } from "../web/web.ts";
import { folderSources } from "./folder.ts";
import { projectSources } from "./project.ts";
import { type SourceAnswer, type SourceProvider, type SourceQuery, unknownBecause } from "./source.ts";
import { sourcifySources } from "./sourcify.ts";

/** Verified sources of contracts, from several providers in turn, local ones first. */
export interface Sources {
  /** Ids of the providers of a network, in order; empty when none is configured. */
  readonly stores: (chain_id: number) => readonly string[];
  find(question: SourceQuery): Promise<SourceAnswer>;
}

export interface SourceOptions {
  /** The operator's folder; null when there is none. */
  readonly folder: string | null;
  /** Projects, each with the sources of one network's contracts. */
  readonly projects: readonly { readonly folder: string; readonly chain_id: number }[];
  /** Null while web access is off. */
  readonly sourcify: { readonly web: Web; readonly origin: string } | null;
}

/** Cached answers; each may hold a contract's whole source. */
const REMEMBERED_MAX = 128;

const NOT_CONFIGURED = unknownBecause("NOT_CONFIGURED", "no store of verified sources is configured for this network");

/** The first provider with the source; otherwise the reason why absence is not proven. */
const queryInTurn = async (stores: readonly SourceProvider[], question: SourceQuery): Promise<SourceAnswer> => {
  let gap: SourceAnswer | null = null;
  for (const store of stores) {
    const answer = await store.find(question);
    if (answer.kind === "verified") return answer;
    if (answer.kind === "unknown") gap = answer;
  }
  return gap ?? { kind: "unverified" };
};

/** Stops waiting when the caller aborts; the started lookup continues for later callers. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((done, refuse) => {
    const stop = (): void => refuse(signal.reason);
    signal.addEventListener("abort", stop, { once: true });
    work.then(done, refuse).finally(() => signal.removeEventListener("abort", stop));
  });

export const openSources = (options: SourceOptions): Sources => {
  const { folder, projects, sourcify } = options;
  const stores = [
    ...projects.map((project) => projectSources(project.folder, project.chain_id)),
    ...(folder === null ? [] : [folderSources(folder)]),
    ...(sourcify === null ? [] : [sourcifySources(sourcify.web, sourcify.origin)]),
  ];
  // A verified source of a contract never changes, so it is cached.
  const verified = new Map<string, SourceAnswer>();
  const remember = (key: string, answer: SourceAnswer): void => {
    verified.set(key, answer);
    const [oldest] = verified.keys();
    if (verified.size > REMEMBERED_MAX && oldest !== undefined) verified.delete(oldest);
  };
  const servingOf = (chain_id: number) => stores.filter((store) => store.serves(chain_id));
  const keyOf = ({ chain_id, address, code }: SourceQuery): string =>
    `${chain_id}:${address}:${toHex(keccak256(code))}`;
  return {
    stores: (chain_id) => servingOf(chain_id).map(({ id }) => id),
    find: async (question) => {
      question.signal.throwIfAborted();
      const serving = servingOf(question.chain_id);
      if (serving.length === 0) return NOT_CONFIGURED;
      const key = keyOf(question);
      const known = verified.get(key);
      if (known !== undefined) return known;
      const answer = await untilAborted(queryInTurn(serving, question), question.signal);
      if (answer.kind === "verified") remember(key, answer);
      return answer;
    },
  };
};

/** An instance without sources and without web access. */
export const NO_SOURCES: Sources = { stores: () => [], find: async () => NOT_CONFIGURED };
