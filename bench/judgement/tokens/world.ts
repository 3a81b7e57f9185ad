/**
 * A chain of tokens to judge: each has a Uniswap v2 pool of 80 % of its supply and 20 ether, fourteen holders, some of whom
 * bought, burnt pool shares, and an age of 40 days. Well-known contracts have their addresses on Ethereum.
 */
import { networkFromConfig } from "../../../src/chains/networks/from_config.ts";
import { ETHER, FOREVER } from "../../../src/demo/evm/act.ts";
import { startAnvil } from "../../../src/demo/evm/anvil.ts";
import { projectCode, theirs } from "../../../src/demo/evm/artifacts.ts";
import { CHARACTERS } from "../../../src/demo/evm/characters.ts";
import { MAINNET_ADDRESSES } from "../../../src/demo/evm/placement.ts";
import { type HexText, quantity } from "../../../src/demo/evm/rpc.ts";
import { type EvmScenarioChain, openScenarioChain, type SignatureCall } from "../../../src/demo/evm/scenario_chain.ts";
import { addV2, approve } from "../../../src/demo/evm/scenarios/exchanges.ts";
import { launch } from "../../../src/demo/evm/scenarios/tokens.ts";
import { hex, keccak256, toHex } from "../../../src/lib/bytes.ts";
import type { EnabledNetwork } from "../../../src/wiring/enabled_network.ts";

/** A token to deploy. */
export interface TokenToJudge {
  readonly name: string;
  /** Creation code. */
  readonly code: HexText;
  readonly args?: readonly [types: string, values: readonly unknown[]];
  /** Calls of the deployer after the pool exists. `@pair` and `@token` are this token's. */
  readonly setup?: readonly SignatureCall[];
}

export interface JudgedWorld {
  readonly network: EnabledNetwork;
  readonly stage: EvmScenarioChain;
  /** Address of each token by its name. */
  readonly tokens: ReadonlyMap<string, HexText>;
  stop(): Promise<void>;
}

const DAY_S = 86_400;
const AGE_DAYS = 40;
const START = Date.UTC(2026, 5, 1) / 1_000;
const LAST_BLOCKS = 100;
const RICH = 1_000_000n * ETHER;
const DOLLARS = 10n ** 6n;
const [GIVEN_TO, BUYERS] = [9, 5];
const BUY = "swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256) payable";
const DEAD = "0x000000000000000000000000000000000000dEaD";

const accountOf = (name: string): HexText => `0x${toHex(keccak256(new TextEncoder().encode(name)).subarray(12))}`;

const enrich = (stage: EvmScenarioChain, who: HexText) => stage.rpc.call("anvil_setBalance", who, quantity(RICH));

/** Exchange, dollars and wrapped ether, at 3,000 dollars per ether. */
const buildMarket = async (stage: EvmScenarioChain): Promise<void> => {
  await stage.create("weth", { from: "oscar", code: theirs("WETH9") });
  await stage.create("multicall3", { from: "oscar", code: theirs("Multicall3") });
  const dollars = [
    "string,string,uint8,uint256,address",
    ["USD Coin", "USDC", 6, 10n ** 9n * DOLLARS, "@oscar"],
  ] as const;
  await stage.create("usdc", { from: "oscar", code: projectCode("PlainToken"), args: dollars });
  await stage.create("v2_factory", { from: "oscar", code: theirs("UniswapV2Factory"), args: ["address", ["@oscar"]] });
  const router = ["address,address", ["@v2_factory", "@weth"]] as const;
  await stage.create("v2_router", { from: "oscar", code: theirs("UniswapV2Router02"), args: router });
  for (const token of ["weth", "usdc"]) await approve(stage, "oscar", { token, spender: "v2_router" });
  await stage.act({ from: "oscar", to: "weth", call: ["deposit() payable", []], value: 5_000n * ETHER });
  const sides = [
    { token: "weth", amount: 5_000n * ETHER },
    { token: "usdc", amount: 15_000_000n * DOLLARS },
  ] as const;
  await addV2(stage, "oscar", { name: "pair_weth_usdc", sides });
};

const balanceIn = async (stage: EvmScenarioChain, token: string, holder: string): Promise<bigint> =>
  // The supply of a token is a uint256.
  (await stage.read(token, "balanceOf(address) view returns (uint256)", [holder])) as bigint;

const setUp = async (stage: EvmScenarioChain, { name, setup = [] }: TokenToJudge, owner: HexText): Promise<void> => {
  const named = (value: unknown): unknown =>
    value === "@pair" ? `@pair_${name}` : value === "@token" ? `@${name}` : value;
  for (const [signature, values] of setup)
    await stage.act({ from: owner, to: name, call: [signature, values.map(named)] });
};

/** Deploys a token, gives coins to holders, opens its pool, and lets others buy. */
const release = async (stage: EvmScenarioChain, token: TokenToJudge): Promise<HexText> => {
  const { name, code, args } = token;
  const owner = accountOf(`owner of ${name}`);
  await enrich(stage, owner);
  await stage.create(name, { from: owner, code, ...(args === undefined ? {} : { args }) });
  const supply = await balanceIn(stage, name, owner);
  const holders = Array.from({ length: GIVEN_TO + BUYERS }, (_, i) => accountOf(`holder ${i}`));
  for (const holder of holders.slice(0, GIVEN_TO))
    await stage.act({ from: owner, to: name, call: ["transfer(address,uint256)", [holder, supply / 200n]] });
  const pair = `pair_${name}`;
  stage.name(`owner_${name}`, owner);
  await launch(stage, { owner: `owner_${name}`, token: name, pair, amount: (supply * 80n) / 100n, wei: 20n * ETHER });
  await setUp(stage, token, owner);
  for (const holder of holders.slice(GIVEN_TO)) {
    const call: SignatureCall = [BUY, [0n, ["@weth", `@${name}`], holder, FOREVER]];
    await stage.act({ from: holder, to: "v2_router", call, value: ETHER / 20n, fails: "perhaps" });
  }
  const shares = await balanceIn(stage, pair, owner);
  await stage.act({ from: owner, to: pair, call: ["transfer(address,uint256)", [DEAD, shares]] });
  return stage.address(name);
};

const networkOf = (url: string): EnabledNetwork => {
  const plain = (text: string) => hex(text.slice(2).toLowerCase());
  const ethereum = networkFromConfig({
    id: "ethereum",
    stablecoins: [{ symbol: "USDC", address: MAINNET_ADDRESSES.usdc, peg: "USD" }],
  });
  const factory = plain(MAINNET_ADDRESSES.v2_factory);
  return {
    network: { ...ethereum, ens: null, freezes: [] },
    rpc: [url],
    from_block: 0,
    to_block: null,
    poll_ms: 200,
    venues: [{ venue: "Uniswap v2", family: "uniswap_v2", factory, network: "ethereum", fee_ppm: 3_000 }],
    openings: "read",
    // Transactions of accounts without keys have no signatures that their hashes could be checked by.
    verify: "header",
  };
};

/** Starts a node, deploys every token and lets 40 days pass. `onFailure`: of a token that cannot be; throws where omitted. */
export const startJudgedWorld = async (
  tokens: readonly TokenToJudge[],
  onFailure?: (name: string) => void,
): Promise<JudgedWorld> => {
  const node = await startAnvil({
    chain_id: 1,
    timestamp: START,
    genesis: { [CHARACTERS.bank.address]: RICH, [CHARACTERS.oscar.address]: RICH },
    accounts: Object.keys(CHARACTERS).length,
    impersonate_all: true,
  });
  try {
    await node.rpc.call("anvil_setCoinbase", CHARACTERS.validator.address);
    const stage = openScenarioChain(node.rpc, "mainnet", START);
    await buildMarket(stage);
    for (let i = 0; i < GIVEN_TO + BUYERS; i += 1) await enrich(stage, accountOf(`holder ${i}`));
    const deployed = new Map<string, HexText>();
    for (const token of tokens)
      try {
        deployed.set(token.name, await release(stage, token));
      } catch (error) {
        if (onFailure === undefined) throw error;
        onFailure(token.name);
      }
    await node.rpc.call("evm_setNextBlockTimestamp", quantity(stage.now() + AGE_DAYS * DAY_S));
    await node.rpc.call("anvil_mine", quantity(LAST_BLOCKS), quantity(12));
    return { network: networkOf(node.url), stage, tokens: deployed, stop: node.stop };
  } catch (error) {
    await node.stop();
    throw error;
  }
};
