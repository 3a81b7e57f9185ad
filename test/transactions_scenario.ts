import { type Hex, hex } from "../src/lib/bytes.ts";
import type { TableRows } from "../src/store/tables.gen.ts";
import { blockHash, type TestFacts } from "./facts_store.ts";
import { fixedChain } from "./fixed_chain.ts";
import { addressOf, bytesOf, dailyBlocks, dayOf, priceRow, tokenRow, transfersOf } from "./value_rows.ts";

export const WALLET = hex("10".repeat(20));
export const FRIEND = hex(`abcd${"1".repeat(32)}4321`);
export const POISONER = hex(`abcd${"2".repeat(32)}4321`);
export const POOL = hex("30".repeat(20));
const SPAMMER = hex("40".repeat(20));
const USDC = hex("50".repeat(20));
const WETH = hex("60".repeat(20));
const SCAM = hex("70".repeat(20));
const NFT = hex("80".repeat(20));
const MAYBE = hex("90".repeat(20));

export const ETH = 10n ** 18n;
const DOLLAR = 10n ** 6n;
const FEE = ETH / 1_000n;
export const HEAD = 110;
export const MANY = 45;

export const chain = fixedChain({
  network: { wrapped_native: WETH, stablecoins: [{ symbol: "USDC", address: USDC, peg: "USD" }] },
});

type TransferTableRow = TableRows["transfers"];
type ScenarioTransfer = Parameters<typeof transfersOf>[2][number];

const usdc = (source: Hex, destination: Hex, amount: bigint): ScenarioTransfer => ({
  kind: "erc20",
  token: USDC,
  source,
  destination,
  amount,
});
const fee: ScenarioTransfer = { kind: "fee", token: "", source: WALLET, destination: "", amount: FEE };
export const native = (source: Hex, destination: Hex, amount: bigint): ScenarioTransfer => ({
  kind: "native",
  token: "",
  source,
  destination,
  amount,
});

/** Logs have positions above 2^20 (schema); the other rows keep theirs. */
const inLogs = (rows: readonly TransferTableRow[]): TransferTableRow[] =>
  rows.map((row) =>
    row.kind === "native" || row.kind === "fee" ? row : { ...row, position: 1_048_576 + row.position },
  );

const airdropped = Array.from({ length: 101 }, (_, i) => (i === 0 ? WALLET : addressOf(0x9000 + i)));

const transferRows = (): TransferTableRow[] =>
  inLogs([
    ...transfersOf({ block: 100 }, FRIEND, [native(FRIEND, WALLET, 10n * ETH)]),
    ...transfersOf({ block: 101 }, WALLET, [native(WALLET, FRIEND, ETH), fee]),
    ...transfersOf({ block: 101, tx_index: 1 }, SPAMMER, [usdc(WALLET, POISONER, 0n)]),
    ...transfersOf({ block: 102 }, WALLET, [fee]), // approve
    ...transfersOf({ block: 102, tx_index: 1 }, WALLET, [fee]), // fails
    ...transfersOf({ block: 103 }, WALLET, [native(WALLET, POOL, ETH), usdc(POOL, WALLET, 2_000n * DOLLAR), fee]),
    ...transfersOf(
      { block: 104 },
      SPAMMER,
      airdropped.map((destination) => ({ kind: "erc20", token: SCAM, source: SPAMMER, destination, amount: ETH })),
    ),
    ...transfersOf({ block: 105 }, WALLET, [usdc(WALLET, WALLET, 7n * DOLLAR), fee]),
    ...transfersOf({ block: 106 }, FRIEND, [
      { kind: "erc721", token: NFT, source: FRIEND, destination: WALLET, amount: 1n },
      { kind: "erc20", token: MAYBE, source: FRIEND, destination: WALLET, amount: 5n },
    ]),
    ...transfersOf({ block: 107, tx_index: 4_294_967_295 }, "", [
      { kind: "withdrawal", token: "", source: "", destination: WALLET, amount: ETH },
    ]),
    ...Array.from({ length: MANY }, (_, i) =>
      transfersOf({ block: 108, tx_index: i }, FRIEND, [usdc(FRIEND, WALLET, BigInt(i + 1) * DOLLAR)]),
    ).flat(),
  ]);

const transactionRow = (block: number, tx_index: number, facts: Partial<TableRows["transactions"]> = {}) => ({
  network: "demo",
  block_number: block,
  tx_index,
  hash: blockHash(block * 1_000 + tx_index),
  time: dayOf(block),
  sender: bytesOf(FRIEND),
  recipient: bytesOf(USDC),
  value: 0n,
  fee: FEE,
  gas_used: 21_000,
  nonce: 0,
  succeeded: 1,
  selector: "",
  created: "",
  ...facts,
});

const byWallet = { sender: bytesOf(WALLET) };
const transactions = () => [
  transactionRow(100, 0, { recipient: bytesOf(WALLET) }),
  transactionRow(101, 0, { ...byWallet, recipient: bytesOf(FRIEND) }),
  transactionRow(101, 1, { sender: bytesOf(SPAMMER) }),
  transactionRow(102, 0, { ...byWallet, selector: bytesOf(hex("095ea7b3")) }),
  transactionRow(102, 1, { ...byWallet, recipient: bytesOf(POOL), succeeded: 0, selector: bytesOf(hex("01020304")) }),
  transactionRow(103, 0, { ...byWallet, recipient: bytesOf(POOL), selector: bytesOf(hex("7ff36ab5")) }),
  transactionRow(104, 0, { sender: bytesOf(SPAMMER) }),
  transactionRow(105, 0, { ...byWallet, selector: bytesOf(hex("a9059cbb")) }),
  transactionRow(106, 0),
  ...Array.from({ length: MANY }, (_, i) => transactionRow(108, i)),
];

/** Ten days of one wallet: payments, a swap, calls, spam and poison, a collectible, a withdrawal, then many payments. */
export const seedScenario = async (store: TestFacts): Promise<void> => {
  await store.seed(
    { network: "demo", from: 0, to: HEAD },
    { blocks: dailyBlocks(HEAD), transfers: transferRows(), transactions: transactions() },
  );
  await store.writer.insert(
    "prices",
    Array.from({ length: HEAD - 99 }, (_, i) => [
      priceRow(USDC, dayOf(100 + i), 1),
      priceRow(WETH, dayOf(100 + i), 2_000),
    ]).flat(),
  );
  await store.writer.insert("tokens", [
    tokenRow(USDC, "USDC", 6),
    tokenRow(WETH, "WETH", 18),
    tokenRow(SCAM, "FREE", 18),
    { ...tokenRow(NFT, "ART", null), standard: "erc721" },
  ]);
  await store.writer.insert("labels", [
    {
      network: "demo",
      address: bytesOf(POOL),
      source: "test",
      label: "Pool of the story",
      category: "dex",
      entity: "",
      confidence: 0.9,
      evidence: "",
      valid_from: 0,
      licence: "",
      published_on: "",
      written_at: 1,
    },
  ]);
};
