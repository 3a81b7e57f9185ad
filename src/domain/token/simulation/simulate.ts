import type { Hex } from "../../../lib/bytes.ts";
import { type CoinFunding, fundingFor } from "./funding.ts";
import { type BuyLimits, findLimits } from "./limits.ts";
import { hasUnknownHooks, marketsToSimulate, type SimulationMarket, type SimulationState, sizesOf } from "./market.ts";
import { SIMULATOR, type SizedRoundTrip, simulateRoundTrips } from "./round_trips.ts";
import type { SimulatedStep } from "./simulator_calls.ts";
import { type SimulatedTrade, simulateSameBlock, simulateTrade } from "./trades.ts";
import { type Buyer, contractBuyer, hasCooldown, isCallerDependent, isHoneypot, plainBuyer } from "./verdict.ts";

/** Simulates buying, transferring and selling a token without sending a transaction. */

export const SIMULATION_METHOD = "sim/evm@1";

/** Why nothing was simulated. */
export type NoSimulation = "no_pool" | "unknown_hooks" | "no_overrides" | "no_funding";

export interface Simulation {
  /** Pools in which a purchase was tried, deepest first. */
  readonly pools: readonly Hex[];
  readonly contract_buyer: Buyer | null;
  /** Null when the node cannot simulate transactions. */
  readonly eoa_buyer: Buyer | null;
  /** The buyer whose results count: the plain account if there is one. */
  readonly buyer: Buyer;
  readonly is_honeypot: boolean | null;
  readonly cannot_buy: boolean;
  /** A purchase is rejected now and works 300 blocks later; null when not simulated. */
  readonly is_locked_now: boolean | null;
  readonly trading_cooldown: boolean | null;
  readonly caller_dependent: boolean | null;
  readonly limits: BuyLimits | null;
}

interface FundedMarket {
  readonly market: SimulationMarket;
  readonly purse: CoinFunding;
}

/** The first pool in which the first path could buy; else the deepest. */
const bestMarket = (
  stalls: readonly FundedMarket[],
  rehearsed: readonly SizedRoundTrip[],
): FundedMarket | undefined => {
  const bought = rehearsed.find(({ rehearsal }) => rehearsal?.purchase.done === true);
  return stalls.find(({ market }) => market.pool === bought?.market.pool) ?? stalls[0];
};

interface SecondPath {
  readonly played: readonly SimulatedTrade[];
  readonly same_block: SimulatedStep | null;
}

const simulatePlain = async (
  ground: SimulationState,
  { market, purse }: FundedMarket,
  contract: Buyer | null,
): Promise<SecondPath> => {
  if (!ground.chain.can.simulations) return { played: [], same_block: null };
  const played = await Promise.all(sizesOf(market).map((amount) => simulateTrade(ground, { market, purse, amount })));
  const sold = played.find(({ first_sale }) => first_sale?.done === true);
  // A contract sells in the block of its purchase: its rejection may only be a cooldown.
  const is_doubtful = contract?.can_sell === false && sold !== undefined;
  const same_block = is_doubtful
    ? await simulateSameBlock(ground, { market, purse, amount: sold.amount }, sold.purchase.arrived)
    : null;
  return { played, same_block };
};

const limitsIn = (
  ground: SimulationState,
  stall: FundedMarket,
  rehearsed: readonly SizedRoundTrip[],
): Promise<BuyLimits> | null => {
  const works = rehearsed
    .filter(({ market, rehearsal }) => market.pool === stall.market.pool && rehearsal?.purchase.done === true)
    .at(-1);
  const given = works?.rehearsal?.purchase.given;
  return works === undefined || given === undefined ? null : findLimits(ground, stall, { amount: works.amount, given });
};

/** `found`: every pool of the token. `anchors`: dollar coins and the wrapped coin. */
export const simulate = async (
  ground: SimulationState,
  found: readonly SimulationMarket[],
  anchors: ReadonlySet<Hex>,
): Promise<Simulation | NoSimulation> => {
  const markets = marketsToSimulate(found, anchors);
  if (markets.length === 0) return hasUnknownHooks(found, anchors) ? "unknown_hooks" : "no_pool";
  if (!ground.chain.can.overrides) return "no_overrides";
  const purses = await fundingFor(
    ground,
    markets.map(({ quote }) => quote),
    SIMULATOR,
  );
  const stalls = markets.flatMap((market): FundedMarket[] => {
    const purse = purses.get(market.quote);
    return purse === undefined ? [] : [{ market, purse }];
  });
  const rehearsed = (
    await Promise.all(stalls.map(({ market, purse }) => simulateRoundTrips(ground, market, purse)))
  ).flat();
  const best = bestMarket(stalls, rehearsed);
  const contract_buyer = contractBuyer(rehearsed);
  if (best === undefined) return "no_funding";
  const { played, same_block } = await simulatePlain(ground, best, contract_buyer);
  const eoa_buyer = plainBuyer(played);
  const buyer = eoa_buyer ?? contract_buyer;
  if (buyer === null) return "no_funding";
  const late = played.flatMap(({ late_purchase }) => late_purchase ?? []);
  return {
    pools: stalls.map(({ market }) => market.pool),
    contract_buyer,
    eoa_buyer,
    buyer,
    is_honeypot: isHoneypot(buyer),
    cannot_buy: !buyer.can_buy,
    is_locked_now: buyer.can_buy ? false : played.length === 0 ? null : late.some(({ done }) => done),
    trading_cooldown: hasCooldown(played, same_block),
    caller_dependent: isCallerDependent(contract_buyer, played, same_block),
    limits: await limitsIn(ground, best, rehearsed),
  };
};
