import { dayOf } from "../labels/clones.ts";
import { DERIVED, DERIVED_CONFIDENCE } from "../labels/derived_labels.ts";
import { ACCUSED, FAMILY_CATEGORIES, hasPaidFor, type Inflow } from "../labels/families.ts";
import type { Hex } from "../lib/bytes.ts";
import type { QueryRow } from "../store/facts.ts";
import { ADDRESSES_MAX, type DayPassOptions, DayReader, daysOf, positionKey } from "./day_pass.ts";
import { type CoveredDays, type DaySpan, type DerivedLabel, hasGrown, writeDerived } from "./derived_days.ts";
import { partsOf } from "./known_keys.ts";

/** Contracts, and deployers, of one window of days. */
const FOUND_MAX = 100_000;
/** Most payments to a deployer before its first deployment that the rule reads, oldest first. */
const INFLOWS_MAX = 200;

type FundedDeployer = QueryRow<"indexer/funded_deployers">;

/**
 * Labels contracts that labelled accounts have deployed, and deployers whose first coins came from one of these, day by
 * day of final blocks. One step each: labels that this rule derived are not its input.
 */
export class FamilyLabels {
  readonly #parts: DayPassOptions;
  #ground: { readonly days: CoveredDays; readonly mark: string } | null = null;
  /** First second of the next day to process, unix seconds. */
  #next_day = 0;

  constructor(parts: DayPassOptions) {
    this.#parts = parts;
  }

  async update(signal: AbortSignal): Promise<void> {
    const { store, network, now_ms } = this.#parts;
    const days = await daysOf(this.#parts, signal);
    if (days === null) return;
    const asker = new DayReader(this.#parts, signal);
    const mark = await asker.listedMark();
    const held = this.#ground;
    const is_anew = held === null || held.mark !== mark || hasGrown(held.days, days);
    const span = { since: is_anew ? days.since : this.#next_day, until: days.until };
    if (span.since >= span.until) return;
    const found = [...(await deployed(span, asker)), ...(await funded(span, asker))];
    const source = DERIVED.families;
    const place = { store, network: network.id, source, confidence: DERIVED_CONFIDENCE[source], now_ms: now_ms() };
    const known = is_anew ? [] : await asker.ask("indexer/derived_labels", { source });
    const names = new Set(known.map(({ address }) => address));
    const fresh = found.filter(({ address }) => !names.has(address));
    await writeDerived(place, fresh, { is_whole: is_anew, signal });
    this.#ground = is_anew ? { days, mark } : held;
    this.#next_day = span.until;
  }
}

/**
 * Contracts of labelled deployers. A token is no exchange because the exchange's deployer made it; every contract of a
 * thief is suspect.
 */
const deployed = async (span: DaySpan, asker: DayReader): Promise<readonly DerivedLabel[]> => {
  const found = new Map<Hex, DerivedLabel>();
  for (const { since, last } of await asker.windows(span)) {
    const asked = { categories: FAMILY_CATEGORIES, since, last, limit: FOUND_MAX };
    for (const { address, tx_hash, time, label, category, entity } of await asker.ask(
      "indexer/deployed_by_listed",
      asked,
    )) {
      const said = { label: `Deployed by ${label}`, category, entity, day: dayOf(time), evidence: `0x${tx_hash}` };
      if (!found.has(address)) found.set(address, { address, ...said });
    }
  }
  const [suspect, others] = [true, false].map((is_suspect) =>
    [...found.values()].filter(({ category }) => ACCUSED.includes(category) === is_suspect),
  );
  const free = new Set([
    ...(await asker.free(
      (suspect ?? []).map(({ address }) => address),
      [],
    )),
    ...(await asker.free(
      (others ?? []).map(({ address }) => address),
      ["token"],
    )),
  ]);
  return [...found.values()].filter(({ address }) => free.has(address));
};

/** Deployers whose first funder is a labelled deployer too, or accused, and has paid for their first deployment. */
const funded = async (span: DaySpan, asker: DayReader): Promise<readonly DerivedLabel[]> => {
  const candidates = new Map<Hex, FundedDeployer>();
  for (const { since, last } of await asker.windows(span)) {
    const asked = { categories: FAMILY_CATEGORIES, since, last, limit: FOUND_MAX };
    for (const row of await asker.ask("indexer/funded_deployers", asked)) candidates.set(row.address, row);
  }
  const deployers = new Set<Hex>();
  const funders = [...new Set([...candidates.values()].map(({ funder }) => funder))].sort();
  for (const part of partsOf(funders, ADDRESSES_MAX)) {
    for (const { address } of await asker.ask("indexer/deployers_among", { addresses: part })) deployers.add(address);
  }
  const wanted = [...candidates.values()].filter(
    ({ funder, category }) => deployers.has(funder) || ACCUSED.includes(category),
  );
  const free = await asker.unnamed(wanted.map(({ address }) => address).sort());
  const found: { readonly row: FundedDeployer; readonly day: number }[] = [];
  for (const part of partsOf(free, ADDRESSES_MAX)) {
    const inflows = new Map<Hex, (Inflow & { readonly first_deployment: number })[]>();
    for (const row of await asker.ask("indexer/deployer_inflows", { addresses: part, limit: INFLOWS_MAX })) {
      inflows.set(row.address, [...(inflows.get(row.address) ?? []), row]);
    }
    for (const [address, rows] of inflows) {
      const row = candidates.get(address);
      const [first] = rows;
      if (row === undefined || first === undefined || !hasPaidFor(row.funder, rows)) continue;
      found.push({ row, day: dayOf(first.first_deployment) });
    }
  }
  const hashes = await asker.hashes(found.map(({ row }) => row));
  return found.map(({ row, day }) => {
    const { address, label, category, entity } = row;
    const evidence = `0x${hashes.get(positionKey(row)) ?? ""}`;
    return { address, label: `Deployer funded by ${label}`, category, entity, day, evidence };
  });
};
