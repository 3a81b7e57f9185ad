/**
 * Answers of a replay node beyond blocks: logs by filter, and calls to the contracts of a generated mainnet. Its tokens
 * state their metadata, its pools their tokens, and its factories their pools; any other address has no code.
 */
import { decodeFunctionData, encodeAbiParameters, encodeFunctionResult, type Hex, parseAbi } from "viem";
import { digitsOf, selectorOf, type Word } from "./made_log.ts";
import { ReplayMarket, type ReplayPool, type Token } from "./market.ts";
import { logsOf } from "./reference.ts";
import { inMemory, type ReplayBlock, type TextStore } from "./stored_block.ts";

type ContractResponder = (method: string, params: readonly unknown[]) => unknown;

export const MULTICALL = "0xca11bde05977b3631167028862be2a173976ca11";
const AGGREGATE = parseAbi([
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) returns ((bool success, bytes returnData)[])",
]);
const NOTHING: Hex = "0x";

const words = (...values: readonly Word[]): Hex => `0x${values.map(digitsOf).join("")}`;
const text = (value: string): Hex => encodeAbiParameters([{ type: "string" }], [value]);

/** Balance of every holder. */
const HELD = 10n ** 24n;

const tokenAnswers = ({ symbol, decimals }: Token): readonly (readonly [string, Hex])[] => [
  ["name()", text(`Token ${symbol}`)],
  ["symbol()", text(symbol)],
  ["decimals()", words(BigInt(decimals))],
  ["totalSupply()", words(10n ** BigInt(decimals + 12))],
  ["balanceOf(address)", words(HELD)],
];

const poolAnswers = (pool: ReplayPool): readonly (readonly [string, Hex])[] => {
  const own: readonly (readonly [string, Hex])[] = [
    ["factory()", words(pool.factory)],
    ["token0()", words(pool.token0.address)],
    ["token1()", words(pool.token1.address)],
  ];
  if (pool.family === "v2") return [...own, ["totalSupply()", words(pool.shares)], ["decimals()", words(18n)]];
  return [...own, ["fee()", words(BigInt(pool.fee_ppm))], ["tickSpacing()", words(BigInt(pool.tick_spacing))]];
};

/** Calls to a factory, in both orders of the tokens. */
const listings = ({
  family,
  token0,
  token1,
  fee_ppm,
  address,
  factory,
}: ReplayPool): readonly (readonly [string, Hex])[] => {
  const [a, b] = [token0.address, token1.address];
  const pairs = [
    [a, b],
    [b, a],
  ] as const;
  const asked = family === "v2" ? "getPair(address,address)" : "getPool(address,address,uint24)";
  const fee = family === "v2" ? [] : [BigInt(fee_ppm)];
  return pairs.map((pair) => [`${factory}:${selectorOf(asked)}${words(...pair, ...fee).slice(2)}`, words(address)]);
};

/** Answers by contract and call; for calls whose argument does not matter, by the selector alone. */
const mainnetAnswers = (): ReadonlyMap<string, Hex> => {
  const market = ReplayMarket.whole();
  const answers = new Map<string, Hex>();
  const add = (address: string, own: readonly (readonly [string, Hex])[]): void => {
    for (const [signature, answer] of own) answers.set(`${address}:${selectorOf(signature)}`, answer);
  };
  for (const token of market.tokens) add(token.address, tokenAnswers(token));
  for (const pool of market.pools) {
    add(pool.address, poolAnswers(pool));
    for (const [key, answer] of listings(pool)) answers.set(key, answer);
  }
  return answers;
};

/** For `ReplayOptions.state`: `eth_call` to the contracts of a generated mainnet, alone or by Multicall3. */
export const answerCalls = (): ContractResponder => {
  const answers = mainnetAnswers();
  const answer = (to: string, data: string): Hex =>
    answers.get(`${to}:${data.slice(2)}`) ?? answers.get(`${to}:${data.slice(2, 10)}`) ?? NOTHING;
  return (method, params) => {
    if (method !== "eth_call") return undefined;
    // The first parameter of eth_call is a call.
    const { to = "", data = "0x" } = params[0] as { readonly to?: string; readonly data?: Hex };
    if (to.toLowerCase() !== MULTICALL) return answer(to.toLowerCase(), data);
    const [calls] = decodeFunctionData({ abi: AGGREGATE, data }).args;
    const results = calls.map(({ target, callData }) => ({
      ...{ success: true, returnData: answer(target.toLowerCase(), callData) },
    }));
    return encodeFunctionResult({ abi: AGGREGATE, result: results });
  };
};

interface Filter {
  readonly fromBlock?: string;
  readonly toBlock?: string;
  readonly blockHash?: string;
  readonly address?: string | readonly string[];
  readonly topics?: readonly (string | readonly string[] | null)[];
}

/** `eth_getLogs` by block numbers or hash, addresses and topics; `next` answers everything else. */
export class KnownLogs {
  readonly #keep: TextStore;
  readonly #next: ContractResponder;
  readonly #blocks: { readonly number: number; readonly hash: string; readonly logs: () => Buffer }[] = [];
  /** Places of blocks by what their logs name: `k:topic`, `a:address`. */
  readonly #places = new Map<string, Set<number>>();

  constructor(next: ContractResponder, keep: TextStore = inMemory) {
    this.#next = next;
    this.#keep = keep;
  }

  add(block: ReplayBlock): void {
    const { number, hash } = block.block;
    const all = logsOf(block);
    const logs = this.#keep(Buffer.from(JSON.stringify(all)));
    for (const { address: emitter, topics } of all)
      for (const key of [`a:${emitter}`, ...topics.map((topic, k) => `${k}:${topic}`)]) {
        const places = this.#places.get(key) ?? new Set();
        this.#places.set(key, places.add(this.#blocks.length));
      }
    this.#blocks.push({ number: Number(number), hash, logs });
  }

  readonly answer: ContractResponder = (method, params) => {
    if (method !== "eth_getLogs") return this.#next(method, params);
    // The one parameter of eth_getLogs is a filter.
    const { fromBlock = "0x0", toBlock, blockHash, address, topics = [] } = params[0] as Filter;
    const [from, to] = [Number(fromBlock), toBlock === undefined ? Number.POSITIVE_INFINITY : Number(toBlock)];
    const [addresses, wanted] = [listOf(address), topics.map(listOf)];
    return this.#mayName(addresses, wanted)
      .filter(({ number, hash }) => (blockHash === undefined ? number >= from && number <= to : hash === blockHash))
      .flatMap(({ logs }) => {
        const all: ReturnType<typeof logsOf> = JSON.parse(logs().toString("utf8"));
        return all.filter(
          (log) =>
            addresses?.has(log.address) !== false &&
            wanted.every((list, k) => list?.has(log.topics[k] ?? "") !== false),
        );
      });
  };

  /** Blocks with a log that has one of the wanted topics in the last such place, or one of the addresses; all where none are wanted. */
  #mayName(addresses: ReadonlySet<string> | null, wanted: readonly (ReadonlySet<string> | null)[]) {
    const k = wanted.findLastIndex((list) => list !== null);
    const list = wanted[k] ?? addresses;
    if (list === null) return this.#blocks;
    const name = wanted[k] === undefined ? "a" : String(k);
    const places = new Set([...list].flatMap((one) => [...(this.#places.get(`${name}:${one}`) ?? [])]));
    return [...places].sort((a, b) => a - b).flatMap((place) => this.#blocks[place] ?? []);
  }
}

/** For `ReplayOptions.state`: logs and calls. */
export const answerState = (blocks: readonly ReplayBlock[]): ContractResponder => {
  const known = new KnownLogs(answerCalls());
  for (const block of blocks) known.add(block);
  return known.answer;
};

const listOf = (wanted: string | readonly string[] | null | undefined): ReadonlySet<string> | null => {
  if (wanted === null || wanted === undefined) return null;
  const list = typeof wanted === "string" ? [wanted] : wanted;
  return new Set(list.map((text) => text.toLowerCase()));
};
