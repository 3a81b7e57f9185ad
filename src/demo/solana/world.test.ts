import { address } from "@solana/kit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { EXPECTED, type SolanaLedger } from "../../../test/fixtures/solana_expected.ts";
import { openChain } from "../../chains/families.ts";
import { demoSolana } from "../../chains/networks/demo_solana.ts";
import type { OpenChain } from "../../chains/open_chain.ts";
import { parseAddress } from "../../chains/solana/address.ts";
import type { Hex } from "../../lib/bytes.ts";
import { silentLog } from "../../lib/log.ts";
import { SCENARIO_DAYS, SECONDS_A_DAY } from "../evm/act.ts";
import type { CharacterName, TokenName } from "./characters.ts";
import { type SolanaWorld, startSolanaWorld } from "./world.ts";

const T0 = Date.UTC(2026, 7, 1) / 1_000;
const signal = AbortSignal.timeout(200_000);

let world: SolanaWorld;
let chain: OpenChain;

beforeAll(async () => {
  world = await startSolanaWorld(T0);
  chain = await openChain(demoSolana, { rpc: [world.url], log: silentLog }, signal);
});
afterAll(async () => {
  await chain?.close();
  await world?.stop();
});

const hexOf = (base58: string): Hex => parseAddress(base58) ?? "";
// The keys and values of EXPECTED, widened.
const BOOKS = Object.entries(EXPECTED) as readonly (readonly [CharacterName, SolanaLedger])[];

test.each(BOOKS)("the node has the lamports and tokens of %s that the scenario adds up to", async (name, book) => {
  const holder = hexOf(world.characters[name]);
  expect(await chain.nativeBalances([holder], signal)).toEqual([book.lamports]);
  const tokens: readonly TokenName[] = ["usdc", "lamp", "wsol"];
  const pairs = tokens.map((token) => ({ token: hexOf(world.mints[token]), holder }));
  expect(await chain.tokenBalances(pairs, signal)).toEqual(tokens.map((token) => book.tokens[token] ?? 0n));
});

test("the scenario spans ninety days of blocks, with some skipped slots, and its node is of this network", async () => {
  const head = await chain.head(signal);
  expect([head.number, head.hash]).toEqual([world.head.number, world.head.hash]);
  expect(Math.ceil((head.time - T0) / SECONDS_A_DAY)).toBe(SCENARIO_DAYS);
  const skipped = Array.from({ length: head.number }, (_, slot) => slot).filter(
    (slot) => world.blockHash(slot) === null,
  );
  expect(skipped.length).toBeGreaterThan(20);
  // The producer received half of the blocks' fees and nothing else.
  expect(world.facade.svm.getBalance(address(world.characters.validator))).toBeGreaterThan(0n);
  for (const { problem, traits } of await chain.probe(signal)) {
    expect(problem).toBeNull();
    expect(traits?.head).toBe(head.number);
  }
});

test("tokens have their names, in the mint and beside it", async () => {
  const tokens = [world.mints.usdc, world.mints.lamp].map(hexOf);
  expect(await chain.tokenMetadata(tokens, signal)).toMatchObject([
    // 40,000 + 2,500 + 200,000 + 1,000,000 + 3,000 dollars
    { name: "USD Coin", symbol: "USDC", decimals: 6, total_supply: 1_245_500_000_000n },
    { name: "Lantern", symbol: "LAMP", decimals: 6, total_supply: 1_000_000_000_000n },
  ]);
});

test("the same T0 gives the same chain, another T0 another one", async () => {
  const [same, later] = await Promise.all([startSolanaWorld(T0), startSolanaWorld(T0 + SECONDS_A_DAY)]);
  expect(same.head).toEqual(world.head);
  expect(later.head.hash).not.toBe(world.head.hash);
  expect(later.characters).toEqual(world.characters);
  await Promise.all([same.stop(), later.stop()]);
});
