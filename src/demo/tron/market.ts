/** An exchange in the style of SunSwap v2: TRX against dollars, Beacon against dollars. alice trades Beacon. */
import { DOLLAR, FOREVER, on, type ScenarioAct, UNLIMITED } from "../evm/act.ts";
import { theirs } from "../evm/artifacts.ts";
import type { EvmScenarioChain } from "../evm/scenario_chain.ts";

const TRX = 10n ** 6n;
const WHOLE = 10n ** 18n;
const ADD =
  "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256) returns (uint256,uint256,uint256)";
const SWAP = "swapExactTokensForTokens(uint256,uint256,address[],address,uint256) returns (uint256[])";

const build = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("sunswap", { from: "oscar", code: theirs("UniswapV2Factory"), args: ["address", ["@oscar"]] });
  const wired = ["address,address", ["@sunswap", "@wtrx"]] as const;
  await stage.create("router", { from: "oscar", code: theirs("UniswapV2Router02"), args: wired });
};

const approve = (stage: EvmScenarioChain, from: string, token: string) =>
  stage.act({ from, to: token, call: ["approve(address,uint256)", ["@router", UNLIMITED]] });

interface TronTradeSide {
  readonly token: string;
  readonly amount: bigint;
}

const open = async (
  stage: EvmScenarioChain,
  owner: string,
  [a, b]: readonly [TronTradeSide, TronTradeSide],
): Promise<void> => {
  for (const { token } of [a, b]) await approve(stage, owner, token);
  const args = [`@${a.token}`, `@${b.token}`, a.amount, b.amount, 0n, 0n, `@${owner}`, FOREVER];
  await stage.act({ from: owner, to: "router", call: [ADD, args], gas: 8_000_000 });
};

const sendDollars = (stage: EvmScenarioChain, to: string, dollars: bigint) =>
  stage.act({ from: "trent", to: "usdt", call: ["transfer(address,uint256)", [`@${to}`, dollars * DOLLAR]] });

/** A TRX is a quarter of a dollar. */
const openTrx = async (stage: EvmScenarioChain): Promise<void> => {
  await sendDollars(stage, "oscar", 250_000n);
  await stage.act({ from: "oscar", to: "wtrx", value: 1_000_000n * TRX, call: ["deposit() payable", []] });
  await open(stage, "oscar", [
    { token: "wtrx", amount: 1_000_000n * TRX },
    { token: "usdt", amount: 250_000n * DOLLAR },
  ]);
};

/** A Beacon is a twentieth of a dollar. */
const openBeacon = async (stage: EvmScenarioChain): Promise<void> => {
  await sendDollars(stage, "dave", 20_000n);
  await open(stage, "dave", [
    { token: "beacon", amount: 400_000n * WHOLE },
    { token: "usdt", amount: 20_000n * DOLLAR },
  ]);
};

const swap = (stage: EvmScenarioChain, [paid, bought]: readonly [string, string], amount: bigint) =>
  stage.act({
    from: "alice",
    to: "router",
    call: [SWAP, [amount, 0n, [`@${paid}`, `@${bought}`], "@alice", FOREVER]],
  });

/** Days on which alice buys Beacon for 500 dollars. */
const BUYS = [14, 30, 46, 84, 89] as const;

export const market = ({ stage }: { readonly stage: EvmScenarioChain }): readonly ScenarioAct[] => [
  { at: on(3, 9), run: () => build(stage) },
  { at: on(3, 10), run: () => openTrx(stage) },
  { at: on(3, 11), run: () => openBeacon(stage) },
  { at: on(13, 11), run: () => approve(stage, "alice", "usdt") },
  ...BUYS.map((day) => ({ at: on(day, 15), run: () => swap(stage, ["usdt", "beacon"], 500n * DOLLAR) })),
  { at: on(69, 11), run: () => approve(stage, "alice", "beacon") },
  { at: on(70, 15), run: () => swap(stage, ["beacon", "usdt"], 8_000n * WHOLE) },
];
