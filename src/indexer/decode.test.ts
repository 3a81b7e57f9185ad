import { expect, test } from "vitest";
import { ALICE, BOB, bytes, logOf, readable, ZERO_ADDRESS } from "../../test/sample_logs.ts";
import type { Block, EventLog, InternalCall, Network, Transaction } from "../chains/chain.ts";
import { EMPTY, hex, keccak256, toHex } from "../lib/bytes.ts";
import { venuesOf } from "../protocols/venues.ts";
import { decodeBlock } from "./decode.ts";
import type { BlockRows } from "./rows.ts";

const WETH = hex("11".repeat(20));
const MINER = "99".repeat(20);
const CHILD = hex("c1".repeat(20));
const FACTORY = hex("f2".repeat(20));
const POOL = "cc".repeat(20);
const LOGS = 1_048_576;

const network: Network = {
  id: "somewhere",
  name: "Somewhere",
  family: "evm",
  chain_id: 7,
  caip2: "eip155:7",
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: WETH,
  stablecoins: [],
  finality_blocks: 64,
  block_seconds: 12,
  multicall: null,
  ens: null,
};

const transactionOf = (some: Partial<Transaction>): Transaction => ({
  index: 0,
  hash: bytes("ab".repeat(32)),
  sender: bytes(ALICE),
  recipient: bytes(BOB),
  value: 0n,
  nonce: 5,
  input: EMPTY,
  succeeded: true,
  gas_used: 21_000n,
  fee: 0n,
  tip: 0n,
  created_contract: null,
  logs: [],
  calls: [],
  ...some,
});

const blockOf = (transactions: readonly Partial<Transaction>[], some: Partial<Block> = {}): Block => ({
  number: 100,
  hash: bytes("0b".repeat(32)),
  parent_hash: bytes("0a".repeat(32)),
  time: 1_700_000_000,
  producer: bytes(MINER),
  base_fee: 7n,
  issuance: [],
  has_traces: true,
  verified: "none",
  transactions: transactions.map((transaction, index) => transactionOf({ index, ...transaction })),
  ...some,
});

const call = (some: Partial<InternalCall>): InternalCall => ({
  kind: "call",
  sender: bytes(BOB),
  recipient: bytes(ALICE),
  value: 0n,
  init_hash: null,
  code_hash: null,
  ...some,
});

const decode = (transactions: readonly Partial<Transaction>[], fork: Partial<Network> = {}): BlockRows =>
  decodeBlock(blockOf(transactions), { ...network, ...fork }, new Map());

/** Position, kind, from, to and amount of a transfer. */
const moves = ({ transfers }: BlockRows) =>
  transfers.map(({ position, kind, source, destination, amount }) => [
    position,
    kind,
    toHex(source),
    toHex(destination),
    amount,
  ]);

const emitted = (address: string, index: number, log: EventLog): EventLog => ({
  ...log,
  address: bytes(address),
  index,
});

test("value, inner calls, tip and the rest of the fee have their positions", () => {
  const calls = [call({}), call({ value: 3n })];
  const rows = decode([{ value: 10n, fee: 9n, tip: 2n, calls, input: bytes("a9059cbb00") }]);
  expect(moves(rows)).toEqual([
    [0, "native", ALICE, BOB, 10n],
    [2, "internal", BOB, ALICE, 3n],
    [4_294_967_294, "tip", ALICE, MINER, 2n],
    [4_294_967_295, "fee", ALICE, "", 7n],
  ]);
  expect(rows.transactions.map(readable)).toMatchObject([
    { selector: "a9059cbb", created: "", succeeded: 1, nonce: 5 },
  ]);
});

test("of a failed transaction only fee and tip move", () => {
  const logs = [logOf("Transfer(address,address,uint256)", [ALICE, BOB], [5])];
  const failed = { succeeded: false, value: 10n, fee: 9n, tip: 9n, logs, calls: [call({ value: 3n })] };
  const rows = decode([{ ...failed, recipient: null, created_contract: bytes(CHILD) }]);
  expect(moves(rows)).toEqual([[4_294_967_294, "tip", ALICE, MINER, 9n]]);
  expect(rows.contracts).toEqual([]);
  expect(rows.transactions.map(readable)).toMatchObject([{ succeeded: 0, recipient: "", created: "" }]);
});

test("a deposit's coins come from the void to its sender, also if it failed", () => {
  const mint = [4_294_967_292, "native", "", ALICE, 7n];
  expect(moves(decode([{ minted: 7n, value: 5n }]))).toEqual([[0, "native", ALICE, BOB, 5n], mint]);
  expect(moves(decode([{ minted: 7n, value: 9n, succeeded: false }]))).toEqual([mint]);
});

test("movements without a log come after all logs, and a failed transaction has none", () => {
  const token = bytes("31303032303030"); // the text 1002000, as TRC-10 names a token
  const kept = [
    { kind: "trc10" as const, token, source: bytes(ALICE), destination: bytes(BOB), amount: 8n },
    { kind: "native" as const, token: EMPTY, source: bytes(ALICE), destination: EMPTY, amount: 0n },
    { kind: "withdrawal" as const, token: EMPTY, source: EMPTY, destination: bytes(ALICE), amount: 3n },
  ];
  const logs = [logOf("Transfer(address,address,uint256)", [ALICE, BOB], [5])];
  expect(moves(decode([{ logs, moves: kept }], { token_kind: "trc20" }))).toEqual([
    [LOGS, "trc20", ALICE, BOB, 5n],
    [2_147_483_648, "trc10", ALICE, BOB, 8n],
    [2_147_483_650, "withdrawal", "", ALICE, 3n],
  ]);
  expect(moves(decode([{ logs, moves: kept, succeeded: false }]))).toEqual([]);
});

test("issuance comes after all transactions, and a negative amount is taken", () => {
  const issuance = [
    { kind: "withdrawal" as const, address: bytes(BOB), amount: 32n },
    { kind: "reward" as const, address: bytes(MINER), amount: 2n },
    { kind: "reward" as const, address: bytes(BOB), amount: -5n },
  ];
  const rows = decodeBlock(blockOf([], { issuance }), network, new Map());
  expect(rows.transfers.map(readable)).toMatchObject([
    {
      tx_index: 4_294_967_295,
      position: 0,
      kind: "withdrawal",
      source: "",
      destination: BOB,
      amount: 32n,
    },
    { tx_index: 4_294_967_295, position: 1, kind: "reward", source: "", destination: MINER, amount: 2n },
    { tx_index: 4_294_967_295, position: 2, kind: "fee", source: BOB, destination: "", amount: 5n },
  ]);
});

test("contracts have the transaction or the contract that created them", () => {
  const input = bytes("6000");
  const inner = call({ kind: "create2", recipient: bytes(CHILD), init_hash: bytes("aa"), code_hash: bytes("bb") });
  const rows = decode([{ recipient: null, created_contract: bytes(BOB), input, value: 4n, calls: [inner] }]);
  const place = { event: "created", creator: ALICE };
  expect(rows.contracts.map(readable)).toMatchObject([
    {
      ...place,
      address: BOB,
      position: 0,
      method: "create",
      factory: "",
      init_hash: toHex(keccak256(input)),
      code_hash: "",
    },
    { ...place, address: CHILD, position: 1, method: "create2", factory: BOB, init_hash: "aa", code_hash: "bb" },
  ]);
  expect(moves(rows)).toEqual([[0, "native", ALICE, BOB, 4n]]);
});

const FORK_TIME = { selfdestruct_keeps_code_from: 1_700_000_000 };
const suicide = call({ kind: "selfdestruct", sender: bytes(CHILD), recipient: bytes(BOB), value: 6n });
const birth = call({ kind: "create", recipient: bytes(CHILD) });

test.each([
  ["an old contract after the fork keeps its code", FORK_TIME, [suicide], []],
  [
    "an old contract before the fork is gone",
    { selfdestruct_keeps_code_from: 1_700_000_001 },
    [suicide],
    ["destroyed"],
  ],
  ["a contract of the same transaction is gone", FORK_TIME, [birth, suicide], ["created", "destroyed"]],
  ["if the fork is unknown the event is kept", {}, [suicide], ["destroyed"]],
])("self-destruct: %s", (_name, fork, calls, events) => {
  const rows = decode([{ calls }], fork);
  expect(rows.contracts.map(({ event }) => event)).toEqual(events);
  expect(moves(rows)).toEqual([[calls.length, "internal", CHILD, BOB, 6n]]);
});

test("coins that a dying contract leaves to itself are burnt", () => {
  const rows = decode([{ calls: [birth, { ...suicide, recipient: bytes(CHILD) }] }], FORK_TIME);
  expect(moves(rows)).toEqual([[2, "internal", CHILD, "", 6n]]);
});

test("a wrap counts if the network's own wrapped coin emits it", () => {
  const logs = [
    emitted(WETH, 0, logOf("Deposit(address,uint256)", [ALICE], [5])),
    emitted(POOL, 1, logOf("Deposit(address,uint256)", [ALICE], [5])),
    emitted(WETH, 2, logOf("Withdrawal(address,uint256)", [BOB], [4])),
  ];
  expect(moves(decode([{ logs }]))).toEqual([
    [LOGS, "wrap", "", ALICE, 5n],
    [LOGS + 2, "wrap", BOB, "", 4n],
  ]);
});

test("destroyed funds leave their holder once, with and without a Transfer", () => {
  const destruction = logOf("DestroyedBlackFunds(address,uint256)", [], [ALICE, 6]);
  const burn = logOf("Transfer(address,address,uint256)", [ALICE, ZERO_ADDRESS], [6]);
  const alone = decode([{ logs: [emitted(CHILD, 0, destruction)] }]);
  expect(moves(alone)).toEqual([[LOGS, "erc20", ALICE, "", 6n]]);
  const told_twice = decode([{ logs: [emitted(CHILD, 0, burn), emitted(CHILD, 1, destruction)] }]);
  expect(moves(told_twice)).toEqual([[LOGS, "erc20", ALICE, "", 6n]]);
});

test("a wrap with a mint or burn of the same coin is one movement", () => {
  const mint = logOf("Transfer(address,address,uint256)", [ZERO_ADDRESS, ALICE], [5]);
  const deposit = logOf("Deposit(address,uint256)", [ALICE], [5]);
  const logs = [
    emitted(WETH, 0, deposit),
    emitted(WETH, 1, mint),
    emitted(WETH, 2, deposit), // a second one, without a Transfer of its own
    emitted(WETH, 3, logOf("Withdrawal(address,uint256)", [BOB], [4])),
    emitted(WETH, 4, logOf("Transfer(address,address,uint256)", [BOB, ZERO_ADDRESS], [4])),
  ];
  expect(moves(decode([{ logs }]))).toEqual([
    [LOGS + 1, "erc20", "", ALICE, 5n],
    [LOGS + 2, "wrap", "", ALICE, 5n],
    [LOGS + 4, "erc20", BOB, "", 4n],
  ]);
});

test("a pool belongs to a venue only if that venue's factory announced it", () => {
  const created = logOf("PairCreated(address,address,address,uint256)", [ALICE, BOB], [POOL, 1]);
  const own = [
    { venue: "demo_v2", family: "uniswap_v2" as const, network: network.id, factory: FACTORY, fee_ppm: 3000 },
  ];
  const logs = [emitted(FACTORY, 0, created), emitted(CHILD, 1, created)];
  const { pools } = decodeBlock(blockOf([{ logs }]), network, venuesOf(network.id, own));
  expect(pools.map(readable)).toMatchObject([
    { pool: POOL, family: "uniswap_v2", venue: "demo_v2", factory: FACTORY, fee_ppm: 3000, creator: ALICE },
    { pool: POOL, family: "uniswap_v2", venue: "", factory: CHILD, fee_ppm: 0, creator: ALICE },
  ]);
});

test("approvals name the contract that granted them", () => {
  const logs = [
    emitted(WETH, 0, logOf("Approval(address,address,uint256)", [ALICE, BOB], [9])),
    emitted(CHILD, 1, logOf("OwnershipTransferred(address,address)", [ALICE, BOB], [])),
  ];
  const rows = decode([{ logs }]);
  expect(rows.approvals.map(readable)).toMatchObject([
    { owner: ALICE, token: WETH, spender: BOB, kind: "erc20", amount: 9n },
  ]);
  expect(rows.ownership_events.map(readable)).toMatchObject([
    { contract: CHILD, kind: "ownership", previous: ALICE, current: BOB, log_index: 1 },
  ]);
});

test("a pair of a pool of several tokens is accepted only from its own contract or from a listed vault", () => {
  const [ID, TOKEN0, TOKEN1] = ["dd".repeat(32), "0a".repeat(20), "0b".repeat(20)];
  const swap = logOf("Swap(bytes32,address,address,uint256,uint256)", [ID, TOKEN0, TOKEN1], [100, 50]);
  const exchange = logOf("TokenExchange(address,int128,uint256,int128,uint256)", [ALICE], [0, 100, 1, 99]);
  const own = [
    { venue: "vaulted", family: "balancer_v2" as const, network: network.id, factory: FACTORY, fee_ppm: null },
  ];
  const logs = [
    { ...swap, address: bytes(FACTORY) },
    { ...swap, address: bytes(CHILD), index: 1 },
    { ...exchange, address: bytes(POOL), index: 2 },
  ];
  const { swaps } = decodeBlock(blockOf([{ logs }]), network, venuesOf(network.id, own));
  expect(swaps.map(readable)).toMatchObject([
    { pool: ID + TOKEN0 + TOKEN1, log_index: 0, trader: ALICE, caller: "", amount0: 100n, amount1: -50n },
    { pool: `${POOL}0001`, log_index: 2, trader: ALICE, caller: ALICE, amount0: 100n, amount1: -99n },
  ]);
});
