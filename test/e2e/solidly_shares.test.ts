// @long: alone
/** Shares of a pool of Solidly's kin on a real node: contracts/SolidlyPool.sol gives them as Aerodrome's Pool.sol does. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { openEvmChain } from "../../src/chains/evm/chain.ts";
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import type { OpenChain } from "../../src/chains/open_chain.ts";
import { DOLLAR, ETHER } from "../../src/demo/evm/act.ts";
import { projectCode } from "../../src/demo/evm/artifacts.ts";
import { type EvmScenarioChain, openScenarioChain as openPlay } from "../../src/demo/evm/scenario_chain.ts";
import { readPoolShares } from "../../src/domain/token/market/pool_shares.ts";
import { type Hex, hex } from "../../src/lib/bytes.ts";
import { silentLog } from "../../src/lib/log.ts";
import { caughtUp, openDemoWorld, type WorldService } from "./served_world.ts";

const signal = new AbortController().signal;
/** 10^9 · 10^9 have the root 10^9: with amounts this small the first 1,000 shares are a part that can be seen. */
const SIDE = 1_000_000_000n;

let stage: WorldService;
let play: EvmScenarioChain;
let chain: OpenChain;
beforeAll(async () => {
  stage = await openDemoWorld();
  const { world } = stage;
  play = openPlay(world.rpc, "demo", world.head.time);
  for (const [name, address] of Object.entries(world.contracts)) play.name(name, address);
  chain = await openEvmChain(
    { ...networkFromConfig({ id: "demo" }), ...world.network },
    { rpc: [world.url], log: silentLog },
    signal,
  );
  await play.create("shared_coin", {
    from: "dave",
    code: projectCode("PlainToken"),
    args: ["string,string,uint8,uint256,address", ["Shared", "SHR", 18, ETHER, "@dave"]],
  });
  await play.create("shared_pool", {
    from: "dave",
    code: projectCode("SolidlyPool"),
    args: ["address,address,bool,address", ["@shared_coin", "@usdc", false, "@trent"]],
  });
  await addLiquidity(SIDE, SIDE, "dave");
  await addLiquidity(SIDE / 1_000n, SIDE / 1_000n, "trent");
  await caughtUp(stage.service);
});
afterAll(async () => {
  await chain.close();
  await stage.close();
});

const addLiquidity = async (coins: bigint, dollars: bigint, to: string): Promise<void> => {
  const pay = (token: string, amount: bigint) =>
    play.act({ from: "dave", to: token, call: ["transfer(address,uint256)", ["@shared_pool", amount]] });
  await pay("shared_coin", coins);
  await pay("usdc", dollars);
  await play.act({ from: "dave", to: "shared_pool", call: ["mint(address)", [`@${to}`]] });
};

test("the pool's minimum is a holding of the address one, and all shares are what the pool itself counts", async () => {
  expect(SIDE).toBeLessThan(10_000n * DOLLAR);
  const pool: Hex = hex(play.address("shared_pool").slice(2).toLowerCase());
  const { facts } = stage.service.facts;
  const head = Number(await stage.world.rpc.call("eth_blockNumber"));
  await expect.poll(async () => (await facts.snapshot("demo", null)).block.number, { timeout: 60_000 }).toBe(head);
  const snapshot = await facts.snapshot("demo", null);
  const shares = (await readPoolShares({ facts, chain, snapshot, signal }, [pool])).get(pool);
  const total = await play.read("shared_pool", "totalSupply() view returns (uint256)", []);
  // 10^9 of the first mint, its 1,000 among them, and a thousandth of that.
  expect(total).toBe(SIDE + SIDE / 1_000n);
  expect(shares?.burned_percent).toBeCloseTo((100 * 1_000) / Number(total), 12);
  expect(shares?.shareOf(hex(play.address("trent").slice(2).toLowerCase()))).toBeCloseTo(
    (100 * 1_000_000) / Number(total),
    9,
  );
});
