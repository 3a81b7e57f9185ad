import { fromHex, type Hex, hex } from "../src/lib/bytes.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import { blockHash, testAddress } from "./facts_store.ts";

/** Rows for a network `demo` whose blocks are a day apart, so that a few of them form separate windows and hours. */

const DAY0 = Date.UTC(2026, 0, 1) / 1000;
const FIRST_BLOCK = 100;
const DAY_S = 86_400;

export const dayOf = (block: number): number => DAY0 + (block - FIRST_BLOCK) * DAY_S;

export const bytesOf = (hex: Hex): Uint8Array => {
  const bytes = fromHex(hex);
  if (bytes === null) throw new Error(`not hex: ${hex}`);
  return bytes;
};

/** 20 bytes as hex that contain the number. */
export const addressOf = (number: number): Hex => hex(Buffer.from(testAddress(number)).toString("hex"));

/** Blocks `FIRST_BLOCK` to `to`, each at midnight of its day, the last one an hour and a half later. */
export const dailyBlocks = (to: number): TableRows["blocks"][] =>
  Array.from({ length: to - FIRST_BLOCK + 1 }, (_, i) => ({
    network: "demo",
    block_number: FIRST_BLOCK + i,
    hash: blockHash(FIRST_BLOCK + i),
    parent_hash: blockHash(FIRST_BLOCK + i - 1),
    time: dayOf(FIRST_BLOCK + i) + (FIRST_BLOCK + i === to ? 5_400 : 0),
    producer: testAddress(0xbeef),
    transaction_count: 1,
    has_traces: 1,
    verified: "full" as const,
  }));

/** Position of a row. `tx_index` also makes the transaction's hash. */
export interface RowSpot {
  readonly block: number;
  readonly tx_index?: number;
}

const txHash = ({ block, tx_index = 0 }: RowSpot): Uint8Array => blockHash(block * 1_000 + tx_index);

interface ValueTransfer {
  readonly kind: TableRows["transfers"]["kind"];
  /** '' = native. */
  readonly token: Hex;
  readonly source: Hex;
  readonly destination: Hex;
  readonly amount: bigint;
}

/** The transfers of one transaction, in order. */
export const transfersOf = (spot: RowSpot, sender: Hex, moved: readonly ValueTransfer[]): TableRows["transfers"][] =>
  moved.map(({ kind, token, source, destination, amount }, i) => ({
    network: "demo",
    block_number: spot.block,
    tx_index: spot.tx_index ?? 0,
    position: kind === "fee" ? 4_294_967_295 : i,
    time: dayOf(spot.block),
    kind,
    token: bytesOf(token),
    token_id: 0n,
    source: bytesOf(source),
    destination: bytesOf(destination),
    amount,
    sender: bytesOf(sender),
  }));

/** The transactions of transfers, each once, with the hash of its position: they succeeded and called nothing. */
export const transactionsOf = (transfers: readonly TableRows["transfers"][]): TableRows["transactions"][] => {
  const rows = transfers.map(({ block_number, tx_index, time, sender, destination }) => {
    const hash = txHash({ block: Number(block_number), tx_index: Number(tx_index) });
    return {
      ...{ network: "demo", block_number, tx_index, hash, time, sender, recipient: destination, value: 0n, fee: 0n },
      ...{ gas_used: 0n, nonce: 0, succeeded: 1, selector: "", created: "" },
    };
  });
  return [...new Map(rows.map((row) => [`${row.block_number}:${row.tx_index}`, row])).values()];
};

/** A stored price of the hour that contains `time` (unix seconds). */
export const priceRow = (token: Hex, time: number, price_usd: number): TableRows["prices"] => ({
  network: "demo",
  token: bytesOf(token),
  hour: time - (time % 3_600),
  price_usd,
  volume_usd: 0,
  depth_usd: 1_000_000,
  sell_reserve: -1,
  sell_payout_usd: -1,
  method: "vwap",
  confidence: "high",
  version: 1,
});

export const tokenRow = (token: Hex, symbol: string | null, decimals: number | null): TableRows["tokens"] => ({
  network: "demo",
  token: bytesOf(token),
  standard: "erc20",
  name: symbol,
  symbol,
  decimals,
  total_supply: null,
  read_at_block: FIRST_BLOCK,
  has_hidden: 0,
});
