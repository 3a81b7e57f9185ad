import type { Override } from "../../../chains/chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { wordOf } from "../../abi.ts";
import { drawnAddress } from "../simulation/drawn.ts";
import { findBalanceLayout } from "../simulation/funding.ts";
import type { SimulationMarket, SimulationState } from "../simulation/market.ts";
import { SIMULATOR_CODE } from "../simulation/simulator.gen.ts";
import { buyCall, sellPartCall } from "../simulation/simulator_calls.ts";
import { runTrials, type TrialGround, type TrialStage, type TrialState } from "./trials.ts";

/** The accounts around a token for its trials: two holders whose transfers work, and a market if there is one. */

/** A holder sells and a buyer buys this part. */
const SALE_PARTS = 100n;
const PURCHASE_PARTS = 1_000n;
/** Pairs of holders to look at. */
const PAIRS_MAX = 3;
const NO_ACCOUNT = hex("00".repeat(20));
/** Coins of holders that are made up when no real one is known. */
const GIVEN = 10n ** 24n;

export interface PreparedStage {
  readonly ground: TrialGround;
  readonly stage: Omit<TrialStage, "caller">;
  /** The state without a call. */
  readonly before: TrialState;
}

interface HolderPair {
  readonly victim: Hex;
  readonly other: Hex;
}

/** Holders for whom coins are written into the token's storage; null when its balances are in unknown slots. */
const madeUpHolders = async (
  state: SimulationState,
  token: Hex,
): Promise<{ readonly pair: HolderPair; readonly override: Override } | null> => {
  const pair = { victim: drawnAddress(state, `${token} victim`), other: drawnAddress(state, `${token} other`) };
  const layout = await findBalanceLayout(state, token, pair.victim);
  if (layout === null) return null;
  const storage = Object.fromEntries([pair.victim, pair.other].map((holder) => [layout(holder), wordOf(GIVEN)]));
  return { pair, override: { address: token, storage } };
};

const pairsOf = (people: readonly Hex[]): readonly HolderPair[] =>
  Array.from({ length: Math.min(PAIRS_MAX, Math.floor(people.length / 2)) }, (_, i) => {
    const [victim = NO_ACCOUNT, other = NO_ACCOUNT] = people.slice(2 * i, 2 * i + 2);
    return { victim, other };
  });

const coinsOf = async (
  state: SimulationState,
  market: SimulationMarket | null,
  buyer: Hex,
): Promise<readonly Override[] | null> => {
  if (market === null || market.key?.is_native === true) return null;
  const layout = await findBalanceLayout(state, market.quote, buyer);
  return layout === null ? null : [{ address: market.quote, storage: { [layout(buyer)]: wordOf(market.depth_raw) } }];
};

export interface StageQuery {
  readonly token: Hex;
  readonly people: readonly Hex[];
  /** The deepest pool that can be traded in; null without one. */
  readonly market: SimulationMarket | null;
}

const worksFor = ({ victim_transfer, other_transfer }: TrialState): boolean =>
  victim_transfer !== null && other_transfer !== null;

/** `no_holders`: none is known and none can be made up. `not_run`: the node ran no trial of any pair of holders. */
export const prepareStage = async (
  state: SimulationState,
  { token, people, market }: StageQuery,
): Promise<PreparedStage | "no_holders" | "not_run"> => {
  const drawn = (purpose: string): Hex => drawnAddress(state, `${token} ${purpose}`);
  const [simulator, buyer, stranger] = [drawn("router"), drawn("buyer"), drawn("stranger")];
  const coins = await coinsOf(state, market, buyer);
  const stageOf = (pair: HolderPair): PreparedStage["stage"] => ({
    ...{
      token,
      ...pair,
      friend: drawn("friend"),
      receiver: drawn("receiver"),
      marker: drawn("marker"),
      simulator,
      buyer,
    },
    payee: market?.payee ?? drawn("payee"),
    quote: market?.quote ?? NO_ACCOUNT,
    sale: market === null ? "" : sellPartCall(market, SALE_PARTS),
    purchase: market === null || coins === null ? "" : buyCall(market, market.depth_raw / PURCHASE_PARTS),
  });
  const groundWith = (extra: readonly Override[]): TrialGround => ({
    ...{ state, probe: drawn("probe") },
    extra: [{ address: simulator, code: SIMULATOR_CODE }, ...(coins ?? []), ...extra],
  });
  // A trial without calls is never rejected: without a result, the node did not run it.
  const tryPair = async (pair: HolderPair, extra: readonly Override[]): Promise<PreparedStage | null> => {
    const [ground, stage] = [groundWith(extra), stageOf(pair)];
    const [before] = await runTrials(ground, { ...stage, caller: stranger }, [[]]);
    return before === null || before === undefined ? null : { ground, stage, before };
  };
  const pairs = pairsOf(people);
  const real = (await Promise.all(pairs.map((pair) => tryPair(pair, [])))).flatMap((one) => one ?? []);
  const able = real.find(({ before }) => worksFor(before));
  if (able !== undefined) return able;
  const made_up = await madeUpHolders(state, token);
  const given = made_up === null ? null : await tryPair(made_up.pair, [made_up.override]);
  if (given !== null && worksFor(given.before)) return given;
  return real[0] ?? given ?? (pairs.length > 0 || made_up !== null ? "not_run" : "no_holders");
};
