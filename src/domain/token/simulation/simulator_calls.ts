import { type Bytes, concatHex, EMPTY, type Hex } from "../../../lib/bytes.ts";
import { bytesAt, integerAt, selectorOf, wordOf } from "../../abi.ts";
import { KINDS, type SimulationMarket } from "./market.ts";
import { NO_ADDRESS } from "./pool_key.ts";
import { revertReason } from "./revert_reason.ts";

/** Calls to contracts/Simulator.sol, and its answers. */

/** One step of a simulation. Amounts in base units. */
export interface SimulatedStep {
  readonly done: boolean;
  /** Purchase: the pool's output. Transfer and sale: the decrease of the balance. */
  readonly given: bigint;
  /** Amount that reached the buyer, the recipient, the pool. */
  readonly arrived: bigint;
  readonly gas_used: number;
  /** The contract's error; null on success. */
  readonly failure: string | null;
}

/** Null: not tried, because the step before it failed (`half`: because it was not needed). */
export interface RoundTrip {
  readonly purchase: SimulatedStep;
  readonly move: SimulatedStep | null;
  readonly sale: SimulatedStep | null;
  readonly half: SimulatedStep | null;
}

const MARKET = "(address,address,address,uint8,uint256,int24,address)";
/** Fee when a fork's fee is unknown: no fork takes more, and a lower one would be rejected. */
const FEE_PPM_UNKNOWN = 10_000;

const SELECTORS = {
  rehearse: selectorOf(`rehearse(${MARKET},uint256,address,address)`),
  rehearseBuys: selectorOf(`rehearseBuys(${MARKET},uint256[],address)`),
  buy: selectorOf(`buy(${MARKET},uint256)`),
  sell: selectorOf(`sell(${MARKET},uint256)`),
  sellAll: selectorOf(`sellAll(${MARKET})`),
  sellPart: selectorOf(`sellPart(${MARKET},uint256)`),
};

const MARKET_WORDS = 7;
const WORD = 32;

const marketWords = ({ payee, quote, token, family, fee_ppm, key }: SimulationMarket): Hex =>
  concatHex(
    wordOf(payee),
    wordOf(key?.is_native === true ? NO_ADDRESS : quote),
    wordOf(token),
    wordOf(KINDS.get(family) ?? 0n),
    wordOf(BigInt(key === null && fee_ppm === 0 ? FEE_PPM_UNKNOWN : fee_ppm)),
    wordOf(BigInt.asUintN(WORD * 8, BigInt(key?.tick_spacing ?? 0))),
    wordOf(key?.hooks ?? NO_ADDRESS),
  );

export interface RoundTripOrder {
  readonly market: SimulationMarket;
  readonly amount: bigint;
  /** The wrapped coin of the network, or the zero address. */
  readonly wrapped: Hex;
  readonly recipient: Hex;
}

export const roundTripCall = ({ market, amount, wrapped, recipient }: RoundTripOrder): Hex =>
  concatHex(SELECTORS.rehearse, marketWords(market), wordOf(amount), wordOf(wrapped), wordOf(recipient));

export const purchasesCall = (market: SimulationMarket, amounts: readonly bigint[], wrapped: Hex): Hex =>
  concatHex(
    SELECTORS.rehearseBuys,
    marketWords(market),
    wordOf(BigInt((MARKET_WORDS + 2) * WORD)),
    wordOf(wrapped),
    wordOf(BigInt(amounts.length)),
    ...amounts.map(wordOf),
  );

export const buyCall = (market: SimulationMarket, amount: bigint): Hex =>
  concatHex(SELECTORS.buy, marketWords(market), wordOf(amount));
export const sellCall = (market: SimulationMarket, amount: bigint): Hex =>
  concatHex(SELECTORS.sell, marketWords(market), wordOf(amount));
/** Sells one of `parts` equal parts of the balance. */
export const sellPartCall = (market: SimulationMarket, parts: bigint): Hex =>
  concatHex(SELECTORS.sellPart, marketWords(market), wordOf(parts));
export const sellAllCall = (market: SimulationMarket): Hex => concatHex(SELECTORS.sellAll, marketWords(market));

/** Steps of a simulation in the order of the answer: offsets from the tuple's start, which is one word in. */
const stepAt = (data: Bytes, scope: number): SimulatedStep | null => {
  const tuple = data.subarray(WORD);
  const offset = integerAt(tuple, scope);
  if (offset === null || offset > BigInt(tuple.length)) return null;
  const step = tuple.subarray(Number(offset));
  const [done, given, arrived, gas] = [0, 1, 2, 3].map((word) => integerAt(step, word) ?? 0n);
  // A step that was never tried used no gas.
  if (gas === undefined || gas === 0n) return null;
  return {
    done: done === 1n,
    given: given ?? 0n,
    arrived: arrived ?? 0n,
    gas_used: Number(gas),
    failure: done === 1n ? null : revertReason(bytesAt(step, 4) ?? EMPTY),
  };
};

/** Null when the data is not an answer: the coins for the purchase could not be created, or the gas ran out. */
export const readRoundTrip = (data: Bytes): RoundTrip | null => {
  const purchase = stepAt(data, 0);
  return purchase === null ? null : { purchase, move: stepAt(data, 1), sale: stepAt(data, 2), half: stepAt(data, 3) };
};

/** Whether each purchase succeeded; null when the data is not an answer. */
export const readBuys = (data: Bytes, count: number): readonly boolean[] | null => {
  const flags = Array.from({ length: count }, (_, i) => integerAt(data, i + 2));
  return flags.some((flag) => flag === null) ? null : flags.map((flag) => flag === 1n);
};

/** The (given, arrived) of a purchase or sale through the router. */
export const readTrade = (data: Bytes): { readonly given: bigint; readonly arrived: bigint } | null => {
  const [given, arrived] = [integerAt(data, 0), integerAt(data, 1)];
  return given === null || arrived === null ? null : { given, arrived };
};
