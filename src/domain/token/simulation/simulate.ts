import type { Hex } from "../../../lib/bytes.ts";
import { type ComparedTrades, differencesOf, isAmbiguous, type TradeDifference } from "./differences.ts";
import { drawnAddress } from "./drawn.ts";
import { type CoinFunding, fundingFor } from "./funding.ts";
import { type BuyLimits, findLimits } from "./limits.ts";
import { hasUnknownHooks, marketsToSimulate, type SimulationMarket, type SimulationState, sizesOf } from "./market.ts";
import { type SizedRoundTrip, simulateRoundTrips } from "./round_trips.ts";
import type { SimulatedStep } from "./simulator_calls.ts";
import { routerSpender, type Spender, unknownSpender } from "./spender.ts";
import { simulateFarSale, simulatePaidSale, simulateSameBlock, simulateTrade } from "./trades.ts";
import {
  type Buyer,
  contractBuyer,
  hasCooldown,
  isCallerDependent,
  isHoneypot,
  plainBuyer,
  sellsSoon,
} from "./verdict.ts";

/** Simulates buying, transferring and selling a token without sending a transaction. */

export const SIMULATION_METHOD = "sim/evm@2";

/** Why nothing was simulated. */
export type NoSimulation = "no_pool" | "pools_unread" | "unknown_hooks" | "no_overrides" | "no_funding";

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
  /** Differences between two ways of the same trade; null when the node cannot simulate transactions. */
  readonly differences: readonly TradeDifference[] | null;
  /** The router that the plain account traded through; null when none is known. */
  readonly router: Hex | null;
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

interface SecondPath extends ComparedTrades {
  readonly same_block: SimulatedStep | null;
  readonly router: Hex | null;
}

const NOT_SIMULATED: SecondPath = {
  ...{ trades: [], shifted: null, outside: null, far_sale: null, paid_sale: null, same_block: null, router: null },
};

/** The router that most trades of the pool used, among those with code. */
const spendersFor = async (ground: SimulationState, routers: readonly Hex[]): Promise<readonly Spender[]> => {
  const real = await Promise.all(routers.map((router) => routerSpender(ground, router)));
  return [...real.flatMap((one) => one ?? []).slice(0, 1), unknownSpender(ground)];
};

const simulatePlain = async (
  ground: SimulationState,
  { market, purse, routers }: FundedMarket & { readonly routers: readonly Hex[] },
  contract: Buyer | null,
): Promise<SecondPath> => {
  if (!ground.chain.can.simulations) return NOT_SIMULATED;
  const [spender, other = null] = await spendersFor(ground, routers);
  if (spender === undefined) return NOT_SIMULATED;
  const sizes = sizesOf(market);
  const amount = sizes[1] ?? sizes[0] ?? 0n;
  const order = { market, purse, amount, spender };
  const [trades, outside, far_sale, paid_sale] = await Promise.all([
    Promise.all(sizes.map((size) => simulateTrade(ground, { ...order, amount: size }))),
    other === null ? null : simulateTrade(ground, { ...order, spender: other }),
    simulateFarSale(ground, order),
    simulatePaidSale(ground, order),
  ]);
  const sold = trades.find(sellsSoon);
  // A contract sells in the block of its purchase: its rejection may only be a cooldown.
  const is_doubtful = contract?.can_sell === false && sold !== undefined;
  const [same_block, shifted] = await Promise.all([
    is_doubtful ? simulateSameBlock(ground, { ...order, amount: sold.amount }, sold.purchase.arrived) : null,
    trades.some(isAmbiguous) ? simulateTrade(ground, order, 1) : null,
  ]);
  const router = spender.is_router ? spender.address : null;
  return { trades, shifted, outside, far_sale, paid_sale, same_block, router };
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

export interface SimulatedToken {
  /** Every pool of the token. */
  readonly found: readonly SimulationMarket[];
  /** Dollar coins and the wrapped coin. */
  readonly anchors: ReadonlySet<Hex>;
  /** Contracts that called the pools, the most frequent first. */
  readonly routers: readonly Hex[];
}

export const simulate = async (
  ground: SimulationState,
  { found, anchors, routers }: SimulatedToken,
): Promise<Simulation | NoSimulation> => {
  const markets = marketsToSimulate(found, anchors);
  if (markets.length === 0) return hasUnknownHooks(found, anchors) ? "unknown_hooks" : "no_pool";
  if (!ground.chain.can.overrides) return "no_overrides";
  const purses = await fundingFor(
    ground,
    markets.map(({ quote }) => quote),
    drawnAddress(ground, "holder of quotes"),
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
  const plain = await simulatePlain(ground, { ...best, routers }, contract_buyer);
  const { trades: played, same_block } = plain;
  const eoa_buyer = plainBuyer(played);
  const differences = played.length === 0 ? null : differencesOf(plain);
  const buyer = eoa_buyer ?? contract_buyer;
  if (buyer === null) return "no_funding";
  const late = played.flatMap(({ late_purchase }) => late_purchase ?? []);
  return {
    pools: stalls.map(({ market }) => market.pool),
    contract_buyer,
    eoa_buyer,
    buyer,
    is_honeypot: isHoneypot(buyer, differences ?? []),
    cannot_buy: !buyer.can_buy,
    is_locked_now: buyer.can_buy ? false : played.length === 0 ? null : late.some(({ done }) => done),
    trading_cooldown: hasCooldown(played, same_block),
    caller_dependent: isCallerDependent(contract_buyer, played, same_block),
    differences,
    router: plain.router,
    limits: await limitsIn(ground, best, rehearsed),
  };
};
