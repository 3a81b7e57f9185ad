/**
 * A small chain with honest people: two dollars, wrapped ether, a token, deep and shallow pools, traders over eight
 * hours, and money of a sanctioned wallet. The same acts at the same times make the same transactions, so a chain with
 * a player differs from one without him only by what he does.
 */
import { networkFromConfig } from "../../src/chains/networks/from_config.ts";
import { DOLLAR, ETHER, FOREVER } from "../../src/demo/evm/act.ts";
import { type Anvil, startAnvil } from "../../src/demo/evm/anvil.ts";
import { projectCode, theirs } from "../../src/demo/evm/artifacts.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import { quantity } from "../../src/demo/evm/rpc.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import { addV2, approve, openV3 } from "../../src/demo/evm/scenarios/exchanges.ts";
import { EXACT_INPUT_SINGLE, SWAP_TOKENS } from "../../src/demo/evm/scenarios/market.ts";
import { hex } from "../../src/lib/bytes.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import { T0 } from "../e2e/served_world.ts";

const HOUR_S = 3_600;
/** The player acts from the fourth hour on; until then the market is honest. */
export const PLAYER_HOUR = 4;
/** The last hour of the story. */
export const LAST_HOUR = 9;
/** Hours later than this the blocks end, so that the story is final. */
const FINAL_BLOCKS = 70;

/** The player's own money: 8,000 dollars, and an ether of 2,000. */
export const PLAYER_USD = 10_000;
const PLAYER_DOLLARS = 8_000n;
/** USD of an ether in the honest pools. */
export const ETHER_USD = 2_000;

/** Wallets that ask for their figures. */
export const HONEST = ["alice", "bob", "carol", "walter", "olaf"] as const;
/** Tokens that have honest markets. */
export const HONEST_TOKENS = ["weth", "usdc", "harbor"] as const;

/** The player's first account. Any other address can act for him too. */
export const PLAYER = "0x00000000000000000000000000000000badc0de1";

interface HonestAct {
  /** Seconds after T0. */
  readonly at: number;
  readonly run: () => Promise<unknown>;
}

export interface HonestWorld {
  readonly stage: EvmScenarioChain;
  readonly network: EnabledNetwork;
  /** Honest people act until this hour of the story; then the next transaction is at its begin, or as many seconds later. */
  until(hour: number, seconds?: number): Promise<void>;
  /** Honest people act until the end, and the story becomes final. */
  finish(): Promise<void>;
  stop(): Promise<void>;
}

const FUNDS_ETHER = {
  ...{ oscar: 20_000n, alice: 20n, bob: 5n, carol: 1n, dave: 200n, nina: 500n, olaf: 2n, walter: 1n, peggy: 5n },
  [PLAYER]: 1n,
} as const;
const FUNDS_USDC = {
  ...{ alice: 20_000n, bob: 2_000n, dave: 60_000n, nina: 500_000n, olaf: 6_000n, peggy: 20_000n },
  [PLAYER]: PLAYER_DOLLARS,
} as const;

const SUPPLY_OF_DOLLARS = 1_000_000_000n * DOLLAR;
const HARBOR_SUPPLY = 1_000_000n * ETHER;

const createToken = (stage: EvmScenarioChain, name: string, values: readonly unknown[]) =>
  stage.create(name, {
    from: "oscar",
    code: projectCode("PlainToken"),
    args: ["string,string,uint8,uint256,address", values],
  });

export const pay = (stage: EvmScenarioChain, from: string, [token, to, amount]: readonly [string, string, bigint]) =>
  stage.act({ from, to: token, call: ["transfer(address,uint256)", [to.startsWith("0x") ? to : `@${to}`, amount]] });

const issue = async (stage: EvmScenarioChain): Promise<void> => {
  for (const [name, ether] of Object.entries(FUNDS_ETHER))
    await stage.act({ from: "bank", to: name, value: ether * ETHER, gas: 21_000 });
  await stage.create("weth", { from: "oscar", code: theirs("WETH9") });
  await stage.create("multicall3", { from: "oscar", code: theirs("Multicall3") });
  await createToken(stage, "usdc", ["USD Coin", "USDC", 6, SUPPLY_OF_DOLLARS, "@oscar"]);
  await createToken(stage, "usdt", ["Tether USD", "USDT", 6, SUPPLY_OF_DOLLARS, "@oscar"]);
  await createToken(stage, "harbor", ["Harbor", "HRB", 18, HARBOR_SUPPLY, "@dave"]);
  for (const [name, dollars] of Object.entries(FUNDS_USDC)) await pay(stage, "oscar", ["usdc", name, dollars * DOLLAR]);
};

const createExchanges = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("v2_factory", { from: "oscar", code: theirs("UniswapV2Factory"), args: ["address", ["@oscar"]] });
  const v2 = ["address,address", ["@v2_factory", "@weth"]] as const;
  await stage.create("v2_router", { from: "oscar", code: theirs("UniswapV2Router02"), args: v2 });
  await stage.create("v3_factory", { from: "oscar", code: theirs("UniswapV3Factory") });
  const v3 = ["address,address", ["@v3_factory", "@weth"]] as const;
  await stage.create("v3_router", { from: "oscar", code: theirs("SwapRouter"), args: v3 });
  const positions = ["address,address,address", ["@v3_factory", "@weth", "@oscar"]] as const;
  const code = theirs("NonfungiblePositionManager");
  await stage.create("v3_positions", { from: "oscar", code, args: positions });
  await stage.create("lender", { from: "oscar", code: projectCode("FlashLender") });
};

const openPools = async (stage: EvmScenarioChain): Promise<void> => {
  for (const token of ["weth", "usdc", "usdt"]) await approve(stage, "oscar", { token, spender: "v2_router" });
  for (const token of ["weth", "usdc"]) await approve(stage, "oscar", { token, spender: "v3_positions" });
  await stage.act({ from: "oscar", to: "weth", call: ["deposit() payable", []], value: 8_000n * ETHER });
  const sides = (ether: bigint, dollar: string) =>
    [
      { token: "weth", amount: ether * ETHER },
      { token: dollar, amount: ether * BigInt(ETHER_USD) * DOLLAR },
    ] as const;
  await addV2(stage, "oscar", { name: "pair_weth_usdc", sides: sides(1_000n, "usdc") });
  await addV2(stage, "oscar", { name: "pair_weth_usdt", sides: sides(200n, "usdt") });
  await openV3(stage, "oscar", { name: "pool_v3_weth_usdc", fee: 3000, sides: sides(1_000n, "usdc") });
  await stage.act({ from: "dave", to: "weth", call: ["deposit() payable", []], value: 60n * ETHER });
  for (const token of ["weth", "usdc", "harbor"]) await approve(stage, "dave", { token, spender: "v2_router" });
  const harbor = (amount: bigint) => ({ token: "harbor", amount: amount * ETHER });
  await addV2(stage, "dave", {
    name: "pair_harbor_usdc",
    sides: [harbor(40_000n), { token: "usdc", amount: 40_000n * DOLLAR }],
  });
  await addV2(stage, "dave", {
    name: "pair_harbor_weth",
    sides: [harbor(100_000n), { token: "weth", amount: 50n * ETHER }],
  });
  await pay(stage, "oscar", ["usdc", "lender", 100_000_000n * DOLLAR]);
  await pay(stage, "oscar", ["weth", "lender", 4_000n * ETHER]);
};

/** Swaps a fixed amount on v2, so that it is the same transaction whatever the pool holds. */
export const swapV2 = (
  stage: EvmScenarioChain,
  who: string,
  [paid, bought, amount]: readonly [string, string, bigint],
) =>
  stage.act({
    from: who,
    to: "v2_router",
    call: [SWAP_TOKENS, [amount, 0n, [`@${paid}`, `@${bought}`], stage.address(who), FOREVER]],
  });

const swapV3 = (stage: EvmScenarioChain, who: string, [paid, bought, amount]: readonly [string, string, bigint]) => {
  const args = [`@${paid}`, `@${bought}`, 3_000n, `@${who}`, FOREVER, amount, 0n, 0n];
  return stage.act({ from: who, to: "v3_router", call: [EXACT_INPUT_SINGLE, [args]] });
};

const prepareTraders = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.act({ from: "nina", to: "weth", call: ["deposit() payable", []], value: 200n * ETHER });
  for (const token of ["weth", "usdc"])
    for (const spender of ["v2_router", "v3_router"]) await approve(stage, "nina", { token, spender });
  for (const token of ["usdc", "harbor"]) await approve(stage, "alice", { token, spender: "v2_router" });
  await pay(stage, "dave", ["harbor", "bob", 1_500n * ETHER]);
  await pay(stage, "dave", ["harbor", "peggy", 5_000n * ETHER]);
};

/** The same every hour: nina trades ether both ways, alice buys Harbor and once sells it, carol and walter are paid. */
const hourly = (stage: EvmScenarioChain, hour: number): readonly HonestAct[] => {
  const at = (minute: number, run: () => Promise<unknown>): HonestAct => ({ at: hour * HOUR_S + minute * 60, run });
  const is_even = hour % 2 === 0;
  return [
    at(5, () => swapV3(stage, "nina", is_even ? ["weth", "usdc", ETHER] : ["usdc", "weth", 2_000n * DOLLAR])),
    at(12, () => swapV2(stage, "nina", is_even ? ["usdc", "weth", 1_000n * DOLLAR] : ["weth", "usdc", ETHER / 2n])),
    at(20, () =>
      swapV2(stage, "alice", hour === 6 ? ["harbor", "usdc", 200n * ETHER] : ["usdc", "harbor", 150n * DOLLAR]),
    ),
    at(25, () => pay(stage, "peggy", ["usdc", "carol", 400n * DOLLAR])),
    at(28, () => pay(stage, "peggy", ["harbor", "bob", 20n * ETHER])),
    ...(hour === 2 ? [at(30, () => pay(stage, "olaf", ["usdc", "walter", 3_000n * DOLLAR]))] : []),
    ...(hour === 7 ? [at(30, () => pay(stage, "alice", ["usdc", "bob", 500n * DOLLAR]))] : []),
  ];
};

const storyOf = (stage: EvmScenarioChain): readonly HonestAct[] => [
  { at: 60, run: () => issue(stage) },
  { at: 1_200, run: () => createExchanges(stage) },
  { at: 1_800, run: () => openPools(stage) },
  { at: 2_700, run: () => prepareTraders(stage) },
  ...Array.from({ length: LAST_HOUR }, (_, i) => hourly(stage, i + 1)).flat(),
];

/** The network of one chain. Its id names the strategy. */
const networkOf = (id: string, url: string, stage: EvmScenarioChain): EnabledNetwork => {
  const plain = (name: string) => hex(stage.address(name).slice(2).toLowerCase());
  const demo = networkFromConfig({
    id: "demo",
    wrapped_native: plain("weth"),
    stablecoins: [
      { symbol: "USDC", address: plain("usdc"), peg: "USD" },
      { symbol: "USDT", address: plain("usdt"), peg: "USD" },
    ],
    multicall: plain("multicall3"),
  });
  const venue = (name: string, family: "uniswap_v2" | "uniswap_v3", factory: string) => ({
    ...{ venue: name, family, factory: plain(factory), network: id },
    fee_ppm: family === "uniswap_v2" ? 3_000 : null,
  });
  return {
    network: { ...demo, id },
    rpc: [url],
    from_block: 0,
    to_block: null,
    poll_ms: 200,
    venues: [venue("Uniswap v2", "uniswap_v2", "v2_factory"), venue("Uniswap v3", "uniswap_v3", "v3_factory")],
    openings: "read",
  };
};

const startNode = (): Promise<Anvil> =>
  startAnvil({
    chain_id: 31_337,
    timestamp: T0,
    genesis: { [CHARACTERS.bank.address]: 1_000_000n * ETHER },
    accounts: Object.keys(CHARACTERS).length,
    impersonate_all: true,
  });

/** Starts a node and plays the honest hours before the player. `id` names its network. */
export const startHonestWorld = async (id: string): Promise<HonestWorld> => {
  const node = await startNode();
  try {
    await node.rpc.call("anvil_setCoinbase", CHARACTERS.validator.address);
    const stage = openScenarioChain(node.rpc, "demo", T0);
    const left = [...storyOf(stage)];
    const until: HonestWorld["until"] = async (hour, seconds = 0) => {
      for (let next = left[0]; next !== undefined && next.at < hour * HOUR_S + seconds; next = left[0]) {
        left.shift();
        if (stage.now() >= T0 + next.at)
          throw new Error(`The player keeps the honest act at ${next.at} s from its time.`);
        stage.at(T0 + next.at);
        await next.run();
      }
      stage.at(T0 + hour * HOUR_S + seconds);
    };
    const finish = async (): Promise<void> => {
      await until(LAST_HOUR + 1);
      await node.rpc.call("evm_setNextBlockTimestamp", quantity(T0 + (LAST_HOUR + 1) * HOUR_S + 60));
      await node.rpc.call("anvil_mine", quantity(FINAL_BLOCKS), quantity(12));
    };
    await until(PLAYER_HOUR);
    return { stage, network: networkOf(id, node.url, stage), until, finish, stop: node.stop };
  } catch (error) {
    await node.stop();
    throw error;
  }
};
