import * as z from "zod";
import { type NetworkStatus, pricedPercent, type ReadStatus } from "../../lib/status.ts";
import { definer } from "../operations/operation.ts";
import { type HealthTerms, healthOperations, lagFields, lagOutput } from "./health.ts";
import { type ListImporter, listImportOperations } from "./list_imports.ts";
import type { LagSample } from "./network_history.ts";
import { type AdminContext, operations } from "./operations.ts";
import { type RiskRuleTerms, riskRuleOperations } from "./risk_rules.ts";

/** An imported list, as the facts store keeps its head. */
export interface StoredList {
  readonly list: string;
  readonly kind: string;
  readonly version: string;
  readonly licence: string;
  readonly origin: string;
  readonly published_on: string;
  readonly rows: number;
  /** When it was last imported or confirmed, unix milliseconds. */
  readonly imported_at_ms: number;
}

/** State of the process and its stores, as operators see it. */
export interface OperatorState {
  readonly status: ReadStatus;
  readonly lists: () => Promise<readonly StoredList[]>;
  /** Unix milliseconds. */
  readonly now_ms: () => number;
  readonly risk: RiskRuleTerms;
  readonly health: HealthTerms;
  readonly imports: ListImporter;
}

/** The context of every operator operation over HTTP. */
export interface OperatorContext extends AdminContext {
  readonly state: OperatorState;
}

const define = definer<OperatorContext>();

const time = z.string().meta({ format: "date-time" });
const block = z.int().min(0);

/** Most gaps shown of one network. History that several processes fill may have far more. */
const GAPS_MAX = 200;

const range = z.tuple([block, block]);

const network = z.strictObject({
  network: z.string(),
  state: z.enum(["starting", "waiting", "backfill", "following", "stopped", "failed", "absent"]),
  head: block.nullable().meta({ description: "Newest block reported by the node; null before its first answer." }),
  indexed: block.nullable().meta({ description: "Newest block that answers include; null before the first one." }),
  from_block: block.nullable().meta({ description: "Oldest block of the range that ends at `indexed`." }),
  lag_blocks: block.nullable(),
  ...lagFields,
  gaps: z
    .array(range)
    .meta({ description: `Block ranges missing from answers, both ends inclusive; at most ${GAPS_MAX}.` }),
  gap_count: z.int().min(0),
  missing_blocks: block.meta({ description: "Blocks in all gaps." }),
  verified: z.enum(["none", "receipts", "full"]).nullable().meta({
    description: "How far Assay verified every block of the range (docs/threat_model.md); null before the first block.",
  }),
  blocks_per_second: z.number().nullable(),
  priced_percent: z.int().min(0).max(100).nullable().meta({
    description: "Share of the hours that have their prices, while this process derives many; null otherwise.",
  }),
  remaining_blocks: block.nullable(),
  disagreements: z
    .int()
    .min(0)
    .meta({ description: "Disagreements between redundant endpoints since the process started." }),
  problem: z.string().nullable().meta({ description: "Current problem, in one sentence; null without one." }),
  indexed_by: z
    .string()
    .nullable()
    .meta({ description: "Host and pid of the other process that indexes the network; null when none does." }),
});

const networkOf = (id: string, status: NetworkStatus, lag: LagSample): z.input<typeof network> => {
  const { gaps, fills: _, indexed_by, trouble: __, indexed_at: ___, priced_share: ____, ...rest } = status;
  return {
    network: id,
    ...rest,
    ...lagOutput(lag),
    gaps: gaps.slice(0, GAPS_MAX).map(([from, to]) => [from, to]),
    gap_count: gaps.length,
    missing_blocks: gaps.reduce((sum, [from, to]) => sum + to - from + 1, 0),
    priced_percent: pricedPercent(status),
    indexed_by: indexed_by === null ? null : `${indexed_by.host} pid ${indexed_by.pid}`,
  };
};

const isoMs = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** Every operator operation over HTTP: administration of accounts, risk rules, and the state of the process. */
export const operatorOperations = {
  ...operations,
  ...riskRuleOperations,
  ...healthOperations,
  ...listImportOperations,
  list_networks: define({
    method: "GET",
    path: "/operator/networks",
    summary: "List the index state of each network of this process: progress, gaps, speed and verification.",
    input: z.strictObject({}),
    output: z.strictObject({ accounts: z.boolean(), facts: z.boolean(), networks: z.array(network) }),
    async run({ state }) {
      const { accounts, facts, networks } = await state.status();
      const at_ms = state.now_ms();
      const all = state.health.endpoints();
      const rows = Object.entries(networks).map(([id, status]) =>
        networkOf(id, status, state.health.history.now(id, status, { at_ms, endpoints: all[id] ?? [] })),
      );
      return { accounts, facts, networks: rows };
    },
  }),
  list_lists: define({
    method: "GET",
    path: "/operator/lists",
    summary: "List the imported label, sanctions and token lists with their age.",
    input: z.strictObject({}),
    output: z.strictObject({
      lists: z.array(
        z.strictObject({
          list: z.string(),
          kind: z.string(),
          version: z.string(),
          licence: z.string(),
          origin: z.string(),
          published_on: z.string().nullable(),
          rows: z.int().min(0),
          imported_at: time.meta({ description: "Time of the last import or confirmation." }),
          age_hours: z.int().min(0),
        }),
      ),
    }),
    async run({ state }) {
      const now = state.now_ms();
      const rows = await state.lists();
      const lists = rows.map(({ list, kind, version, licence, origin, published_on, rows: count, imported_at_ms }) => ({
        ...{ list, kind, version, licence, origin, rows: count },
        published_on: published_on === "" ? null : published_on,
        imported_at: isoMs(imported_at_ms),
        age_hours: Math.max(0, Math.floor((now - imported_at_ms) / 3_600_000)),
      }));
      return { lists };
    },
  }),
} as const;
