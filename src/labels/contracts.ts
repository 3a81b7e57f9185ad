import { KNOWN_LABELS } from "../knowledge/protocols.gen.ts";
import { type Hex, hex } from "../lib/bytes.ts";
import type { Label, LabelSource } from "./source.ts";

interface Contract {
  readonly label: string;
  readonly category: string;
  readonly entity: string;
  /** Where the address was read. */
  readonly evidence: string;
  /** Address by network; `''` = the same wherever it is deployed. */
  readonly at: Readonly<Record<string, Hex>>;
}

/** Rows of graphsense/graphsense-tagpacks (MIT) that name the contract so. */
const TAGPACKS = "graphsense-tagpacks";
const UNISWAP_V3 = "Uniswap/v3-periphery deploys.md";
const UNIVERSAL = "Uniswap/universal-router deploy-addresses/mainnet.json";
const VIEM = "npm viem, account-abstraction/constants/address.ts";

type NamedContract = Pick<Contract, "label" | "evidence" | "at">;

const dex = (entity: string, told: NamedContract): Contract => ({ ...told, category: "dex", entity });
const lending = (entity: string, told: NamedContract): Contract => ({ ...told, category: "lending", entity });
const on = (network: string, label: string, [address, evidence]: readonly [string, string]): NamedContract => ({
  label,
  evidence,
  at: { [network]: hex(address) },
});

/** The first four networks that Uniswap v3 came to have its contracts at equal addresses. */
const onFirstFour = (label: string, written: string): NamedContract => {
  const address = hex(written);
  return {
    label,
    evidence: UNISWAP_V3,
    at: { ethereum: address, optimism: address, polygon: address, arbitrum: address },
  };
};

const everywhere = (label: string, [address, evidence]: readonly [string, string]): NamedContract =>
  on("", label, [address, evidence]);

const CONTRACTS: readonly Contract[] = [
  dex("Uniswap", on("ethereum", "Uniswap v2 router", ["7a250d5630b4cf539739df2c5dacb4c659f2488d", TAGPACKS])),
  dex("Uniswap", onFirstFour("Uniswap v3 router", "e592427a0aece92de3edee1f18e0157c05861564")),
  dex("Uniswap", onFirstFour("Uniswap router 02", "68b3465833fb72a70ecdf485e0e4c7bd8665fc45")),
  dex("Uniswap", onFirstFour("Uniswap v3 positions", "c36442b4a4522e871399cd717abdd847ab11fe88")),
  dex("Uniswap", on("ethereum", "Uniswap universal router", ["3fc91a3afd70395cd496c647d5a6cc9d4b2b7fad", UNISWAP_V3])),
  dex(
    "Uniswap",
    on("ethereum", "Uniswap universal router (first)", ["ef1c6e67703c7bd7107eed8303fbe6ec2554bf6b", UNIVERSAL]),
  ),
  dex("Uniswap", everywhere("Permit2", ["000000000022d473030f116ddee9f6b43ac78ba3", UNISWAP_V3])),
  dex("SushiSwap", on("ethereum", "SushiSwap router", ["d9e1ce17f2641f24ae83637ab66a2cca9c378b9f", TAGPACKS])),
  dex(
    "PancakeSwap",
    on("bsc", "PancakeSwap v2 router", [
      "10ed43c718714eb63d5aa57b78b54704e256024e",
      "developer.pancakeswap.finance/contracts/v2/addresses",
    ]),
  ),
  dex("1inch", on("ethereum", "1inch router v4", ["1111111254fb6c44bac0bed2854e76f90643097d", TAGPACKS])),
  dex("1inch", on("ethereum", "1inch router v5", ["1111111254eeb25477b68fb85ed929f73a960582", TAGPACKS])),
  dex(
    "1inch",
    on("ethereum", "1inch router v6", [
      "111111125421ca6dc452d289314280a0f8842a65",
      "rotki/rotki chain/evm/decoding/oneinch/constants.py",
    ]),
  ),
  dex("0x", on("ethereum", "0x exchange proxy", ["def1c0ded9bec7f1a1670819833240f027b25eff", TAGPACKS])),
  dex(
    "CoW Protocol",
    on("ethereum", "CoW settlement", [
      "9008d19f58aabd9ed0d60971565aa8510560ab41",
      "cowprotocol/contracts networks.json",
    ]),
  ),
  dex(
    "Balancer",
    on("ethereum", "Balancer v2 vault", [
      "ba12222222228d8ba445958a75a0704d566bf2c8",
      "docs.balancer.fi/reference/contracts/deployment-addresses/mainnet.html",
    ]),
  ),
  dex("Curve", on("ethereum", "Curve 3pool", ["bebc44782c7db0a1a60cb6fe97d0b483032ff1c7", TAGPACKS])),
  ...KNOWN_LABELS,
  lending("Compound", on("ethereum", "Compound v3 USDC", ["c3d688b66703497daa19211eedff47f25384cdc3", TAGPACKS])),
  {
    ...on("ethereum", "Seaport 1.1", ["00000000006c3852cbef3e08e8df289169ede581", TAGPACKS]),
    category: "nft",
    entity: "OpenSea",
  },
  {
    ...on("ethereum", "Beacon chain deposit contract", [
      "00000000219ab540356cbb839cbe05303d7705fa",
      "ethereum/consensus-specs specs/phase0/deposit-contract.md",
    ]),
    category: "miner_validator",
    entity: "Ethereum",
  },
  {
    ...everywhere("ERC-4337 entry point v0.6", ["5ff137d4b0fdcd49dca30c7cf57e578a026d2789", VIEM]),
    category: "smart_account",
    entity: "",
  },
  {
    ...everywhere("ERC-4337 entry point v0.7", ["0000000071727de22e5e9d8baf0edac6f37da032", VIEM]),
    category: "smart_account",
    entity: "",
  },
  {
    ...everywhere("Multicall3", [
      "ca11bde05977b3631167028862be2a173976ca11",
      "npm viem, chains/definitions/mainnet.ts",
    ]),
    category: "unknown_service",
    entity: "",
  },
];

const rowsOf = ({ at, ...said }: Contract): readonly Label[] =>
  Object.entries(at).map(([network, address]) => ({ network, address, ...said, confidence: 1 }));

/** Routers and other contracts that most wallets meet. */
export const contracts: LabelSource = {
  name: "contracts",
  licence: "Facts: addresses that each row's source publishes; written for this project.",
  rank: 80,
  rows: CONTRACTS.flatMap(rowsOf),
};
