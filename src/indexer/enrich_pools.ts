import type { Call, CallResult } from "../chains/chain.ts";
import { type Bytes, EMPTY, equalBytes, fromHex, type Hex, toHex } from "../lib/bytes.ts";
import { addressAt, intAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { type PoolFamily, topicOf } from "../protocols/protocol.ts";
import { askEngine } from "../store/ask.ts";
import type { PoolsReadRow } from "../store/tables.gen.ts";
import type { EnrichParts } from "./enrich.ts";
import type { BlockRows } from "./rows.ts";
import { partsOf, Seen } from "./seen.ts";

const POOLS_REMEMBERED_MAX = 1_000_000;
const POOLS_PER_READ = 200;

/** First four bytes of the hash of a function's signature (Solidity ABI). */
const selectorOf = (signature: string): Hex => toHex(topicOf(signature)).slice(0, 8);

const FACTORY = selectorOf("factory()");
const TOKEN0 = selectorOf("token0()");
const TOKEN1 = selectorOf("token1()");
const FEE = selectorOf("fee()");
const TICK_SPACING = selectorOf("tickSpacing()");
const GET_PAIR = selectorOf("getPair(address,address)");
const GET_POOL = selectorOf("getPool(address,address,uint24)");

/** What a contract that emits pool events says of itself, before anybody has confirmed it. */
interface Claim {
  readonly pool: Hex;
  readonly family: PoolFamily;
  readonly factory: Bytes;
  readonly token0: Bytes;
  readonly token1: Bytes;
  readonly fee_ppm: number;
  readonly tick_spacing: number;
}

/**
 * Pools whose creation the indexed blocks do not show. Anybody can emit their events, so the factory that a contract
 * names must say that it is its pool; whether that factory is worth anything is the venue ('' = not in the list).
 */
export class PoolReader {
  readonly #parts: Pick<EnrichParts, "chain" | "store" | "venues">;
  /** Pools with a row, and contracts that are no pools. */
  readonly #seen = new Seen(POOLS_REMEMBERED_MAX);

  constructor(parts: Pick<EnrichParts, "chain" | "store" | "venues">) {
    this.#parts = parts;
  }

  /** @returns the rows that were added. */
  async read(rows: BlockRows, signal: AbortSignal): Promise<readonly PoolsReadRow[]> {
    for (const { pool } of rows.pools) this.#seen.add(toHex(pool));
    const families = new Map<Hex, PoolFamily>();
    for (const { pool, sqrt_price_x96 } of rows.pool_states) {
      families.set(toHex(pool), sqrt_price_x96 > 0n ? "uniswap_v3" : "uniswap_v2");
    }
    const unseen = [...families].filter(([pool]) => !this.#seen.has(pool));
    const added: PoolsReadRow[] = [];
    for (const part of partsOf(unseen, POOLS_PER_READ)) added.push(...(await this.#readPart(part, signal)));
    return added;
  }

  async #readPart(
    pools: readonly (readonly [Hex, PoolFamily])[],
    signal: AbortSignal,
  ): Promise<readonly PoolsReadRow[]> {
    const { chain, store } = this.#parts;
    const network = chain.network.id;
    const asked = { network, pools: pools.map(([pool]) => pool) };
    const known = new Set(
      (await askEngine(store.engine, "indexer/pools_known", asked, signal)).map(({ pool }) => pool),
    );
    const claims = await this.#claims(
      pools.filter(([pool]) => !known.has(pool)),
      signal,
    );
    const answers = await ask(chain.call, claims.map(confirmation), signal);
    const real = claims.filter((claim, at) => {
      const address = addressOf(answers[at]);
      return address !== null && toHex(address) === claim.pool;
    });
    const rows = real.map((claim) => this.#rowOf(claim));
    await store.writer.insert("pools_read", rows, { signal });
    for (const [pool] of pools) this.#seen.add(pool);
    return rows;
  }

  async #claims(pools: readonly (readonly [Hex, PoolFamily])[], signal: AbortSignal): Promise<readonly Claim[]> {
    const calls = pools.flatMap(([to]) => [FACTORY, TOKEN0, TOKEN1, FEE, TICK_SPACING].map((data) => ({ to, data })));
    const answers = await ask(this.#parts.chain.call, calls, signal);
    return pools.flatMap(([pool, family], at) => {
      const [factory, token0, token1, fee, spacing] = answers.slice(at * 5, at * 5 + 5);
      const parties = { factory: addressOf(factory), token0: addressOf(token0), token1: addressOf(token1) };
      const terms = family === "uniswap_v3" ? termsOf(fee, spacing) : { fee_ppm: 0, tick_spacing: 0 };
      if (parties.factory === null || parties.token0 === null || parties.token1 === null || terms === null) return [];
      return [{ pool, family, factory: parties.factory, token0: parties.token0, token1: parties.token1, ...terms }];
    });
  }

  #rowOf({ pool, family, factory, ...claim }: Claim): PoolsReadRow {
    const listed = this.#parts.venues.get(toHex(factory));
    const venue = listed?.family === family ? listed : null;
    const fee_ppm = family === "uniswap_v3" ? claim.fee_ppm : (venue?.fee_ppm ?? 0);
    const network = this.#parts.chain.network.id;
    return { ...claim, network, pool: fromHex(pool) ?? EMPTY, family, venue: venue?.venue ?? "", factory, fee_ppm };
  }
}

type Caller = (calls: readonly Call[], signal: AbortSignal) => Promise<readonly CallResult[]>;

const ask = (call: Caller, calls: readonly Call[], signal: AbortSignal): Promise<readonly CallResult[]> =>
  calls.length === 0 ? Promise.resolve([]) : call(calls, signal);

const wordOf = (address: Bytes): Hex => toHex(address).padStart(64, "0");

const confirmation = ({ family, factory, token0, token1, fee_ppm }: Claim): Call => {
  const tokens = wordOf(token0) + wordOf(token1);
  const data = family === "uniswap_v2" ? GET_PAIR + tokens : GET_POOL + tokens + fee_ppm.toString(16).padStart(64, "0");
  return { to: toHex(factory), data };
};

const NOBODY: Bytes = new Uint8Array(20);

/** An address other than zero; null for any other answer. */
const addressOf = (answer: CallResult | undefined): Bytes | null => {
  if (answer === undefined || !answer.ok || answer.data.length !== WORD_BYTES) return null;
  const address = addressAt(answer.data, 0);
  return equalBytes(address, NOBODY) || uintAt(answer.data, 0) >> 160n !== 0n ? null : address;
};

/** Fee (uint24) and tick spacing (int24) of a concentrated pool. */
const termsOf = (fee: CallResult | undefined, spacing: CallResult | undefined) => {
  if (!fee?.ok || !spacing?.ok || fee.data.length !== WORD_BYTES || spacing.data.length !== WORD_BYTES) return null;
  const fee_ppm = uintAt(fee.data, 0);
  const tick_spacing = intAt(spacing.data, 0);
  if (fee_ppm >= 1n << 24n || tick_spacing <= 0n || tick_spacing >= 1n << 23n) return null;
  return { fee_ppm: Number(fee_ppm), tick_spacing: Number(tick_spacing) };
};
