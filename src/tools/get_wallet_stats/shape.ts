import * as z from "zod";
import { address, asOfBlock, chainText, date, metadata, networks, unavailable } from "../fields.ts";

export const input = z.strictObject({
  address: address("Wallet."),
  network: networks().default("all"),
  from_date: date("First day; omitted: the beginning of the index."),
  to_date: date("Last day; omitted: today."),
  as_of_block: asOfBlock(),
});

const largest = z
  .strictObject({
    usd_value: z.number(),
    amount: z.number().nullable().meta({ description: "Null when the contract does not tell its decimals." }),
    amount_raw: z.string(),
    token: chainText("Token symbol.").nullable(),
    token_address: z.string().meta({ description: "`native` for the coin of the network." }),
    peer: z.string().nullable().meta({ description: "The other side; null for what was minted, burned or issued." }),
    chain: z.string(),
    tx_hash: z.string().nullable().meta({ description: "Null for coins that a block issued." }),
    timestamp: z.string(),
  })
  .nullable();

const usd = (description: string) => z.number().nullable().meta({ description });
const count = (description: string) => z.int().meta({ description });

const members = {
  tx_count: count("Transactions that touched the wallet: its own and those that moved something of it."),
  tx_sent: count("Signed by the wallet, failed ones included."),
  votes: count("Of tx_sent: votes of a validator of which the index keeps their number and fees per block (Solana)."),
  tx_received: count("Signed by others that brought it something."),
  failed_tx: count("Of tx_sent."),
  token_transfer_count: count("Movements of fungible tokens, native coin not counted."),
  unique_counterparties: count(
    "Other sides of its transfers, as get_wallet_counterparties lists them: minted and burned amounts have none, a labelled exchange stands for the pools behind it. On each network for itself.",
  ),
  unique_contracts_called: count("Addresses that it called with data, on each network for itself."),
  unique_tokens: count("Tokens that moved, the native coin included, on each network for itself."),
  nft_transfer_count: count("Movements of collectibles."),
  spam_transfers: count("Flagged movements, counted nowhere else."),
  active_days: count("UTC days with a transaction."),
  first_seen: z.string().nullable().meta({ description: "First indexed movement of the window, spam aside." }),
  last_seen: z.string().nullable(),
  age_days: z.int().nullable().meta({ description: "Whole days from first_seen to the answer's block." }),
  total_in_usd: usd(
    "Everything received at the hour's price, flagged transfers not counted; null when nothing had a price.",
  ),
  total_out_usd: usd(
    "Everything paid at the hour's price, fees and flagged transfers not counted; null when nothing had a price.",
  ),
  of_which: z
    .strictObject({
      in: z.strictObject({ mints_usd: z.number(), wraps_usd: z.number(), rewards_usd: z.number() }),
      out: z.strictObject({ burns_usd: z.number(), wraps_usd: z.number() }),
    })
    .meta({
      description:
        "Parts of total_in_usd and total_out_usd: created for the wallet or destroyed, changed between the native coin and its wrapped form, issued by a block.",
    }),
  unpriced_transfers: count("Transfers without a price, in no total; flagged ones not counted."),
  largest_in: largest.meta({ description: "Of the transfers with a price." }),
  largest_out: largest.meta({ description: "Of the transfers with a price." }),
  gas_spent_native: z.number().nullable().meta({ description: "Fees of its own transactions, failed ones too." }),
  gas_spent_usd: usd("The same at the hour's price; null when no fee had a price."),
  swap_count: count("Own transactions that gave one token for another, whatever the venue."),
  swap_volume_usd: usd("Their value: what was given, or else what was got; null when no side had a price."),
  bridge_count: z.int().nullable().meta({ description: "Transactions with a labelled bridge." }),
  contracts_deployed: count("Contracts that came out of its own transactions, through factories too."),
  nonce: z.int().nullable().meta({ description: "At the answer's block, whatever the window." }),
};

const networkStats = z.strictObject({ network: z.string(), ...members });

export const output = z.strictObject({
  type: z.literal("wallet_stats"),
  ...members,
  by_network: z.array(networkStats).meta({ description: "Networks on which the wallet was seen." }),
  unavailable,
  metadata: metadata({
    address: z.string(),
    date_range: z.strictObject({ from: z.string().nullable(), to: z.string().nullable() }),
  }),
});

export type NetworkStats = z.output<typeof networkStats>;
export type Stats = Omit<NetworkStats, "network">;
export type StatsOutput = z.output<typeof output>;
