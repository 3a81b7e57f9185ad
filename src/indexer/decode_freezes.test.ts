import { expect, test } from "vitest";
import { ALICE, BOB, bytes, logOf, readable } from "../../test/sample_logs.ts";
import type { EventLog, Network, Transaction } from "../chains/chain.ts";
import { ISSUER_FAMILIES } from "../labels/issuers/families.ts";
import { EMPTY, hex } from "../lib/bytes.ts";
import { decodeBlock } from "./decode.ts";

const COIN = hex("c0".repeat(20));
const OTHER = hex("0d".repeat(20));

const networkWith = (families: readonly string[]): Network => ({
  id: "somewhere",
  name: "Somewhere",
  family: "evm",
  chain_id: 7,
  caip2: "eip155:7",
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: null,
  stablecoins: [],
  freezes: [{ symbol: "COIN", address: COIN, families, decimals: 6, start_block: null }],
  finality_blocks: 64,
  block_seconds: 12,
  multicall: null,
  ens: null,
});

const decode = (families: readonly string[], logs: readonly Omit<EventLog, "index">[]) => {
  const transaction: Transaction = {
    index: 0,
    hash: bytes("ab".repeat(32)),
    sender: bytes(ALICE),
    recipient: bytes(COIN),
    value: 0n,
    nonce: 5,
    input: EMPTY,
    succeeded: true,
    gas_used: 21_000n,
    fee: 0n,
    tip: 0n,
    created_contract: null,
    logs: logs.map((log, index) => ({ ...log, index })),
    calls: [],
  };
  const block = {
    number: 100,
    hash: bytes("0b".repeat(32)),
    parent_hash: bytes("0a".repeat(32)),
    time: 1_700_000_000,
    producer: bytes(OTHER),
    base_fee: 7n,
    issuance: [],
    has_traces: true,
    verified: "none" as const,
    transactions: [transaction],
  };
  return decodeBlock(block, networkWith(families), new Map()).freeze_events.map(readable);
};

/** An event of the coin: addresses of `topics` indexed, `data` as words. */
const emitted = (event: string, topics: readonly string[], data: readonly (string | number)[], address = COIN) => {
  const words = data.map((word) => (typeof word === "number" ? word.toString(16) : word).padStart(64, "0"));
  return { ...logOf(event, [...topics], []), data: bytes(words.join("")), address: bytes(address) };
};

test("each layout yields its account, effect and amount", () => {
  const one = (family: string, log: Omit<EventLog, "index">) => decode([family], [log]);
  expect(one("tether_legacy", emitted("AddedBlackList(address)", [], [ALICE]))).toMatchObject([
    { token: COIN, account: ALICE, effect: "freeze", amount: null, block_number: 100, log_index: 0 },
  ]);
  expect(one("tether_legacy", emitted("DestroyedBlackFunds(address,uint256)", [], [ALICE, 5]))).toMatchObject([
    { account: ALICE, effect: "destroy", amount: 5n },
  ]);
  expect(one("tether_new", emitted("DestroyedBlockedFunds(address,uint256)", [ALICE], [7]))).toMatchObject([
    { account: ALICE, effect: "destroy", amount: 7n },
  ]);
  expect(one("dual_index", emitted("Freeze(address,address)", [BOB, ALICE], []))).toMatchObject([
    { account: ALICE, effect: "freeze" },
  ]);
  expect(
    one("dual_index", emitted("FrozenFundsReallocated(address,address,address,uint256)", [BOB, ALICE, OTHER], [9])),
  ).toMatchObject([{ account: ALICE, effect: "seize", amount: 9n }]);
  expect(one("ripple", emitted("AccountUnpaused(address)", [], [ALICE]))).toMatchObject([
    { account: ALICE, effect: "unfreeze" },
  ]);
});

test("a flag turns TrueUSD's one event into its opposite", () => {
  const event = "Blacklisted(address,bool)";
  expect(decode(["trueusd"], [emitted(event, [ALICE], [1]), emitted(event, [ALICE], [0])])).toMatchObject([
    { account: ALICE, effect: "freeze" },
    { account: ALICE, effect: "unfreeze" },
  ]);
});

test("a list in the data yields a row for every account", () => {
  // Offset 32, length 2, two addresses.
  expect(decode(["batch_blocked"], [emitted("AccountsBlocked(address[])", [], [32, 2, ALICE, BOB])])).toMatchObject([
    { account: ALICE, effect: "freeze" },
    { account: BOB, effect: "freeze" },
  ]);
  expect(decode(["batch_blocked"], [emitted("AccountsBlocked(address[])", [], [32, 0])])).toEqual([]);
});

test("the same topic is read in the layout of the coin's family only", () => {
  const indexed = emitted("AccountFrozen(address)", [ALICE], []);
  const inData = emitted("AccountFrozen(address)", [], [ALICE]);
  expect(decode(["agora"], [indexed])).toMatchObject([{ account: ALICE, effect: "freeze" }]);
  expect(decode(["frax"], [inData])).toMatchObject([{ account: ALICE, effect: "freeze" }]);
  // An event that the registry cannot read must not be dropped silently.
  expect(decode(["frax"], [indexed])).toMatchObject([{ account: "", effect: "unreadable" }]);
  expect(decode(["agora"], [inData])).toMatchObject([{ account: "", effect: "unreadable" }]);
});

test("broken layouts are unreadable: a short list, a word that is no address, a value too many", () => {
  const unreadable = [{ account: "", effect: "unreadable", amount: null }];
  const list = "AccountsBlocked(address[])";
  expect(decode(["batch_blocked"], [emitted(list, [], [32, 3, ALICE, BOB])])).toMatchObject(unreadable);
  expect(decode(["batch_blocked"], [emitted(list, [], [32, "ff".repeat(32)])])).toMatchObject(unreadable);
  expect(decode(["ripple"], [emitted("AccountPaused(address)", [], ["ff".repeat(32)])])).toMatchObject(unreadable);
  expect(decode(["ripple"], [emitted("AccountPaused(address)", [], [ALICE, 1])])).toMatchObject(unreadable);
  expect(decode(["ripple"], [emitted("AccountPaused(address)", [], [])])).toMatchObject(unreadable);
});

test("other contracts and other events freeze no account", () => {
  expect(decode(["circle"], [emitted("Blacklisted(address)", [ALICE], [], OTHER)])).toEqual([]);
  expect(decode(["circle"], [emitted("AddedBlackList(address)", [], [ALICE])])).toEqual([]);
  expect(decode([], [emitted("Blacklisted(address)", [ALICE], [])])).toEqual([]);
});

test("no bytes make decoding throw, whatever the event", () => {
  const shapes: readonly [readonly string[], readonly (string | number)[]][] = [
    [[], []],
    [[ALICE], []],
    [[ALICE, BOB], [1]],
    [
      [ALICE, BOB, OTHER],
      ["ff".repeat(32), "ff".repeat(32)],
    ],
    [[], [32, "ff".repeat(32), 1]],
  ];
  for (const { id, events } of ISSUER_FAMILIES) {
    for (const { signature } of events) {
      for (const [topics, data] of shapes) {
        expect(() => decode([id], [emitted(signature, topics, data)]), signature).not.toThrow();
      }
    }
  }
});
