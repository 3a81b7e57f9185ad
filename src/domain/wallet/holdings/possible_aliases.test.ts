/** Two contracts before one store of balances, and two that merely have equal ones, on a real node (anvil). */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEvmChain } from "../../../chains/evm/chain.ts";
import { networkFromConfig } from "../../../chains/networks/from_config.ts";
import type { OpenChain } from "../../../chains/open_chain.ts";
import { type Anvil, startAnvil } from "../../../demo/evm/anvil.ts";
import { projectCode } from "../../../demo/evm/artifacts.ts";
import { ADDRESSES } from "../../../demo/evm/characters.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../../demo/evm/scenario_chain.ts";
import { type Hex, hex } from "../../../lib/bytes.ts";
import { silentLog } from "../../../lib/log.ts";
import type { SnapshotContext } from "../../context.ts";
import { warnOfAliases } from "./possible_aliases.ts";

const START = Date.UTC(2026, 7, 1) / 1000;
const signal = new AbortController().signal;
const MINT = "mint(address,uint256)";

let anvil: Anvil;
let stage: EvmScenarioChain;
let chain: OpenChain;
let scope: SnapshotContext;

const plain = (name: string): Hex => hex(stage.address(name).slice(2).toLowerCase());

beforeAll(async () => {
  const genesis = Object.fromEntries(Object.values(ADDRESSES).map((address) => [address, 10n ** 21n]));
  anvil = await startAnvil({ chain_id: 31_337, timestamp: START, genesis, impersonate_all: true });
  stage = openScenarioChain(anvil.rpc, "demo", START);
  for (const store of ["one_store", "other_store"])
    await stage.create(store, { from: "alice", code: projectCode("BalanceStore") });
  for (const [face, store] of [
    ["first", "one_store"],
    ["second", "one_store"],
    ["stranger", "other_store"],
  ] as const) {
    await stage.create(face, { from: "alice", code: projectCode("StoreFace"), args: ["address", [`@${store}`]] });
  }
  for (const store of ["one_store", "other_store"])
    await stage.act({ from: "alice", to: store, call: [MINT, ["@bob", 700n]] });
  chain = await openEvmChain(networkFromConfig({ id: "demo" }), { rpc: [anvil.url], log: silentLog }, signal);
  const block = await chain.head(signal);
  scope = {
    chain,
    signal,
    snapshot: { network: "demo", block } as unknown as SnapshotContext["snapshot"], // only the block is read
    get facts(): never {
      throw new Error("aliases are found without facts");
    },
  };
});
afterAll(async () => {
  await chain.close();
  await anvil.stop();
});

const held = (...names: readonly string[]) =>
  names.map((name) => ({ token: plain(name), amount: 700n, last_block: scope.snapshot.block.number - 1 }));

test("two contracts before one store are reported as possibly one holding", async () => {
  const warnings = await warnOfAliases(scope, plain("bob"), held("first", "second"));
  expect(warnings.map(({ code }) => code)).toEqual(["POSSIBLE_ALIAS"]);
  for (const name of ["first", "second"]) expect(warnings[0]?.message).toContain(stage.address(name));
});

test("equal balances and supplies of contracts that share nothing are no alias", async () => {
  expect(await warnOfAliases(scope, plain("bob"), held("first", "stranger"))).toEqual([]);
});

test("a wallet whose balances differ at the node has no aliases", async () => {
  await stage.act({ from: "alice", to: "other_store", call: [MINT, ["@carol", 1n]] });
  expect(await warnOfAliases(scope, plain("bob"), held("second", "stranger"))).toEqual([]);
});
