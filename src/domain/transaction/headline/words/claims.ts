import type { WordGroup } from "./word.ts";

/** Stakes, rewards, claims and what is asked back. Sources: the protocols' own public interfaces. */
export const CLAIMS: readonly WordGroup[] = [
  {
    type: "queue_withdrawal",
    protocol: "Safe",
    events: ["Unlocked(address,uint32,uint96)"],
    functions: ["unlock(uint96)"],
  },
  { type: "unstake", protocol: "Safe", events: ["Withdrawn(address,uint32,uint96)"] },
  // reown walletconnect staking
  {
    type: "stake",
    protocol: "WalletConnect",
    functions: ["createLock(uint256,uint256)", "increaseLockAmount(uint256)", "updateLock(uint256,uint256)"],
    events: ["Deposit(address,uint256,uint256,uint8,uint256,uint256)"],
    is_minor: true,
  },
  // pendle
  {
    type: "stake",
    protocol: "Pendle",
    events: ["NewLockPosition(address,uint128,uint128)", "BroadcastUserPosition(address,uint256[])"],
  },
  {
    type: "claim_reward",
    protocol: "Pendle",
    functions: ["redeemDueInterestAndRewards(address,address[],address[],address[])"],
    events: ["RedeemRewards(address,uint256[])"],
    is_minor: true,
  },
  // octant, golem
  { type: "stake", protocol: "Octant", events: ["Locked(uint256,uint256,uint256,address)"] },
  { type: "unstake", protocol: "Octant", events: ["Unlocked(uint256,uint256,uint256,address)"] },
  // merkle distributors: Uniswap/merkle-distributor and its copies; AngleProtocol/merkl-contracts
  {
    ...{ type: "claim_airdrop", protocol: null },
    events: ["Claimed(uint256,address,uint256)"],
    functions: [
      "claim(uint256,address,uint256,bytes32[])",
      "claim(address,uint256,bytes32[])",
      "claim(uint256,bytes32[])",
    ],
  },
  {
    type: "claim_reward",
    protocol: null,
    functions: ["claim(uint256,uint256,bytes32[])", "claim(address,uint256,uint256,bytes32[])"],
  },
  { type: "claim_reward", protocol: "Merkl", functions: ["claim(address[],address[],uint256[],bytes32[][])"] },
  // gitcoinco/matching-contracts MerklePayout.sol; payouts of vesting and splits
  {
    type: "claim_payment",
    protocol: "Gitcoin",
    events: ["FundsClaimed(uint256,address,uint256)"],
    functions: ["batchClaim((uint256,address,uint256,bytes32[])[])"],
  },
  {
    type: "claim_payment",
    protocol: null,
    events: ["ERC20Released(address,uint256)", "EtherReleased(uint256)"],
    functions: ["release()", "release(address)"],
  },
  // Synthetix StakingRewards and copies
  { type: "stake", protocol: null, actor: "t1", events: ["Staked(address,uint256)"] },
  { type: "unstake", protocol: null, actor: "t1", events: ["Withdrawn(address,uint256)"] },
  {
    type: "claim_reward",
    protocol: null,
    actor: "t1",
    events: ["RewardPaid(address,uint256)", "RewardPaid(address,address,uint256)"],
    functions: ["getReward()", "getReward(address)", "getReward(address,bool)", "getReward(address,address[])"],
  },
  // MasterChef and copies
  { type: "stake", protocol: null, actor: "t1", events: ["Deposit(address,uint256,uint256)"], is_minor: true },
  {
    type: "claim_reward",
    protocol: null,
    actor: "t1",
    events: ["Harvest(address,uint256,uint256)", "Harvest(address,uint256)"],
    is_minor: true,
  },
  // hedgey-finance, vesting plans
  {
    ...{ type: "claim_airdrop", protocol: null },
    functions: [
      "claimMultiple(bytes16[],bytes32[][],uint256[])",
      "claim(bytes16,bytes32[],uint256)",
      "claimTokens(uint256,bool,bytes32[])",
    ],
  },
  {
    type: "claim_reward",
    protocol: "Hedgey",
    functions: ["redeemPlans(uint256[])", "redeemAllPlans()"],
    is_known: true,
  },
  // linea, starknet, zkSync, EigenLayer, LayerZero, Optimism: claims of their tokens
  {
    ...{ type: "claim_airdrop", protocol: null },
    functions: [
      ...[
        "claim(address,uint256,bytes32[])",
        "claimAndDelegate(uint256,address,bytes32[],(address,uint256,uint256,uint8,bytes32,bytes32))",
      ],
      ...[
        "claimAndMint(uint32,bytes32[],address,bytes)",
        "claim(uint256,uint256,bytes32[],bytes)",
        "claim(address,uint256,uint8,bytes32,bytes32)",
      ],
      ...["claimOnMainnet()", "claim(uint256,bytes)", "claim(uint256,address,uint256,bytes32[],bool)"],
    ],
  },
  // maticnetwork/contracts ValidatorShare.sol
  {
    type: "stake",
    protocol: "Polygon",
    functions: ["buyVoucher(uint256,uint256)", "buyVoucherPOL(uint256,uint256)"],
    events: ["ShareMinted(uint256,address,uint256,uint256)"],
    is_known: true,
  },
  {
    type: "queue_withdrawal",
    protocol: "Polygon",
    functions: ["sellVoucher_new(uint256,uint256)", "sellVoucher_newPOL(uint256,uint256)"],
    events: ["ShareBurnedWithId(uint256,address,uint256,uint256,uint256)"],
    is_known: true,
  },
  {
    type: "unstake",
    protocol: "Polygon",
    functions: ["unstakeClaimTokens_new(uint256)", "unstakeClaimTokens_newPOL(uint256)"],
    is_known: true,
  },
  {
    type: "claim_reward",
    protocol: "Polygon",
    functions: ["withdrawRewards()", "withdrawRewardsPOL()"],
    events: ["DelegatorClaimedRewards(uint256,address,uint256)"],
    is_minor: true,
  },
  // gmx-io: staking and rewards
  {
    type: "stake",
    protocol: null,
    functions: [
      "stakeGmx(uint256)",
      "stakeEsGmx(uint256)",
      "mintAndStakeGlp(address,uint256,uint256,uint256)",
      "mintAndStakeGlpETH(uint256,uint256)",
    ],
  },
  {
    type: "unstake",
    protocol: null,
    functions: [
      "unstakeGmx(uint256)",
      "unstakeEsGmx(uint256)",
      "unstakeAndRedeemGlp(address,uint256,uint256,address)",
      "unstakeAndRedeemGlpETH(uint256,uint256,address)",
    ],
  },
  {
    type: "claim_reward",
    protocol: null,
    functions: ["handleRewards(bool,bool,bool,bool,bool,bool,bool)"],
  },
  // curve: minter, fee distributor, votes and locks; convex and stake dao lockers
  {
    type: "claim_reward",
    protocol: null,
    functions: [
      "mint_for(address,address)",
      "claimMultiple(address[],uint256[],bytes32[][])",
      "claimRewards(address[],address[],address[],address[],uint256,uint256,uint256,uint256,uint256)",
      "processIdleRewards()",
      "claimRewards(address[],address[])",
      "claim((address,uint256,uint256,bytes32[])[])",
      "claimMulti(address,(address,uint256,uint256,bytes32[])[])",
    ],
  },
  {
    type: "stake",
    protocol: null,
    functions: [
      "create_lock(uint256,uint256)",
      "increase_amount(uint256)",
      "lock(address,uint256,uint256)",
      "lock(uint256)",
      "lock(address,uint256)",
    ],
  },
  {
    type: "extend_stake",
    protocol: null,
    functions: [
      "increase_unlock_time(uint256)",
      "increaseUnlockTime(uint256,uint256)",
      "lockPermanent(uint256)",
      "unlockPermanent(uint256)",
    ],
  },
  {
    type: "unstake",
    protocol: null,
    functions: ["processExpiredLocks(bool)", "withdrawExpiredLocksTo(address)", "kickExpiredLocks(address)"],
  },
  // sushi bar, quickswap's dragon lair, masterchefs
  {
    type: "stake",
    protocol: null,
    functions: ["enter(uint256)", "deposit(uint256,uint256)", "deposit(uint256,uint256,address)"],
    is_minor: true,
  },
  {
    type: "unstake",
    protocol: null,
    functions: [
      "leave(uint256)",
      "withdraw(uint256,uint256)",
      "withdrawAndHarvest(uint256,uint256,address)",
      "emergencyWithdraw(uint256)",
    ],
    is_minor: true,
  },
  {
    type: "claim_reward",
    protocol: null,
    functions: ["harvest(uint256,address)", "getReward(address,address[])", "getReward(uint256,address[])"],
  },
  // liquity v1 stability pool and staking
  {
    type: "claim_reward",
    protocol: "Liquity",
    events: ["StakingGainsWithdrawn(address,uint256,uint256)", "ETHGainWithdrawn(address,uint256,uint256)"],
    is_minor: true,
  },
  // octant, rocket pool, ether.fi, kelp, swell and others that mint a share for the coin
  {
    type: "stake",
    protocol: null,
    functions: ["deposit()", "stake()", "submit()", "depositETH()", "stakeETH()", "depositEth()"],
    is_minor: true,
  },
  {
    type: "queue_withdrawal",
    protocol: null,
    functions: [
      "requestWithdraw(address,uint256)",
      "initiateWithdrawal(address,uint256)",
      "queueWithdrawals((address[],uint256[],address)[])",
    ],
    is_minor: true,
  },
  // ethena
  {
    type: "queue_withdrawal",
    protocol: "Ethena",
    functions: ["cooldownShares(uint256)", "cooldownAssets(uint256)"],
    is_known: true,
  },
];
