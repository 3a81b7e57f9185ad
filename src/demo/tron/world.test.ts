import { afterAll, beforeAll, expect, test } from "vitest";
import { EXPECTED, type TronLedger } from "../../../test/fixtures/tron_expected.ts";
import { openChain } from "../../chains/families.ts";
import { demoTron } from "../../chains/networks/demo_tron.ts";
import type { OpenChain } from "../../chains/open_chain.ts";
import { type Hex, hex, toHex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { SCENARIO_DAYS, SECONDS_A_DAY } from "../evm/act.ts";
import type { CharacterName } from "../evm/characters.ts";
import { type HexText, quantity } from "../evm/rpc.ts";
import { ASSET_ID } from "./ledger.ts";
import { startTronDemo, type TronDemoWorld } from "./world.ts";

const T0 = Date.UTC(2026, 7, 1) / 1_000;
const signal = AbortSignal.timeout(200_000);

let world: TronDemoWorld;
let chain: OpenChain;

beforeAll(async () => {
  world = await startTronDemo(T0);
  chain = await openChain(demoTron, { rpc: [world.url], log: silentLog }, signal);
});
afterAll(async () => {
  await chain?.close();
  await world?.stop();
});

const hexOf = (name: string): Hex => hex(world.stage.address(name).slice(2).toLowerCase());
const tokenOf = (name: string): Hex => (name === "oil" ? toHex(Buffer.from(ASSET_ID)) : hexOf(name));
// The keys and values of EXPECTED, widened.
const BOOKS = Object.entries(EXPECTED) as readonly (readonly [CharacterName, TronLedger])[];

interface TronReceipt {
  readonly from: HexText;
  readonly gasUsed: HexText;
  readonly effectiveGasPrice: HexText;
}

/** Amounts burnt by an address's transactions, from the machine's receipts. */
const burntBy = async (name: string): Promise<readonly bigint[]> => {
  const blocks = Array.from({ length: world.head.number }, (_, i) => quantity(i + 1));
  const all = await world.stage.rpc.batch(blocks.map((block) => ({ method: "eth_getBlockReceipts", params: [block] })));
  // The node's answers to eth_getBlockReceipts.
  return (all as readonly (readonly TronReceipt[])[])
    .flat()
    .filter(({ from }) => from === world.stage.address(name).toLowerCase())
    .map(({ gasUsed, effectiveGasPrice }) => BigInt(gasUsed) * BigInt(effectiveGasPrice));
};

test.each(BOOKS)("the node has the TRX and tokens of %s that the scenario adds up to", async (name, book) => {
  const holder = hexOf(name);
  const fees = await burntBy(name);
  expect(fees).toHaveLength(book.sent);
  const burnt = fees.reduce((sum, fee) => sum + fee, 0n);
  expect(await chain.nativeBalances([holder], signal)).toEqual([book.sun_before_fees - burnt]);
  const tokens = ["usdt", "beacon", "wtrx", "oil"] as const;
  const pairs = tokens.map((token) => ({ token: tokenOf(token), holder }));
  expect(await chain.tokenBalances(pairs, signal)).toEqual(tokens.map((token) => book.tokens[token] ?? 0n));
});

test("the scenario spans ninety days of blocks, and its node is of this network", async () => {
  const head = await chain.head(signal);
  expect([head.number, head.hash]).toEqual([world.head.number, world.head.hash]);
  expect(Math.ceil((head.time - T0) / SECONDS_A_DAY)).toBe(SCENARIO_DAYS);
  expect(world.facade.chain_id).toBe(demoTron.chain_id);
  for (const { problem, traits } of await chain.probe(signal)) {
    expect(problem).toBeNull();
    expect(traits?.head).toBe(head.number);
  }
  expect(chain.can.traces).toBe(true);
});

test("a transfer burns 2.1 TRX: 21,000 of energy at 100 sun", async () => {
  // 21,000 x 100; the energy of a call depends on what it does
  expect((await burntBy("nina")).every((fee) => fee === 2_100_000n)).toBe(true);
});

test("the same T0 gives the same chain, another T0 another one of the same number", async () => {
  const [same, later] = await Promise.all([startTronDemo(T0), startTronDemo(T0 + SECONDS_A_DAY)]);
  expect(same.head).toEqual(world.head);
  expect(later.head.hash).not.toBe(world.head.hash);
  expect(later.facade.chain_id).toBe(world.facade.chain_id);
  await Promise.all([same.stop(), later.stop()]);
});
