/** A real node: coins that reach a contract after it destroyed itself are gone with it. */
import { afterAll, expect, test } from "vitest";
import type { InternalCall } from "../chains/chain.ts";
import { openEvmChain } from "../chains/evm/chain.ts";
import { networkFromConfig } from "../chains/networks/from_config.ts";
import { ethereum } from "../chains/networks/known.gen.ts";
import { type Anvil, startAnvil } from "../demo/evm/anvil.ts";
import { EMPTY, fromHex, type Hex, hex, toHex } from "../lib/bytes.ts";
import { silentLog } from "../lib/log.ts";
import { decodeBlock } from "./decode.ts";
import type { BlockRows } from "./rows.ts";

const SENDER = "f39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const HEIR = hex("0000000000000000000000000000000000000042");
/** Called with a byte it destroys itself in favour of 0x42; called without one, it accepts coins. */
const MORTAL = "36600557005b6042ff";
const MAKES_MORTAL = `68${MORTAL}60005260096017f3`;
/** CREATE with 3 wei, leaves the address on the stack. */
const CREATE = `71${MAKES_MORTAL}6000526012600e6003f0`;
/** CALL of that address with a byte, and with 2 wei. */
const KILL = "60006000600160006000855af150";
const PAY = "60006000600060006002855af150";

let anvil: Anvil | null = null;
afterAll(() => anvil?.stop());

/** Balance changes by the rows of a block; the empty address is the burnt amount. */
const changesOf = ({ transfers }: BlockRows): ReadonlyMap<Hex, bigint> => {
  const sums = new Map<Hex, bigint>();
  const add = (address: Hex, amount: bigint) => sums.set(address, (sums.get(address) ?? 0n) + amount);
  for (const { source, destination, amount } of transfers) {
    add(toHex(source), -amount);
    add(toHex(destination), amount);
  }
  return sums;
};

test("coins that reach a contract after it destroyed itself in the same transaction are burnt", async () => {
  const from = `0x${SENDER}` as const;
  anvil = await startAnvil({
    ...{ chain_id: 31_337, timestamp: 1_767_225_600, impersonate_all: true },
    genesis: { [from]: 10n ** 18n },
  });
  const signal = new AbortController().signal;
  const data = `0x${CREATE}${KILL}${PAY}00`;
  await anvil.rpc.call("eth_sendTransactionSync", { from, data, value: "0x5", gas: "0x4c4b40" });
  const chain = await openEvmChain(networkFromConfig({ id: "demo" }), { rpc: [anvil.url], log: silentLog }, signal);
  const [block] = await chain.blocks(1, 1, signal);
  if (block === undefined) throw new Error("no block");
  const rows = decodeBlock(block, chain.network, new Map());
  const changes = changesOf(rows);
  const addresses = [...changes.keys()].filter((address) => address !== "").sort();
  const [then, now] = await Promise.all([0, 1].map((at) => chain.nativeBalances(addresses, signal, at)));
  await chain.close();
  // 5 wei came in: 3 went to the heir, 2 came too late.
  expect(changes.get(HEIR)).toBe(3n);
  expect(rows.contracts.map(({ event }) => event)).toEqual(["created", "created", "destroyed"]);
  expect(addresses).toHaveLength(5);
  for (const [i, address] of addresses.entries())
    expect([address, changes.get(address)]).toEqual([address, (now?.[i] ?? -1n) - (then?.[i] ?? -1n)]);
});

const [OWNER, OLD, FRIEND] = ["a1", "c1", "f1"].map((byte) => byte.repeat(20)) as [Hex, Hex, Hex];
const bytes = (text: Hex) => fromHex(text) ?? EMPTY;
const CANCUN = 1_710_338_135;

/** An old contract destroys itself for a friend, gets 7, gives 3 of them away, and gets 1 more. */
const afterlife = (time: number): ReadonlyMap<Hex, bigint> => {
  const call = (kind: InternalCall["kind"], sender: Hex, recipient: Hex, value: bigint): InternalCall => ({
    ...{ kind, sender: bytes(sender), recipient: bytes(recipient), value, init_hash: null, code_hash: null },
  });
  const calls = [
    call("selfdestruct", OLD, FRIEND, 100n),
    call("call", OWNER, OLD, 7n),
    call("call", OLD, FRIEND, 3n),
    call("call", OWNER, OLD, 1n),
  ];
  const nothing = { hash: EMPTY, value: 0n, nonce: 0, input: EMPTY, gas_used: 0n, fee: 0n, tip: 0n, logs: [] };
  const parties = { sender: bytes(OWNER), recipient: bytes(OWNER), created_contract: null };
  const transactions = [{ index: 0, ...nothing, ...parties, succeeded: true, calls }];
  const header = { number: 1, hash: EMPTY, parent_hash: EMPTY, time, producer: EMPTY, base_fee: null };
  const block = { ...header, transactions, issuance: [], has_traces: true, verified: "none" } as const;
  return changesOf(decodeBlock(block, ethereum, new Map()));
};

test("before Cancun that held for every contract, and since then an older one keeps them", () => {
  expect([afterlife(CANCUN - 1).get(OLD), afterlife(CANCUN - 1).get("")]).toEqual([-100n, 5n]);
  expect([afterlife(CANCUN).get(OLD), afterlife(CANCUN).get("")]).toEqual([-95n, undefined]);
});
