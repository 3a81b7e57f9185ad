/** Sources of bytecode: our own artifacts, and contracts of others from their npm packages. */
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HexText } from "./rpc.ts";

const require = createRequire(import.meta.url);

const OURS = fileURLToPath(new URL("../../../contracts/artifacts", import.meta.url));

/** Creation code of one of `contracts/artifacts`. */
export const projectCode = (name: string): HexText => {
  // Written by scripts/contracts.ts.
  return (JSON.parse(readFileSync(join(OURS, `${name}.json`), "utf8")) as { bytecode: HexText }).bytecode;
};

/** Creation code in a build file of an npm package (hardhat, truffle and waffle each use their own format). */
const packaged = (path: string): HexText => {
  const build = require(path) as {
    // The three formats of build tools.
    bytecode?: string | { object: string };
    evm?: { bytecode: { object: string } };
  };
  const code = build.bytecode ?? build.evm?.bytecode;
  const text = typeof code === "object" ? code.object : code;
  if (text === undefined || text.length < 4) throw new Error(`${path} has no bytecode`);
  return text.startsWith("0x") ? (text as HexText) : `0x${text}`;
};

const PACKAGED = {
  WETH9: "canonical-weth/build/contracts/WETH9.json",
  UniswapV2Factory: "@uniswap/v2-core/build/UniswapV2Factory.json",
  UniswapV2Router02: "@uniswap/v2-periphery/build/UniswapV2Router02.json",
  UniswapV3Factory: "@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json",
  SwapRouter: "@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json",
  NonfungiblePositionManager:
    "@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json",
  ENSRegistry: "@ensdomains/ens/build/contracts/ENSRegistry.json",
  ReverseRegistrar: "@ensdomains/ens/build/contracts/ReverseRegistrar.json",
  PublicResolver: "@ensdomains/resolver/build/contracts/PublicResolver.json",
  Safe: "@safe-global/safe-contracts/build/artifacts/contracts/Safe.sol/Safe.json",
  SafeProxyFactory:
    "@safe-global/safe-contracts/build/artifacts/contracts/proxies/SafeProxyFactory.sol/SafeProxyFactory.json",
  PoolManager: "@uniswap/v4-core/out/PoolManager.sol/PoolManager.json",
  PoolSwapTest: "@uniswap/v4-core/out/PoolSwapTest.sol/PoolSwapTest.json",
  PoolModifyLiquidityTest: "@uniswap/v4-core/out/PoolModifyLiquidityTest.sol/PoolModifyLiquidityTest.json",
  EntryPoint: "@account-abstraction/contracts/artifacts/EntryPoint.json",
  SimpleAccountFactory: "@account-abstraction/contracts/artifacts/SimpleAccountFactory.json",
} as const;

/** viem contains Multicall3's creation code in a file that its `exports` do not name. */
const multicall3Path = (): string => join(dirname(require.resolve("viem")), "constants", "contracts.js");

const multicall3 = (): HexText =>
  // A constant of viem 2.57, pinned in package.json.
  (require(multicall3Path()) as { multicall3Bytecode: HexText }).multicall3Bytecode;

export type PackagedName = keyof typeof PACKAGED;

/** Creation code of a third-party contract, read from its npm package. */
export const theirs = (name: PackagedName | "Multicall3"): HexText =>
  name === "Multicall3" ? multicall3() : packaged(PACKAGED[name]);

/** Every file with code, in a fixed order. */
export const codePaths = (): readonly string[] => [
  ...readdirSync(OURS)
    .sort()
    .map((name) => join(OURS, name)),
  ...Object.values(PACKAGED).map((path) => require.resolve(path)),
  multicall3Path(),
];
