// Blocks decoded per second of processor time: mainnet-shaped blocks (200 transactions, 357 logs, 60 inner calls with value).
// node dist/bench/decode.js
import type { Block, EventLog, Transaction } from "../src/chains/chain.ts";
import { ethereum } from "../src/chains/networks/known.gen.ts";
import { decodeBlock } from "../src/indexer/decode.ts";
import { topicOf } from "../src/protocols/protocol.ts";
import { venuesOf } from "../src/protocols/venues.ts";

const BLOCKS = 300;
const ROUNDS = 5;
const TRANSACTIONS = 200;
const LOGS = 357;
const CALLS = 60;

/** Linear congruential numbers (Numerical Recipes): the same blocks at every run. */
const randomOf = (seed: number) => {
  let state = seed;
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state;
  };
};
const random = randomOf(1);
const bytes = (length: number): Uint8Array => Uint8Array.from({ length }, () => random() >>> 24);
const address = (): Uint8Array => bytes(20);
const word = (value: Uint8Array): Uint8Array => {
  const padded = new Uint8Array(32);
  padded.set(value, 32 - value.length);
  return padded;
};
const words = (count: number): Uint8Array => Buffer.concat(Array.from({ length: count }, () => word(bytes(10))));

/** Event, indexed addresses, words of data, and its share of all logs in per cent (17053184 and its neighbours). */
const EVENTS: readonly (readonly [string, number, number, number])[] = [
  ["Transfer(address,address,uint256)", 2, 1, 55],
  ["Approval(address,address,uint256)", 2, 1, 12],
  ["Sync(uint112,uint112)", 0, 2, 7],
  ["Swap(address,uint256,uint256,uint256,uint256,address)", 2, 4, 7],
  ["Swap(address,address,int256,int256,uint160,uint128,int24)", 2, 5, 4],
  ["Deposit(address,uint256)", 1, 1, 4],
  ["Something(address,uint256)", 1, 2, 11],
];
const DECK = EVENTS.flatMap((event) => Array.from({ length: event[3] }, () => event));

const logOf = (index: number): EventLog => {
  const [event, indexed, count] = DECK[random() % DECK.length] ?? ["Transfer(address,address,uint256)", 2, 1, 0];
  const data = new Uint8Array(words(count));
  if (count === 5) data.fill(0, 128, 160); // tick 0
  const topics = [topicOf(event), ...Array.from({ length: indexed }, () => word(address()))];
  return { address: address(), topics, data, index };
};

const transactionOf = (index: number, logs: readonly EventLog[]): Transaction => ({
  index,
  hash: bytes(32),
  sender: address(),
  recipient: address(),
  value: index % 3 === 0 ? 10n ** 18n : 0n,
  nonce: index,
  input: bytes(68),
  succeeded: true,
  gas_used: 100_000n,
  fee: 2n * 10n ** 15n,
  tip: 10n ** 14n,
  created_contract: null,
  logs,
  calls: Array.from({ length: index < CALLS ? 1 : 0 }, () => ({
    kind: "call" as const,
    sender: address(),
    recipient: address(),
    value: 1n,
    init_hash: null,
    code_hash: null,
  })),
});

const blockOf = (number: number): Block => {
  const logs = Array.from({ length: LOGS }, (_, index) => logOf(index));
  const share = (index: number) => logs.filter((log) => log.index % TRANSACTIONS === index);
  return {
    number,
    hash: bytes(32),
    parent_hash: bytes(32),
    time: 1_700_000_000 + number * 12,
    producer: address(),
    base_fee: 1n,
    issuance: Array.from({ length: 16 }, () => ({ kind: "withdrawal" as const, address: address(), amount: 1n })),
    has_traces: true,
    verified: "none",
    transactions: Array.from({ length: TRANSACTIONS }, (_, index) => transactionOf(index, share(index))),
  };
};

const blocks = Array.from({ length: BLOCKS }, (_, number) => blockOf(number));
const venues = venuesOf(ethereum.id);
for (let round = 0; round < ROUNDS; round += 1) {
  const start = process.cpuUsage();
  let rows = 0;
  for (const block of blocks) rows += decodeBlock(block, ethereum, venues).transfers.length;
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1_000_000;
  process.stdout.write(`${Math.round(BLOCKS / seconds)} blocks/s, ${Math.round(rows / seconds)} transfers/s\n`);
}
