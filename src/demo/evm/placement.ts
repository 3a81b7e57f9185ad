import type { HexText } from "./rpc.ts";

/**
 * `demo`: contracts have the addresses that their creators give them. `mainnet`: well-known contracts are at their
 * addresses on Ethereum. `tron`: as `demo`, but one wei represents one sun.
 */
export type Placement = "demo" | "mainnet" | "tron";

/** The creator of a well-known contract on Ethereum, and its nonce; both decide the address. */
export interface ContractOrigin {
  readonly creator: HexText;
  readonly nonce: number;
}

export const CHAIN_IDS: Readonly<Record<Placement, number>> = { demo: 31_337, mainnet: 1, tron: 31_337 };

/** Ether at one gwei, and what Tron burns for a unit of energy (its parameter getEnergyFee). */
export const PRICES_PER_GAS: Readonly<Record<Placement, bigint>> = { demo: 10n ** 9n, mainnet: 10n ** 9n, tron: 100n };

/** From the creation transactions on Ethereum; a test recomputes each address from creator and nonce. */
export const MAINNET_ORIGINS: Readonly<Record<string, ContractOrigin>> = {
  weth: { creator: "0x4F26FfBe5F04ED43630fdC30A87638d53D0b0876", nonce: 446 },
  usdc: { creator: "0x95Ba4cF87D6723ad9C0Db21737D862bE80e93911", nonce: 20 },
  usdt: { creator: "0x36928500Bc1dCd7af6a2B4008875CC336b927D57", nonce: 6 },
  multicall3: { creator: "0x05f32B3cC3888453ff71B01135B34FF8e41263F2", nonce: 0 },
  ens_registry: { creator: "0x4Fe4e666Be5752f1FdD210F4Ab5DE2Cc26e3E0e8", nonce: 0 },
  v2_factory: { creator: "0x9C33eaCc2F50E39940D3AfaF2c7B8246B681A374", nonce: 0 },
  v2_router: { creator: "0x9C33eaCc2F50E39940D3AfaF2c7B8246B681A374", nonce: 3 },
  v3_factory: { creator: "0x6C9FC64A53c1b71FB3f9Af64d1ae3A4931A5f4E9", nonce: 0 },
  v3_router: { creator: "0x6C9FC64A53c1b71FB3f9Af64d1ae3A4931A5f4E9", nonce: 4 },
  v3_positions: { creator: "0x6C9FC64A53c1b71FB3f9Af64d1ae3A4931A5f4E9", nonce: 8 },
};

/** The addresses that follow from the table above. */
export const MAINNET_ADDRESSES = {
  weth: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2",
  usdc: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
  usdt: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  multicall3: "0xcA11bde05977b3631167028862bE2a173976CA11",
  ens_registry: "0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e",
  v2_factory: "0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f",
  v2_router: "0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D",
  v3_factory: "0x1F98431c8aD98523631AE4a59f267346ea31F984",
  v3_router: "0xE592427A0AEce92De3Edee1F18E0157C05861564",
  v3_positions: "0xC36442b4a4522E871399CD717aBDD847Ab11FE88",
} as const satisfies Readonly<Record<string, HexText>>;
