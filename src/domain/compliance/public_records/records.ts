import { createHash } from "node:crypto";
import type { Chain } from "../../../chains/chain.ts";
import { DERIVED, isGuessed } from "../../../labels/derived_labels.ts";
import { PACK_LIST } from "../../../labels/pack/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { iso } from "../../../lib/time.ts";
import type { QueryRow, Snapshot } from "../../../store/facts.ts";
import type { FreezeStatus } from "../../address/freezes/events.ts";
import type { SanctionsCheck, SanctionsMatch } from "../../address/sanctions/sanctions.ts";
import type { PublicRecord, TextRecords } from "./report.ts";

/** Labels of these categories are reports of harm. */
const REPORTED: readonly string[] = ["scam", "phishing", "exploit", "ransomware", "darknet"];
const SURE = 1;

const dayTime = (day: string | null): string | null => (day === null || day === "" ? null : `${day}T00:00:00Z`);

const SILENT: Omit<PublicRecord, "kind" | "value" | "source" | "source_type" | "confidence" | "evidence"> = {
  network: null,
  category: null,
  licence: null,
  url: null,
  first_seen: null,
  last_verified: null,
  ended_on: null,
};

/** Names of the imported lists, and the block of the records. */
export interface RecordContext {
  readonly chain: Chain;
  readonly snapshot: Snapshot;
  readonly lists: ReadonlyMap<string, QueryRow<"current_lists">>;
}

type RecordLabelRow = QueryRow<"labels_among">;

const sourceTypeOf = (source: string, list: QueryRow<"current_lists"> | undefined): PublicRecord["source_type"] => {
  if (isGuessed(source)) return "derived";
  if (list === undefined) return source === DERIVED.pools ? "onchain" : "list";
  if (list.format.startsWith("tagpack")) return "community";
  return list.format === PACK_LIST ? "list" : "operator";
};

const kindOf = ({ category, label }: RecordLabelRow): PublicRecord["kind"] => {
  if (REPORTED.includes(category)) return "report";
  return /\bdonations?\b/i.test(label) ? "donation" : "label";
};

const labelEvidence = (row: RecordLabelRow, { snapshot, lists }: RecordContext): PublicRecord["evidence"] => {
  const list = lists.get(row.source);
  // The index derives its own labels at every block; an imported label was observed at its import.
  const time = list === undefined ? snapshot.block.time : Math.floor(row.written_at_ms / 1000);
  const observed_at = dayTime(row.published_on) ?? dayTime(list?.published_on ?? null) ?? iso(time);
  const is_hashes = /^0x[0-9a-f]{64}( 0x[0-9a-f]{64})*$/.test(row.evidence);
  if (is_hashes) return row.evidence.split(" ").map((ref) => ({ kind: "tx", ref, observed_at }));
  const ref = list === undefined ? `${row.source}: ${row.evidence}` : `${row.source}@${list.version}`;
  return [{ kind: list === undefined ? "label" : "list", ref, observed_at }];
};

/** One record per label, and one per entity that labels name. */
export const labelRecords = (rows: readonly RecordLabelRow[], scope: RecordContext): readonly PublicRecord[] =>
  rows.flatMap((row): PublicRecord[] => {
    const list = scope.lists.get(row.source);
    const said = {
      ...SILENT,
      network: scope.chain.network.id,
      category: row.category,
      source: row.source,
      source_type: sourceTypeOf(row.source, list),
      licence: [row.licence, list?.licence ?? ""].find((said) => said !== "") ?? null,
      confidence: Math.round(row.confidence * 100) / 100,
      url: /^https?:\/\/\S+/.exec(row.evidence)?.[0] ?? null,
      last_verified: dayTime(row.published_on) ?? dayTime(list?.published_on ?? null),
      evidence: labelEvidence(row, scope),
    };
    const label: PublicRecord = { ...said, kind: kindOf(row), value: row.label };
    return row.entity === "" ? [label] : [label, { ...said, kind: "entity", value: row.entity }];
  });

/** Token lists that name the address. */
export const projectRecords = (
  rows: readonly QueryRow<"public_records/listed_as">[],
  { chain, lists, snapshot }: RecordContext,
): readonly PublicRecord[] =>
  rows.map(({ list, symbol, name }): PublicRecord => {
    const head = lists.get(list);
    return {
      ...SILENT,
      kind: "project",
      value: name === "" ? symbol : `${name} (${symbol})`,
      network: chain.network.id,
      category: "token_contract",
      source: list,
      source_type: "list",
      licence: head === undefined || head.licence === "" ? null : head.licence,
      confidence: SURE,
      last_verified: dayTime(head?.published_on ?? null),
      evidence: [{ kind: "list", ref: `${list}@${head?.version ?? ""}`, observed_at: iso(snapshot.block.time) }],
    };
  });

const sanctionRecord = (match: SanctionsMatch, observed_at: string): PublicRecord => ({
  ...SILENT,
  kind: "sanction",
  value: [match.entity ?? "sanctioned address", match.program].filter((part) => part !== null).join(" · "),
  category: "sanctioned",
  source: match.list,
  source_type: "list",
  confidence: SURE,
  first_seen: dayTime(match.listed_on),
  ended_on: match.delisted_on,
  evidence: [{ kind: "list", ref: `${match.list}@${match.version}`, observed_at }],
});

/** Entries in force, then removed entries. */
export const sanctionRecords = (check: SanctionsCheck, address: Hex, snapshot: Snapshot): readonly PublicRecord[] =>
  [...(check.matches.get(address) ?? []), ...(check.delisted.get(address) ?? [])].map((match) =>
    sanctionRecord(match, iso(snapshot.block.time)),
  );

const EFFECTS = { freeze: "frozen", unfreeze: "unfrozen", destroy: "funds destroyed", seize: "funds seized" } as const;

/** Freezes and other actions of issuers against the address, oldest first. */
export const freezeRecords = (standings: readonly FreezeStatus[], chain: Chain): readonly PublicRecord[] =>
  standings.flatMap(({ coin, history }) =>
    history.map(
      (event): PublicRecord => ({
        ...SILENT,
        kind: "freeze",
        value: `${coin.symbol} ${EFFECTS[event.effect]}`,
        network: chain.network.id,
        category: "issuer_frozen",
        source: "issuer",
        source_type: "onchain",
        confidence: SURE,
        first_seen: iso(event.time),
        evidence: [{ kind: "tx", ref: chain.formatHash(event.tx_hash), observed_at: iso(event.time) }],
      }),
    ),
  );

const sha256 = (text: string): string => createHash("sha256").update(text.trim().toLowerCase()).digest("hex");

/** The verified name and the records that its owner published with it. */
export const nameRecords = (
  { name, service, texts }: { name: string | null; service: "ens" | "sns"; texts: TextRecords },
  { chain, snapshot }: RecordContext,
): readonly PublicRecord[] => {
  if (name === null) return [];
  const observed_at = iso(snapshot.block.time);
  const ref = `${chain.network.id} block ${snapshot.block.number}: ${service.toUpperCase()} records of ${name}`;
  const said = {
    ...SILENT,
    network: chain.network.id,
    source: service,
    source_type: "onchain" as const,
    confidence: SURE,
    last_verified: observed_at,
    evidence: [{ kind: "call" as const, ref, observed_at }],
  };
  const published: readonly (readonly [PublicRecord["kind"], string | null])[] = [
    ["name", name],
    ["social", texts.com_twitter === null ? null : `twitter: ${texts.com_twitter}`],
    ["social", texts.com_github === null ? null : `github: ${texts.com_github}`],
    ["website", texts.url],
    ["email_hash", texts.email === null ? null : sha256(texts.email)],
  ];
  return published.flatMap(([kind, value]) => {
    if (value === null) return [];
    const url = kind === "website" && /^https?:\/\//.test(value) ? value : null;
    return [{ ...said, kind, value, url }];
  });
};
