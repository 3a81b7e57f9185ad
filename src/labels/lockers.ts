import { hex } from "../lib/bytes.ts";
import type { LabelSource } from "./source.ts";

const UNCX = "uncx-network/liquidity-locker-univ2-contracts README.md";
const PINK = "Web3Damo/Web3-Clones 03_TokenLocker/readme.md, PinkLock02";

interface Locker {
  readonly entity: string;
  /** Venue whose pool shares it locks; '' = any token. */
  readonly shares: string;
  readonly evidence: string;
  /** Address by network, as it is written down. */
  readonly at: Readonly<Record<string, string>>;
}

const uncx = (shares: string, at: Readonly<Record<string, string>>): Locker => ({
  entity: "UNCX",
  shares,
  evidence: UNCX,
  at,
});

const LOCKERS: readonly Locker[] = [
  uncx("Uniswap v2", {
    ethereum: "663a5c229c09b049e36dcc11a9b0d4a8eb9db214",
    arbitrum: "63f4b2c082b1e0bba38874567e053800379bf8d7",
    optimism: "5923c3911d9424f7725cad33ed176a6b885484d6",
    polygon: "939d71ade0bf94d3f8cf578413bf2a2f248bf58b",
    base: "c4e637d37113192f4f1f060daebd7758de7f4131",
    avalanche: "07dd74c2df2bc4eb04cf8edb2f695aa79ba590eb",
    gnosis: "e3d32266974f1e8f8549caf9f54977040e7d1c07",
    bsc: "7229247bd5cf29fa9b0764aa1568732be024084b",
  }),
  uncx("Uniswap v2, 2024", { ethereum: "59d7d55ddc58494fbbbca29904f108ece82ac7fb" }),
  uncx("SushiSwap", {
    ethereum: "ed9180976c2a4742c7a57354fd39d8bec6cbd8ab",
    arbitrum: "275720567e5955f5f2d53a7a1ab8a0fc643de50e",
    polygon: "1f241ef7e9ecdda8862256fc769fe7ec9240d94c",
    base: "beddf48499788607b4c2e704e9099561ab38aae8",
  }),
  uncx("PancakeSwap v2", { bsc: "c765bddb93b0d1c1a88282ba0fa6b2d00e3e0c83" }),
  uncx("PancakeSwap v1", { bsc: "c8b839b9226965caf1d9fc1551588aaf553a7be6" }),
  uncx("Biswap", { bsc: "74dee1a3e2b83e1d1f144af2b741bbaffd7305e1" }),
  uncx("QuickSwap", { polygon: "adb2437e6f65682b85f814fbc12fec0508a7b1d0" }),
  uncx("Camelot", { arbitrum: "a71182392faaa9a123a9e8120e79515117f05be4" }),
  uncx("Trader Joe", { avalanche: "a9f6aefa5d56db1205f36c34e6482a6d4979b3bb" }),
  uncx("Pangolin", { avalanche: "b2b13b648e956b42b1d8c5b2476d87b9cbf48076" }),
  {
    entity: "PinkSale",
    shares: "",
    evidence: PINK,
    at: {
      bsc: "407993575c91ce7643a4d4ccacc9a98c36ee1bbe",
      ethereum: "71b5759d73262fbb223956913ecf4ecc51057641",
    },
  },
];

/** Contracts that keep pool shares and tokens until a time. */
export const lockers: LabelSource = {
  name: "lockers",
  licence: "Facts; written for this project.",
  rank: 80,
  rows: LOCKERS.flatMap(({ entity, shares, evidence, at }) =>
    Object.entries(at).map(([network, address]) => ({
      network,
      address: hex(address),
      label: shares === "" ? `${entity} locker` : `${entity} locker (${shares})`,
      category: "locker",
      entity,
      confidence: 0.95,
      evidence,
    })),
  ),
};
