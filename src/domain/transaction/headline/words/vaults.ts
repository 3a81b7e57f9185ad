import type { WordGroup } from "./word.ts";

const ADJUST_V2 = ["adjustTrove(uint256,uint256,bool,uint256,bool,uint256)"];

/** Vaults of collateral, of shares and of savings. Sources: the protocols' own public interfaces. */
export const VAULTS: readonly WordGroup[] = [
  // EIP-4626, EIP-7540
  {
    ...{ type: "deposit", protocol: null, actor: "t2" },
    events: ["Deposit(address,address,uint256,uint256)"],
    functions: ["deposit(uint256,address)", "deposit(uint256,address,address)", "mint(uint256,address)"],
  },
  {
    ...{ type: "withdraw", protocol: null, actor: "t3" },
    events: ["Withdraw(address,address,address,uint256,uint256)"],
    functions: ["withdraw(uint256,address,address)", "redeem(uint256,address,address)"],
  },
  {
    ...{ type: "deposit", protocol: null, actor: "t2" },
    events: ["DepositRequest(address,address,uint256,address,uint256)"],
    functions: ["requestDeposit(uint256,address,address)"],
  },
  {
    ...{ type: "queue_withdrawal", protocol: null, actor: "t2" },
    events: ["RedeemRequest(address,address,uint256,address,uint256)"],
    functions: ["requestRedeem(uint256,address,address)"],
  },
  // liquity/dev BorrowerOperations.sol, TroveManager.sol; liquity/bold
  {
    ...{ type: "borrow", protocol: null },
    functions: [
      "openTrove(uint256,uint256,address,address)",
      "withdrawLUSD(uint256,uint256,address,address)",
      "withdrawBold(uint256,uint256,uint256)",
      "openTrove(address,uint256,uint256,uint256,uint256,uint256,uint256,uint256,address,address,address)",
    ],
  },
  { type: "repay", protocol: null, functions: ["repayLUSD(uint256,address,address)", "repayBold(uint256,uint256)"] },
  ...(
    [
      ["borrow", "minted"],
      ["repay", "burnt"],
    ] as const
  ).map(([type, needs]) => ({
    ...{ type, needs, protocol: null },
    functions: ["adjustTrove(uint256,uint256,uint256,bool,address,address)", ...ADJUST_V2],
  })),
  { type: "repay", protocol: null, functions: ["closeTrove()", "closeTrove(uint256)"] },
  { type: "supply", protocol: null, functions: ["addColl(address,address)", "addColl(uint256,uint256)"] },
  {
    type: "withdraw",
    protocol: null,
    functions: ["withdrawColl(uint256,address,address)", "withdrawColl(uint256,uint256)"],
  },
  ...(["supply", "withdraw"] as const).map((type) => ({
    ...{ type, protocol: "Liquity", is_minor: true },
    events: ["TroveUpdated(address,uint256,uint256,uint256,uint8)"],
    functions: ["adjustTrove(uint256,uint256,uint256,bool,address,address)", ...ADJUST_V2],
  })),
  { type: "stake", protocol: "Liquity", functions: ["provideToSP(uint256,address)", "provideToSP(uint256,bool)"] },
  { type: "unstake", protocol: "Liquity", functions: ["withdrawFromSP(uint256)", "withdrawFromSP(uint256,bool)"] },
  {
    ...{ type: "stake", protocol: "Liquity", actor: "t1" },
    events: ["StakeChanged(address,uint256)", "UserDepositChanged(address,uint256,uint256)"],
  },
  // curvefi/curve-stablecoin Controller.vy
  {
    ...{ type: "borrow", protocol: null, actor: "t1" },
    events: ["Borrow(address,uint256,uint256)"],
    functions: ["create_loan(uint256,uint256,uint256)", "borrow_more(uint256,uint256)"],
  },
  { type: "repay", protocol: null, actor: "t1", events: ["Repay(address,uint256,uint256)"] },
  {
    type: "withdraw",
    protocol: "Curve",
    actor: "t1",
    events: ["RemoveCollateral(address,uint256)"],
    functions: ["remove_collateral(uint256)"],
  },
  { type: "supply", protocol: "Curve", functions: ["add_collateral(uint256)", "add_collateral(uint256,address)"] },
  // Instadapp/fluid-contracts-public vaultT1
  { type: "supply", protocol: "Fluid", events: ["LogOperate(address,uint256,int256,int256,address)"], is_minor: true },
  // makerdao/dss: notes of the vat, whose first topic is a selector padded to a word
  // makerdao/dss DssProxyActions.sol, makerdao/proxy-actions (Sai)
  {
    ...{ type: "supply", protocol: "Maker" },
    functions: [
      ...["lockETH(address,address,uint256)", "lockGem(address,address,uint256,uint256,bool)"],
      ...["safeLockETH(address,address,uint256,address)", "safeLockGem(address,address,uint256,uint256,bool,address)"],
      ...["join(address,address,uint256)", "lock(bytes32,uint256)", "lock(address,bytes32)"],
    ],
  },
  {
    ...{ type: "withdraw", protocol: "Maker" },
    functions: [
      ...["freeETH(address,address,uint256,uint256)", "freeGem(address,address,uint256,uint256)"],
      ...["exitETH(address,address,uint256,uint256)", "exitGem(address,address,uint256,uint256)"],
      ...["exit(address,address,uint256)", "exitAll(address,address)", "free(bytes32,uint256)"],
    ],
  },
  {
    ...{ type: "borrow", protocol: "Maker" },
    functions: [
      ...["draw(address,address,address,uint256,uint256)", "draw(bytes32,uint256)"],
      "openLockETHAndDraw(address,address,address,address,bytes32,uint256)",
      "openLockGemAndDraw(address,address,address,address,bytes32,uint256,uint256,bool)",
      "lockETHAndDraw(address,address,address,address,uint256,uint256)",
      "lockGemAndDraw(address,address,address,address,uint256,uint256,uint256,bool)",
    ],
  },
  {
    ...{ type: "repay", protocol: "Maker" },
    functions: [
      ...["wipe(address,address,uint256,uint256)", "wipeAll(address,address,uint256)", "wipe(bytes32,uint256)"],
      ...["safeWipe(address,address,uint256,uint256,address)", "safeWipeAll(address,address,uint256,address)"],
      ...[
        "wipeAndFreeETH(address,address,uint256,uint256,uint256)",
        "wipeAllAndFreeETH(address,address,uint256,uint256)",
      ],
      "wipeAndFreeGem(address,address,uint256,uint256,uint256)",
      "wipeAllAndFreeGem(address,address,uint256,uint256)",
    ],
  },
  {
    type: "migrate",
    protocol: "Maker",
    functions: [
      "migrate(address,bytes32)",
      "swapSaiToDai(address,uint256)",
      "swapSaiToDai(uint256)",
      "swapDaiToSai(uint256)",
    ],
  },
  // Extra-Finance/extra-contracts LendingPool
  {
    ...{ type: "deposit", protocol: "Extra Finance" },
    functions: [
      "deposit(uint256,uint256,address,uint16)",
      "newOrInvestToVaultPosition((uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256))",
    ],
  },
  {
    type: "withdraw",
    protocol: "Extra Finance",
    functions: ["redeem(uint256,uint256,address,bool)", "unStakeAndWithdraw(uint256,uint256,address,bool)"],
  },
  { type: "repay", protocol: "Extra Finance", functions: ["exactRepay(uint256,uint256)"] },
  // sparkdotfi PSM3
  {
    ...{ type: "swap", protocol: "Spark", is_minor: true },
    events: ["Swap(address,address,address,address,uint256,uint256,uint256)"],
  },
];
