/**
 * The tokens and pools of a generated mainnet: their addresses follow from their numbers, and every trade moves the
 * pools' reserves. Factories, coins and routers are Ethereum's own (knowledge/protocols, knowledge/networks/ethereum.yaml).
 */
import { addressOf, type Draws } from "./draws.ts";

export interface Token {
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
  /** Initial price of its pools. */
  readonly price_usd: number;
}

export const V2_FACTORY = "0x5c69bee701ef814a2b6a3edd4b1652cb9cc5aa6f";
export const V3_FACTORY = "0x1f98431c8ad98523631ae4a59f267346ea31f984";
export const TOKENS = 2_000;
/** Tokens that have a pool from the beginning; some of the others get one later. */
const V2_POOLS = 600;
const V3_POOLS = 80;
/** Most of a pool's reserves that a trade takes. */
const TRADE_PART_MAX = 100n;
const ETHER_USD = 3_500;

const COINS: readonly Token[] = [
  {
    address: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",
    symbol: "WETH",
    decimals: 18,
    price_usd: ETHER_USD,
  },
  { address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", symbol: "USDC", decimals: 6, price_usd: 1 },
  { address: "0xdac17f958d2ee523a2206206994597c13d831ec7", symbol: "USDT", decimals: 6, price_usd: 1 },
  { address: "0x6b175474e89094c44da98b954eedeac495271d0f", symbol: "DAI", decimals: 18, price_usd: 1 },
];
/** Of ten generated tokens. */
const DECIMALS = [18, 18, 18, 18, 18, 18, 18, 9, 8, 6];

export const tokenAt = (place: number): Token => {
  const coin = COINS[place];
  if (coin !== undefined) return coin;
  const decimals = DECIMALS[place % DECIMALS.length] ?? 18;
  // From a hundred dollars down to a ten-thousandth of a cent.
  return { address: addressOf(`token:${place}`), symbol: `T${place}`, decimals, price_usd: 100 / 10 ** (place % 9) };
};
export const [WETH, USDC, USDT] = [tokenAt(0), tokenAt(1), tokenAt(2)];

export const rawOf = ({ decimals, price_usd }: Token, usd: number): bigint =>
  (BigInt(Math.ceil((usd / price_usd) * 1e9)) * 10n ** BigInt(decimals)) / 10n ** 9n;

/** The largest whole number whose square is not above `value` (Newton). */
const rootOf = (value: bigint): bigint => {
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1);
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next;
  return root;
};

export interface ReplayTrade {
  readonly amount_in: bigint;
  readonly amount_out: bigint;
}

interface Terms {
  readonly family: "v2" | "v3";
  readonly tokens: readonly [Token, Token];
  /** Of both sides. */
  readonly depth_usd: number;
  readonly fee_ppm: number;
}

/** A pool of two tokens at the product x * y; a concentrated one has one range that no trade leaves. */
export class ReplayPool {
  readonly family: "v2" | "v3";
  readonly token0: Token;
  readonly token1: Token;
  readonly fee_ppm: number;
  readonly tick_spacing: number;
  readonly factory: string;
  readonly address: string;
  reserve0: bigint;
  reserve1: bigint;
  shares: bigint;

  constructor({ family, tokens: [a, b], depth_usd, fee_ppm }: Terms) {
    const [token0, token1] = a.address < b.address ? [a, b] : [b, a];
    this.family = family;
    this.token0 = token0;
    this.token1 = token1;
    this.fee_ppm = fee_ppm;
    this.tick_spacing = family === "v2" ? 0 : fee_ppm / 50;
    this.factory = family === "v2" ? V2_FACTORY : V3_FACTORY;
    this.address = addressOf(`pool:${family}:${token0.address}:${token1.address}:${fee_ppm}`);
    this.reserve0 = rawOf(token0, depth_usd / 2);
    this.reserve1 = rawOf(token1, depth_usd / 2);
    this.shares = rootOf(this.reserve0 * this.reserve1);
  }

  get liquidity(): bigint {
    return rootOf(this.reserve0 * this.reserve1);
  }

  get sqrt_price_x96(): bigint {
    return rootOf((this.reserve1 << 192n) / this.reserve0);
  }

  get tick(): bigint {
    const root = Number(this.sqrt_price_x96) / 2 ** 96;
    return BigInt(Math.floor(Math.log(root * root) / Math.log(1.0001)));
  }

  /** Takes one token and pays the other, minus its fee (v2-periphery UniswapV2Library.sol, getAmountOut). */
  trade(gives: Token, usd: number): ReplayTrade {
    const is_first = gives === this.token0;
    const [held_in, held_out] = is_first ? [this.reserve0, this.reserve1] : [this.reserve1, this.reserve0];
    const wanted = rawOf(gives, usd);
    const most = held_in / TRADE_PART_MAX;
    const amount_in = wanted < most ? wanted : most;
    const counted = amount_in * BigInt(1_000_000 - this.fee_ppm);
    const amount_out = (counted * held_out) / (held_in * 1_000_000n + counted);
    this.add(is_first ? amount_in : -amount_out, is_first ? -amount_out : amount_in);
    return { amount_in, amount_out };
  }

  add(amount0: bigint, amount1: bigint): void {
    this.reserve0 += amount0;
    this.reserve1 += amount1;
  }

  other(token: Token): Token {
    return token === this.token0 ? this.token1 : this.token0;
  }
}

export class ReplayMarket {
  readonly #v2: ReplayPool[] = [];
  readonly #v3: ReplayPool[] = [];
  readonly #tokens: readonly Token[];
  #launched = V2_POOLS;

  constructor() {
    this.#tokens = Array.from({ length: TOKENS }, (_, place) => tokenAt(place));
    const ether = this.token(0);
    const add = (terms: Omit<Terms, "tokens"> & { readonly place: number }): void => {
      const pool = new ReplayPool({ ...terms, tokens: [ether, this.token(terms.place)] });
      (terms.family === "v2" ? this.#v2 : this.#v3).push(pool);
    };
    add({ family: "v3", place: 1, depth_usd: 2e8, fee_ppm: 500 });
    add({ family: "v3", place: 2, depth_usd: 1e8, fee_ppm: 500 });
    add({ family: "v3", place: 1, depth_usd: 8e7, fee_ppm: 3_000 });
    for (let place = 1; place < V2_POOLS; place += 1)
      add({ family: "v2", place, depth_usd: 20_000 + 5e7 / place, fee_ppm: 3_000 });
    for (let place = 4; place < V3_POOLS; place += 1)
      add({ family: "v3", place, depth_usd: 50_000 + 3e7 / place, fee_ppm: place % 2 === 0 ? 3_000 : 10_000 });
  }

  get pools(): readonly ReplayPool[] {
    return [...this.#v2, ...this.#v3];
  }

  get tokens(): readonly Token[] {
    return this.#tokens;
  }

  token(place: number): Token {
    const found = this.#tokens[place];
    if (found === undefined) throw new Error(`there is no token ${place}`);
    return found;
  }

  drawToken(draws: Draws): Token {
    return this.token(draws.place(TOKENS));
  }

  drawPool(draws: Draws, family: ReplayPool["family"]): ReplayPool {
    const pools = family === "v2" ? this.#v2 : this.#v3;
    const pool = pools[draws.place(pools.length)];
    if (pool === undefined) throw new Error(`there is no pool of ${family}`);
    return pool;
  }

  /** A pool of a token that had none; null if every token has one. */
  launch(): ReplayPool | null {
    if (this.#launched >= TOKENS) return null;
    const tokens = [this.token(0), this.token(this.#launched)] as const;
    const pool = new ReplayPool({ family: "v2", tokens, depth_usd: 20_000, fee_ppm: 3_000 });
    this.#launched += 1;
    this.#v2.push(pool);
    return pool;
  }

  /** Every pool that may ever exist: the node also knows pools created after a block. */
  static whole(): ReplayMarket {
    const market = new ReplayMarket();
    while (market.launch() !== null);
    return market;
  }
}
