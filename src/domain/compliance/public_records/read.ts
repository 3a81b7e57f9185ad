import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { readFreezeEvents } from "../../address/freezes/events.ts";
import { deployedUniversal } from "../../address/names/deployed_universal.ts";
import { primaryName, readTexts } from "../../address/names/ens.ts";
import type { EnsReader } from "../../address/names/records.ts";
import { checkSanctions } from "../../address/sanctions/sanctions.ts";
import type { SnapshotContext, Source, Warning } from "../../context.ts";
import type { Operator } from "../../operator.ts";
import {
  freezeRecords,
  labelRecords,
  nameRecords,
  projectRecords,
  type RecordContext,
  sanctionRecords,
} from "./records.ts";
import { NO_TEXTS, type PublicRecord, type TextRecords } from "./report.ts";

/** Facts about an address from one network's index and node. */
export interface NetworkRecords {
  readonly records: readonly PublicRecord[];
  readonly entity: { readonly name: string; readonly confidence: number } | null;
  readonly ens: string | null;
  readonly sns: string | null;
  readonly texts: TextRecords;
  readonly is_suppressed: boolean;
  /** Why the sanctions check is incomplete; null when it is complete. */
  readonly unchecked: string | null;
  /** Why the freezes are incomplete, by coin. */
  readonly unseen: readonly string[];
  readonly sources: readonly Source[];
  readonly warnings: readonly Warning[];
}

const TEXT_KEYS = ["com.twitter", "com.github", "url", "email", "description"] as const;

interface NameRecords {
  readonly name: string | null;
  readonly service: "ens" | "sns";
  readonly texts: TextRecords;
  readonly warnings: readonly Warning[];
}

const NAMELESS: NameRecords = { name: null, service: "ens", texts: NO_TEXTS, warnings: [] };

const readNames = async ({ chain, snapshot, signal }: SnapshotContext, address: Hex): Promise<NameRecords> => {
  const { ens } = chain.network;
  const none = { texts: NO_TEXTS, warnings: [] };
  if (chain.names !== undefined)
    return { ...none, name: await chain.names.primaryOf(address, signal), service: chain.names.service };
  if (ens === null) return { ...none, name: null, service: "ens" };
  const at = { at: snapshot.block.number, signal };
  const universal_resolver = await deployedUniversal(chain, ens.universal_resolver, at);
  const reader: EnsReader = { chain, ...ens, ...at, universal_resolver };
  const name = await primaryName(reader, address, null);
  if (name === null) return { ...none, name, service: "ens" };
  const read = await readTexts(reader, name, TEXT_KEYS);
  const [com_twitter = null, com_github = null, url = null, email = null, description = null] = read.texts;
  const message = `The text records of ${chain.network.id} names of this address are answered by an outside gateway.`;
  return {
    ...{ name, service: "ens" },
    texts: { com_twitter, com_github, url, email, description },
    warnings: read.is_offchain ? [{ code: "OFFCHAIN_RECORDS", message }] : [],
  };
};

const sourcesOf = (rows: readonly { readonly source: string }[], scope: RecordContext): readonly Source[] =>
  [...new Set(rows.map(({ source }) => source))].sort().flatMap((source) => {
    const list = scope.lists.get(source);
    if (list === undefined) return [];
    const updated_at = list.published_on === "" ? null : `${list.published_on}T00:00:00Z`;
    return [{ id: `labels/${source}`, version: list.version, updated_at }];
  });

const entityOf = (rows: readonly QueryRow<"labels_among">[]): NetworkRecords["entity"] => {
  const named = rows.find(({ entity }) => entity !== "");
  return named === undefined ? null : { name: named.entity, confidence: named.confidence };
};

/** Reads the records of an address on one network. Leaves out personal records of a suppressed address. */
export const readRecords = async (
  scope: SnapshotContext,
  operator: Operator,
  address: Hex,
): Promise<NetworkRecords> => {
  const { facts, snapshot, chain } = scope;
  const { family } = chain.network;
  const addresses = [address];
  const [lists, labels, tokens, sanctions, freezes, hidden] = await Promise.all([
    facts.ask(snapshot, "current_lists", {}),
    facts.ask(snapshot, "labels_among", { addresses }),
    facts.ask(snapshot, "public_records/listed_as", { address }),
    checkSanctions({ facts, snapshot, family, operator }, addresses),
    readFreezeEvents(scope, addresses),
    facts.ask(snapshot, "suppressed_among", { family, addresses }),
  ]);
  const is_suppressed = hidden.length > 0;
  const recordPlace: RecordContext = { chain, snapshot, lists: new Map(lists.map((list) => [list.list, list])) };
  const named = is_suppressed ? NAMELESS : await readNames(scope, address);
  const shown = is_suppressed ? [] : labels;
  const symbols = new Map(freezes.standings.map(({ coin }) => [coin.address, coin.symbol]));
  return {
    records: [
      ...sanctionRecords(sanctions, address, snapshot),
      ...freezeRecords(freezes.standings, chain),
      ...labelRecords(shown, recordPlace),
      ...(is_suppressed ? [] : projectRecords(tokens, recordPlace)),
      ...nameRecords(named, recordPlace),
    ],
    entity: entityOf(shown),
    ens: named.service === "ens" ? named.name : null,
    sns: named.service === "sns" ? named.name : null,
    texts: named.texts,
    is_suppressed,
    unchecked: sanctions.problem,
    unseen: [...freezes.fault].flatMap(([token, fault]) =>
      fault === null ? [] : [`${symbols.get(token) ?? chain.formatAddress(token)} on ${chain.network.id}: ${fault}`],
    ),
    sources: [...sanctions.sources, ...sourcesOf(shown, recordPlace)],
    warnings: named.warnings,
  };
};
