import type { ContractCall } from "../src/chains/chain.ts";
import type { FreezableCoin } from "../src/chains/coins.ts";
import { selectorOf } from "../src/domain/abi.ts";
import type { SnapshotContext } from "../src/domain/context.ts";
import { familiesKey } from "../src/labels/issuers/index.ts";
import { type Hex, hex, toHex } from "../src/lib/bytes.ts";
import type { FreezeEventsRow } from "../src/store/tables.gen.ts";
import type { TestFacts } from "./facts_store.ts";
import { fixedChain } from "./fixed_chain.ts";

/** Coins and issuers' events for tests that do not need a node. */

export const freezable = (symbol: string, address: Uint8Array, families: readonly string[]): FreezableCoin => ({
  symbol,
  address: toHex(address),
  families,
  decimals: 6,
  start_block: null,
});

export interface FreezeCase {
  readonly coin: FreezableCoin;
  readonly account: Uint8Array | string;
  readonly block: number;
  readonly effect: FreezeEventsRow["effect"];
  readonly amount?: bigint;
}

const SEED_TIME = 1_700_000_000;

/** Hash of the transaction of block n: 0xf0…n. */
export const freezeHash = (block: number): Uint8Array =>
  Buffer.from(`f0${block.toString(16).padStart(62, "0")}`, "hex");

const freezeRow = (network: string, { coin, account, block, effect, amount }: FreezeCase): FreezeEventsRow => ({
  network,
  token: Buffer.from(coin.address, "hex"),
  account: account === "" ? new Uint8Array(0) : account,
  block_number: block,
  tx_index: 0,
  log_index: 0,
  // Block 1 is the first of a segment from 1 (`facts_store.ts`).
  time: SEED_TIME + (block - 1) * 12,
  tx_hash: freezeHash(block),
  effect,
  amount: amount ?? null,
  holding: new Uint8Array(0),
});

/** Row that the indexer writes when it starts to listen. */
const watch = async (
  store: TestFacts,
  network: string,
  coins: readonly FreezableCoin[],
  blind_to = 0,
): Promise<void> => {
  await store.writer.insert(
    "freeze_watches",
    coins.map((coin) => ({
      network,
      token: Buffer.from(coin.address, "hex"),
      families: familiesKey(coin),
      blind_to,
      written_at: SEED_TIME,
    })),
  );
};

export const viewWord = (value: boolean): Hex => hex((value ? "1" : "0").padStart(64, "0"));

/** A contract that answers one view correctly for these accounts (Circle's when none is named). */
export const knows =
  (frozen: readonly string[], view = "isBlacklisted(address)") =>
  ({ data }: ContractCall): { readonly ok: boolean; readonly data: Hex } =>
    data.startsWith(selectorOf(view))
      ? { ok: true, data: viewWord(frozen.includes(data.slice(-40))) }
      : { ok: false, data: "" };

export interface FreezeWorld {
  readonly coins: readonly FreezableCoin[];
  readonly said?: readonly FreezeCase[];
  readonly answer?: (call: ContractCall) => { readonly ok: boolean; readonly data: Hex } | null;
  readonly down?: boolean;
  /** First indexed block; 1 when omitted. */
  readonly from?: number;
  readonly blind_to?: number;
  readonly is_watched?: boolean;
  /** False: the coins' addresses have no code. */
  readonly is_deployed?: boolean;
  /** Block of the answer; the newest (20) when omitted. */
  readonly at?: number;
  /** Name of the network; a unique one when omitted. */
  readonly network?: string;
  /** Coins that anchor prices at one dollar. */
  readonly stablecoins?: readonly FreezableCoin[];
  /** Transfers of the first coin, in dollars of six decimals. */
  readonly moves?: readonly {
    readonly block: number;
    readonly from: Uint8Array;
    readonly to: Uint8Array;
    readonly dollars: number;
  }[];
}

const transferRow = (
  network: string,
  token: string,
  { block, from, to, dollars }: NonNullable<FreezeWorld["moves"]>[number],
) => ({
  network,
  block_number: block,
  tx_index: 1,
  position: 1_048_576,
  time: SEED_TIME + (block - 1) * 12,
  tx_hash: freezeHash(block + 1_000),
  kind: "erc20" as const,
  token: Buffer.from(token, "hex"),
  token_id: 0n,
  source: from,
  destination: to,
  amount: BigInt(dollars) * 1_000_000n,
  sender: from,
});

/** Any code will do. */
const CONTRACT = { code: Uint8Array.of(0x60) };

let networks = 0;

/** A separate network with blocks `from` to 20 and the issuers' events in them. */
export const freezeContext = async (store: TestFacts, world: FreezeWorld): Promise<SnapshotContext> => {
  const { coins, said = [], from = 1, is_watched = true } = world;
  networks += 1;
  const network = world.network ?? `net${networks}`;
  await store.seed(
    { network, from, to: 20, first: from, time: SEED_TIME + (from - 1) * 12 },
    {
      freeze_events: said.map((one) => freezeRow(network, one)),
      transfers: (world.moves ?? []).map((move) => transferRow(network, coins[0]?.address ?? "", move)),
    },
  );
  if (is_watched) await watch(store, network, coins, world.blind_to);
  const chain = fixedChain({
    network: {
      id: network,
      freezes: coins,
      stablecoins: (world.stablecoins ?? []).map(({ symbol, address }) => ({ symbol, address, peg: "USD" })),
    },
    answer: world.answer ?? knows([]),
    accounts: world.is_deployed === false ? {} : Object.fromEntries(coins.map((coin) => [coin.address, CONTRACT])),
    ...(world.down === undefined ? {} : { down: world.down }),
  });
  const snapshot = await store.facts.snapshot(network, world.at ?? null);
  return { facts: store.facts, chain, snapshot, signal: new AbortController().signal };
};
