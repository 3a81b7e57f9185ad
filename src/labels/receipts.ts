import { type Hex, hex } from "../lib/bytes.ts";

/** A token that is minted for a staked coin, or for another such token, and burned when it is taken back. */
interface StakingReceipt {
  readonly network: string;
  readonly token: string;
  readonly symbol: string;
  /** Where the address was read. */
  readonly evidence: string;
}

const LIDO = "lidofinance/docs deployed-contracts";

/** Vaults (EIP-4626), lending receipts and pool shares tell by their events what they are and are not listed. */
const STAKING_RECEIPTS: readonly StakingReceipt[] = [
  { network: "ethereum", token: "ae7ab96520de3a18e5e111b5eaab095312d7fe84", symbol: "stETH", evidence: LIDO },
  { network: "ethereum", token: "7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0", symbol: "wstETH", evidence: LIDO },
  {
    network: "ethereum",
    token: "ae78736cd615f374d3085123a210448e74fc6393",
    symbol: "rETH",
    evidence: "rocket-pool/rocketpool contract addresses",
  },
  {
    network: "ethereum",
    token: "35fa164735182de50811e8e2e824cfb9b6118ac2",
    symbol: "eETH",
    evidence: "etherfi-protocol/smart-contracts",
  },
  {
    network: "ethereum",
    token: "cd5fe23c85820f7b72d0926fc9b05b43e359b7ee",
    symbol: "weETH",
    evidence: "etherfi-protocol/smart-contracts",
  },
];

/** Receipts of staking on a network. */
export const stakingReceipts = (network: string): ReadonlySet<Hex> =>
  new Set(STAKING_RECEIPTS.filter((receipt) => receipt.network === network).map(({ token }) => hex(token)));
