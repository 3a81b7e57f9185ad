import * as z from "zod";
import {
  address,
  asOfBlock,
  chainText,
  LIQUIDITY_MEANING,
  metadata,
  network,
  page,
  pagination,
  recordsPerPage,
  tokenOutcome,
  unavailable,
} from "../fields.ts";

export const TYPE = "deployed_contracts";

export const input = z.strictObject({
  address: address("Account whose deployed contracts are listed."),
  network: network(),
  include_factory_created: z
    .boolean()
    .default(true)
    .describe("Include contracts that a factory created in this account's transactions."),
  kind: z
    .enum(["all", "token", "contract"])
    .default("all")
    .describe("`token`: only token contracts; `contract`: only other contracts."),
  page: page(),
  records_per_page: recordsPerPage(),
  as_of_block: asOfBlock(),
});

const row = z.strictObject({
  contract_address: z.string(),
  network: z.string(),
  created_at: z.string(),
  block_number: z.int(),
  tx_hash: z.string(),
  via: z.string().nullable().describe("Factory that created the contract; null when the transaction did."),
  kind: z.enum(["erc20", "trc20", "erc721", "erc1155", "pool", "proxy", "contract", "spl_mint", "program"]),
  name: chainText("As the token names itself.").nullable(),
  symbol: chainText("As the token names itself.").nullable(),
  is_verified: z.boolean().nullable(),
  is_proxy: z.boolean().nullable(),
  is_self_destructed: z.boolean().nullable(),
  code_hash: z.string().nullable(),
  same_code_count: z.int().nullable().describe("Contracts with the same code, over all pages of this answer."),
  token: z
    .strictObject({
      holders_count: z.int().nullable(),
      liquidity_usd: z.number().nullable().describe(LIQUIDITY_MEANING),
      outcome: tokenOutcome(),
    })
    .nullable(),
  risk_tags: z.array(z.string()).describe("Categories of the contract's labels."),
});

export const output = z.strictObject({
  type: z.literal(TYPE),
  data: z.array(row),
  summary: z.strictObject({
    total: z.int(),
    tokens: z.int(),
    verified: z.int().nullable(),
    destroyed: z.int().nullable(),
    distinct_code: z.int().nullable(),
    first_at: z.string(),
    last_at: z.string(),
  }),
  pagination,
  unavailable,
  metadata: metadata({ address: z.string() }),
});

export type DeployedContractsOutput = z.output<typeof output>;
