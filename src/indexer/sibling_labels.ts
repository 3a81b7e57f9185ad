import { DERIVED, DERIVED_CONFIDENCE } from "../labels/derived_labels.ts";
import { internalSibling, type KnownHot, type SiblingOf, sharedSibling } from "../labels/siblings.ts";
import type { Hex } from "../lib/bytes.ts";
import {
  ADDRESSES_MAX,
  type DayPassOptions,
  type DayPassPosition,
  DayReader,
  daysOf,
  positionKey,
} from "./day_pass.ts";
import { type DepositLabels, sendersTo } from "./deposit_labels.ts";
import {
  type CoveredDays,
  type DaySpan,
  type DerivedLabel,
  hasGrown,
  LABEL_DELAY_S,
  writeDerived,
} from "./derived_days.ts";
import { partsOf } from "./known_keys.ts";

/** Receivers of sweeps in one window of days. */
const RECEIVERS_MAX = 200_000;
/** Most movements per account that the rule reads, oldest first. */
const MOVEMENTS_MAX = 500;
/** Transactions that a label names. */
const EVIDENCE_MAX = 3;

interface SiblingBasis {
  readonly days: CoveredDays;
  readonly mark: string;
}

/**
 * Labels wallets that an exchange runs beside its known ones, day by day of final blocks: accounts to which its deposit
 * addresses sweep too, and accounts that only its hot wallets fund and empty. Rests on `deposits`, which is updated
 * first.
 */
export class SiblingLabels {
  readonly #parts: DayPassOptions;
  readonly #deposits: DepositLabels;
  #ground: SiblingBasis | null = null;
  /** First second of the next day to process, unix seconds. */
  #next_day = 0;

  constructor(parts: DayPassOptions, deposits: DepositLabels) {
    this.#parts = parts;
    this.#deposits = deposits;
  }

  async update(signal: AbortSignal): Promise<void> {
    const { store, network, now_ms } = this.#parts;
    const days = await daysOf(this.#parts, signal);
    if (days === null) return;
    const asker = new DayReader(this.#parts, signal);
    const mark = `${await asker.listedMark()} ${this.#deposits.judged_anew}`;
    const held = this.#ground;
    const is_anew = held === null || held.mark !== mark || hasGrown(held.days, days);
    const span = { since: is_anew ? days.since : this.#next_day, until: days.until };
    if (span.since >= span.until) return;
    const found = await this.#find(span, asker);
    const source = DERIVED.siblings;
    const place = { store, network: network.id, source, confidence: DERIVED_CONFIDENCE[source], now_ms: now_ms() };
    const known = is_anew ? new Set<Hex>() : await labelledAddresses(asker);
    const fresh = found.filter(({ address }) => !known.has(address));
    await writeDerived(place, fresh, { is_whole: is_anew, signal });
    this.#ground = is_anew ? { days, mark } : held;
    this.#next_day = span.until;
  }

  async #find(span: DaySpan, asker: DayReader): Promise<readonly DerivedLabel[]> {
    const hot = new Map<Hex, KnownHot>(
      this.#deposits.hot.map(({ address, entity, hot_since }) => [address, { entity, since: hot_since }]),
    );
    if (hot.size === 0) return [];
    const deposits = new Set(
      (await asker.ask("indexer/derived_labels", { source: DERIVED.deposits })).map(({ address }) => address),
    );
    const isOpen = (address: Hex): boolean => !hot.has(address) && !deposits.has(address);
    const shared = await sweptTo(span, { asker, isOpen });
    const internal = await fundedBy(hot, span, { asker, isOpen });
    // An account of both kinds is labelled by the sweeps of many, which are harder to forge.
    return withEvidence(new Map([...internal, ...shared]), asker);
  }
}

const labelledAddresses = async (asker: DayReader): Promise<ReadonlySet<Hex>> =>
  new Set((await asker.ask("indexer/derived_labels", { source: DERIVED.siblings })).map(({ address }) => address));

interface SiblingSearch {
  readonly asker: DayReader;
  /** False for hot wallets and deposit addresses that are known. */
  readonly isOpen: (address: Hex) => boolean;
}

type Siblings = ReadonlyMap<Hex, SiblingOf>;

/** Accounts to which deposit addresses of one exchange sweep, by the knowledge at the end of a day. */
const sweptTo = async (span: DaySpan, { asker, isOpen }: SiblingSearch): Promise<Siblings> => {
  const receivers = new Set<Hex>();
  for (const { since, last } of await asker.windows(span)) {
    const asked = { since, last, delay: LABEL_DELAY_S, limit: RECEIVERS_MAX };
    for (const { receiver } of await asker.ask("indexer/swept_receivers", asked)) receivers.add(receiver);
  }
  const open = await asker.unnamed([...receivers].filter(isOpen).sort());
  const found = new Map<Hex, SiblingOf>();
  for (const part of partsOf(open, ADDRESSES_MAX)) {
    const asked = { addresses: part, until: span.until, delay: LABEL_DELAY_S };
    for (const [address, rows] of byAddress(await asker.ask("indexer/sibling_payers", asked))) {
      const sibling = sharedSibling(rows);
      if (sibling !== null) found.set(address, sibling);
    }
  }
  return found;
};

/** Accounts that only known hot wallets of one exchange fund and empty. */
const fundedBy = async (
  hot: ReadonlyMap<Hex, KnownHot>,
  span: DaySpan,
  { asker, isOpen }: SiblingSearch,
): Promise<Siblings> => {
  const wallets = [...hot.keys()];
  const senders = (await sendersTo(wallets, span, asker)).filter(isOpen);
  const both: Hex[] = [];
  for (const part of partsOf(senders, ADDRESSES_MAX)) {
    const asked = { addresses: part, wallets, until: span.until };
    for (const { address } of await asker.ask("indexer/paid_among", asked)) both.push(address);
  }
  const found = new Map<Hex, SiblingOf>();
  for (const part of partsOf(await asker.unnamed(both), ADDRESSES_MAX)) {
    const asked = { addresses: part, until: span.until, limit: MOVEMENTS_MAX };
    for (const [address, rows] of byAddress(await asker.ask("indexer/sibling_movements", asked))) {
      const sibling = internalSibling(rows, hot);
      if (sibling !== null) found.set(address, sibling);
    }
  }
  return found;
};

const byAddress = <T extends { readonly address: Hex }>(rows: readonly T[]): ReadonlyMap<Hex, readonly T[]> => {
  const found = new Map<Hex, T[]>();
  for (const row of rows) {
    const own = found.get(row.address);
    if (own === undefined) found.set(row.address, [row]);
    else own.push(row);
  }
  return found;
};

/** The labels, each with the first transactions with the exchange. */
const withEvidence = async (found: Siblings, asker: DayReader): Promise<readonly DerivedLabel[]> => {
  const places: (DayPassPosition & { readonly address: Hex })[] = [];
  for (const part of partsOf([...found.keys()].sort(), ADDRESSES_MAX)) {
    places.push(...(await asker.ask("indexer/sibling_evidence", { addresses: part, limit: EVIDENCE_MAX })));
  }
  const hashes = await asker.hashes(places);
  const own = byAddress(places);
  return [...found]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([address, { entity, day }]) => {
      const rows = own.get(address) ?? [];
      const evidence = rows.map((place) => `0x${hashes.get(positionKey(place)) ?? ""}`).join(" ");
      return { address, entity, day, evidence, label: `Wallet of ${entity}`, category: "exchange" };
    });
};
