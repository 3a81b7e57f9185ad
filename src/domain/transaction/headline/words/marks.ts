import { PROTOCOL_MARKS } from "../../../../knowledge/protocols.gen.ts";

/** Events of which contracts of only one protocol are known: they name it, whatever the act was. Sources: its own public interfaces. */
export const MARKS: readonly (readonly [protocol: string, events: readonly string[]])[] = [
  // beefyfinance/beefy-contracts strategies
  [
    "Beefy",
    [
      ...["StratHarvest(address,uint256,uint256)", "ChargedFees(uint256,uint256,uint256)"],
      "FulfilledOrder(((address,uint256)[],(address,uint256)[],(address,uint256,bytes),address,address),address,address)",
    ],
  ],
  // curvefi/curve-stablecoin Controller.vy
  ["Curve", ["UserState(address,uint256,uint256,int256,int256,uint256)"]],
  // superfluid-finance/protocol-monorepo, makerdao/dss, Layr-Labs/eigenlayer-contracts
  [
    "Superfluid",
    ["FlowUpdatedExtension(address,uint256)", "TokenUpgraded(address,uint256)", "TokenDowngraded(address,uint256)"],
  ],
  ...PROTOCOL_MARKS,
  [
    "Compound v2 or a fork",
    ["AccrueInterest(uint256,uint256,uint256,uint256)", "AccrueInterest(uint256,uint256,uint256)"],
  ],
  // curvefi/curve-dao-contracts gauges
  ["Curve or a fork", ["UpdateLiquidityLimit(address,uint256,uint256,uint256,uint256)"]],
  // liquity/dev
  ["Liquity", ["LUSDBorrowingFeePaid(address,uint256)", "TroveUpdated(address,uint256,uint256,uint256,uint8)"]],
  // pendle-finance/pendle-core-v2-public
  ["Pendle", ["UpdateImpliedRate(uint256,uint256)"]],
  // morpho-org/metamorpho
  ["Morpho", ["UpdateLastTotalAssets(uint256)", "AccrueInterest(uint256,uint256)"]],
  // convex-platform
  ["Convex", ["PoolAdded(address,address,address,address,address,uint256)"]],
  // Allo-Protocol: votes of grants
  ["Gitcoin", ["Voted(address,uint256,address,address,bytes32,uint256,address)"]],
  // PaladinFinance/Paladin-Quest MultiMerkleDistributor.sol
  ["Paladin", ["Claimed(uint256,uint256,uint256,uint256,address,address)"]],
  // liquity/bold TroveManager.sol
  ["Liquity v2 or a fork", ["TroveOperation(uint256,uint8,uint256,uint256,uint256,int256,uint256,int256)"]],
];
