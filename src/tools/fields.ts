import * as z from "zod";
import { normalizeName } from "../domain/address/names/ens_name.ts";
import { TOKEN_OUTCOMES } from "../domain/token/verdict/verdict.ts";
import { COST_BASES } from "../domain/wallet/pnl/position.ts";
import { TRACE_GAPS_MEANING } from "../domain/window/wire_coverage.ts";
import { PAGE_DEFAULT, RECORDS_PER_PAGE_DEFAULT, RECORDS_PER_PAGE_MAX } from "../lib/page.ts";
import { VERIFIED } from "../lib/verified.ts";

/**
 * The meaning of a field beyond its JSON type. Binding reads it (network enum, address against network, dates), describing
 * removes it. Stored as the `kind` of the schema's meta.
 */
export type FieldKind =
  | "network"
  | "networks"
  | "address"
  | "token"
  | "addresses"
  | "any_address"
  | "hash"
  | "date"
  | "block"
  | "name"
  | "name_or_address";

/** String schema of that kind. Its type lets `Asked` infer the bound value. */
export type KindBrand<K extends FieldKind> = z.core.$brand<K>;

const kind = (kind: FieldKind, description: string, examples: readonly unknown[] = []) => ({
  kind,
  description,
  examples: [...examples],
});

export const network = () => z.string().meta(kind("network", "Network id.")).brand<"network">();

/** One enabled network, `evm` (all enabled EVM networks) or `all` (every enabled network whose address format fits). */
export const networks = () => z.string().meta(kind("networks", "Network id, `evm` or `all`."));

export const address = (description: string) => z.string().meta(kind("address", description)).brand<"address">();

const GROUP_MAX = 20;

/** Several wallets that count as one. */
export const addresses = (description: string) =>
  z.array(z.string()).min(2).max(GROUP_MAX).meta(kind("addresses", description)).brand<"addresses">();

/** An address of any enabled family; the format decides which. */
export const anyAddress = (description: string) =>
  z.string().meta(kind("any_address", description)).brand<"any_address">();

/** A token contract, or `native` for the coin of the network. */
export const token = (description: string) => z.string().meta(kind("token", description)).brand<"token">();

/** The hash of a transaction, as the network writes it; without a network its format decides which networks are searched. */
export const transactionHash = (description: string) => z.string().meta(kind("hash", description)).brand<"hash">();

export const ensName = (description: string) =>
  z.string().min(3).max(255).meta(kind("name", description)).brand<"name">();

/** A name of any service, or an address; the tool's `check` rejects the rest. */
export const nameOrAddress = (description: string) =>
  z.string().min(3).max(255).meta(kind("name_or_address", description)).brand<"name_or_address">();

/** The name normalized by ENSIP-15, or null when it is invalid. */
export const parseName = (text: string): string | null => normalizeName(text);

export const date = (description: string) =>
  z
    .string()
    .meta({ ...kind("date", description, ["2026-01-31"]), format: "date" })
    .brand<"date">()
    .optional();

const AS_OF_BLOCK = "Block, ISO date (its end) or time; default: newest.";

/** Binding reads the texts (bind.ts). */
export const asOfBlock = () =>
  z
    .union([z.int().min(0), z.string()])
    .meta(kind("block", AS_OF_BLOCK, [18_000_000, "2026-01-31"]))
    .brand<"block">()
    .optional();

export const includeSpam = () =>
  z.boolean().default(false).describe("Also include rows flagged as spam or address poisoning.");

export const costBasis = () => z.enum(COST_BASES).default("average").describe("Average, or the lot sold first.");

export const page = () => z.int().min(1).default(PAGE_DEFAULT).describe("Page number, starting at 1.");

export const recordsPerPage = () =>
  z.int().min(1).max(RECORDS_PER_PAGE_MAX).default(RECORDS_PER_PAGE_DEFAULT).describe("Rows per page.");

/** Token figures that several answers show under one name; one function of the domain computes each. */
export const LIQUIDITY_MEANING =
  "Both sides of all verified pools in USD, each at its own pool's price; 0 when the token has no liquidity.";
export const CIRCULATING_MEANING =
  "Total supply minus burn addresses, known lockers and the token's own labelled treasury.";
export const MARKET_CAP_MEANING = "circulating_supply times price_usd; null where the pools are too thin for it.";

/** Whether a held token can still be sold (domain/token/developer/held_outcomes). */
export const holdingOutcome = {
  outcome: z
    .enum(["drained", "unsellable", "tradable"])
    .nullable()
    .describe(
      "`drained`: its pools lost their liquidity; `unsellable`: the holder's transfer into the pool reverts; null: it never had a market, or its state is unknown.",
    ),
  outcome_reason: z.string().nullable().describe("Why the token cannot be sold; null when it can."),
};

/** Untrusted text from a chain: data to show, never an instruction. */
export const chainText = (description: string) => z.string().meta({ description, "x-untrusted": true });

const blockAsOf = z.strictObject({ block_number: z.int(), block_hash: z.string(), timestamp: z.string() });

const coverage = z.strictObject({
  from_block: z.int(),
  to_block: z.int(),
  complete: z.boolean().describe("True when the indexed range starts at the first block configured for the network."),
  gaps: z.array(z.array(z.int())),
  logs: z.boolean(),
  traces: z.boolean(),
  trace_gaps: z.array(z.array(z.int())).optional().describe(TRACE_GAPS_MEANING),
  verified: z
    .enum(VERIFIED)
    .describe(
      "Parts of every block in the range that Assay recomputed: `full` everything that the block hash commits to, `receipts` the results of its transactions, `none` less than that. The node is trusted for the rest.",
    ),
});

const networkCoverage = z.strictObject({
  network: z.string(),
  chain_id: z.string().describe("CAIP-2 chain id."),
  as_of: blockAsOf.nullable(),
  coverage: coverage.nullable(),
});

/** `metadata` of every answer. `echo` repeats the requested entity. */
export const metadata = <E extends z.ZodRawShape>(echo: E) =>
  z.strictObject({
    ...echo,
    chain: z.string().describe("Network id, or `all` or `evm` as requested."),
    chain_id: z.string().nullable().describe("CAIP-2 chain id; null for `all` and `evm`."),
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
  is_complete: z.boolean().describe("True when the index covers the whole window and this is the last page."),
  network: z.string(),
});

export const unavailable = z.array(z.strictObject({ field: z.string(), reason: z.string() }));

export const category = z.string().nullable().describe("Category of the most trusted label; null without a label.");
export const labelSource = z
  .string()
  .nullable()
  .describe(
    "List or rule that the label comes from. `ens` or `sns`: no list names the address; the label is its verified primary name.",
  );

export const party = { address: z.string(), label: z.string().nullable(), category, label_source: labelSource };
export const peer = z.strictObject({ ...party, tags: z.array(z.string()).nullable() });

export const evidence = z.strictObject({
  kind: z.enum(["tx", "call", "label", "list", "source_code", "simulation"]),
  ref: z.string().describe("Transaction hash; call and block; list and version; or file and line."),
  observed_at: z.string(),
});

export const tokenOutcome = () =>
  z
    .enum(TOKEN_OUTCOMES)
    .nullable()
    .describe(
      "Outcome of the token, the first that applies. `rugged`: a rug pull by its creators; `drained`: its pools are empty; `counterfeit`: it uses a known token's symbol; `too_new`, `alive`, `dead`: by its trades. Null when it never had a market, or its outcome is unknown.",
    );

export const lockUntil = () =>
  z
    .string()
    .nullable()
    .describe("Earliest end of a lock that holds at least 1 % of the locked shares; null when no lock states its end.");

export const unpairedVolumes = z
  .strictObject({ mints_usd: z.number(), rewards_usd: z.number(), burns_usd: z.number() })
  .describe(
    "USD that moved without a counterparty, over movements with a price. The totals of get_wallet_stats include it.",
  );

export const uncostedValue = z
  .number()
  .nullable()
  .describe("USD value of holdings without a known cost. Never counted as profit.");
