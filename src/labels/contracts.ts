import type { Hex } from "../lib/bytes.ts";
import type { Label, LabelSource } from "./source.ts";

interface Contract {
  readonly label: string;
  readonly category: string;
  readonly entity: string;
  /** Address by network; `''` = the same wherever it is deployed. */
  readonly at: Readonly<Record<string, Hex>>;
}

const dex = (entity: string, label: string, at: Contract["at"]): Contract => ({ label, category: "dex", entity, at });
const lending = (entity: string, label: string, address: Hex): Contract => ({
  label,
  category: "lending",
  entity,
  at: { ethereum: address },
});

/** The first four networks that Uniswap v3 came to have its contracts at equal addresses. */
const onFirstFour = (address: Hex): Contract["at"] => ({
  ethereum: address,
  optimism: address,
  polygon: address,
  arbitrum: address,
});

const CONTRACTS: readonly Contract[] = [
  dex("Uniswap", "Uniswap v2 router", { ethereum: "7a250d5630b4cf539739df2c5dacb4c659f2488d" }),
  dex("Uniswap", "Uniswap v3 router", onFirstFour("e592427a0aece92de3edee1f18e0157c05861564")),
  dex("Uniswap", "Uniswap router 02", onFirstFour("68b3465833fb72a70ecdf485e0e4c7bd8665fc45")),
  dex("Uniswap", "Uniswap v3 positions", onFirstFour("c36442b4a4522e871399cd717abdd847ab11fe88")),
  dex("Uniswap", "Uniswap universal router", { ethereum: "3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad" }),
  dex("Uniswap", "Uniswap universal router (first)", { ethereum: "ef1c6e67703c7bd7107eed8303fbe6ec2554bf6b" }),
  dex("Uniswap", "Permit2", { "": "000000000022d473030f116ddee9f6b43ac78ba3" }),
  dex("SushiSwap", "SushiSwap router", { ethereum: "d9e1ce17f2641f24ae83637ab66a2cca9c378b9f" }),
  dex("PancakeSwap", "PancakeSwap v2 router", { bsc: "10ed43c718714eb63d5aa57b78b54704e256024e" }),
  dex("1inch", "1inch router v4", { ethereum: "1111111254fb6c44bac0bed2854e76f90643097d" }),
  dex("1inch", "1inch router v5", { ethereum: "1111111254eeb25477b68fb85ed929f73a960582" }),
  dex("1inch", "1inch router v6", { ethereum: "111111125421ca6dc452d289314280a0f8842a65" }),
  dex("0x", "0x exchange proxy", { ethereum: "def1c0ded9bec7f1a1670819833240f027b25eff" }),
  dex("CoW Protocol", "CoW settlement", { ethereum: "9008d19f58aabd9ed0d60971565aa8510560ab41" }),
  dex("Balancer", "Balancer v2 vault", { ethereum: "ba12222222228d8ba445958a75a0704d566bf2c8" }),
  dex("Curve", "Curve 3pool", { ethereum: "bebc44782c7db0a1a60cb6fe97d0b483032ff1c7" }),
  lending("Aave", "Aave v2 lending pool", "7d2768de32b0b80b7a3454c06bdac94a69ddc7a9"),
  lending("Aave", "Aave v3 pool", "87870bca3f3fd6335c3f4ce8392d69350b4fa4e2"),
  lending("Compound", "Compound v3 USDC", "c3d688b66703497daa19211eedff47f25384cdc3"),
  {
    label: "Seaport 1.1",
    category: "nft",
    entity: "OpenSea",
    at: { ethereum: "00000000006c3852cbef3e08e8df289169ede581" },
  },
  {
    label: "Beacon chain deposit contract",
    category: "miner_validator",
    entity: "Ethereum",
    at: { ethereum: "00000000219ab540356cbb839cbe05303d7705fa" },
  },
  {
    label: "ERC-4337 entry point v0.6",
    category: "smart_account",
    entity: "",
    at: { "": "5ff137d4b0fdcd49dca30c7cf57e578a026d2789" },
  },
  {
    label: "ERC-4337 entry point v0.7",
    category: "smart_account",
    entity: "",
    at: { "": "0000000071727de22e5e9d8baf0edac6f37da032" },
  },
  {
    label: "Multicall3",
    category: "unknown_service",
    entity: "",
    at: { "": "ca11bde05977b3631167028862be2a173976ca11" },
  },
];

const rowsOf = ({ at, ...said }: Contract): readonly Label[] =>
  Object.entries(at).map(([network, address]) => ({
    network,
    address,
    ...said,
    confidence: 1,
    evidence: "the project's published list of deployments",
  }));

/** Routers and other contracts that most wallets meet. */
export const contracts: LabelSource = {
  name: "contracts",
  licence: "Facts from the projects' published deployments; written for this project.",
  rank: 80,
  rows: CONTRACTS.flatMap(rowsOf),
};
