import * as z from "zod";
import {
  asOfBlock,
  CIRCULATING_MEANING,
  chainText,
  LIQUIDITY_MEANING,
  MARKET_CAP_MEANING,
  metadata,
  network,
  token,
  unavailable,
} from "../fields.ts";
import { thinMarket } from "../worth_fields.ts";

export const input = z.strictObject({
  token_address: token("Token contract."),
  network: network(),
  as_of_block: asOfBlock(),
});

const text = (description: string) => chainText(description).nullable();

export const NAME_FLAGS = [
  "url_in_name",
  "claim_wording",
  "instruction_text",
  "hidden_characters",
  "symbol_copy",
] as const;

export const output = z.strictObject({
  type: z.literal("token_info"),
  address: z.string().describe("Token address, or `native` for the network's native coin."),
  network: z.string(),
  standard: z.string(),
  name: text("Token name."),
  symbol: text("Token symbol."),
  decimals: z.int().nullable(),
  total_supply: z.number().nullable(),
  total_supply_raw: z.string().nullable(),
  circulating_supply: z.number().nullable().describe(CIRCULATING_MEANING),
  holders_count: z.int().nullable(),
  price_usd: z.number().nullable(),
  market_cap_usd: z.number().nullable().describe(MARKET_CAP_MEANING),
  ...thinMarket,
  liquidity_usd: z.number().nullable().describe(LIQUIDITY_MEANING),
  created_at: z.string().nullable(),
  creator: z.string().nullable(),
  is_verified: z.boolean().nullable(),
  is_proxy: z.boolean(),
  is_stablecoin: z.boolean(),
  stablecoin_issuer: z.string().nullable(),
  is_wrapped_native: z.boolean(),
  bridged_from: z.string().nullable(),
  logo_url: z.string().nullable(),
  website: text("Project site."),
  socials: z.array(z.strictObject({ kind: z.string(), url: z.string() })),
  description: text("Project description."),
  metadata_uri: text("URI of the token's metadata."),
  extensions: z.array(z.string()).describe("Token-2022 extensions; an unknown extension is shown by its number."),
  lists: z.array(z.string()).describe("Imported token lists that contain the token."),
  name_flags: z.array(z.enum(NAME_FLAGS)).describe("Warnings about its name and symbol, as in `spam_reasons`."),
  impersonates: z.strictObject({ canonical_address: z.string(), reason: z.string() }).nullable(),
  metadata_history: z
    .array(
      z.strictObject({
        from_block: z.int().describe("Block of the reading."),
        name: text("Token name."),
        symbol: text("Token symbol."),
        decimals: z.int().nullable(),
      }),
    )
    .describe(
      "Metadata that the token reported up to the block of the answer, oldest first; empty when no change was seen. A token that reported two numbers of decimals has none.",
    ),
  unavailable,
  metadata: metadata({ token_address: z.string() }),
});
