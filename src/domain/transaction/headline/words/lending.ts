import { ACT_SIGNATURES } from "../../../../knowledge/protocols.gen.ts";
import type { WordGroup } from "./word.ts";

/** Money markets, vaults of collateral and shares. Sources: the protocols' own public interfaces. */
export const LENDING: readonly WordGroup[] = [
  // knowledge/protocols: many forks use these layouts, so the name comes from the address.
  ...ACT_SIGNATURES,
  // compound-finance/compound-protocol CTokenInterfaces.sol
  {
    ...{ type: "supply", protocol: null, actor: "w0" },
    events: ["Mint(address,uint256,uint256)"],
    is_minor: true,
  },
  { type: "supply", protocol: "Compound", functions: ["mint(uint256)"], is_minor: true },
  { type: "withdraw", protocol: null, actor: "w0", events: ["Redeem(address,uint256,uint256)"] },
  {
    ...{ type: "borrow", protocol: null, actor: "w0" },
    events: ["Borrow(address,uint256,uint256,uint256)", "Borrow(address,uint256,uint256,uint256,uint256)"],
    functions: ["borrow(uint256)"],
  },
  {
    ...{ type: "repay", protocol: null, actor: "w0" },
    events: ["RepayBorrow(address,address,uint256,uint256,uint256)"],
    functions: [
      "repayBorrow(uint256)",
      "repayBorrow()",
      "repayBehalf(address)",
      "repayBehalfExplicit(address,address)",
    ],
  },
  {
    ...{ type: "liquidation", protocol: null, actor: "w0" },
    events: ["LiquidateBorrow(address,address,uint256,address,uint256)"],
    functions: ["liquidateBorrow(address,uint256,address)", "liquidateBorrow(address,address)"],
  },
  // compound-finance/comet CometMainInterface.sol, CometExt
  {
    ...{ type: "supply", protocol: "Compound v3", actor: "t2" },
    events: ["SupplyCollateral(address,address,address,uint256)"],
  },
  {
    ...{ type: "withdraw", protocol: "Compound v3", actor: "t1" },
    events: ["WithdrawCollateral(address,address,address,uint256)"],
  },
  { type: "supply", protocol: null, functions: ["supply(address,uint256)", "supplyTo(address,address,uint256)"] },
  { type: "withdraw", protocol: null, functions: ["withdraw(address,uint256)", "withdrawTo(address,address,uint256)"] },
  // compound-finance/comet bulker
  {
    type: "supply",
    protocol: null,
    functions: ["invoke(bytes32[],bytes[])", "invoke(uint256[],bytes[])"],
    is_minor: true,
  },
  { type: "supply", protocol: null, actor: "t2", events: ["Supply(address,address,uint256)"] },
  { type: "withdraw", protocol: null, actor: "t1", events: ["Withdraw(address,address,uint256)"], is_minor: true },
  // aave v1 LendingPool.sol, AToken.sol
  {
    type: "supply",
    protocol: null,
    events: ["Deposit(address,address,uint256,uint16,uint256)"],
    functions: ["deposit(address,uint256,uint16)"],
  },
  { type: "withdraw", protocol: null, events: ["RedeemUnderlying(address,address,uint256,uint256)"] },
  {
    type: "borrow",
    protocol: null,
    events: ["Borrow(address,address,uint256,uint256,uint256,uint256,uint256,uint16,uint256)"],
  },
  { type: "repay", protocol: null, events: ["Repay(address,address,address,uint256,uint256,uint256,uint256)"] },
  // euler-xyz/euler-vault-kit EVault.sol; silo; gearbox
  { type: "borrow", protocol: null, functions: ["borrow(uint256,address)", "borrow(uint256,address,address)"] },
  { type: "repay", protocol: null, functions: ["repay(uint256,address)"] },
  // makerdao/sdai, usds: joins and exits of savings through a proxy
  { type: "withdraw", protocol: null, functions: ["exit(address,address,uint256)", "exitAll(address,address)"] },
  {
    type: "migrate",
    protocol: null,
    functions: ["daiToUsds(address,uint256)", "usdsToDai(address,uint256)", "mkrToSky(address,uint256)"],
  },
  // morpho-org/morpho-blue EventsLib.sol
  {
    ...{ type: "supply", protocol: "Morpho", actor: "t3" },
    events: ["Supply(bytes32,address,address,uint256,uint256)", "SupplyCollateral(bytes32,address,address,uint256)"],
    functions: [
      "supply((address,address,address,address,uint256),uint256,uint256,address,bytes)",
      "supplyCollateral((address,address,address,address,uint256),uint256,address,bytes)",
    ],
  },
  {
    ...{ type: "withdraw", protocol: "Morpho", actor: "t2" },
    events: [
      "Withdraw(bytes32,address,address,address,uint256,uint256)",
      "WithdrawCollateral(bytes32,address,address,address,uint256)",
    ],
    functions: [
      "withdraw((address,address,address,address,uint256),uint256,uint256,address,address)",
      "withdrawCollateral((address,address,address,address,uint256),uint256,address,address)",
    ],
  },
  {
    ...{ type: "borrow", protocol: "Morpho", actor: "t2" },
    events: ["Borrow(bytes32,address,address,address,uint256,uint256)"],
    functions: ["borrow((address,address,address,address,uint256),uint256,uint256,address,address)"],
  },
  {
    ...{ type: "repay", protocol: "Morpho", actor: "t3" },
    events: ["Repay(bytes32,address,address,uint256,uint256)"],
    functions: ["repay((address,address,address,address,uint256),uint256,uint256,address,bytes)"],
  },
  {
    ...{ type: "liquidation", protocol: "Morpho", actor: "t2" },
    events: ["Liquidate(bytes32,address,address,uint256,uint256,uint256,uint256,uint256)"],
  },
  // morpho-org/metamorpho EventsLib.sol
  {
    ...{ type: "deposit", protocol: "Morpho" },
    events: ["AccrueInterest(uint256,uint256)", "UpdateLastTotalAssets(uint256)"],
    is_minor: true,
  },
];
