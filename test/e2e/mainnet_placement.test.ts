// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { networkById } from "../../src/chains/networks/index.ts";
import { MAINNET_ADDRESSES } from "../../src/demo/evm/placement.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { startDemoWorld } from "../demo_world.ts";
import { type Relay, startRelay } from "./relay.ts";
import { caughtUp, openTestService, T0, type TestService } from "./served_world.ts";

let world: EvmWorld;
let relay: Relay;
let stage: TestService;

/**
 * The shipped network and the shipped venues: the world adds nothing, except that anvil computes other hashes for the transactions of the
 * well-known creators, which do not sign here.
 */
beforeAll(async () => {
  world = await startDemoWorld({ placement: "mainnet", t0: T0 });
  relay = await startRelay(world.url);
  const shipped = networkById("ethereum");
  if (shipped === null) throw new Error("ethereum is not shipped");
  const network = { ...shipped, dialect: "anvil" } as const;
  const range = { from_block: 0, to_block: null, poll_ms: 50, venues: [], openings: "read" } as const;
  stage = await openTestService({ networks: [{ network, rpc: [relay.url], ...range }] });
  await caughtUp(stage.service);
});
afterAll(async () => {
  await stage.close();
  await relay.close();
  await world.stop();
});

const bare = (address: string): string => address.slice(2).toLowerCase();
const { weth, usdc, usdt } = MAINNET_ADDRESSES;

const rows = async (sql: string): Promise<string[][]> =>
  (await stage.service.facts.engine.query(sql)).map((row) => row.map(String));

test("finds every contract of the network's file at its address", async () => {
  for (const address of [weth, usdc, usdt, MAINNET_ADDRESSES.multicall3, MAINNET_ADDRESSES.ens_registry])
    expect(await world.rpc.call("eth_getCode", address, "latest")).not.toBe("0x");
});

test("gives pools of the well-known factories their venue, and leaves none of them without", async () => {
  const found = await rows(
    "SELECT venue, lower(hex(factory)), fee_ppm FROM pools WHERE network = 'ethereum' AND venue != '' GROUP BY ALL ORDER BY 1, 3",
  );
  expect(new Set(found.map(([venue]) => venue))).toEqual(new Set(["uniswap_v2", "uniswap_v3"]));
  for (const [venue, factory] of found)
    expect(factory).toBe(bare(venue === "uniswap_v2" ? MAINNET_ADDRESSES.v2_factory : MAINNET_ADDRESSES.v3_factory));
  const [[unknown] = []] = await rows(
    `SELECT count() FROM pools WHERE network = 'ethereum' AND venue = '' AND lower(hex(factory)) IN ('${bare(MAINNET_ADDRESSES.v2_factory)}', '${bare(MAINNET_ADDRESSES.v3_factory)}')`,
  );
  expect(unknown).toBe("0");
  // UniswapV2Library: 997/1000 of the input counts.
  expect(found.filter(([venue]) => venue === "uniswap_v2").map(([, , fee]) => fee)).toEqual(["3000"]);
});

test("wraps and unwraps coins that add up to WETH's balance", async () => {
  const [[moved] = []] = await rows(
    `SELECT toString(sum(if(source = '', toInt256(amount), -toInt256(amount)))) FROM transfers
     WHERE network = 'ethereum' AND kind = 'wrap' AND lower(hex(token)) = '${bare(weth)}'`,
  );
  const held = await world.rpc.call("eth_getBalance", weth, "latest");
  expect(BigInt(moved ?? "0")).toBe(BigInt(String(held)));
  expect(BigInt(moved ?? "0")).toBeGreaterThan(0n);
});

test("anchors prices in dollars, and prices the coin by its pools", async () => {
  const methods = await rows(
    "SELECT lower(hex(token)), method FROM prices FINAL WHERE network = 'ethereum' GROUP BY ALL ORDER BY 1, 2",
  );
  for (const coin of [usdc, usdt]) expect(methods).toContainEqual([bare(coin), "anchor"]);
  const [[hours, low, high] = []] = await rows(
    `SELECT count(), min(price_usd), max(price_usd) FROM prices FINAL WHERE network = 'ethereum' AND token IN ('', unhex('${bare(weth)}'))`,
  );
  expect(Number(hours)).toBeGreaterThan(0);
  // The story's ether is worth a few thousand dollars throughout.
  expect(Number(low)).toBeGreaterThan(500);
  expect(Number(high)).toBeLessThan(10_000);
});

test("resolves alice.eth through the registry at its well-known address", async () => {
  const { status, body } = await stage.ask("resolve_ens", { ens_name: "alice.eth" });
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.address.toLowerCase()).toBe(world.characters.alice.toLowerCase());
});

test("applies labels of the shipped lists to the well-known contracts", async () => {
  const found = await rows(
    `SELECT lower(hex(address)), label, source FROM labels FINAL WHERE network = 'ethereum' AND lower(hex(address)) IN ('${bare(weth)}', '${bare(usdc)}', '${bare(MAINNET_ADDRESSES.v2_router)}', '${bare(MAINNET_ADDRESSES.v3_factory)}') ORDER BY 2, 3`,
  );
  expect(found).toEqual([
    [bare(usdc), "Circle: USDC", "pack"],
    [bare(usdc), "USDC", "issuers"],
    [bare(usdc), "USDC", "network"],
    [bare(MAINNET_ADDRESSES.v2_router), "Uniswap v2 router", "contracts"],
    [bare(MAINNET_ADDRESSES.v3_factory), "Uniswap v3 factory", "network"],
    [bare(MAINNET_ADDRESSES.v2_router), "Uniswap: v2 router", "pack"],
    [bare(MAINNET_ADDRESSES.v3_factory), "Uniswap: v3 core factory", "pack"],
    [bare(weth), "Wrapped ETH", "network"],
  ]);
});

test("reads tokens through Multicall3 at its well-known address, not one by one", () => {
  // biome-ignore lint/suspicious/noExplicitAny: parameters of eth_call by the JSON-RPC specification.
  const asked = relay.calls.filter(({ method }) => method === "eth_call").map(({ params }) => params[0] as any);
  // aggregate3((address,bool,bytes)[])
  const aggregates = asked.filter(
    ({ to, data }) => to === MAINNET_ADDRESSES.multicall3.toLowerCase() && data.startsWith("0x82ad56cb"),
  );
  expect(aggregates.length).toBeGreaterThan(0);
  const symbols = asked.filter(({ data }) => data === "0x95d89b41");
  const inside = aggregates.flatMap(({ data }) => data.match(/95d89b41/g) ?? []);
  expect(inside.length).toBeGreaterThan(symbols.length);
});
