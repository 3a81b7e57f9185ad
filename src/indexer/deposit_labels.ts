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

export const DEPOSIT_SOURCE = DERIVED.deposits;

const CONFIDENCE = 0.75;
/** Days whose senders are asked for at once. */
const WINDOW_DAYS = 30;
const SENDERS_MAX = 200_000;
const ADDRESSES_MAX = 500;
/** Outflows per account that are looked at, oldest first. */
const OUTFLOWS_MAX = 500;

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
  readonly wallets_hash: string;
}

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
    const known = this.#ground;
    const is_anew = known === null || known.wallets_hash !== wallets_hash || hasGrown(known.days, days);
    const since = is_anew ? days.since : this.#next_day;
    if (since >= days.until) return;
    const found = await this.#find(wallets, { since, until: days.until }, signal);
    const place = { store, network: network.id, source: DEPOSIT_SOURCE, confidence: CONFIDENCE, now_ms: now_ms() };
    const labels = found.map((deposit) => derivedOf(deposit, wallets));
    await writeDerived(place, labels, { is_whole: is_anew, signal });
    if (is_anew) this.#ground = { days, wallets_hash };
    this.#next_day = days.until;
  }

  async #find(wallets: readonly Wallet[], span: DaySpan, signal: AbortSignal): Promise<readonly DepositAddress[]> {
    if (wallets.length === 0) return [];
    const hot = wallets.map(({ address }) => address);
    const senders = new Set<Hex>();
    for (let since = span.since; since < span.until; since += WINDOW_DAYS * DAY_S) {
      const until = Math.min(span.until, since + WINDOW_DAYS * DAY_S);
      const asked = { wallets: hot, since, last: until - 1, limit: SENDERS_MAX };
      for (const { sender } of await this.#ask("indexer/deposit_senders", asked, signal)) senders.add(sender);
    }
    const known = new Set(hot);
    const isHotWallet = (address: Hex) => known.has(address);
    const found: DepositAddress[] = [];
    const all = [...senders].sort();
    for (let at = 0; at < all.length; at += ADDRESSES_MAX) {
      const asked = { addresses: all.slice(at, at + ADDRESSES_MAX), until: span.until, limit: OUTFLOWS_MAX };
      const outflows = await this.#ask("indexer/deposit_outflows", asked, signal);
      found.push(...depositAddresses(outflows, isHotWallet));
    }
    return found;
  }

  #ask<N extends QueryName>(query: N, values: Values, signal: AbortSignal): Promise<readonly Row<N>[]> {
    return askEngine(endingWith(this.#parts.store.engine, signal), query, {
      ...values,
      network: this.#parts.network.id,
    });
  }
}

const derivedOf = ({ hot_wallet, ...deposit }: DepositAddress, wallets: readonly Wallet[]): Derived => {
  const wallet = wallets.find(({ address }) => address === hot_wallet);
  const entity = wallet?.entity ?? "";
  const of = entity === "" ? (wallet?.label ?? "") : entity;
  return { ...deposit, label: `Deposit address of ${of}`, category: "exchange_deposit", entity };
};
