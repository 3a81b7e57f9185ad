/** Calls with state overrides on a real node (anvil), and the traits of nodes that lack them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ReplayOptions, type ReplayServer, startReplay } from "../../../bench/replay/server.ts";
import { syntheticBlocks } from "../../../bench/replay/synthetic.ts";
import { type Anvil, startAnvil } from "../../demo/evm/anvil.ts";
import { type Hex, hex, toHex } from "../../lib/bytes.ts";
import { AssayError } from "../../lib/errors.ts";
import { silentLog } from "../../lib/log.ts";
import type { SimulatedBlock } from "../chain.ts";
import { networkFromConfig } from "../networks/from_config.ts";
import { ethereum } from "../networks/known.gen.ts";
import type { OpenChain } from "../open_chain.ts";
import { openEvmChain } from "./chain.ts";
import { simulatedBlocks } from "./simulate.ts";

const START = 1_700_000_000;
const BOX = hex("00000000000000000000000000000000000000b0");
const PLAYER = hex("00000000000000000000000000000000000000a1");
/** PUSH1 0 SLOAD PUSH1 1 ADD DUP1 PUSH1 0 SSTORE PUSH1 0 MSTORE NUMBER PUSH1 32 MSTORE TIMESTAMP PUSH1 64 MSTORE, return. */
const COUNTER = hex("60005460010180600055600052436020524260405260606000f3");
/** CALLER EXTCODESIZE PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN. */
const CODE_OF_CALLER = hex("333b60005260206000f3");
/** SELFBALANCE PUSH1 0 SLOAD ADD PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN. */
const BALANCE_AND_SLOT = hex("476000540160005260206000f3");
/** PUSH1 7 PUSH1 0 MSTORE PUSH1 32 PUSH1 0 REVERT. */
const REFUSAL = hex("600760005260206000fd");
const signal = new AbortController().signal;

const word = (value: number): Hex => hex(value.toString(16).padStart(64, "0"));
const ZERO = word(0);

let anvil: Anvil;
let chain: OpenChain;
beforeAll(async () => {
  anvil = await startAnvil({ chain_id: 31_337, timestamp: START, genesis: {} });
  chain = await openEvmChain(networkFromConfig({ id: "demo" }), { rpc: [anvil.url], log: silentLog }, signal);
});
afterAll(async () => {
  await chain.close();
  await anvil.stop();
});

test("anvil supports overrides and simulates 30 days of blocks", () => {
  expect(chain.can).toMatchObject({ overrides: true, simulations: true, simulated_blocks_max: 216_000 });
});

test("a call sees replaced code, coins and storage, and the next one does not", async () => {
  const overrides = [{ address: BOX, code: BALANCE_AND_SLOT, balance: 40n, storage: { [ZERO]: word(2) } }];
  const call = { to: BOX, data: "" as const };
  const [seen] = await chain.callOverridden({ calls: [call], overrides }, signal);
  // 40 coins and 2 in slot 0.
  expect(seen).toMatchObject({ ok: true });
  expect(toHex(seen?.data ?? new Uint8Array())).toBe(word(42));
  const [without] = await chain.call([call], signal);
  expect(without?.data).toHaveLength(0);
});

test("a call with a value needs a sender that has the coins", async () => {
  const pays = { to: BOX, data: "" as const, from: PLAYER, value: 5n };
  const rich = [
    { address: PLAYER, balance: 10n ** 18n },
    { address: BOX, code: BALANCE_AND_SLOT },
  ];
  const [paid] = await chain.callOverridden({ calls: [pays], overrides: rich }, signal);
  expect(toHex(paid?.data ?? new Uint8Array())).toBe(word(5));
});

const played = (
  calls: SimulatedBlock["calls"],
  number: number,
  overrides: SimulatedBlock["overrides"] = [],
): SimulatedBlock => ({
  number,
  time: START + 12 * number,
  overrides,
  calls,
});

test("a write in one simulated block is visible 299 blocks later and nowhere else", async () => {
  const call = { to: BOX, data: "" as const, from: PLAYER };
  const blocks = [played([call, call], 1, [{ address: BOX, code: COUNTER }]), played([call], 2), played([call], 301)];
  const results = await chain.simulate(blocks, signal, 0);
  const said = results.map((calls) => calls.map(({ data }) => toHex(data)));
  expect(said).toEqual([
    [word(1) + word(1) + word(START + 12), word(2) + word(1) + word(START + 12)],
    [word(3) + word(2) + word(START + 24)],
    [word(4) + word(301) + word(START + 3_612)],
  ]);
  // 21,000 of every transaction, 20,000 for the first write to a slot.
  expect(results[0]?.[0]?.gas_used).toBeGreaterThan(41_000);
  expect((await chain.account(BOX, signal)).code).toHaveLength(0);
});

test("a simulated sender has no code, also for the contract that it calls", async () => {
  const blocks = [played([{ to: BOX, data: "", from: PLAYER }], 1, [{ address: BOX, code: CODE_OF_CALLER }])];
  const [[seen] = []] = await chain.simulate(blocks, signal, 0);
  expect(toHex(seen?.data ?? new Uint8Array())).toBe(ZERO);
});

test("the called code sees the base fee that a valid transaction pays", async () => {
  // BASEFEE PUSH1 0 MSTORE PUSH1 32 PUSH1 0 RETURN.
  const code = hex("4860005260206000f3");
  const rich = [
    { address: BOX, code },
    { address: PLAYER, balance: 10n ** 18n },
  ];
  const call = { to: BOX, data: "" as const, from: PLAYER, gas: 100_000, gas_price: 5n };
  const block = { ...played([call], 1, rich), base_fee: 5n };
  const [[seen] = []] = (await chain.simulateValid?.([block], signal, 0)) ?? [];
  expect(toHex(seen?.data ?? new Uint8Array())).toBe(word(5));
});

test("a simulated call that fails is a result with its payload", async () => {
  const blocks = [played([{ to: BOX, data: "", from: PLAYER }], 1, [{ address: BOX, code: REFUSAL }])];
  const [[refused] = []] = await chain.simulate(blocks, signal, 0);
  expect(refused?.ok).toBe(false);
  expect(toHex(refused?.data ?? new Uint8Array())).toBe(word(7));
});

test("blocks that the node fills in are omitted, and a missing block is the node's fault", () => {
  const empty = { gasUsed: "0x0", calls: [] };
  const calls = [{ status: "0x1", returnData: "0x2a", gasUsed: "0x5208", logs: [] }];
  const asked = [played([{ to: BOX, data: "" }], 3)];
  const answer = [
    { ...empty, number: "0x2" },
    { number: "0x3", calls },
  ];
  expect(simulatedBlocks(answer, asked)).toEqual([[{ ok: true, data: Buffer.from("2a", "hex"), gas_used: 21_000 }]]);
  expect(() => simulatedBlocks([{ ...empty, number: "0x2" }], asked)).toThrow("a played block lacks calls");
});

test("the payload of a revert is found in the error, where geth puts it", () => {
  const calls = [{ status: "0x0", returnData: "0x", gasUsed: "0x5208", error: { code: 3, data: "0x08c379a0" } }];
  const [[refused] = []] = simulatedBlocks([{ number: "0x3", calls }], [played([{ to: BOX, data: "" }], 3)]);
  expect(refused).toEqual({ ok: false, data: Buffer.from("08c379a0", "hex"), gas_used: 21_000 });
});

const openOn = async (options: Partial<ReplayOptions>): Promise<{ poor: OpenChain; replay: ReplayServer }> => {
  const replay = await startReplay({
    blocks: syntheticBlocks({ shape: "transfers", count: 2 }),
    chain_id: 1,
    ...options,
  });
  const poor = await openEvmChain(ethereum, { rpc: [replay.url], log: silentLog, attempts_max: 2 }, signal);
  return { poor, replay };
};

test.each([
  ["lacks both", {}],
  // The node returns nothing to every call, as nodes do that ignore the third parameter.
  ["ignores state overrides", { state: (method: string) => (method === "eth_call" ? "0x" : undefined) }],
])(
  "a node that %s supports neither, and a call to it fails instead of returning an empty answer",
  async (_, options) => {
    const { poor, replay } = await openOn(options);
    expect(poor.can).toMatchObject({ overrides: false, simulations: false, simulated_blocks_max: 0 });
    const asked = { calls: [{ to: BOX, data: "" as const }], overrides: [{ address: BOX, code: COUNTER }] };
    for (const answer of [poor.callOverridden(asked, signal), poor.simulate([played(asked.calls, 3)], signal, 2)]) {
      const error: unknown = await answer.catch((thrown: unknown) => thrown);
      expect(error instanceof AssayError && error.code).toBe("UPSTREAM_UNAVAILABLE");
    }
    await poor.close();
    await replay.close();
  },
);
