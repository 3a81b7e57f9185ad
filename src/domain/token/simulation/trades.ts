import type { ContractCall, Override, SimulatedBlock, SimulatedCall } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, EMPTY, type Hex } from "../../../lib/bytes.ts";
import { integerAt, selectorOf, wordOf } from "../../abi.ts";
import { drawnAddress } from "./drawn.ts";
import type { CoinFunding } from "./funding.ts";
import { paceOf, type SimulationMarket, type SimulationState } from "./market.ts";
import { revertReason } from "./revert_reason.ts";
import { buyCall, readTrade, type SimulatedStep, sellAllCall, sellCall, sellPartCall } from "./simulator_calls.ts";
import type { Spender } from "./spender.ts";

/**
 * The second path: a plain account with ordinary coins buys through a router, transfers a part in the next block, sells a
 * tenth in each of eight blocks, and a tenth and the rest 300 blocks later.
 */

/** Null, or empty: not tried, because the purchase failed. */
export interface SimulatedTrade {
  readonly market: SimulationMarket;
  readonly amount: bigint;
  readonly purchase: SimulatedStep;
  readonly move: SimulatedStep | null;
  /** Sales of a part, one in each block after the purchase. */
  readonly near_sales: readonly SimulatedStep[];
  /** Of a part, 300 blocks later. */
  readonly late_sale: SimulatedStep | null;
  /** Of the rest, after it. */
  readonly last_sale: SimulatedStep | null;
  /** The result of a purchase at the end of the simulation; null when the first one already succeeded. */
  readonly late_purchase: SimulatedStep | null;
}

export interface TradeOrder {
  readonly market: SimulationMarket;
  readonly purse: CoinFunding;
  readonly amount: bigint;
  readonly spender: Spender;
}

const WAIT_BLOCKS = 300;
/** Blocks of the near sales. */
const NEAR_BLOCKS = 8;
/** Each near sale sells this part of the rest. */
const NEAR_PARTS = 10n;
/** Equal to the gas that the simulator gives each step. */
const TRADE_GAS = 5_000_000;
const CALL_GAS = 1_000_000;
const DAY_S = 86_400;
/** Days until the far sale. */
const FAR_DAYS = 400;
/** Native coins of a buyer beside the purchase: about two, and never a round number. */
const POCKET = 2_137_481_905_533_120_417n;

const APPROVE = selectorOf(INTERFACES.erc20.approve);
const BALANCE_OF = selectorOf(INTERFACES.erc20.balanceOf);
const TRANSFER = selectorOf(INTERFACES.erc20.transfer);
const DEPOSIT = selectorOf(INTERFACES.weth.deposit);
const UNLIMITED = 2n ** 256n - 1n;

/** Calls of one plain account. */
class Trader {
  readonly #ground: SimulationState;
  readonly #order: TradeOrder;
  readonly #account: Hex;
  readonly #friend: Hex;

  constructor(ground: SimulationState, order: TradeOrder) {
    const purpose = `${order.market.pool} ${order.spender.address} ${order.amount}`;
    this.#ground = ground;
    this.#order = order;
    this.#account = drawnAddress(ground, `buyer ${purpose}`);
    this.#friend = drawnAddress(ground, `friend ${purpose}`);
  }

  #call(to: Hex, data: Hex, more: { readonly gas?: number; readonly value?: bigint } = {}): ContractCall {
    const { gas = CALL_GAS, value = 0n } = more;
    const gas_price = this.#ground.conditions?.gas_price;
    return { from: this.#account, to, data, gas, value, ...(gas_price === undefined ? {} : { gas_price }) };
  }

  #trade(data: Hex, value = 0n): ContractCall {
    return this.#call(this.#order.spender.address, data, { gas: TRADE_GAS, value });
  }

  #balance(holder: Hex): ContractCall {
    return this.#call(this.#order.market.token, concatHex(BALANCE_OF, wordOf(holder)));
  }

  approve(token: Hex): ContractCall {
    return this.#call(token, concatHex(APPROVE, wordOf(this.#order.spender.address), wordOf(UNLIMITED)));
  }

  /** The last one is the purchase. */
  purchase(): readonly ContractCall[] {
    const { market, purse, amount } = this.#order;
    if (market.key?.is_native === true) return [this.#trade(buyCall(market, amount), amount)];
    const deposits = purse(this.#account, amount) === null;
    return [
      ...(deposits ? [this.#call(market.quote, DEPOSIT, { value: amount })] : []),
      this.approve(market.quote),
      this.#trade(buyCall(market, amount)),
    ];
  }

  /** [own balance, friend's balance, transfer, own balance, friend's balance] */
  transfer(amount: bigint): readonly ContractCall[] {
    const balances = [this.#balance(this.#account), this.#balance(this.#friend)];
    const data = concatHex(TRANSFER, wordOf(this.#friend), wordOf(amount));
    return [...balances, this.#call(this.#order.market.token, data, { gas: TRADE_GAS }), ...balances];
  }

  sellPart(): ContractCall {
    return this.#trade(sellPartCall(this.#order.market, NEAR_PARTS));
  }

  sell(amount: bigint): ContractCall {
    return this.#trade(sellCall(this.#order.market, amount));
  }

  sellAll(): ContractCall {
    return this.#trade(sellAllCall(this.#order.market));
  }

  /** Coins and code that the first block needs. */
  overrides(): readonly Override[] {
    const { purse, amount, spender, market } = this.#order;
    const coins = purse(this.#account, amount);
    const needs_native = coins === null || market.key?.is_native === true;
    const fees = 2n * BigInt(TRADE_GAS * (NEAR_BLOCKS + 4)) * (this.#ground.conditions?.gas_price ?? 0n);
    const balance = POCKET + fees + (needs_native ? amount : 0n);
    return [...spender.overrides, { address: this.#account, balance }, ...(coins === null ? [] : [coins])];
  }
}

/** A block `after` blocks above the state, at the network's own pace unless `wait_s` is given. */
const blockAfter = (
  ground: SimulationState,
  after: number,
  content: { readonly calls: readonly ContractCall[]; readonly overrides?: readonly Override[]; wait_s?: number },
): SimulatedBlock => {
  const { block, conditions } = ground;
  const { wait_s = 0, ...rest } = content;
  const producer = conditions?.producer ?? null;
  return {
    number: block.number + after,
    time: block.time + Math.max(after * paceOf(ground), wait_s),
    ...(producer === null ? {} : { producer }),
    ...(conditions === undefined ? {} : { base_fee: conditions.gas_price }),
    ...rest,
  };
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
  const trader = new Trader(ground, order);
  const content = { calls: trader.purchase(), overrides: trader.overrides() };
  const [played] = await simulate(ground, [blockAfter(ground, lastBlock(ground), content)]);
  return stepOf(played?.at(-1));
};

/** Runs the whole simulation. `delay`: blocks before the purchase. The first round only shows the amount that there is to transfer. */
export const simulateTrade = async (ground: SimulationState, order: TradeOrder, delay = 0): Promise<SimulatedTrade> => {
  const { market, amount } = order;
  const trader = new Trader(ground, order);
  const first = blockAfter(ground, delay + 1, { calls: trader.purchase(), overrides: trader.overrides() });
  const [bought] = await simulate(ground, [first]);
  const purchase = stepOf(bought?.at(-1));
  if (!purchase.done) {
    const late_purchase = await simulateLate(ground, order);
    return { market, amount, purchase, move: null, near_sales: [], late_sale: null, last_sale: null, late_purchase };
  }
  const second = [...trader.transfer(purchase.arrived / 10n), trader.approve(market.token), trader.sellPart()];
  const near = Array.from({ length: NEAR_BLOCKS }, (_, i) =>
    blockAfter(ground, delay + 2 + i, { calls: i === 0 ? second : [trader.sellPart()] }),
  );
  const last = blockAfter(ground, lastBlock(ground), { calls: [trader.sellPart(), trader.sellAll()] });
  const [, ...played] = await simulate(ground, [first, ...near, last]);
  return {
    market,
    amount,
    purchase,
    move: transferStepOf(played[0]?.slice(0, 5) ?? []),
    near_sales: played.slice(0, NEAR_BLOCKS).map((calls) => stepOf(calls.at(-1))),
    late_sale: stepOf(played.at(-1)?.[0]),
    last_sale: stepOf(played.at(-1)?.[1]),
    late_purchase: null,
  };
};

/** A sale of a part as far ahead as the node simulates, and 400 days later; null when the purchase failed. */
export const simulateFarSale = async (ground: SimulationState, order: TradeOrder): Promise<SimulatedStep | null> => {
  const trader = new Trader(ground, order);
  const first = blockAfter(ground, 1, { calls: trader.purchase(), overrides: trader.overrides() });
  const calls = [trader.approve(order.market.token), trader.sellPart()];
  const reach = ground.chain.can.simulated_blocks_max;
  const far = blockAfter(ground, reach, { calls, wait_s: FAR_DAYS * DAY_S });
  const [bought, sold] = await simulate(ground, [first, far]);
  return stepOf(bought?.at(-1)).done ? stepOf(sold?.at(-1)) : null;
};

/**
 * A sale in the block after the purchase, by transactions that pay a base fee: a token can tell. Null when the price of gas is
 * not known, the node does not simulate such transactions, or the purchase failed.
 */
export const simulatePaidSale = async (ground: SimulationState, order: TradeOrder): Promise<SimulatedStep | null> => {
  const { chain, conditions, block, signal } = ground;
  if (conditions === undefined || chain.simulateValid === undefined) return null;
  const trader = new Trader(ground, order);
  const first = blockAfter(ground, 1, { calls: trader.purchase(), overrides: trader.overrides() });
  const second = blockAfter(ground, 2, { calls: [trader.approve(order.market.token), trader.sellPart()] });
  const played = await chain.simulateValid([first, second], signal, block.number);
  if (played === null || !stepOf(played[0]?.at(-1)).done) return null;
  return stepOf(played[1]?.at(-1));
};

/** Whether a plain account can sell in the very block of its purchase. `received`: the purchase's output. */
export const simulateSameBlock = async (
  ground: SimulationState,
  order: TradeOrder,
  received: bigint,
): Promise<SimulatedStep> => {
  const trader = new Trader(ground, order);
  const calls = [...trader.purchase(), trader.approve(order.market.token), trader.sell(received / 2n)];
  const [played] = await simulate(ground, [blockAfter(ground, 1, { calls, overrides: trader.overrides() })]);
  return stepOf(played?.at(-1));
};
