/** Judges a public set: tokens with creation code on a chain of their own, others at their addresses through a service. */

import { type JudgedPair, readAnswer, type ToolBody } from "../tokens/judged.ts";
import { startServiceOn } from "../tokens/serve.ts";
import { type ReadSet, readSet, type SetToken } from "./read_set.ts";
import type { SetRecipe } from "./recipes.ts";

export interface SetService {
  /** Of a running Assay that serves the network. */
  readonly url: string;
  readonly key: string;
  readonly network: string;
}

export interface JudgedSet extends ReadSet {
  readonly pairs: readonly JudgedPair[];
  /** Tokens without an answer, by reason. */
  readonly unanswered: ReadonlyMap<string, number>;
}

const OK = 200;
const BUSY = [429, 503];
const ATTEMPTS = 5;
const WAIT_S_MAX = 60;
const NO_WORK = { calls: 0, gas: 0 };

/** An answer of the service; text: why there is none. */
const askService = async ({ url, key, network }: SetService, token_address: string): Promise<ToolBody | string> => {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(`${url.replace(/\/+$/, "")}/api/tools/get_token_risk_traits`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ token_address, network }),
      // A redirect would send the key to another service.
      redirect: "error",
    });
    const text = await response.text();
    if (response.status === OK) {
      // The shape is that of the tool.
      const body = JSON.parse(text) as ToolBody & { readonly data?: ToolBody };
      return body.data ?? body;
    }
    const wait_s = Number(response.headers.get("retry-after") ?? Number.NaN);
    if (!BUSY.includes(response.status) || attempt === ATTEMPTS || !(wait_s <= WAIT_S_MAX))
      return `the service answers ${response.status}`;
    await new Promise((resolve) => setTimeout(resolve, wait_s * 1_000));
  }
};

class Tally {
  readonly counts = new Map<string, number>();
  add(reason: string): void {
    this.counts.set(reason, (this.counts.get(reason) ?? 0) + 1);
  }
}

const judgeAt = async (tokens: readonly SetToken[], service: SetService, failed: Tally): Promise<JudgedPair[]> => {
  const pairs: JudgedPair[] = [];
  for (const token of tokens) {
    const began = performance.now();
    const body = await askService(service, token.contract);
    const took_ms = [performance.now() - began, 0] as const;
    if (typeof body === "string") failed.add(body);
    else pairs.push([token, readAnswer(body, { contract: token.contract, took_ms, work: NO_WORK })]);
  }
  return pairs;
};

const judgeDeployed = async (tokens: readonly SetToken[], failed: Tally): Promise<JudgedPair[]> => {
  const toDeploy = tokens.flatMap(({ contract, code }) => (code === null ? [] : [{ name: contract, code }]));
  const service = await startServiceOn(toDeploy, () => failed.add("cannot be deployed, or has no pool"));
  try {
    const pairs: JudgedPair[] = [];
    for (const token of tokens.filter(({ contract }) => service.has(contract)))
      pairs.push([token, await service.answer(token.contract)]);
    return pairs;
  } finally {
    await service.close();
  }
};

/** `count`: at most so many tokens, spread over the file. @throws Error for a set of addresses without a service */
export const judgeSet = async (
  recipe: SetRecipe,
  folder: string,
  { service, count = Number.POSITIVE_INFINITY }: { readonly service?: SetService; readonly count?: number } = {},
): Promise<JudgedSet> => {
  const { tokens, refused } = readSet(recipe, folder);
  const step = Math.max(1, tokens.length / count);
  const chosen = tokens.filter((_, i) => Math.floor(i / step) !== Math.floor((i - 1) / step));
  const failed = new Tally();
  if (recipe.codes === undefined && service === undefined)
    throw new Error(`${recipe.name} has addresses only: name a running service with --url and --network`);
  const pairs = service === undefined ? await judgeDeployed(chosen, failed) : await judgeAt(chosen, service, failed);
  return { tokens: chosen, refused, pairs, unanswered: failed.counts };
};
