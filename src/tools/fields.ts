import * as z from "zod";
import { normalizeName } from "../domain/address/names/ens.ts";
import { TRACE_GAPS_MEANING } from "../domain/window/wire_coverage.ts";
import { PAGE_DEFAULT, RECORDS_PER_PAGE_DEFAULT, RECORDS_PER_PAGE_MAX } from "../lib/page.ts";
import { VERIFIED } from "../lib/verified.ts";

/**
 * What a field means beyond its JSON type. Binding reads it (network enum, address against network, dates), describing
 * removes it. Stored as the `kind` of the schema's meta.
 */
export type FieldKind =
  | "network"
  | "networks"
  | "address"
  | "token"
  | "any_address"
  | "hash"
  | "date"
  | "name"
  | "name_or_address";

/** A text of that kind: the type tells `Asked` what binding makes of it. */
export type OfKind<K extends FieldKind> = z.core.$brand<K>;

const kind = (kind: FieldKind, description: string, examples: readonly unknown[] = []) => ({
  kind,
  description,
  examples: [...examples],
});

/** One enabled network. */
export const network = () => z.string().meta(kind("network", "Network id, exactly as listed.")).brand<"network">();

/** One enabled network, `evm` (all enabled EVM networks) or `all` (every enabled network whose address format fits). */
export const networks = () => z.string().meta(kind("networks", "Network id, `evm` or `all`."));

/** An address in the format of the network. */
export const address = (description: string) => z.string().meta(kind("address", description)).brand<"address">();

/** An address of any enabled family; the format decides which. */
export const anyAddress = (description: string) =>
  z.string().meta(kind("any_address", description)).brand<"any_address">();

/** A token contract, or `native` for the coin of the network. */
export const token = (description: string) => z.string().meta(kind("token", description)).brand<"token">();

/** The hash of a transaction, as the network writes it; without a network the form decides where it is looked for. */
export const transactionHash = (description: string) => z.string().meta(kind("hash", description)).brand<"hash">();

/** An ENS name. */
export const ensName = (description: string) =>
  z.string().min(3).max(255).meta(kind("name", description)).brand<"name">();

/** A name of any service, or an address; the tool's own `check` says what it refuses. */
export const nameOrAddress = (description: string) =>
  z.string().min(3).max(255).meta(kind("name_or_address", description)).brand<"name_or_address">();

/** A name by ENSIP-15, or null. */
export const parseName = (text: string): string | null => normalizeName(text);

/** A UTC day, inclusive. */
export const date = (description: string) =>
  z
    .string()
    .meta({ ...kind("date", description, ["2026-01-31"]), format: "date" })
    .brand<"date">()
    .optional();

export const asOfBlock = () =>
  z.int().min(0).meta({ description: "Answer as of this block instead of the newest indexed one." }).optional();

export const includeSpam = () =>
  z.boolean().default(false).meta({ description: "Include rows that the spam and poisoning filter flagged." });

export const page = () => z.int().min(1).default(PAGE_DEFAULT).meta({ description: "Page, starting at 1." });

export const recordsPerPage = () =>
  z.int().min(1).max(RECORDS_PER_PAGE_MAX).default(RECORDS_PER_PAGE_DEFAULT).meta({ description: "Rows per page." });

// ---- output ----

/** Figures of a token that several answers show under one name, each of one function of the domain. */
export const LIQUIDITY_MEANING =
  "Both sides of all verified pools, each at the pool's own price; 0 where it is known that there is none.";
export const CIRCULATING_MEANING =
  "Total supply less what lies at burn addresses, in known lockers and in the token's own labelled treasury.";
export const MARKET_CAP_MEANING = "circulating_supply at price_usd.";

/** What can be done with what is held (domain/token/developer/held_outcomes). */
export const heldOutcome = {
  outcome: z.enum(["drained", "unsellable", "tradable"]).nullable().meta({
    description:
      "`drained`: its pools lost what they had; `unsellable`: the holder's transfer into its pool reverts; null: it never had a market, or nobody tells.",
  }),
  outcome_reason: z.string().nullable().meta({ description: "Why it cannot be sold; null where it can." }),
};

/** Text that a stranger wrote on a chain: shown, never to be obeyed. */
export const chainText = (description: string) => z.string().meta({ description, "x-untrusted": true });

const blockAsOf = z.strictObject({ block_number: z.int(), block_hash: z.string(), timestamp: z.string() });

const coverage = z.strictObject({
  from_block: z.int(),
  to_block: z.int(),
  complete: z.boolean().meta({ description: "The indexed range starts at the network's first wanted block." }),
  gaps: z.array(z.array(z.int())),
  logs: z.boolean(),
  traces: z.boolean(),
  trace_gaps: z.array(z.array(z.int())).optional().meta({ description: TRACE_GAPS_MEANING }),
  verified: z.enum(VERIFIED).meta({
    description:
      "What was recomputed of every block of the range: `full` all that its hash commits to, `receipts` what its transactions did, `none` not all of that; the rest is what a node said.",
  }),
});

const networkCoverage = z.strictObject({
  network: z.string(),
  chain_id: z.string().meta({ description: "CAIP-2." }),
  as_of: blockAsOf.nullable(),
  coverage: coverage.nullable(),
});

/** `metadata` of every answer. `echo` names the entity that was asked about. */
export const metadata = <E extends z.ZodRawShape>(echo: E) =>
  z.strictObject({
    ...echo,
    chain: z.string().meta({ description: "Network id, or the word `all` or `evm` that was asked." }),
    chain_id: z.string().nullable().meta({ description: "CAIP-2; null for `all` and `evm`." }),
    as_of: blockAsOf.nullable(),
    coverage: coverage.nullable(),
    networks: z.array(networkCoverage).optional(),
    methodology: z.string(),
    sources: z.array(z.strictObject({ id: z.string(), version: z.string(), updated_at: z.string().nullable() })),
    warnings: z.array(z.strictObject({ code: z.string(), message: z.string() })),
  });

export const pagination = z.strictObject({
  page: z.int(),
  per_page: z.int(),
  returned_count: z.int(),
  has_more_data: z.boolean(),
  is_complete: z.boolean().meta({ description: "The index covers the whole window and no row lies beyond this page." }),
  network: z.string(),
});

/** Fields that could not be told: omitted there, named here. */
export const unavailable = z.array(z.strictObject({ field: z.string(), reason: z.string() }));

/** Whose category and label of an address are shown beside it (domain/address/identity, `shownParty`). */
export const category = z.string().nullable().meta({ description: "Most trusted label's category." });
export const labelSource = z.string().nullable().meta({
  description:
    "List or rule that the label is of; `ens` or `sns`: no list names the address, and the name it gives itself leads back to it.",
});

/** An address with who it is, as far as labels say. */
export const party = { address: z.string(), label: z.string().nullable(), category, label_source: labelSource };
export const peer = z.strictObject({ ...party, tags: z.array(z.string()).nullable() });

/** What a finding stands on. */
export const evidence = z.strictObject({
  kind: z.enum(["tx", "call", "label", "list", "source_code", "simulation"]),
  ref: z.string().meta({ description: "Transaction hash, call data and block, list and version, or file and line." }),
  observed_at: z.string(),
});

/** When pool shares can first be taken out of their locks. */
export const lockUntil = () =>
  z
    .string()
    .nullable()
    .meta({ description: "Earliest end of a lock of at least 1 % of the locked shares; null when none is told." });

/** What totals over counterparties leave out of a wallet's inflow and outflow. */
export const leftOut = z
  .strictObject({ mints_usd: z.number(), rewards_usd: z.number(), burns_usd: z.number() })
  .meta({ description: "What came or went without a counterparty: the totals of get_wallet_stats hold it as well." });

/** Beside profit and loss of a token. */
export const uncostedValue = z
  .number()
  .nullable()
  .meta({ description: "Value of what is held without a known cost. Never counted as profit." });
