import type { Hex } from "../../../lib/bytes.ts";
import { type ExchangeSide, issueIn } from "../../transaction/decoding/receipts.ts";
import { recordDeposit, recordWithdrawal } from "./deposits.ts";
import { ledgerEntryOf, owedTo, type TradingTotals, usdValue } from "./ledger.ts";
import { type LedgerStep, type Leg, type Legs, reduced } from "./legs.ts";
import { acquire, type CostTransfer, quantityOf, ratioOf, remove, restore } from "./position.ts";
import { capDust } from "./trade.ts";

/** Protocol events about the wallet's positions in a transaction, in the order of the logs. */
export type PositionEvent = VaultEvent | LoanEvent | DebtEvent | LiquidityEvent | NftHandover;

/** `vault`: the share token of an ERC-4626 vault with a deposit or withdrawal. */
interface VaultEvent {
  readonly kind: "vault";
  readonly vault: Hex;
}

/**
 * An asset was lent out or withdrawn. A token minted or burned in the same transaction is its receipt; without a
 * receipt the asset is parked at `contract`. Stakes are always parked there.
 */
interface LoanEvent {
  readonly kind: "lend" | "unlend" | "stake" | "unstake";
  readonly asset: Hex;
  readonly amount: bigint;
  readonly contract: Hex;
}

interface DebtEvent {
  readonly kind: "borrow" | "repay";
  readonly asset: Hex;
  readonly amount: bigint;
}

/** Liquidity of a position in an NFT. `position` is its bucket, and quantities are units of liquidity. */
interface LiquidityEvent {
  readonly kind: "increase" | "decrease" | "collect";
  readonly position: Hex;
  /** Buckets of the pool's two tokens with their amounts in the event. */
  readonly tokens: readonly (readonly [bucket: Hex, amount: bigint])[];
  readonly liquidity: bigint;
}

/** The wallet transferred the NFT of a position to another account. */
interface NftHandover {
  readonly kind: "handed_over";
  readonly position: Hex;
  /** The account that received it. */
  readonly to: Hex;
}

/**
 * Removes from the legs all that is no trade: bridges, receipts and shares whose cost moves, liquidity, loans, in this
 * order. The remaining legs are a trade, an income, a receipt or a send.
 */
export const settlePositionEvents = (step: LedgerStep, legs: Legs, events: readonly PositionEvent[]): Legs => {
  let left = crossBridges(step, legs);
  left = exchangeShares(step, left, events);
  for (const event of events) {
    if (event.kind === "increase" || event.kind === "decrease" || event.kind === "collect") {
      left = provide(step, left, event);
    }
    if ("contract" in event) left = lodge(step, left, event);
    if (event.kind === "borrow" || event.kind === "repay") left = owe(step, left, event);
    if (event.kind === "handed_over") {
      const entry = ledgerEntryOf(step.book, step.sources, event.position);
      remove(entry.position, quantityOf(entry.position));
      if (step.in_window) entry.has_event = true;
    }
  }
  return left;
};

type FlowCounters = Pick<TradingTotals, "bridged_in" | "bridged_out" | "borrowed" | "repaid">;

const count = (step: LedgerStep, { entry }: Leg, [what, amount]: readonly [keyof FlowCounters, bigint]): void => {
  if (step.in_window) entry.trading[what] += amount;
};

const crossBridges = (step: LedgerStep, legs: Legs): Legs => {
  const { outs, ins } = legs;
  const isBridge = ({ peers }: Leg): boolean => peers.some(([peer]) => step.sources.peer(peer) === "bridge");
  if (!outs.some(isBridge) && !ins.some(isBridge)) return legs;
  for (const leg of outs.filter(isBridge)) {
    const removed = remove(leg.entry.position, leg.amount);
    if (removed.missing > 0n) step.book.totals.incomplete_disposals += 1;
    count(step, leg, ["bridged_out", leg.amount]);
  }
  for (const leg of ins.filter(isBridge)) {
    // The basis stays on the other chain, so arriving units cost their market value.
    acquire(leg.entry.position, leg.amount, { cost_usd: leg.usd, time: step.time });
    count(step, leg, ["bridged_in", leg.amount]);
    if (step.in_window && leg.usd !== null) leg.entry.trading.received_cost_usd += leg.usd;
  }
  return { outs: outs.filter((leg) => !isBridge(leg)), ins: ins.filter((leg) => !isBridge(leg)) };
};

/** Minted for the wallet, burned, or sent to the share's own contract to be burned. */
const isIssued = ({ entry, peers }: Leg): boolean => peers.some(([peer]) => peer === "" || peer === entry.bucket);

/** The whole leg was issued or burned, unlike a token that sends a part of each transfer to itself or burns it. */
const isWhollyIssued = (leg: Leg): boolean =>
  leg.peers.length > 0 && leg.peers.every(([peer]) => peer === "" || peer === leg.entry.bucket);

const sideOf = (leg: Leg): ExchangeSide => ({
  ...{ token: leg.entry.bucket, amount: leg.amount, decimals: leg.entry.decimals, usd: leg.usd },
  is_issued: isWhollyIssued(leg),
  peers: leg.peers.map(([peer]) => peer),
});

/** Moves the cost between deposits and their vault shares, lending receipts, staking receipts or pool shares. */
const exchangeShares = (step: LedgerStep, legs: Legs, events: readonly PositionEvent[]): Legs => {
  const { outs, ins } = legs;
  if (!outs.some(isIssued) && !ins.some(isIssued)) return legs;
  const vaults = new Set(events.flatMap((event) => (event.kind === "vault" ? [event.vault] : [])));
  const lends = events.some(({ kind }) => kind === "lend" || kind === "unlend");
  const issue = issueIn(outs.map(sideOf), ins.map(sideOf));
  const isShare = (leg: Leg): boolean => {
    const { bucket } = leg.entry;
    if (!isIssued(leg) || bucket === "") return false;
    if (vaults.has(bucket) || step.sources.is_share(bucket)) return true;
    if (issue?.is_receipt === true && (issue.way === "made" ? ins : outs).includes(leg)) return true;
    return lends && !events.some((event) => "asset" in event && event.asset === bucket);
  };
  const given = outs.filter(isShare);
  const got = ins.filter(isShare);
  if (given.length === 0 && got.length === 0) return legs;
  const paid = outs.filter((leg) => !given.includes(leg));
  const returned = ins.filter((leg) => !got.includes(leg));
  if (got.length > 0 && outs.length > 0) {
    transferCost(step, outs, got);
    return { outs: [], ins: returned };
  }
  if (given.length > 0 && returned.length > 0) {
    transferCost(step, given, returned);
    return { outs: paid, ins: [] };
  }
  return { outs, ins };
};

/**
 * Removes all outgoing units and moves their cost and costed share to the incoming ones, by USD when all of them are
 * priced.
 */
const transferCost = (step: LedgerStep, from: readonly Leg[], to: readonly Leg[]): void => {
  const moved = takeAll(step, from);
  const shares = sharesByUsd(to);
  for (const [i, { entry, amount }] of to.entries()) restore(entry.position, partOf(moved, amount, shares[i] ?? 0));
};

interface PooledCost {
  readonly cost_usd: number;
  /** Costed share of the removed quantity: the mean over its tokens. */
  readonly costed_ratio: number;
  readonly since: number;
  readonly has_unpriced_cost: boolean;
  readonly has_opening: boolean;
}

const takeAll = (step: LedgerStep, legs: readonly Leg[]): PooledCost => {
  const removed = legs.map(({ entry, amount }) => ({ amount, ...remove(entry.position, amount) }));
  step.book.totals.incomplete_disposals += removed.filter(({ missing }) => missing > 0n).length;
  const mean = (of: (part: (typeof removed)[number]) => number): number =>
    removed.length === 0 ? 0 : removed.reduce((total, part) => total + of(part), 0) / removed.length;
  return {
    cost_usd: removed.reduce((total, part) => total + part.cost_usd, 0),
    costed_ratio: mean((part) => part.costed_ratio * ratioOf(part.amount - part.missing, part.amount)),
    since: Math.round(mean((part) => part.since)),
    has_unpriced_cost: removed.some((part) => part.has_unpriced_cost),
    has_opening: removed.some((part) => part.has_opening),
  };
};

const PARTS = 1_000_000_000_000n;

const partOf = ({ cost_usd, costed_ratio, ...carried }: PooledCost, amount: bigint, share: number): CostTransfer => {
  const costed = costed_ratio >= 1 ? amount : (amount * BigInt(Math.round(costed_ratio * Number(PARTS)))) / PARTS;
  return { costed, uncosted: amount - costed, cost_usd: cost_usd * share, ...carried };
};

/** Equal parts when one of the legs has no price; `capDust`. */
const sharesByUsd = (legs: readonly Leg[]): readonly number[] => {
  const usd = legs.map((leg) => leg.usd);
  const total = usd.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const is_priced = total > 0 && usd.every((value) => value !== null);
  return capDust(
    legs,
    usd.map((value) => (is_priced ? (value ?? 0) / total : 1 / legs.length)),
  );
};

const provide = (step: LedgerStep, legs: Legs, event: LiquidityEvent): Legs => {
  const entry = ledgerEntryOf(step.book, step.sources, event.position);
  if (step.in_window) entry.has_event = true;
  if (event.kind === "increase") {
    const moved = takeAll(step, legs.outs);
    restore(entry.position, partOf(moved, event.liquidity, 1));
    return { outs: [], ins: legs.ins };
  }
  if (event.kind === "decrease") {
    setAside(step, event);
    return legs;
  }
  return collect(step, legs, event);
};

/** Withdrawn liquidity waits in the position manager with its cost until it is collected. */
const setAside = (step: LedgerStep, { position, tokens, liquidity }: LiquidityEvent): void => {
  const entry = ledgerEntryOf(step.book, step.sources, position);
  const removed = remove(entry.position, liquidity);
  if (removed.missing > 0n) step.book.totals.incomplete_disposals += 1;
  const pooled = {
    cost_usd: removed.cost_usd,
    costed_ratio: removed.costed_ratio * ratioOf(liquidity - removed.missing, liquidity),
    since: Math.round(removed.since),
    has_unpriced_cost: removed.has_unpriced_cost,
    has_opening: removed.has_opening,
  };
  const waiting = tokens.filter(([, amount]) => amount > 0n);
  const usd = waiting.map(([bucket, amount]) => {
    const token = ledgerEntryOf(step.book, step.sources, bucket);
    return usdValue(token, amount, step.sources.quote(bucket, step.time));
  });
  const total = usd.reduce<number>((sum, value) => sum + (value ?? 0), 0);
  const is_priced = total > 0 && usd.every((value) => value !== null);
  for (const [i, [bucket, amount]] of waiting.entries()) {
    const share = is_priced ? (usd[i] ?? 0) / total : 1 / waiting.length;
    restore(owedTo(step.book, position, bucket), partOf(pooled, amount, share));
  }
};

/** Collected units return with the cost of the withdrawn liquidity; the rest is its earnings. */
const collect = (step: LedgerStep, { outs, ins }: Legs, { position, tokens }: LiquidityEvent): Legs => {
  const collected = new Map(tokens);
  const left: Leg[] = [];
  for (const leg of ins) {
    const said = collected.get(leg.entry.bucket) ?? 0n;
    const amount = said < leg.amount ? said : leg.amount;
    const rest = reduced(leg, amount);
    if (rest !== null) left.push(rest);
    if (amount === 0n) continue;
    const back = remove(owedTo(step.book, position, leg.entry.bucket), amount);
    restore(leg.entry.position, back);
    if (step.in_window) leg.entry.trading.received += amount;
    const usd = leg.usd === null ? null : leg.usd * ratioOf(back.missing, leg.amount);
    acquire(leg.entry.position, back.missing, { cost_usd: usd, time: step.time });
    if (!step.in_window || usd === null) continue;
    leg.entry.trading.received_cost_usd += usd;
    leg.entry.trading.income_usd += usd;
  }
  return { outs, ins: left };
};

/** Parks loans without a receipt and stakes at their contract, with their cost; their earnings are income. */
const lodge = (step: LedgerStep, { outs, ins }: Legs, { kind, asset, amount, contract }: LoanEvent): Legs => {
  const rest: Leg[] = [];
  const is_given = kind === "lend" || kind === "stake";
  for (const leg of is_given ? outs : ins) {
    const moved = leg.entry.bucket !== asset ? 0n : amount < leg.amount ? amount : leg.amount;
    const kept = reduced(leg, moved);
    if (kept !== null) rest.push(kept);
    if (moved === 0n) continue;
    if (is_given) recordDeposit(step, leg.entry, { at: contract, amount: moved });
    else recordWithdrawal(step, leg, { at: contract, amount: moved, is_income: false });
  }
  return is_given ? { outs: rest, ins } : { outs, ins: rest };
};

/** A borrowed amount comes in at market value and is repaid with its cost; neither is a trade. */
const owe = (step: LedgerStep, { outs, ins }: Legs, { kind, asset, amount }: DebtEvent): Legs => {
  const side = kind === "borrow" ? ins : outs;
  const rest: Leg[] = [];
  for (const leg of side) {
    if (leg.entry.bucket !== asset) {
      rest.push(leg);
      continue;
    }
    const moved = amount < leg.amount ? amount : leg.amount;
    const kept = reduced(leg, moved);
    if (kept !== null) rest.push(kept);
    if (kind === "borrow") {
      const usd = leg.usd === null ? null : leg.usd * ratioOf(moved, leg.amount);
      acquire(leg.entry.position, moved, { cost_usd: usd, time: step.time });
      count(step, leg, ["borrowed", moved]);
      continue;
    }
    if (remove(leg.entry.position, moved).missing > 0n) step.book.totals.incomplete_disposals += 1;
    count(step, leg, ["repaid", moved]);
  }
  return kind === "borrow" ? { outs, ins: rest } : { outs: rest, ins };
};
