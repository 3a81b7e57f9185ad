import type { WordGroup } from "./word.ts";

/** Stakes, locks, rewards and what is claimed. Sources: the protocols' own public interfaces. */
export const STAKING: readonly WordGroup[] = [
  // lidofinance/core
  {
    type: "stake",
    protocol: "Lido",
    actor: "t1",
    events: ["Submitted(address,uint256,address)"],
    functions: ["submit(address)"],
  },
  { type: "wrap", protocol: null, functions: ["wrap(uint256)"] },
  { type: "unwrap", protocol: null, functions: ["unwrap(uint256)"] },
  {
    type: "queue_withdrawal",
    protocol: "Lido",
    events: ["WithdrawalRequested(uint256,address,address,uint256,uint256)"],
    functions: [
      "requestWithdrawals(uint256[],address)",
      "requestWithdrawalsWithPermit(uint256[],address,(uint256,uint256,uint8,bytes32,bytes32))",
      "requestWithdrawalsWstETH(uint256[],address)",
    ],
  },
  {
    type: "unstake",
    protocol: "Lido",
    events: ["WithdrawalClaimed(uint256,address,address,uint256)"],
    functions: ["claimWithdrawals(uint256[],uint256[])", "claimWithdrawal(uint256)"],
  },
  // rocket-pool/rocketpool
  {
    type: "stake",
    protocol: "Rocket Pool",
    actor: "t1",
    events: ["DepositReceived(address,uint256,uint256)", "TokensMinted(address,uint256,uint256,uint256)"],
  },
  { type: "unstake", protocol: "Rocket Pool", actor: "t1", events: ["TokensBurned(address,uint256,uint256,uint256)"] },
  {
    type: "stake",
    protocol: "Rocket Pool",
    events: ["RPLStaked(address,uint256,uint256)", "RPLStaked(address,address,uint256,uint256)"],
  },
  // ethereum deposit contract and requests (EIP-7002, EIP-7251)
  {
    type: "stake",
    protocol: "Ethereum",
    events: ["DepositEvent(bytes,bytes,bytes,bytes,bytes)"],
    functions: ["deposit(bytes,bytes,bytes,bytes32)"],
  },
  // Layr-Labs/eigenlayer-contracts
  {
    type: "stake",
    protocol: "EigenLayer",
    functions: [
      "depositIntoStrategy(address,address,uint256)",
      "depositIntoStrategyWithSignature(address,address,uint256,address,uint256,bytes)",
    ],
  },
  {
    type: "extend_stake",
    protocol: "EigenLayer",
    functions: ["delegateTo(address,(bytes,uint256),bytes32)"],
    events: ["StakerDelegated(address,address)"],
  },
  {
    type: "queue_withdrawal",
    protocol: "EigenLayer",
    functions: [
      "undelegate(address)",
      "queueWithdrawals((address[],uint256[],address)[])",
      "queueWithdrawals((address[],uint256[],uint256)[])",
      "queueWithdrawal(uint256[],address[],uint256[],address,bool)",
    ],
    events: [
      "WithdrawalQueued(bytes32,(address,address,address,uint256,uint32,address[],uint256[]))",
      "SlashingWithdrawalQueued(bytes32,(address,address,address,uint256,uint32,address[],uint256[]),uint256[])",
      "StakerUndelegated(address,address)",
    ],
  },
  {
    type: "unstake",
    protocol: "EigenLayer",
    events: ["WithdrawalCompleted(bytes32)", "SlashingWithdrawalCompleted(bytes32)"],
    functions: [
      "completeQueuedWithdrawal((address,address,address,uint256,uint32,address[],uint256[]),address[],uint256,bool)",
      "completeQueuedWithdrawal((address,address,address,uint256,uint32,address[],uint256[]),address[],bool)",
      "completeQueuedWithdrawals((address,address,address,uint256,uint32,address[],uint256[])[],address[][],uint256[],bool[])",
      "completeQueuedWithdrawals((address,address,address,uint256,uint32,address[],uint256[])[],address[][],bool[])",
    ],
  },
  { type: "deploy", protocol: "EigenLayer", events: ["PodDeployed(address,address)"], functions: ["createPod()"] },
  {
    type: "claim_reward",
    protocol: "EigenLayer",
    events: ["RewardsClaimed(bytes32,address,address,address,address,uint256)"],
    functions: ["processClaim((uint32,uint32,bytes,(address,bytes32),uint32[],bytes[],(address,uint256)[]),address)"],
  },
  // ether.fi, kelp, renzo, puffer, swell, stader, mantle, frax
  { type: "stake", protocol: "EtherFi", events: ["Deposit(address,uint256,uint8,address)"] },
  { type: "stake", protocol: "Renzo", events: ["Deposit(address,address,uint256,uint256,uint256)"], is_minor: true },
  {
    type: "stake",
    protocol: "Kelp",
    functions: ["depositETH(uint256,string)", "depositAsset(address,uint256,uint256,string)"],
    events: ["ETHDeposit(address,uint256,uint256,string)", "AssetDeposit(address,address,uint256,uint256,string)"],
  },
  { type: "stake", protocol: "Stader", functions: ["deposit(address,string)"] },
  {
    type: "stake",
    protocol: "Frax",
    functions: ["submitAndDeposit(address)", "submitAndGive(address)"],
    events: ["ETHSubmitted(address,address,uint256,uint256)"],
  },
  // aave stake tokens
  {
    type: "stake",
    protocol: "Aave",
    actor: "t1",
    events: ["Staked(address,address,uint256,uint256)"],
    functions: [
      "stakeWithPermit(uint256,uint256,uint8,bytes32,bytes32)",
      "stakeWithPermit(address,uint256,uint256,uint8,bytes32,bytes32)",
    ],
  },
  { type: "unstake", protocol: null, events: ["Redeem(address,address,uint256,uint256)"] },
  {
    type: "queue_withdrawal",
    protocol: null,
    events: ["Cooldown(address)", "Cooldown(address,uint256)"],
    functions: ["cooldown()"],
  },
  {
    type: "claim_reward",
    protocol: "Aave",
    events: [
      "RewardsClaimed(address,address,uint256)",
      "RewardsClaimed(address,address,address,uint256)",
      "RewardsClaimed(address,address,address,address,uint256)",
    ],
    functions: [
      "claimAllRewardsToSelf(address[])",
      "claimAllRewards(address[],address)",
      "claimRewards(address[],uint256,address,address)",
      "claimRewards(address[],uint256,address)",
    ],
    is_minor: true,
  },
  // compound rewards
  {
    type: "claim_reward",
    protocol: "Compound",
    events: ["RewardClaimed(address,address,address,uint256)"],
    functions: ["claimComp(address)", "claimComp(address,address[])", "claim(address,address,bool)"],
  },
  {
    type: "claim_reward",
    protocol: "Compound v2",
    is_minor: true,
    events: ["DistributedSupplierComp(address,address,uint256,uint256)"],
  },
  // curvefi gauges
  {
    type: "stake",
    protocol: "Curve",
    is_minor: true,
    events: ["UpdateLiquidityLimit(address,uint256,uint256,uint256,uint256)"],
  },
  {
    type: "claim_reward",
    protocol: "Curve",
    actor: "t1",
    events: ["Minted(address,address,uint256)"],
    functions: ["mint_many(address[8])", "claim_rewards(address)", "claim_rewards()"],
  },
  // veCRV and its copies
  {
    type: "stake",
    protocol: null,
    actor: "t1",
    events: [
      "Deposit(address,uint256,uint256,int128,uint256)",
      "Deposit(address,uint256,uint256,uint256,uint256)",
      "Deposit(address,uint256,uint8,uint256,uint256,uint256)",
      "Deposit(address,uint256,uint256,uint8,uint256)",
    ],
  },
  { type: "unstake", protocol: null, actor: "t1", events: ["Withdraw(address,uint256,uint256)"], is_minor: true },
  {
    type: "unstake",
    protocol: null,
    functions: ["withdraw()", "exit()", "withdrawAndUnwrap(uint256,bool)", "withdrawAllAndUnwrap(bool)"],
    is_minor: true,
  },
  // velodrome-finance/contracts Gauge, VotingEscrow
  { type: "stake", protocol: null, actor: "t1", events: ["Deposit(address,address,uint256)"], is_minor: true },
  // graphprotocol/contracts
  {
    type: "stake",
    protocol: "The Graph",
    actor: "t2",
    events: [
      "StakeDelegated(address,address,uint256,uint256)",
      "TokensDelegated(address,address,address,uint256,uint256)",
    ],
    functions: ["delegate(address,uint256)", "delegate(address,address,uint256,uint256)"],
  },
  {
    type: "queue_withdrawal",
    protocol: "The Graph",
    actor: "t2",
    events: [
      "StakeDelegatedLocked(address,address,uint256,uint256,uint256)",
      "TokensUndelegated(address,address,address,uint256,uint256)",
    ],
    functions: ["undelegate(address,address,uint256)", "undelegate(address,uint256)"],
  },
  {
    type: "unstake",
    protocol: "The Graph",
    actor: "t2",
    events: [
      "StakeDelegatedWithdrawn(address,address,uint256)",
      "DelegatedTokensWithdrawn(address,address,address,uint256)",
    ],
    functions: ["withdrawDelegated(address,address)", "withdrawDelegated(address,address,uint256)"],
  },
  {
    type: "stake",
    protocol: "The Graph",
    events: ["StakeDeposited(address,uint256)", "HorizonStakeDeposited(address,uint256)"],
  },
  // across-protocol AcceleratingDistributor
  {
    type: "stake",
    protocol: "Across",
    actor: "t2",
    events: ["Stake(address,address,uint256,uint256,uint256,uint256)"],
    functions: ["stake(address,uint256)"],
  },
  {
    type: "unstake",
    protocol: "Across",
    actor: "t2",
    events: ["Unstake(address,address,uint256,uint256,uint256)"],
    functions: ["unstake(address,uint256)", "exit(address)"],
    is_minor: true,
  },
  {
    type: "claim_reward",
    protocol: "Across",
    actor: "t2",
    events: ["RewardsWithdrawn(address,address,uint256,uint256,uint256,uint256,uint256)"],
  },
  // convex
  {
    type: "deposit",
    protocol: "Convex",
    actor: "t1",
    events: ["Deposited(address,uint256,uint256)"],
    functions: ["deposit(uint256,uint256,bool)", "depositAll(uint256,bool)"],
  },
  { type: "withdraw", protocol: null, actor: "t1", events: ["Withdrawn(address,uint256,uint256)"] },
  // safe locking
  { type: "stake", protocol: "Safe", events: ["Locked(address,uint96)"], functions: ["lock(uint96)"] },
];
