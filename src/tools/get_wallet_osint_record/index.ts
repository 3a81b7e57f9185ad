import * as z from "zod";
import { noRecord } from "../../domain/absences.ts";
import { type NetworkRecords, readRecords } from "../../domain/compliance/public_records/read.ts";
import { NO_TEXTS, type PublicRecord } from "../../domain/compliance/public_records/report.ts";
import type { Source, Warning } from "../../domain/context.ts";
import { type NetworkAnswer, type NetworkAnswers, queryEachNetwork } from "../../domain/networks.ts";
import { data, emptyOutcome, failed } from "../../lib/outcome.ts";
import type { ParsedByNetwork } from "../../lib/parsed.ts";
import { anyAddress } from "../fields.ts";
import { metadataOver } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { type Osint, output } from "./shape.ts";

const METHODOLOGY = "osint/records@1";

const input = z.strictObject({ wallet_address: anyAddress("Address to look up.") });

const recordsOf = (answered: readonly NetworkAnswer<NetworkRecords>[]): PublicRecord[] => {
  const seen = new Set<string>();
  return answered
    .flatMap(({ value }) => value.records)
    .filter((record) => {
      if (record.network !== null) return true;
      const key = JSON.stringify({ ...record, evidence: record.evidence.map(({ ref }) => ref) });
      return !seen.has(key) && seen.add(key).size > 0;
    });
};

const reportsOf = (records: readonly PublicRecord[]): Osint["reports_summary"] => {
  const counts = new Map<string, number>();
  for (const { kind, category } of records) {
    if (kind === "report" && category !== null) counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  const categories = [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([category, count]) => ({ category, count }));
  return { count: categories.reduce((sum, { count }) => sum + count, 0), categories };
};

const sourcesOf = (answered: readonly NetworkAnswer<NetworkRecords>[]): readonly Source[] => {
  const byId = new Map(answered.flatMap(({ value }) => value.sources.map((source) => [source.id, source] as const)));
  return [...byId.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
};

const warningsOf = ({ answered }: NetworkAnswers<NetworkRecords>): readonly Warning[] => {
  const unchecked = answered.find(({ value }) => value.unchecked !== null)?.value.unchecked ?? null;
  const unseen = answered.flatMap(({ value }) => value.unseen);
  const is_suppressed = answered.some(({ value }) => value.is_suppressed);
  return [
    ...(unchecked === null ? [] : [{ code: "SANCTIONS_UNCHECKED", message: unchecked }]),
    ...(unseen.length === 0
      ? []
      : [{ code: "FREEZES_PARTLY_KNOWN", message: `Freezes may be missing. ${unseen.join(" ")}` }]),
    ...(is_suppressed
      ? [{ code: "ADDRESS_SUPPRESSED", message: "The operator has suppressed the personal records of this address." }]
      : []),
    ...answered.flatMap(({ value }) => value.warnings),
  ];
};

const entityOf = (answered: readonly NetworkAnswer<NetworkRecords>[]): string | null => {
  const named = answered.flatMap(({ value }) => (value.entity === null ? [] : [value.entity]));
  return (
    named.reduce<(typeof named)[number] | null>(
      (best, one) => (best === null || one.confidence > best.confidence ? one : best),
      null,
    )?.name ?? null
  );
};

const unreadOf = (answered: readonly NetworkAnswer<NetworkRecords>[]): Osint["unavailable"] => [
  { field: "names.basename", reason: "Basenames are not resolved" },
  ...(answered.some(({ chain }) => chain.names !== undefined)
    ? []
    : [{ field: "names.sns", reason: "SNS names belong to Solana addresses" }]),
];

export const getWalletOsintRecord = defineTool({
  name: "get_wallet_osint_record",
  title: "Public records of an address",
  description:
    "Public records of an address: labels of imported and built-in lists, current and former sanctions entries, issuers' freezes, its verified ENS or .sol name and the text records that its owner published, each with source, confidence and evidence. Use it for labels, tags, social accounts and public reports of an address.",
  credits: 1,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { wallet_address: DEMO_EXAMPLES.trader },
  subjects: [],
  run: async ({ wallet_address }, context) => {
    const asked = { network: "all", address: wallet_address };
    const spread = await queryEachNetwork(asked, context, async (chain, address) => {
      const { facts, signal, operator } = context;
      const snapshot = await facts.snapshot(chain.network.id, null);
      return { basis: snapshot, value: await readRecords({ facts, chain, snapshot, signal }, operator, address) };
    });
    const { answered } = spread;
    const records = recordsOf(answered);
    const described = metadataOver(asked, spread, {
      echo: { wallet_address: wallet_address.text },
      methodology: METHODOLOGY,
      sources: sourcesOf(answered),
      warnings: warningsOf(spread),
    });
    if (records.length === 0 && spread.failed.length > 0) {
      return failed("UPSTREAM_UNAVAILABLE", "No record was found, but some networks could not be read.", described);
    }
    const unchecked = answered.find(({ value }) => value.unchecked !== null)?.value.unchecked;
    if (records.length === 0 && typeof unchecked === "string") {
      return failed("CHECK_INCOMPLETE", `No record was found, but sanctions were not checked. ${unchecked}`, described);
    }
    if (records.length === 0) {
      const is_proven = answered.every(({ value }) => value.unseen.length === 0);
      return emptyOutcome({ type: "osint_record", metadata: described }, noRecord(spread), is_proven);
    }
    const named = answered.find(({ value }) => value.ens !== null)?.value;
    return data({
      type: "osint_record" as const,
      wallet_address: addressOf(answered, wallet_address),
      records,
      names: {
        ens: named?.ens ?? null,
        basename: null,
        sns: answered.find(({ value }) => value.sns !== null)?.value.sns ?? null,
      },
      text_records: named?.texts ?? NO_TEXTS,
      reports_summary: reportsOf(records),
      entity: entityOf(answered),
      unavailable: unreadOf(answered),
      metadata: described,
    });
  },
  view: {
    members: "wallet_address entity names reports_summary records text_records",
    drawn: {
      records: {
        is: "alerts",
        columns: "kind value category source source_type confidence network first_seen last_verified ended_on url",
      },
    },
  },
});

const addressOf = (
  [first]: readonly NetworkAnswer<NetworkRecords>[],
  { text, by_network }: ParsedByNetwork,
): string => {
  const hex = first === undefined ? undefined : by_network.get(first.chain.network.id);
  return first === undefined || hex === undefined ? text : first.chain.formatAddress(hex);
};
