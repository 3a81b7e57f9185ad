import { createHash } from "node:crypto";
import { type DepositAddress, depositAddresses } from "../labels/deposits.ts";
import { DERIVED, DERIVED_CONFIDENCE } from "../labels/derived_labels.ts";
import type { Hex } from "../lib/bytes.ts";
import { ADDRESSES_MAX, type DayPassOptions, DayReader, daysOf, positionKey } from "./day_pass.ts";
import {
  type CoveredDays,
  type DaySpan,
  type DerivedLabel,
  hasGrown,
  LABEL_DELAY_S,
  writeDerived,
} from "./derived_days.ts";
import { HotWallets, SENDERS_MIN } from "./hot_wallets.ts";
import { partsOf } from "./known_keys.ts";

const SENDERS_MAX = 200_000;
/** Most outflows per account that the rule reads, oldest first. */
const OUTFLOWS_MAX = 500;

/** A wallet of an exchange. */
export interface ExchangeWallet {
  readonly address: Hex;
  readonly label: string;
  readonly entity: string;
  /** Unix seconds from which on it is known to be hot; null = not before enough accounts have paid it. */
  readonly hot_since: number | null;
}

/** The exchange wallets whose deposit addresses a pass finds, and the source name of its labels. */
export interface DepositRule {
  readonly source: "deposits" | "sibling_deposits";
  /** The wallets. */
  readonly wallets: (asker: DayReader) => Promise<readonly ExchangeWallet[]>;
  /** Addresses that are no deposit addresses, beside the wallets. */
  readonly others: (asker: DayReader) => Promise<readonly Hex[]>;
}

const exchangeWallets = async (asker: DayReader): Promise<readonly ExchangeWallet[]> =>
  (await asker.ask("indexer/exchange_wallets", {})).map(({ is_hot, ...wallet }) => ({
    ...wallet,
    hot_since: is_hot === 1 ? 0 : null,
  }));

/** Of wallets that lists name. */
const LISTED_DEPOSITS: DepositRule = {
  source: DERIVED.deposits,
  wallets: exchangeWallets,
  others: async () => [],
};

/** Of wallets that a rule has found. No other rule uses these labels, so that no rule rests on itself. */
export const SIBLING_DEPOSITS: DepositRule = {
  source: DERIVED.sibling_deposits,
  wallets: async (asker) =>
    (await asker.ask("indexer/sibling_wallets", { delay: LABEL_DELAY_S })).map(({ day, ...wallet }) => ({
      ...wallet,
      hot_since: day,
    })),
  others: async (asker) =>
    (await asker.ask("indexer/derived_labels", { source: DERIVED.deposits })).map(({ address }) => address),
};

/** Inputs of the labels: with other lists, other exchanges or more history all days are judged again. */
interface DepositBasis {
  readonly days: CoveredDays;
  readonly wallets: readonly ExchangeWallet[];
  readonly mark: string;
  readonly hot: HotWallets;
}

/**
 * Labels deposit addresses of exchanges, day by day of final blocks. Call it repeatedly: without a new day and with the
 * same lists it costs a few small queries.
 */
export class DepositLabels {
  readonly #parts: DayPassOptions;
  readonly #rule: DepositRule;
  #ground: DepositBasis | null = null;
  /** First second of the next day to process, unix seconds. */
  #next_day = 0;
  #judged_anew = 0;

  constructor(parts: DayPassOptions, rule: DepositRule = LISTED_DEPOSITS) {
    this.#parts = parts;
    this.#rule = rule;
  }

  /** Wallets that are known to be hot, by the days processed so far. */
  get hot(): readonly (ExchangeWallet & { readonly hot_since: number })[] {
    return (this.#ground?.wallets ?? []).flatMap((wallet) => {
      const hot_since = this.#ground?.hot.since.get(wallet.address);
      return hot_since === undefined ? [] : [{ ...wallet, hot_since }];
    });
  }

  /** How often all days were judged again. */
  get judged_anew(): number {
    return this.#judged_anew;
  }

  async update(signal: AbortSignal): Promise<void> {
    const { store, network, now_ms } = this.#parts;
    const days = await daysOf(this.#parts, signal);
    if (days === null) return;
    const asker = new DayReader(this.#parts, signal);
    const wallets = await this.#rule.wallets(asker);
    const said = JSON.stringify([wallets, await asker.listedMark()]);
    const mark = createHash("sha256").update(said).digest("hex");
    const held = this.#ground;
    const known = held === null || held.mark !== mark || hasGrown(held.days, days) ? null : held;
    const ground = known ?? { days, wallets, mark, hot: new HotWallets(wallets) };
    const next = { since: known === null ? days.since : this.#next_day, until: days.until };
    if (next.since >= next.until) return;
    // A partial update is worthless: after a fault all days are judged again.
    this.#ground = null;
    const has_new = await meet(ground.hot, next, asker);
    // Accounts that had paid a wallet before it was known to be hot are judged by it too.
    const is_anew = known === null || has_new;
    const { source } = this.#rule;
    const judged = await this.#candidates(ground, is_anew ? days : next, { asker, is_anew });
    const found = await this.#find(ground, judged, { asker, until: days.until });
    const place = { store, network: network.id, source, confidence: DERIVED_CONFIDENCE[source], now_ms: now_ms() };
    await writeDerived(place, found, { is_whole: is_anew, judged: new Set(judged), signal });
    if (is_anew) this.#judged_anew += 1;
    this.#ground = is_anew ? { ...ground, days } : ground;
    this.#next_day = days.until;
  }

  /** Accounts that paid a hot wallet in some days, and labelled ones that paid any other address: they are judged again. */
  async #candidates(
    { hot }: DepositBasis,
    span: DaySpan,
    { asker, is_anew }: { readonly asker: DayReader; readonly is_anew: boolean },
  ): Promise<readonly Hex[]> {
    if (hot.since.size === 0) return [];
    const senders = await sendersTo([...hot.since.keys()], span, asker);
    if (is_anew) return senders;
    const { source } = this.#rule;
    const again = new Set(senders);
    for (const { since, last } of await asker.windows(span)) {
      for (const { address } of await asker.ask("indexer/labelled_senders", { source, since, last }))
        again.add(address);
    }
    return [...again].sort();
  }

  async #find(
    { wallets, hot }: DepositBasis,
    senders: readonly Hex[],
    { asker, until }: { readonly asker: DayReader; readonly until: number },
  ): Promise<readonly DerivedLabel[]> {
    if (senders.length === 0) return [];
    const known = new Set([...wallets.map(({ address }) => address), ...(await this.#rule.others(asker))]);
    const found: DepositAddress[] = [];
    for (const part of partsOf(senders, ADDRESSES_MAX)) {
      const asked = { addresses: part, until, limit: OUTFLOWS_MAX };
      found.push(...depositAddresses(await asker.ask("indexer/deposit_outflows", asked), hot.since, known));
    }
    const free = new Set(await asker.unnamed(found.map(({ address }) => address)));
    const own = found.filter(({ address }) => free.has(address));
    const hashes = await asker.hashes(own);
    const sure = DERIVED_CONFIDENCE[this.#rule.source];
    return own.map((deposit) => ({
      ...derivedOf(deposit, wallets, hashes.get(positionKey(deposit)) ?? ""),
      confidence: Math.round(sure * deposit.certainty * 100) / 100,
    }));
  }
}

/** Adds the accounts that paid the wallets. True if one of the wallets has turned out to be hot. */
const meet = async (hot: HotWallets, span: DaySpan, asker: DayReader): Promise<boolean> => {
  let has_new = false;
  for (const { since, last } of await asker.windows(span)) {
    if (hot.open.length === 0) break;
    const asked = { wallets: hot.open, since, last, senders: SENDERS_MIN };
    has_new = hot.add(await asker.ask("indexer/first_payments", asked)) || has_new;
  }
  return has_new;
};

/** Plain accounts that paid these wallets in some days, in the order of their bytes. */
export const sendersTo = async (wallets: readonly Hex[], span: DaySpan, asker: DayReader): Promise<readonly Hex[]> => {
  const senders = new Set<Hex>();
  for (const { since, last } of await asker.windows(span)) {
    const asked = { wallets, since, last, limit: SENDERS_MAX };
    for (const { sender } of await asker.ask("indexer/deposit_senders", asked)) senders.add(sender);
  }
  return [...senders].sort();
};

const derivedOf = (
  { address, hot_wallet, day }: DepositAddress,
  wallets: readonly ExchangeWallet[],
  tx_hash: string,
): DerivedLabel => {
  const wallet = wallets.find((one) => one.address === hot_wallet);
  const entity = wallet?.entity ?? "";
  const of = entity === "" ? (wallet?.label ?? "") : entity;
  const label = `Deposit address of ${of}`;
  return { address, day, label, category: "exchange_deposit", entity, evidence: `0x${tx_hash}` };
};
