import * as z from "zod";
import { address, asOfBlock, chainText, date, metadata, networks, unavailable } from "../fields.ts";

export const input = z.strictObject({
  address: address("Wallet address."),
  network: networks().default("all"),
  from_date: date("First day (UTC, inclusive). Default: the beginning of the index."),
  to_date: date("Last day (UTC, inclusive). Default: today."),
  as_of_block: asOfBlock(),
});

const largest = z
  .strictObject({
    usd_value: z.number(),
    amount: z.number().nullable().describe("Amount in whole tokens; null when its decimals are unknown."),
    amount_raw: z.string(),
    token: chainText("Token symbol.").nullable(),
    token_address: z.string().describe("Token address, or `native` for the network's native coin."),
    peer: z.string().nullable().describe("Counterparty; null for mints, burns and coins issued by a block."),
    chain: z.string(),
    tx_hash: z.string().nullable().describe("Null for coins issued by a block."),
    timestamp: z.string(),
  })
  .nullable();

const usd = (description: string) => z.number().nullable().describe(description);
const count = (description: string) => z.int().describe(description);

const members = {
  tx_count: count("Transactions that the wallet sent or that moved its coins or tokens."),
  tx_sent: count("Transactions that the wallet signed, failed ones included."),
  votes: count("Part of tx_sent: a validator's votes (Solana), of which the index stores count and fees per block."),
  tx_received: count("Transactions of other signers from which the wallet received something."),
  failed_tx: count("Failed transactions of tx_sent."),
  token_transfer_count: count("Transfers of fungible tokens, without the native coin."),
  unique_counterparties: count(
    "Distinct counterparties, counted as in get_wallet_counterparties: mints and burns have none, and a labelled exchange replaces the pools behind it. Counted per network.",
  ),
  unique_contracts_called: count("Distinct addresses that the wallet called with data, counted per network."),
  unique_tokens: count("Distinct tokens that moved, the native coin included, counted per network."),
  nft_transfer_count: count("Transfers of NFTs."),
  spam_transfers: count("Flagged transfers, counted nowhere else."),
  active_days: count("UTC days with at least one transaction."),
  first_seen: z.string().nullable().describe("First indexed transfer of the window, without spam; null without one."),
  last_seen: z.string().nullable(),
  age_days: z.int().nullable().describe("Whole days from first_seen to the as-of block."),
  total_in_usd: usd("USD received at hourly prices, without flagged transfers; null when nothing had a price."),
  total_out_usd: usd("USD sent at hourly prices, without fees and flagged transfers; null when nothing had a price."),
  of_which: z
    .strictObject({
      in: z.strictObject({ mints_usd: z.number(), wraps_usd: z.number(), rewards_usd: z.number() }),
      out: z.strictObject({ burns_usd: z.number(), wraps_usd: z.number() }),
    })
    .describe(
      "Parts of total_in_usd and total_out_usd without a counterparty: minted or burned, wrapped or unwrapped, issued by a block. Over movements with a price.",
    ),
  unpriced_transfers: count("Transfers without a price, in none of the totals; without flagged ones."),
  largest_in: largest.describe("Largest transfer that has a price; null without one."),
  largest_out: largest.describe("Largest transfer that has a price; null without one."),
  gas_spent_native: z
    .number()
    .nullable()
    .describe("Fees of the wallet's own transactions in the native coin, failed ones included."),
  gas_spent_usd: usd("The same fees in USD at hourly prices; null when no fee had a price."),
  swap_count: count("The wallet's transactions that exchanged one token for another, on any exchange."),
  swap_volume_usd: usd("USD value of the swaps: the paid side, else the received side; null when neither had a price."),
  bridge_count: z.int().nullable().describe("Transactions with a labelled bridge."),
  contracts_deployed: count("Contracts created in the wallet's transactions, through factories included."),
  nonce: z.int().nullable().describe("Nonce at the as-of block, independent of the window."),
};

const networkStats = z.strictObject({ network: z.string(), ...members });

export const output = z.strictObject({
  type: z.literal("wallet_stats"),
  ...members,
  by_network: z.array(networkStats).describe("Figures per network on which the wallet was active."),
  unavailable,
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string().nullable(), to: z.string().nullable() }),
  }),
});

export type NetworkStats = z.output<typeof networkStats>;
export type Stats = Omit<NetworkStats, "network">;
export type StatsOutput = z.output<typeof output>;
