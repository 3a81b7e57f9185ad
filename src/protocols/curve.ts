import { INTERFACES } from "../knowledge/names.gen.ts";
import { type Bytes, equalBytes } from "../lib/bytes.ts";
import { intAt, uintAt, WORD_BYTES } from "../lib/words.ts";
import { type Fact, NOTHING, type Protocol } from "./protocol.ts";
import { topicAddress } from "./topics.ts";

/** No pool has more coins (curvefi/metaregistry MetaRegistry.vy, MAX_COINS). */
const COINS_MAX = 8;
const ADDRESS_BYTES = 20;

/** A pool trades several coins. Assay treats each pair as a pool of its own, identified by address and both positions. */
export const CURVE_ID_BYTES = ADDRESS_BYTES + 2;

export interface CurvePair {
  readonly pool: Bytes;
  /** Positions of the coins in the pool, the lower one first. */
  readonly first: number;
  readonly second: number;
}

/** Returns null for an id of another family. */
export const curvePairOf = (id: Bytes): CurvePair | null => {
  const [first, second] = [id[ADDRESS_BYTES], id[ADDRESS_BYTES + 1]];
  if (id.length !== CURVE_ID_BYTES || first === undefined || second === undefined) return null;
  return { pool: id.subarray(0, ADDRESS_BYTES), first, second };
};

/** Whether an id names a pair of coins of this contract. */
export const isPairOf = (address: Bytes, id: Bytes): boolean =>
  id.length === CURVE_ID_BYTES && equalBytes(id.subarray(0, ADDRESS_BYTES), address);

interface CurveExchange {
  readonly pool: Bytes;
  readonly buyer: Bytes;
  readonly sold: { readonly id: bigint; readonly amount: bigint };
  readonly bought: { readonly id: bigint; readonly amount: bigint };
}

const INT256_LIMIT = 1n << 255n;

const isCoin = (id: bigint): boolean => id >= 0n && id < BigInt(COINS_MAX);

/** The buyer pays the sold coin to the pool. The event does not name the recipient; usually it is the buyer. */
const swapOf = ({ pool, buyer, sold, bought }: CurveExchange): readonly Fact[] => {
  if (pool.length !== ADDRESS_BYTES || !isCoin(sold.id) || !isCoin(bought.id) || sold.id === bought.id) return NOTHING;
  if (sold.amount >= INT256_LIMIT || bought.amount >= INT256_LIMIT) return NOTHING;
  const is_first = sold.id < bought.id;
  const [first, second] = is_first ? [sold.id, bought.id] : [bought.id, sold.id];
  const amounts = is_first
    ? { amount0: sold.amount, amount1: -bought.amount }
    : { amount0: -bought.amount, amount1: sold.amount };
  const id = Uint8Array.from([...pool, Number(first), Number(second)]);
  return [{ fact: "swap", pool: id, caller: buyer, recipient: buyer, ...amounts }];
};

/** `words`: what follows the buyer. `idAt` reads a coin's position. */
const exchange = (words: number, idAt: (data: Bytes, n: number) => bigint): Protocol["decode"] => {
  return ({ address, topics, data }) => {
    const [, buyer] = topics;
    if (topics.length !== 2 || data.length !== words * WORD_BYTES || !buyer) return NOTHING;
    const sold = { id: idAt(data, 0), amount: uintAt(data, 1) };
    const bought = { id: idAt(data, 2), amount: uintAt(data, 3) };
    return swapOf({ pool: address, buyer: topicAddress(buyer), sold, bought });
  };
};

export const curveStableExchange: Protocol = {
  name: "curve_stable_exchange",
  source: "curvefi/curve-contract StableSwap3Pool.vy",
  event: INTERFACES.curve.TokenExchange,
  decode: exchange(4, intAt),
};

export const curveCryptoExchange: Protocol = {
  name: "curve_crypto_exchange",
  source: "curvefi/curve-crypto-contract CurveCryptoSwap.vy",
  event: INTERFACES.curve.TokenExchange_crypto,
  decode: exchange(4, uintAt),
};

/** With the fee and the packed price scale after the amounts; neither affects what moved. */
export const curveCryptoNgExchange: Protocol = {
  name: "curve_crypto_ng_exchange",
  source: "curvefi/twocrypto-ng Twocrypto.vy, curvefi/tricrypto-ng CurveTricryptoOptimizedWETH.vy",
  event: INTERFACES.curve.TokenExchange_ng,
  decode: exchange(6, uintAt),
};
