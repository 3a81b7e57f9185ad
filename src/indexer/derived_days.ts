import { EMPTY, fromHex, type Hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { DAY_S } from "../lib/time.ts";
import type { Snapshot } from "../store/facts.ts";
import type { FactsStore } from "../store/open.ts";
import { endingWith, queryRows } from "../store/query.ts";
import type { LabelsRow } from "../store/tables.gen.ts";

/** Labels hold from the second midnight after the day that they follow from (docs/design/labels.md). */
const DELAY_DAYS = 2;
export const LABEL_DELAY_S = DELAY_DAYS * DAY_S;

type LabelStore = Pick<FactsStore, "facts" | "writer" | "engine">;

/** Days of which every block is final. Unix seconds, `since` inside, `until` outside. */
export interface DaySpan {
  readonly since: number;
  readonly until: number;
}

/** The whole final days of the covered range, and the range itself. */
export interface CoveredDays extends DaySpan {
  readonly from_block: number;
  readonly to_block: number;
  readonly is_complete: boolean;
}

const snapshotOrNull = async (take: () => Promise<Snapshot>): Promise<Snapshot | null> => {
  try {
    return await take();
  } catch (error) {
    if (error instanceof AssayError && error.code === "COVERAGE_INCOMPLETE") return null;
    throw error;
  }
};

/** Null while no block is final. */
export const wholeDays = async (
  store: LabelStore,
  network: string,
  signal: AbortSignal,
): Promise<CoveredDays | null> => {
  const facts = store.facts.withSignal(signal);
  const newest = await snapshotOrNull(() => facts.snapshot(network, null));
  if (newest === null || newest.final_block < newest.from_block) return null;
  const { from_block, coverage, block } = newest;
  const [first, last] = await Promise.all([
    facts.snapshot(network, from_block),
    facts.snapshot(network, Math.min(newest.final_block, block.number)),
  ]);
  const since = first.block.time - (first.block.time % DAY_S);
  const until = last.block.time - (last.block.time % DAY_S);
  return { since, until, from_block, to_block: block.number, is_complete: coverage.complete };
};

/** Growth factor of a history after which all of it is judged again. */
const RESTART_GROWTH = 2;

/** A history that grows at its old end is judged again only when it is complete or has doubled. */
export const hasGrown = (known: CoveredDays, now: CoveredDays): boolean => {
  if (now.from_block >= known.from_block) return false;
  const length = ({ from_block, to_block }: CoveredDays) => to_block - from_block;
  return now.is_complete || length(now) >= RESTART_GROWTH * length(known);
};

/** A label that follows from a day. */
export interface DerivedLabel {
  readonly address: Hex;
  readonly label: string;
  readonly category: string;
  readonly entity: string;
  /** First second of the day at whose end the rule held, unix seconds. */
  readonly day: number;
  /** 0..1; left out: that of the rule. */
  readonly confidence?: number;
  /** Evidence: hashes of transactions, or of code, with `0x`. */
  readonly evidence: string;
}

/** Network and source of the labels of one rule. */
export interface DerivedTarget {
  readonly store: LabelStore;
  readonly network: string;
  readonly source: string;
  readonly confidence: number;
  readonly now_ms: number;
}

/**
 * Writes the labels that are missing or differ. With `is_whole`, `found` is everything that follows from the covered
 * history, and any other label of the rule is revoked; otherwise those of the addresses that were judged again.
 */
export const writeDerived = async (
  place: DerivedTarget,
  found: readonly DerivedLabel[],
  how: { readonly is_whole: boolean; readonly judged?: ReadonlySet<Hex>; readonly signal: AbortSignal },
): Promise<void> => {
  const { store, network, source } = place;
  const known = await queryRows(endingWith(store.engine, how.signal), "indexer/derived_labels", { network, source });
  const rows = found.map((one) => rowOf(place, one, one.day + LABEL_DELAY_S));
  // Confidence is kept as a Float32.
  const keyOf = (address: Hex | undefined, one: Pick<LabelsRow, "label" | "entity" | "valid_from" | "confidence">) =>
    [address, one.label, one.entity, one.valid_from, Math.fround(one.confidence)].join(" ");
  const held = new Set(known.map((one) => keyOf(one.address, one)));
  const fresh = rows.filter((row, at) => !held.has(keyOf(found[at]?.address, row)));
  const names = new Set(found.map(({ address, label }) => `${address} ${label}`));
  // A label without a category was revoked (0004_lists.sql).
  const gone = known
    .filter(({ address }) => how.is_whole || how.judged?.has(address) === true)
    .filter(({ address, label }) => !names.has(`${address} ${label}`))
    .map((one) => rowOf(place, { ...one, category: "", day: 0, evidence: "" }, one.valid_from));
  await store.writer.insert("labels", [...fresh, ...gone], { signal: how.signal });
};

/** @param valid_from unix seconds */
const rowOf = (place: DerivedTarget, said: DerivedLabel, valid_from: number): LabelsRow => ({
  network: place.network,
  address: fromHex(said.address) ?? EMPTY,
  source: place.source,
  label: said.label,
  category: said.category,
  entity: said.entity,
  confidence: said.confidence ?? place.confidence,
  evidence: said.evidence,
  licence: "",
  published_on: "",
  valid_from,
  written_at: place.now_ms / 1000,
});
