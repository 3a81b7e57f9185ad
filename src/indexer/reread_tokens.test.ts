/** A token that renames itself and a proxy that is upgraded, on a real node (anvil). */
import { encodeFunctionData, parseAbi } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { openEvmChain } from "../chains/evm/chain.ts";
import { networkFromConfig } from "../chains/networks/from_config.ts";
import type { OpenChain } from "../chains/open_chain.ts";
import { type Anvil, startAnvil } from "../demo/evm/anvil.ts";
import { projectCode } from "../demo/evm/artifacts.ts";
import { ADDRESSES } from "../demo/evm/characters.ts";
import { type EvmScenarioChain, openScenarioChain } from "../demo/evm/scenario_chain.ts";
import type { SnapshotContext } from "../domain/context.ts";
import { candidatesOn } from "../domain/token/market/candidates.ts";
import { metadataAt, metadataOf } from "../domain/token/metadata/metadata.ts";
import { knownRegistry } from "../domain/token/metadata/registry.ts";
import { requestReread } from "../domain/token/metadata/rereads.ts";
import { faceReasons } from "../domain/token/metadata/spam.ts";
import { readTokenMetadata } from "../domain/token/metadata/subject.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import { silentLog } from "../lib/log.ts";
import { DAY_S } from "../lib/time.ts";
import { decodeBlock } from "./decode.ts";
import { newsOf } from "./encoded.ts";
import { openEnricher } from "./enrich.ts";
import type { Enrich } from "./options.ts";
import { type BlockRows, emptyRows, joinRows } from "./rows.ts";

const START = Date.UTC(2026, 7, 1) / 1000;
const signal = new AbortController().signal;
const RENAME = "rename(string,string,uint8)";
const MINT = "mint(address,uint256)";

let anvil: Anvil;
let stage: EvmScenarioChain;
let chain: OpenChain;
let store: TestFacts;
let enrich: Enrich;
let next = 0;
const all: BlockRows = emptyRows();

const plain = (name: string): Hex => hex(stage.address(name).slice(2).toLowerCase());

/** Reads the new blocks one by one, as the indexer follows the head. */
const follow = async (): Promise<number> => {
  const { number } = await chain.head(signal);
  for (; next <= number; next += 1) {
    const [block] = await chain.blocks(next, next, signal);
    if (block === undefined) throw new Error(`no block ${next}`);
    const rows = decodeBlock(block, chain.network, new Map());
    await enrich({ from: next, to: next }, newsOf(rows, "skip"), signal);
    joinRows(all, rows);
  }
  return number;
};

const rename = (token: string, name: string, symbol: string, decimals: number) =>
  stage.act({ from: "alice", to: token, call: [RENAME, [name, symbol, decimals]] });
const mint = (token: string) => stage.act({ from: "alice", to: token, call: [MINT, ["@bob", 1_000n]] });

/** Blocks at which something changed. */
const blocks = { upgraded: 0, before_rename: 0, renamed: 0, last: 0 };

const play = async (): Promise<void> => {
  const { at } = stage;
  at(START + 100);
  for (const token of ["alpha", "gamma", "first_code"])
    await stage.create(token, { from: "alice", code: projectCode("RenamingToken") });
  await stage.create("second_code", { from: "alice", code: projectCode("NamedToken") });
  const setup = encodeFunctionData({
    abi: parseAbi([`function ${RENAME}`]),
    args: ["Beta Coin", "BETA", 6],
  });
  await stage.create("beta", {
    ...{ from: "alice", code: projectCode("Proxy") },
    args: ["address,address,bytes", ["@first_code", "@oscar", setup]],
  });
  await rename("alpha", "Alpha", "ALPHA", 18);
  await rename("gamma", "Gamma", "GAMMA", 18);
  for (const token of ["alpha", "beta", "gamma"]) await mint(token);
  await follow();
  await stage.act({ from: "oscar", to: "beta", call: ["upgradeTo(address)", ["@second_code"]] });
  blocks.upgraded = await follow();
  // Without an event: the schedule finds it when the token moves a day later.
  await rename("alpha", "USD Coin", "USDC", 18);
  await mint("alpha");
  blocks.before_rename = await follow();
  at(START + 2 * DAY_S);
  await mint("alpha");
  blocks.renamed = await follow();
  // An answer notices that the contract has other decimals.
  await rename("gamma", "Gamma", "GAMMA", 0);
  requestReread("demo", plain("gamma"));
  await mint("beta");
  blocks.last = await follow();
};

beforeAll(async () => {
  const genesis = Object.fromEntries(Object.values(ADDRESSES).map((address) => [address, 10n ** 21n]));
  anvil = await startAnvil({ chain_id: 31_337, timestamp: START, genesis, impersonate_all: true });
  stage = openScenarioChain(anvil.rpc, "demo", START);
  const stablecoins = [{ symbol: "USDC", address: `0x${"11".repeat(20)}`, families: [] }];
  const network = networkFromConfig({ id: "demo", stablecoins });
  chain = await openEvmChain(network, { rpc: [anvil.url], log: silentLog }, signal);
  store = await openTestFacts();
  const parts = { chain, store, venues: new Map(), from_block: 0, openings: "skip" as const, log: silentLog };
  enrich = openEnricher(parts);
  await play();
  const { blocks: blockRows, transactions, transfers, ownership_events, contracts } = all;
  await store.seed(
    { network: "demo", from: 0, to: blocks.last },
    { blocks: blockRows, transactions, transfers, ownership_events, contracts },
  );
});
afterAll(async () => {
  await store.close();
  await chain.close();
  await anvil.stop();
});

const scopeAt = async (block: number | null): Promise<SnapshotContext> => ({
  ...{ facts: store.facts, chain, signal },
  snapshot: await store.facts.snapshot("demo", block),
});

test("an upgraded proxy has its old metadata before the upgrade and its new one from that block on", async () => {
  const scope = await scopeAt(null);
  const beta = plain("beta");
  const at = async (block: number) => (await metadataAt(scope, [beta], block)).get(beta);
  expect(await at(blocks.upgraded - 1)).toMatchObject({ name: "Beta Coin", symbol: "BETA", decimals: 6 });
  expect(await at(blocks.upgraded)).toMatchObject({ name: "USD Coin", symbol: "USDC", decimals: 6 });
  expect((await metadataOf(scope, [beta])).get(beta)).toMatchObject({ symbol: "USDC" });
  // An answer as of a past block takes the metadata of that block.
  expect((await metadataOf(await scopeAt(blocks.upgraded - 1), [beta])).get(beta)).toMatchObject({ symbol: "BETA" });
});

test("a token that renames itself without an event is read again a day later", async () => {
  const alpha = plain("alpha");
  const scope = await scopeAt(null);
  const symbolAt = async (block: number) => (await metadataAt(scope, [alpha], block)).get(alpha)?.symbol;
  expect([await symbolAt(blocks.before_rename), await symbolAt(blocks.renamed)]).toEqual(["ALPHA", "USDC"]);
  const rows = await store.query(
    `SELECT symbol, cause FROM token_readings FINAL WHERE token = unhex('${alpha}') ORDER BY read_at_block`,
  );
  expect(rows).toEqual([
    ["ALPHA", "first"],
    ["USDC", "schedule"],
  ]);
});

test("a token renamed to the symbol of a known coin is a copy of it, and its old symbol still finds it", async () => {
  const scope = await scopeAt(null);
  const alpha = plain("alpha");
  const face = (await metadataOf(scope, [alpha])).get(alpha);
  if (face === undefined) throw new Error("no metadata");
  expect(faceReasons(knownRegistry(chain.network), face, "high")).toContain("symbol_copy");
  const found = async (symbol: string) =>
    (await candidatesOn(scope, symbol)).map((one) => [
      one.face.token,
      one.former_symbol,
      one.is_canonical,
      one.risk_tags,
    ]);
  const copies = [alpha, plain("beta")].sort();
  expect(await found("usdc")).toEqual([
    ["11".repeat(20), null, true, []],
    ...copies.map((token) => [token, null, false, ["impersonation"]]),
  ]);
  expect(await found("alpha")).toEqual([[alpha, "ALPHA", false, ["impersonation"]]]);
  expect(await found("beta")).toEqual([[plain("beta"), "BETA", false, ["impersonation"]]]);
  expect(await found("gamma")).toEqual([[plain("gamma"), null, false, []]]);
});

test("a token that reports other decimals than before has none, so that no amount of it has a worth", async () => {
  const gamma = plain("gamma");
  const scope = await scopeAt(null);
  expect((await metadataOf(scope, [gamma])).get(gamma)).toMatchObject({ symbol: "GAMMA", decimals: null });
  expect(await readTokenMetadata(scope, gamma)).toMatchObject({ decimals: null });
  // The index, from which prices are derived, has none either.
  expect(await store.query(`SELECT decimals FROM tokens FINAL WHERE token = unhex('${gamma}')`)).toEqual([[null]]);
  expect((await metadataAt(scope, [gamma], blocks.renamed)).get(gamma)).toMatchObject({ decimals: 18 });
});
