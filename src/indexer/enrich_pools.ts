import type { CallResult, ContractCall } from "../chains/chain.ts";
import { INTERFACES } from "../knowledge/names.gen.ts";
import { allEnded } from "../lib/all_ended.ts";
import { type Bytes, concatHex, EMPTY, fromHex, type Hex, intToHex, toHex } from "../lib/bytes.ts";
import { intAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import type { PoolFamily } from "../protocols/protocol.ts";
import { endingWith, queryRows } from "../store/query.ts";
import type { PoolsReadRow } from "../store/tables.gen.ts";
import { plainFamily, venueFee } from "./decode_pools.ts";
import type { EnrichOptions } from "./enrich.ts";
import { isPairPool, readPairs } from "./enrich_pairs.ts";
import { inParts, KnownKeys } from "./known_keys.ts";
import { addressOf, callAll, GET_PAIR, GET_POOL, GET_SOLIDLY_POOL, selectorOf, wordOf } from "./pool_calls.ts";
import type { BlockRows } from "./rows.ts";

const POOLS_REMEMBERED_MAX = 1_000_000;
const POOLS_PER_READ = 200;

const FACTORY = selectorOf(INTERFACES.uniswap_v2.factory);
const TOKEN0 = selectorOf(INTERFACES.uniswap_v2.token0);
const TOKEN1 = selectorOf(INTERFACES.uniswap_v2.token1);
const FEE = selectorOf("fee()");
const TICK_SPACING = selectorOf("tickSpacing()");
const STABLE = selectorOf("stable()");
/** Of exchanges of one token against the native coin (protocols/uniswap_v1.ts). */
const FACTORY_ADDRESS = selectorOf("factoryAddress()");
const TOKEN_ADDRESS = selectorOf("tokenAddress()");
const GET_EXCHANGE = selectorOf("getExchange(address)");
const ASKED = [FACTORY, TOKEN0, TOKEN1, FEE, TICK_SPACING, STABLE, FACTORY_ADDRESS, TOKEN_ADDRESS];
const ADDRESS_DIGITS = 40;

/** Unconfirmed statements about itself by a contract that emits pool events. */
interface PoolClaim {
  readonly pool: Hex;
  readonly family: PoolFamily;
  readonly factory: Bytes;
  readonly token0: Bytes;
  readonly token1: Bytes;
  readonly fee_ppm: number;
  readonly tick_spacing: number;
  /** Its factory knows it by its one token: the other is the native coin. */
  readonly is_of_one_token: boolean;
}

/**
 * Pools whose creation is not in the indexed blocks. Any contract can emit their events, so the factory that a contract
 * names must confirm the pool; the venue shows whether that factory is known ('' = not in the list).
 */
export class PoolReader {
  readonly #parts: Pick<EnrichOptions, "chain" | "store" | "venues">;
  /** Pools with a row, and contracts that are no pools. */
  readonly #seen = new KnownKeys(POOLS_REMEMBERED_MAX);

  constructor(parts: Pick<EnrichOptions, "chain" | "store" | "venues">) {
    this.#parts = parts;
  }

  /** @returns the rows that were added */
  async read(rows: BlockRows, signal: AbortSignal): Promise<readonly PoolsReadRow[]> {
    for (const { pool } of rows.pools) this.#seen.add(toHex(pool));
    const families = new Map<Hex, PoolFamily>();
    for (const { pool, sqrt_price_x96 } of rows.pool_states) {
      families.set(toHex(pool), sqrt_price_x96 > 0n ? "uniswap_v3" : "uniswap_v2");
    }
    // A concentrated pool reports no state when liquidity comes or goes; pools of reserves do.
    for (const { pool } of rows.liquidity_events) {
      const id = toHex(pool);
      if (!families.has(id)) families.set(id, "uniswap_v3");
    }
    // A pool inside another contract cannot be queried: it is known from its beginning, or not at all.
    const unseen = [...families].filter(([pool]) => pool.length === ADDRESS_DIGITS && !this.#seen.has(pool));
    const pairs = rows.swaps.flatMap(({ pool }) => (isPairPool(pool) ? toHex(pool) : []));
    const unseen_pairs = [...new Set(pairs)].filter((pool) => !this.#seen.has(pool));
    const added: PoolsReadRow[] = [];
    const keep = async (read: Promise<readonly PoolsReadRow[]>): Promise<void> => void added.push(...(await read));
    await allEnded([
      inParts(unseen, POOLS_PER_READ, (part) => keep(this.#readPart(part, signal))),
      inParts(unseen_pairs, POOLS_PER_READ, (part) => keep(this.#readPairs(part, signal))),
    ]);
    await keep(this.#keepTold(rows.pools_told, signal));
    return added;
  }

  /** Pools that the chain itself states need no confirmation. */
  async #keepTold(told: BlockRows["pools_told"], signal: AbortSignal): Promise<readonly PoolsReadRow[]> {
    const unseen = told.filter(({ pool }) => !this.#seen.has(toHex(pool)));
    const fresh = new Set<Hex>();
    const pools = unseen.map(({ pool }) => toHex(pool));
    await inParts(pools, POOLS_PER_READ, async (part) => {
      for (const pool of await this.#without(part, signal)) fresh.add(pool);
    });
    const added = unseen.filter(({ pool }) => fresh.has(toHex(pool)));
    await this.#parts.store.writer.insert("pools_read", added, { signal });
    for (const pool of pools) this.#seen.add(pool);
    return added;
  }

  /** Those of `pools` that have no row yet. */
  async #without(pools: readonly Hex[], signal: AbortSignal): Promise<ReadonlySet<Hex>> {
    const { chain, store } = this.#parts;
    const known = await queryRows(endingWith(store.engine, signal), "indexer/pools_known", {
      network: chain.network.id,
      pools,
    });
    const fresh = new Set(pools);
    for (const { pool } of known) fresh.delete(pool);
    return fresh;
  }

  async #readPairs(pools: readonly Hex[], signal: AbortSignal): Promise<readonly PoolsReadRow[]> {
    const { chain, store, venues } = this.#parts;
    const { id, wrapped_native } = chain.network;
    const fresh = [...(await this.#without(pools, signal))];
    const rows = await readPairs({ network: id, wrapped_native, venues, call: chain.call }, fresh, signal);
    await store.writer.insert("pools_read", rows, { signal });
    for (const pool of pools) this.#seen.add(pool);
    return rows;
  }

  async #readPart(
    pools: readonly (readonly [Hex, PoolFamily])[],
    signal: AbortSignal,
  ): Promise<readonly PoolsReadRow[]> {
    const { chain, store } = this.#parts;
    const fresh = await this.#without(
      pools.map(([pool]) => pool),
      signal,
    );
    const claims = await this.#claims(
      pools.filter(([pool]) => fresh.has(pool)),
      signal,
    );
    const answers = await callAll(chain.call, claims.map(confirmation), signal);
    const real = claims.filter((claim, at) => {
      const address = addressOf(answers[at]);
      return address !== null && toHex(address) === claim.pool;
    });
    const rows = real.map((claim) => this.#rowOf(claim));
    await store.writer.insert("pools_read", rows, { signal });
    for (const [pool] of pools) this.#seen.add(pool);
    return rows;
  }

  async #claims(pools: readonly (readonly [Hex, PoolFamily])[], signal: AbortSignal): Promise<readonly PoolClaim[]> {
    const calls = pools.flatMap(([to]) => ASKED.map((data) => ({ to, data })));
    const answers = await callAll(this.#parts.chain.call, calls, signal);
    return pools.flatMap(([pool, shape], at) => {
      const said = answers.slice(at * ASKED.length, (at + 1) * ASKED.length);
      const [factory, token0, token1, fee, spacing, stable, ...own] = said;
      const single = shape === "uniswap_v2" ? this.#singleClaim(pool, own.map(addressOf)) : null;
      if (single !== null && addressOf(token0) === null) return [single];
      const family = shape === "uniswap_v2" ? reserveFamily(stable) : shape;
      const parties = { factory: addressOf(factory), token0: addressOf(token0), token1: addressOf(token1) };
      const terms = family === "uniswap_v3" ? termsOf(fee, spacing) : { fee_ppm: 0, tick_spacing: 0 };
      if (parties.factory === null || parties.token0 === null || parties.token1 === null || terms === null) return [];
      const { factory: maker, token0: first, token1: second } = parties;
      return [{ pool, family, factory: maker, token0: first, token1: second, ...terms, is_of_one_token: false }];
    });
  }

  #singleClaim(pool: Hex, [factory = null, token1 = null]: readonly (Bytes | null)[]): PoolClaim | null {
    const coin = this.#parts.chain.network.wrapped_native;
    const token0 = coin === null ? null : fromHex(coin);
    if (factory === null || token0 === null || token1 === null) return null;
    return { pool, family: "uniswap_v2", factory, token0, token1, fee_ppm: 0, tick_spacing: 0, is_of_one_token: true };
  }

  #rowOf({ pool, family, factory, is_of_one_token: _, ...claim }: PoolClaim): PoolsReadRow {
    const listed = this.#parts.venues.get(toHex(factory));
    const venue = listed?.family === plainFamily(family) ? listed : null;
    const fee_ppm = family === "uniswap_v3" ? claim.fee_ppm : venueFee(family, venue);
    const network = this.#parts.chain.network.id;
    return { ...claim, network, pool: fromHex(pool) ?? EMPTY, family, venue: venue?.venue ?? "", factory, fee_ppm };
  }
}

const confirmation = ({ family, factory, token0, token1, fee_ppm, is_of_one_token }: PoolClaim): ContractCall => {
  if (is_of_one_token) return { to: toHex(factory), data: concatHex(GET_EXCHANGE, wordOf(token1)) };
  const tokens = concatHex(wordOf(token0), wordOf(token1));
  if (plainFamily(family) === "solidly") {
    const stable = intToHex(family === "solidly_stable" ? 1n : 0n, WORD_BYTES);
    return { to: toHex(factory), data: concatHex(GET_SOLIDLY_POOL, tokens, stable) };
  }
  const data =
    family === "uniswap_v2"
      ? concatHex(GET_PAIR, tokens)
      : concatHex(GET_POOL, tokens, intToHex(BigInt(fee_ppm), WORD_BYTES));
  return { to: toHex(factory), data };
};

/** A pool with reserves that states whether it is one of stable tokens belongs to the Solidly family. */
const reserveFamily = (stable: CallResult | undefined): PoolFamily => {
  if (!stable?.ok || stable.data.length !== WORD_BYTES || uintAt(stable.data, 0) > 1n) return "uniswap_v2";
  return uintAt(stable.data, 0) === 1n ? "solidly_stable" : "solidly";
};

/** Fee (uint24) and tick spacing (int24) of a concentrated pool. */
const termsOf = (fee: CallResult | undefined, spacing: CallResult | undefined) => {
  if (!fee?.ok || !spacing?.ok || fee.data.length !== WORD_BYTES || spacing.data.length !== WORD_BYTES) return null;
  const fee_ppm = uintAt(fee.data, 0);
  const tick_spacing = intAt(spacing.data, 0);
  if (fee_ppm >= 1n << 24n || tick_spacing <= 0n || tick_spacing >= 1n << 23n) return null;
  return { fee_ppm: Number(fee_ppm), tick_spacing: Number(tick_spacing) };
};
