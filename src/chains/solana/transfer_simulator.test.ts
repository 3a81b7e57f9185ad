import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeRiskWorld, type RiskName, type RiskWorld } from "../../../test/solana/risk_world.ts";
import type { Hex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import type { Chain } from "../chain.ts";
import { solana } from "../networks/known.gen.ts";
import type { OpenChain } from "../open_chain.ts";
import { parseAddress } from "./address.ts";
import { openSolanaChain } from "./chain.ts";

const UNIT = 1_000_000n;
const signal = AbortSignal.timeout(60_000);
let world: RiskWorld;
let chain: OpenChain;

beforeAll(async () => {
  world = await makeRiskWorld();
  await world.facade.start();
  const network = { ...solana, caip2: `solana:${world.facade.genesis.slice(0, 32)}` };
  chain = await openSolanaChain(
    network,
    { rpc: [world.facade.url], open_wait_ms: 5_000, log: silentLog, attempts_max: 2 },
    signal,
  );
}, 60_000);
afterAll(async () => {
  await chain?.close();
  await world?.facade.close();
});
beforeEach(() => {
  world.facade.fault = null;
});

const bytes = (text: string): Hex => parseAddress(text) ?? "";
const who = (name: RiskName): Hex => bytes(world.people[name].address);
const send = async (token: string, ...trials: readonly (readonly [RiskName, RiskName])[]) => {
  const rehearse: Chain["simulateTransfers"] = (...asked) => chain.simulateTransfers?.(...asked) ?? Promise.resolve([]);
  const asked = { token: bytes(token), trials: trials.map(([from, to]) => ({ from: who(from), to: who(to) })) };
  return (await rehearse(asked, signal)).map((one) =>
    one === null ? null : ([one.sent, one.arrived, one.failure] as const),
  );
};

test("simulates an unsigned transfer of a tenth of the balance; the fee that the token withholds does not arrive", async () => {
  // 900 and 100; 2.5 % of 90 are 2.25, of 10 they are 0.25.
  expect(await send(world.taxed, ["clea", "dora"], ["dora", "clea"])).toEqual([
    [90n * UNIT, 87_750_000n, null],
    [10n * UNIT, 9_750_000n, null],
  ]);
  // Nothing has moved: a second simulation gives the same.
  expect(await send(world.taxed, ["clea", "dora"])).toEqual([[90n * UNIT, 87_750_000n, null]]);
});

test("a frozen account cannot send, and its failure is the token program's own", async () => {
  const [frank, clea] = await send(world.dollar, ["frank", "clea"], ["clea", "dora"]);
  // 650 are left in the account that was frozen. 0x11: the account is frozen (spl-token error.rs).
  expect(frank).toEqual([65n * UNIT, null, expect.stringContaining("0x11")]);
  // Clea has 100 and 50 of Frank's.
  expect(clea).toEqual([15n * UNIT, 15n * UNIT, null]);
});

test("there is no result for an account without a balance, for an owner's only account, and for an address that is no token", async () => {
  expect(await send(world.dollar, ["gus", "clea"], ["clea", "clea"])).toEqual([null, null]);
  expect(await send(world.people.clea.address, ["clea", "dora"])).toEqual([null]);
});

test("without simulation on the node the result is unknown; if its state advanced, the amount that arrived is unknown", async () => {
  world.facade.fault = ({ method }) =>
    method === "simulateTransaction" ? { error: { code: -32_601, message: "Method not found" } } : undefined;
  expect(await send(world.taxed, ["clea", "dora"])).toEqual([null]);
  world.facade.fault = ({ method }) =>
    method === "simulateTransaction"
      ? { result: { context: { slot: 1 }, value: { err: null, logs: [], accounts: [null] } } }
      : undefined;
  expect(await send(world.taxed, ["clea", "dora"])).toEqual([[90n * UNIT, null, null]]);
});

test("a payer that cannot pay the fee shows nothing about the token, and a malformed account is the node's fault", async () => {
  const answer = (value: object) => {
    const context = { slot: world.facade.head };
    world.facade.fault = ({ method }) =>
      method === "simulateTransaction" ? { result: { context, value } } : undefined;
    return send(world.taxed, ["clea", "dora"]);
  };
  expect(await answer({ err: "InsufficientFundsForFee", logs: [], accounts: null })).toEqual([null]);
  const lie = { data: ["AAAA", "base64"], executable: false, lamports: 1, owner: "1".repeat(32), rentEpoch: 0 };
  await expect(answer({ err: null, logs: [], accounts: [lie] })).rejects.toMatchObject({
    code: "UPSTREAM_UNAVAILABLE",
  });
});
