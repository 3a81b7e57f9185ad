import { createHash } from "node:crypto";
import type { Network } from "../chains/chain.ts";
import { type DepositAddress, depositAddresses } from "../labels/deposits.ts";
import { DERIVED } from "../labels/derived.ts";
import type { Hex } from "../lib/bytes.ts";
import { DAY_S } from "../lib/time.ts";
import { askEngine, endingWith, type Values } from "../store/ask.ts";
import type { QueryName, Row } from "../store/facts.ts";
import type { FactsStore } from "../store/open.ts";
import { type CoveredDays, type DaySpan, type Derived, hasGrown, wholeDays, writeDerived } from "./derived_days.ts";
import { HotWallets, SENDERS_MIN } from "./hot_wallets.ts";

export const DEPOSIT_SOURCE = DERIVED.deposits;

const CONFIDENCE = 0.75;
/** Days whose senders are asked for at once. */
const WINDOW_DAYS = 30;
const SENDERS_MAX = 200_000;
const ADDRESSES_MAX = 500;
/** Outflows per account that are looked at, oldest first. */
const OUTFLOWS_MAX = 500;

/** A deposit address with the transaction that proved it. */
type HashedDeposit = Pick<DepositAddress, "address" | "hot_wallet" | "day"> & { readonly tx_hash: Hex };

type Wallet = Row<"indexer/exchange_wallets">;

/** What a pass over the days of one network works with. */
export interface DayPassParts {
  readonly network: Network;
  readonly store: Pick<FactsStore, "facts" | "writer" | "engine">;
  /** Unix milliseconds, for the rows' stamps. */
  readonly now_ms: () => number;
}

/** What the labels stand on: with other exchanges or more history all of it is looked at again. */
interface Ground {
  readonly days: CoveredDays;
  readonly wallets: readonly Wallet[];
  readonly wallets_hash: string;
  readonly hot: HotWallets;
}

/** Some days at a time, oldest first. Unix seconds, both inside. */
const windowsOf = ({ since, until }: DaySpan) =>
  Array.from({ length: Math.ceil((until - since) / (WINDOW_DAYS * DAY_S)) }, (_, n) => {
    const from = since + n * WINDOW_DAYS * DAY_S;
    return { since: from, last: Math.min(until, from + WINDOW_DAYS * DAY_S) - 1 };
  });

/**
 * Labels deposit addresses of exchanges, day by day of final blocks. Call it now and then: without a new day and with the
 * same exchanges it costs a few small questions.
 */
export class DepositLabels {
  readonly #parts: DayPassParts;
  #ground: Ground | null = null;
  /** First second of the day that comes next, unix seconds. */
  #next_day = 0;

  constructor(parts: DayPassParts) {
    this.#parts = parts;
  }

  async update(signal: AbortSignal): Promise<void> {
    const { store, network, now_ms } = this.#parts;
    const days = await wholeDays(store, network.id, signal);
    if (days === null) return;
    const wallets = await this.#ask("indexer/exchange_wallets", {}, signal);
    const wallets_hash = createHash("sha256").update(JSON.stringify(wallets)).digest("hex");
    const held = this.#ground;
    const known = held === null || held.wallets_hash !== wallets_hash || hasGrown(held.days, days) ? null : held;
    const ground = known ?? { days, wallets, wallets_hash, hot: new HotWallets(wallets) };
    const next = { since: known === null ? days.since : this.#next_day, until: days.until };
    if (next.since >= next.until) return;
    // Half taken in is nothing: after a fault all is looked at again.
    this.#ground = null;
    const has_new = await this.#meet(ground.hot, next, signal);
    // Who had paid a wallet before it was known to be hot is judged by it too.
    const is_anew = known === null || has_new;
    const found = await this.#find(ground, is_anew ? days : next, signal);
    const place = { store, network: network.id, source: DEPOSIT_SOURCE, confidence: CONFIDENCE, now_ms: now_ms() };
    const labels = found.map((deposit) => derivedOf(deposit, wallets));
    await writeDerived(place, labels, { is_whole: is_anew, signal });
    this.#ground = is_anew ? { ...ground, days } : ground;
    this.#next_day = days.until;
  }

  /** Takes in who paid the wallets. True when one of them has turned out to be hot. */
  async #meet(hot: HotWallets, span: DaySpan, signal: AbortSignal): Promise<boolean> {
    let has_new = false;
    for (const { since, last } of windowsOf(span)) {
      if (hot.open.length === 0) break;
      const asked = { wallets: hot.open, since, last, senders: SENDERS_MIN };
      has_new = hot.add(await this.#ask("indexer/first_payments", asked, signal)) || has_new;
    }
    return has_new;
  }

  async #find({ wallets, hot }: Ground, span: DaySpan, signal: AbortSignal): Promise<readonly HashedDeposit[]> {
    if (hot.since.size === 0) return [];
    const senders = new Set<Hex>();
    for (const { since, last } of windowsOf(span)) {
      const asked = { wallets: [...hot.since.keys()], since, last, limit: SENDERS_MAX };
      for (const { sender } of await this.#ask("indexer/deposit_senders", asked, signal)) senders.add(sender);
    }
    const known = new Set(wallets.map(({ address }) => address));
    const found: HashedDeposit[] = [];
    const all = [...senders].sort();
    for (let at = 0; at < all.length; at += ADDRESSES_MAX) {
      const asked = { addresses: all.slice(at, at + ADDRESSES_MAX), until: span.until, limit: OUTFLOWS_MAX };
      const outflows = await this.#ask("indexer/deposit_outflows", asked, signal);
      found.push(...(await this.#hashed(depositAddresses(outflows, hot.since, known), signal)));
    }
    return found;
  }

  async #hashed(found: readonly DepositAddress[], signal: AbortSignal): Promise<readonly HashedDeposit[]> {
    if (found.length === 0) return [];
    const blocks = found.map(({ block_number }) => block_number);
    const asked = { blocks, indexes: found.map(({ tx_index }) => tx_index) };
    const rows = await this.#ask("indexer/deposit_hashes", asked, signal);
    const hashes = new Map(rows.map((row) => [`${row.block_number}:${row.tx_index}`, row.tx_hash]));
    return found.map(({ address, hot_wallet, day, block_number, tx_index }) => {
      return { address, hot_wallet, day, tx_hash: hashes.get(`${block_number}:${tx_index}`) ?? "" };
    });
  }

  #ask<N extends QueryName>(query: N, values: Values, signal: AbortSignal): Promise<readonly Row<N>[]> {
    return askEngine(endingWith(this.#parts.store.engine, signal), query, {
      ...values,
      network: this.#parts.network.id,
    });
  }
}

const derivedOf = ({ hot_wallet, ...deposit }: HashedDeposit, wallets: readonly Wallet[]): Derived => {
  const wallet = wallets.find(({ address }) => address === hot_wallet);
  const entity = wallet?.entity ?? "";
  const of = entity === "" ? (wallet?.label ?? "") : entity;
  return { ...deposit, label: `Deposit address of ${of}`, category: "exchange_deposit", entity };
};
