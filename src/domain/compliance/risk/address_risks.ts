import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { DERIVED_SOURCES } from "../../../labels/derived_labels.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { iso } from "../../../lib/time.ts";
import { contractAt } from "../../../protocols/contracts.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { type FreezeEvent, readFreezeEvents } from "../../address/freezes/events.ts";
import { readPresentFreezes } from "../../address/freezes/present_freezes.ts";
import { type Party, partiesIn, UNKNOWN_PARTY } from "../../address/identity/parties.ts";
import { checkSanctions, type SanctionsMatch } from "../../address/sanctions/sanctions.ts";
import type { SnapshotContext } from "../../context.ts";
import type { Operator } from "../../operator.ts";
import { CATEGORIES, categoryOf, LIMITS, type RiskCategory, SERVICE_LABELS, STOP_LABELS } from "./model.ts";

/** Evidence of a finding. */
export interface RiskEvidence {
  readonly kind: "tx" | "call" | "label" | "list" | "source_code" | "simulation";
  readonly ref: string;
  readonly observed_at: string;
}

/** Addresses per query: a server limits the length of a query. */
const BATCH = 2_000;
/** Labels below this confidence are guesses and count against no address. */
const CONFIDENCE_MIN = 0.5;

/** A category that an address carries itself. */
export interface CategoryHit {
  readonly category: RiskCategory;
  /** 0..1 */
  readonly confidence: number;
  /** Evidence of the category. */
  readonly evidence: readonly RiskEvidence[];
}

const RANKS: readonly RiskCategory[] = CATEGORIES.map(({ category }) => category);

/** Labels and official entries of an address that matter for its risk. */
export interface AddressRisk {
  readonly party: Party;
  /** Heaviest first. */
  readonly hits: readonly CategoryHit[];
  /** Value is not followed through it. */
  readonly is_stop: boolean;
  /** A service by the label of an operator or a list, and not a customer's deposit address. */
  readonly service: RiskEvidence | null;
  /** A list names it, for better or worse. */
  readonly is_labelled: boolean;
  readonly is_exchange: boolean;
  /** A deposit address of an exchange: its owner is a customer, whatever its other labels. */
  readonly is_deposit: boolean;
  /** A bridge or an account that pays out for one; its party's entity names it. */
  readonly is_bridge: boolean;
}

/** The mark of an address that no list names. */
export const UNMARKED: AddressRisk = {
  party: UNKNOWN_PARTY,
  hits: [],
  is_stop: false,
  service: null,
  is_labelled: false,
  is_exchange: false,
  is_deposit: false,
  is_bridge: false,
};

export type AddressRisks = ReadonlyMap<Hex, AddressRisk>;

/** The heaviest category: the only one in which an address counts as a source. Null: it is no risk. */
export const heaviestOf = ({ hits }: AddressRisk): RiskCategory | null => hits[0]?.category ?? null;

export const addressRiskIn = (marks: AddressRisks, address: Hex): AddressRisk => marks.get(address) ?? UNMARKED;

const batchesOf = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(list.length / BATCH) }, (_, i) => list.slice(i * BATCH, (i + 1) * BATCH));

/** Queries any number of addresses, each once, in parts. */
export const queryInBatches = async <R>(
  addresses: readonly Hex[],
  ask: (part: readonly Hex[]) => Promise<readonly R[]>,
): Promise<readonly R[]> => {
  const wanted = [...new Set(addresses)].filter((address) => address !== "").sort();
  return (await Promise.all(batchesOf(wanted).map(ask))).flat();
};

type RiskLabelRow = QueryRow<"labels_among">;

const evidenceOf = (row: RiskLabelRow, observed_at: string): RiskEvidence => ({
  kind: "label",
  ref: `${row.source}: ${row.label}`,
  observed_at: row.written_at_ms > 0 ? iso(Math.floor(row.written_at_ms / 1000)) : observed_at,
});

const hitsOf = (rows: readonly RiskLabelRow[], observed_at: string): readonly CategoryHit[] =>
  CATEGORIES.flatMap(({ category }) => {
    const accusing = rows.filter((row) => categoryOf(row.category) === category);
    const [surest] = accusing;
    return surest === undefined
      ? []
      : [{ category, confidence: surest.confidence, evidence: accusing.map((row) => evidenceOf(row, observed_at)) }];
  });

/**
 * Whether value ends at an address with this label. A deposit address that a rule of the index found is a guess: value is
 * followed through it, and ends at the exchange that it pays.
 */
const isStop = ({ category, source }: RiskLabelRow): boolean =>
  STOP_LABELS.includes(category) && !(category === "exchange_deposit" && DERIVED_SOURCES.includes(source));

/** The mark of one address from its labels, the most confident first. */
const addressRiskOf = (rows: readonly RiskLabelRow[], observed_at: string): AddressRisk => {
  const believed = rows.filter(({ confidence }) => confidence >= CONFIDENCE_MIN);
  const is_deposit = rows.some((row) => row.category === "exchange_deposit");
  const service = is_deposit
    ? undefined
    : rows.find(
        ({ category, confidence, source }) =>
          SERVICE_LABELS.includes(category) &&
          confidence >= LIMITS.sure_confidence &&
          !DERIVED_SOURCES.includes(source),
      );
  return {
    party: [...partiesIn(rows).values()][0] ?? UNKNOWN_PARTY,
    hits: hitsOf(believed, observed_at),
    is_stop: believed.some(isStop),
    service: service === undefined ? null : evidenceOf(service, observed_at),
    is_labelled: rows.length > 0,
    is_exchange: believed.some(({ category }) => category === "exchange"),
    is_deposit,
    is_bridge: believed.some(({ category }) => category === "bridge"),
  };
};

/** The name of a bridge whose contract or paying account `knowledge/protocols` lists. */
const listedBridge = (network: string, address: Hex): string | null => {
  const listed = contractAt(network, address);
  return listed?.role === "bridge" || listed?.role === "relayer" ? listed.name : null;
};

const asBridge = (mark: AddressRisk, name: string): AddressRisk => ({
  ...mark,
  party: { ...mark.party, entity: mark.party.entity ?? name },
  is_stop: true,
  is_bridge: true,
});

/** Network and block of a check, and the lists to use. */
export interface RiskScope {
  readonly scope: SnapshotContext;
  readonly operator: Operator;
  /** Collects addresses of which it is unknown whether an issuer froze them, on a network that is read on demand. */
  readonly unchecked?: Set<Hex>;
}

const byRank = (a: CategoryHit, b: CategoryHit): number => RANKS.indexOf(a.category) - RANKS.indexOf(b.category);

/** One hit of each category: the most confident, with the evidence of all. */
const joined = (hits: readonly CategoryHit[]): readonly CategoryHit[] =>
  RANKS.flatMap((category) => {
    const same = hits.filter((hit) => hit.category === category);
    const confidence = Math.max(...same.map((hit) => hit.confidence));
    return same.length === 0 ? [] : [{ category, confidence, evidence: same.flatMap(({ evidence }) => evidence) }];
  });

/** An entry in force on a sanctions list. */
export const sanctionHit = ({ list, version, listed_on }: SanctionsMatch, observed_at: string): CategoryHit => ({
  category: "sanctioned",
  confidence: 1,
  evidence: [
    {
      kind: "list",
      ref: `${list}@${version}`,
      observed_at: listed_on === null ? observed_at : `${listed_on}T00:00:00Z`,
    },
  ],
});

/** A freeze by a coin's issuer that is in force. */
export const frozenHit = (
  { chain }: Pick<SnapshotContext, "chain">,
  since: Pick<FreezeEvent, "tx_hash" | "time">,
): CategoryHit => ({
  category: "issuer_frozen",
  confidence: 1,
  evidence: [{ kind: "tx", ref: chain.formatHash(since.tx_hash), observed_at: iso(since.time) }],
});

/** A freeze that the coin's own view states. */
export const viewedFreezeHit = (
  { chain, snapshot }: Pick<SnapshotContext, "chain" | "snapshot">,
  { symbol, address }: IssuerCoin,
): CategoryHit => {
  const ref = `${symbol} ${chain.formatAddress(address)} at block ${snapshot.block.number}`;
  const evidence: RiskEvidence[] = [{ kind: "call", ref, observed_at: iso(snapshot.block.time) }];
  return { category: "issuer_frozen", confidence: 1, evidence };
};

type AddressHit = readonly [Hex, CategoryHit];

const freezeHits = async (
  { scope, unchecked }: RiskScope,
  addresses: readonly Hex[],
): Promise<readonly AddressHit[]> => {
  if (scope.snapshot.followed !== undefined) {
    const { frozen, unknown } = await readPresentFreezes(
      scope,
      [...new Set(addresses)].filter((one) => one !== ""),
    );
    for (const address of unknown) unchecked?.add(address);
    return frozen.map(({ account, coin, since }) => [
      account,
      since === null ? viewedFreezeHit(scope, coin) : frozenHit(scope, since),
    ]);
  }
  const freezes = await queryInBatches(addresses, async (part) => (await readFreezeEvents(scope, part)).standings);
  return freezes.flatMap(({ account, frozen_since }) =>
    frozen_since === null ? [] : [[account, frozenHit(scope, frozen_since)] as const],
  );
};

/** Entries of sanctions lists and freezes of issuers, as hits by address. */
const officialHits = async (sight: RiskScope, addresses: readonly Hex[]): Promise<readonly AddressHit[]> => {
  const { scope, operator } = sight;
  const { facts, snapshot, chain } = scope;
  const observed_at = iso(snapshot.block.time);
  const [sanctions, freezes] = await Promise.all([
    checkSanctions({ facts, snapshot, family: chain.network.family, operator }, addresses),
    freezeHits(sight, addresses),
  ]);
  return [
    ...[...sanctions.matches].flatMap(([address, matches]) =>
      matches.map((match) => [address, sanctionHit(match, observed_at)] as const),
    ),
    ...freezes,
  ];
};

/**
 * Marks of these addresses from labels, sanctions lists, issuers and the list of bridges. An address without any is absent. The caller
 * checks the freshness of the lists.
 */
export const readAddressRisks = async (sight: RiskScope, addresses: readonly Hex[]): Promise<AddressRisks> => {
  const { facts, snapshot } = sight.scope;
  const [rows, official] = await Promise.all([
    queryInBatches(addresses, (part) => facts.ask(snapshot, "labels_among", { addresses: part })),
    officialHits(sight, addresses),
  ]);
  const observed_at = iso(snapshot.block.time);
  const grouped = new Map<Hex, RiskLabelRow[]>();
  for (const row of rows) grouped.set(row.address, [...(grouped.get(row.address) ?? []), row]);
  const marks = new Map(
    [...grouped].map(([address, labels]) => [address, addressRiskOf(labels, observed_at)] as const),
  );
  for (const [address, hit] of official) {
    const mark = marks.get(address) ?? UNMARKED;
    marks.set(address, { ...mark, hits: joined([...mark.hits, hit].sort(byRank)), is_labelled: true });
  }
  for (const address of addresses) {
    const name = listedBridge(snapshot.network, address);
    if (name !== null) marks.set(address, asBridge(addressRiskIn(marks, address), name));
  }
  return marks;
};
