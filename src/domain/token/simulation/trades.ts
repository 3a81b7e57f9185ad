import type { ContractCall, Override, SimulatedBlock, SimulatedCall } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, EMPTY, type Hex } from "../../../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";
import type { CoinFunding } from "./funding.ts";
import type { SimulationMarket, SimulationState } from "./market.ts";
import { revertReason } from "./revert_reason.ts";
import { BUYER, RECIPIENT, RICH, SIMULATOR } from "./round_trips.ts";
import { SIMULATOR_CODE } from "./simulator.gen.ts";
import { buyCall, readTrade, type SimulatedStep, sellAllCall, sellCall } from "./simulator_calls.ts";

/**
 * The second path: a plain account buys, transfers and sells half in the next block, and sells the rest 300 blocks
 * later. The simulator acts as the router.
 */

/** Null: not tried, because the purchase failed. */
export interface SimulatedTrade {
  readonly market: SimulationMarket;
  readonly amount: bigint;
  readonly purchase: SimulatedStep;
  readonly move: SimulatedStep | null;
  readonly first_sale: SimulatedStep | null;
  readonly last_sale: SimulatedStep | null;
  /** The result of a purchase at the end of the simulation; null when the first one already succeeded. */
  readonly late_purchase: SimulatedStep | null;
}

export interface TradeOrder {
  readonly market: SimulationMarket;
  readonly purse: CoinFunding;
  readonly amount: bigint;
}

const WAIT_BLOCKS = 300;
/** Equal to the gas that the simulator gives each step. */
const TRADE_GAS = 5_000_000;
const SECONDS_MIN = 12;

const APPROVE = selectorOf(INTERFACES.erc20.approve);
const BALANCE_OF = selectorOf(INTERFACES.erc20.balanceOf);
const TRANSFER = selectorOf(INTERFACES.erc20.transfer);
const DEPOSIT = selectorOf(INTERFACES.weth.deposit);
const UNLIMITED = 2n ** 256n - 1n;

const approve = (token: Hex): ContractCall => ({
  from: BUYER,
  to: token,
  data: concatHex(APPROVE, wordOf(SIMULATOR), wordOf(UNLIMITED)),
});
const balance = (token: Hex, holder: Hex): ContractCall => ({
  from: BUYER,
  to: token,
  data: concatHex(BALANCE_OF, wordOf(holder)),
});
const trade = (data: Hex, value = 0n): ContractCall => ({ from: BUYER, to: SIMULATOR, data, gas: TRADE_GAS, value });

/** The blocks of a simulation: `after` blocks above the state, at the network's own pace. */
const blockAfter = (
  { block, chain }: SimulationState,
  after: number,
  content: { readonly calls: readonly ContractCall[]; readonly overrides?: readonly Override[] },
): SimulatedBlock => ({
  number: block.number + after,
  time: block.time + after * Math.max(SECONDS_MIN, Math.ceil(chain.network.block_seconds)),
  ...content,
});

const purchaseCalls = ({ market, purse, amount }: TradeOrder): readonly ContractCall[] => {
  if (market.key?.is_native === true) return [trade(buyCall(market, amount), amount)];
  return [
    ...(purse(BUYER, amount) === null ? [{ from: BUYER, to: market.quote, data: DEPOSIT, value: amount }] : []),
    approve(market.quote),
    trade(buyCall(market, amount)),
  ];
};

const overridesOf = ({ purse, amount }: TradeOrder): readonly Override[] => {
  const coins = purse(BUYER, amount);
  return [
    { address: SIMULATOR, code: SIMULATOR_CODE },
    { address: BUYER, balance: RICH },
    ...(coins === null ? [] : [coins]),
  ];
};

const stepOf = (played: SimulatedCall | undefined): SimulatedStep => {
  const trade = played?.ok === true ? readTrade(played.data) : null;
  return {
    done: trade !== null,
    given: trade?.given ?? 0n,
    arrived: trade?.arrived ?? 0n,
    gas_used: played?.gas_used ?? 0,
    failure: trade === null ? revertReason(played?.data ?? EMPTY) : null,
  };
};

/** The result of a transfer, by balances before and after it: [buyer, recipient, transfer, buyer, recipient]. */
const transferStepOf = (played: readonly SimulatedCall[]): SimulatedStep => {
  const [buyer, recipient, , buyer_after, recipient_after] = played.map(({ data }) => integerAt(data, 0) ?? 0n);
  const transfer = played[2];
  const done = transfer?.ok === true && (transfer.data.length === 0 || integerAt(transfer.data, 0) !== 0n);
  return {
    done,
    given: (buyer ?? 0n) - (buyer_after ?? 0n),
    arrived: (recipient_after ?? 0n) - (recipient ?? 0n),
    gas_used: transfer?.gas_used ?? 0,
    failure: done ? null : revertReason(transfer?.data ?? EMPTY),
  };
};

const lastBlock = ({ chain }: SimulationState): number => Math.min(WAIT_BLOCKS + 1, chain.can.simulated_blocks_max);

const simulate = (ground: SimulationState, blocks: readonly SimulatedBlock[]) =>
  ground.chain.simulate(blocks, ground.signal, ground.block.number);

const simulateLate = async (ground: SimulationState, order: TradeOrder): Promise<SimulatedStep> => {
  const calls = purchaseCalls(order);
  const blocks = [blockAfter(ground, lastBlock(ground), { calls, overrides: overridesOf(order) })];
  const [played] = await simulate(ground, blocks);
  return stepOf(played?.at(-1));
};

/** Runs the whole simulation. The first round only shows the amount that there is to sell. */
export const simulateTrade = async (ground: SimulationState, order: TradeOrder): Promise<SimulatedTrade> => {
  const { market, amount } = order;
  const first = blockAfter(ground, 1, { calls: purchaseCalls(order), overrides: overridesOf(order) });
  const [bought] = await simulate(ground, [first]);
  const purchase = stepOf(bought?.at(-1));
  const nothing = { move: null, first_sale: null, last_sale: null };
  if (!purchase.done) return { market, amount, purchase, ...nothing, late_purchase: await simulateLate(ground, order) };
  const part = purchase.arrived / 10n;
  const half = (purchase.arrived - part) / 2n;
  const { token } = market;
  const second = [
    balance(token, BUYER),
    balance(token, RECIPIENT),
    { from: BUYER, to: token, data: concatHex(TRANSFER, wordOf(RECIPIENT), wordOf(part)), gas: TRADE_GAS },
    balance(token, BUYER),
    balance(token, RECIPIENT),
    approve(token),
    trade(sellCall(market, half)),
  ];
  const last = blockAfter(ground, lastBlock(ground), { calls: [trade(sellAllCall(market))] });
  const [, next, end] = await simulate(ground, [first, blockAfter(ground, 2, { calls: second }), last]);
  return {
    market,
    amount,
    purchase,
    move: transferStepOf(next?.slice(0, 5) ?? []),
    first_sale: stepOf(next?.at(-1)),
    last_sale: stepOf(end?.at(-1)),
    late_purchase: null,
  };
};

/** Whether a plain account can sell in the very block of its purchase. `received`: the purchase's output. */
export const simulateSameBlock = async (
  ground: SimulationState,
  order: TradeOrder,
  received: bigint,
): Promise<SimulatedStep> => {
  const calls = [...purchaseCalls(order), approve(order.market.token), trade(sellCall(order.market, received / 2n))];
  const [played] = await simulate(ground, [blockAfter(ground, 1, { calls, overrides: overridesOf(order) })]);
  return stepOf(played?.at(-1));
};
