import type { WordFamily } from "./word.ts";

/** Names that contracts of many authors give to the same act, whatever else they pass along. */
export const FAMILIES: readonly WordFamily[] = [
  {
    type: "deposit",
    events:
      "DepositRequest LogDeposit TokensDeposited DepositToken TokenDeposit NewDeposit DepositETH Invest Invested DepositMade DepositedETH AssetDeposited Deposit Deposited VaultDeposit UserDeposit",
    functions:
      "depositRequest requestDeposit deposit depositFor depositAll depositETH depositEth depositNative zapIn enter depositToken zapInETH",
  },
  {
    type: "supply",
    events: "AddCollateral CollateralAdded DepositCollateral Supply Supplied Lend",
    functions: "supply supplyTo supplyFrom lend depositCollateral addCollateral addColl supplyCollateral lock",
  },
  {
    type: "withdraw",
    events:
      "RemoveCollateral CollateralRemoved LogWithdraw LogWithdrawal TokensWithdrawn WithdrawToken TokenWithdrawn TokenWithdraw BalanceWithdrawn FundsWithdrawn WithdrawETH WithdrawTokens Withdrawed AssetWithdrawn Withdraw VaultWithdraw Redeem Redeemed CollateralWithdrawn WithdrawCollateral",
    functions:
      "withdraw withdrawAll withdrawTo redeem redeemUnderlying withdrawETH withdrawEth withdrawNative zapOut leave removeCollateral withdrawColl withdrawCollateral redeemETH withdrawToken zapOutETH",
  },
  {
    type: "stake",
    events:
      "Lock StakeEvent StakeCompleted Staking NewLock NewStake StakeStarted Restake StakeNFT StakedNFT DelegateStake Bonded CreateLock VoteLock LOG_STAKE DepositStake StakedFor Stake Staked StakeDeposited StakeAdded Locked StakeLocked TokensStaked TokenStaked Stakes LockCreated TokenLocked TokensLocked StakeAdd DepositLocked",
    functions:
      "stake stakeFor stakeAll stakeETH depositAndStake stakeTokens lockTokens createLock create_lock increaseAmount increase_amount increaseLock increaseLockAmount delegateStake",
  },
  {
    type: "extend_stake",
    events: "LockExtended ExtendLock",
    functions: "increase_unlock_time increaseUnlockTime extendLock increaseUnlockTimes updateLock",
  },
  {
    type: "unstake",
    events:
      "WithdrawalConfirmed InstantUnstake UnstakeRequestClaimed RedemptionTicketNftRedeemed WithdrawalClaimed WithdrawalsClaimed Unlock EmergencyWithdraw EmergencyWithdrawn UnStake UnStaked UnstakeEvent UnLocked WithdrawalCompleted WithdrawCompleted WithdrawStake StakeReleased Unbonded LOG_UNSTAKE Unstaking StakeWithdraw Unlocks LockWithdrawn CooldownWithdrawn UnstakeNFT UnstakedNFT Unstake Unstaked Withdrawn Unlocked StakeWithdrawn TokensUnstaked TokenUnstaked LockReleased TokenUnlocked TokensUnlocked StakeRemoved",
    functions:
      "confirmWithdrawal completeWithdraw instantUnstake claimUnstakeRequest claimWithdrawal claimWithdrawals claimWithdraw claimUnstake claimUnlocked unstake unstakeAll unlock exit withdrawStake withdrawAndUnwrap unstakeTokens withdrawExpiredLocks emergencyWithdraw withdrawDelegated completeWithdrawal",
  },
  {
    type: "queue_withdrawal",
    events:
      "UnstakeRequestCreated RedemptionTicketCreated EnterRedemptionQueue WithdrawRequest WithdrawalInitiated RequestWithdraw RequestedWithdraw UnlockStarted InitiateWithdraw WithdrawalQueueEntered UnstakeRequest UnbondRequest RedemptionRequested RequestRedeem RedeemQueued DepositWithdrawRequest StartUnbonding TokensThawed ThawRequestCreated ThawStarted Undelegated StakeThawing WithdrawalRequested WithdrawalQueued CooldownStarted Cooldown UnstakeRequested UnlockRequested RedeemRequested UnbondingInitiated WithdrawRequested UnstakeInitiated",
    functions:
      "unstakeRequest enterRedemptionQueue enterRedemptionQueueViaSfrxEth requestWithdrawals startWithdraw initiateCooldown withdrawRequest requestRedemption queueWithdrawals beginUnstake startUnlock scheduleWithdrawal cooldown undelegate requestWithdrawal requestWithdraw queueWithdrawal initiateWithdrawal requestUnstake requestRedeem initiateWithdraw unbond startUnstake requestUnlock cooldownShares cooldownAssets initiateUnlock initiateUnstake",
  },
  {
    type: "claim_reward",
    events:
      "TokenClaimed LogClaim DividendClaimed FeesClaimed FeeClaim UserClaimed ClaimSuccess EthClaimed LogClaimedReward RewardsClaim ClaimedFees BribeClaimed BribesClaimed MerkleClaim IncentivesClaimed ClaimRewardsOnBehalf WithdrawReward WithdrawnReward RewardHarvested HarvestEvent RewardWithdrawn DividendsWithdrawn DividendWithdrawn ClaimYield RebaseClaimed Claim Claimed RewardPaid RewardsPaid RewardClaimed RewardsClaimed ClaimReward ClaimRewards ClaimedReward ClaimedRewards Harvest Harvested RewardsCollected RewardCollected ClaimedTokens TokensClaimed RewardsHarvested RewardRedeemed YieldClaimed Recovered RewardsWithdrawn ClaimFees",
    functions:
      "claim claimAll claimReward claimRewards claimFor claimMany claimTo claimMulti claimTokens claimAllRewards getReward getRewards getAllRewards harvest harvestAll harvestRewards collectRewards withdrawReward withdrawRewards claimFees claimBribes claim_many claimFromDistributor claimMultiple redeemRewards redeemReward claimVested claimRewardsForSelf claimRewardsTo claimRewardsToSelf collectReward claimable_tokens claimEpoch claimDividends claimYield withdrawDividend mint_many claim_rewards claimInterest",
  },
  {
    type: "claim_airdrop",
    events: "AirdropClaimed AirDropClaimed HasClaimed AirdropTransfer ClaimedAirdrop DropClaimed",
    functions: "claimAirdrop claimAirDrop claimDrop airdropClaim claimTokensFromAirdrop claimAndDelegate claimAndStake",
  },
  {
    type: "claim_payment",
    events:
      "ClaimedVesting VestedTokensClaimed VestingReleased TokensVested GrantClaimed TokensUnvested VestingWithdrawn ScheduleClaimed ERC20Released EtherReleased PaymentClaimed PaymentWithdrawn VestedClaimed PaymentReleased PayoutClaimed FundsReleased Payout VestingClaimed TokensReleased Released",
    functions:
      "releaseAll claimVesting withdrawVested releaseTokens claimVestedTokens withdrawPayments redeemNFTs claimPayout release claimFunds withdrawPayout claimGrant",
  },
  {
    type: "borrow",
    events:
      "BorrowAsset LogBorrow BorrowedAsset LoanCreated LoanOpened BorrowedFor Borrow Borrowed LoanTaken DrawDebt DebtDrawn",
    functions:
      "borrowAsset leveragedPosition borrow borrowTo borrow_more borrowMore drawDebt borrowETH create_loan takeLoan leverage",
  },
  {
    type: "repay",
    events:
      "RepayAsset LogRepay LoanPaid LoanClosed RepaidLoan RepayLoan Repay Repaid RepayBorrow LoanRepaid RepayDebt DebtRepaid",
    functions:
      "repayAsset repayAssetWithCollateral repay repayBorrow repayBorrowBehalf repayETH repayLoan repayDebt repayBehalf repayAll repayWithATokens",
  },
  {
    type: "liquidation",
    events: "Liquidation LiquidateBorrow Liquidate Liquidated LiquidationCall",
    functions: "liquidate liquidateBorrow liquidationCall absorb liquidateTroves batchLiquidateTroves",
  },
  {
    type: "add_liquidity",
    events:
      "AddLiquidity LiquidityAdded IncreaseLiquidity AddedLiquidity ProvideLiquidity Join Joined LOG_JOIN PoolJoined",
    functions:
      "addLiquidity add_liquidity addLiquidityETH increaseLiquidity joinPool provideLiquidity addLiquiditySingle joinswapExternAmountIn addLiquidityOneCoin",
  },
  {
    type: "remove_liquidity",
    events:
      "RemoveLiquidity RemoveLiquidityOne LiquidityRemoved DecreaseLiquidity RemovedLiquidity RemoveLiquidityImbalance LOG_EXIT PoolExited",
    functions:
      "removeLiquidity remove_liquidity removeLiquidityETH decreaseLiquidity exitPool remove_liquidity_one_coin removeLiquidityOneToken removeLiquidityImbalance remove_liquidity_imbalance removeLiquiditySingle",
  },
  {
    type: "bridge_out",
    events:
      "BridgeSent CrossChainTransferInitiated BridgeTransfer LogSwapout AnyswapOut TokenDepositedToBridge TokensLockedForBridge SentCrossChain OFTSent DepositToChain LogAnySwapOut TeleportInitialized SentMessageToL2 SendCrossChain TransferSent TokensBridged BridgeStarted BridgeOut TokensBridgingInitiated DepositInitiated WithdrawalInitiated SendToChain CrossChainTransfer TokenBridged BridgeRequest BridgeInitiated SentToBridge",
    functions:
      "bridge bridgeToken bridgeTo bridgeETH sendToL2 sendToL1 depositToBridge swapAndStartBridge outboundTransfer withdrawTo sendToChain bridgeERC20 relayTokens depositERC20 depositETHTo depositERC20To swapAndSend bridgeERC20To bridgeETHTo sendMessage transferToChain outboundTransferTo",
  },
  {
    type: "bridge_in",
    events:
      "LogSwapin AnySwapIn LogAnySwapIn OFTReceived FilledRelay BridgeReceived ReceivedFromBridge BridgeMint BridgeTransferCompleted TokensReleasedFromBridge ReceivedFromChain BridgeIn BridgeFinalized DepositFinalized WithdrawalFinalized FinalizeDeposit TransferCompleted TokensUnlocked BridgeCompleted TransferRedeemed TransferFromL1Completed WithdrawalFromL2 TokensBridgedIn",
    functions:
      "finalizeWithdrawal completeTransfer finalizeDeposit finalizeInboundTransfer proveWithdrawal executeSignatures bondWithdrawal relayMessage finalizeEthWithdrawal claimMessage claimAsset",
  },
  {
    type: "swap",
    functions:
      "swapTo buyTokens buyToken sellTokens sellToken swap exchange trade swapExactIn swapTokens exchange_underlying buy sell swapSimple swapETHForTokens swapTokensForETH swapETHForToken swapTokenForETH",
  },
  {
    type: "donate",
    events:
      "Allocated Donate Donated DonationSent DonationMade Donation DonationReceived Tipped FundsDonated GrantFunded Gave",
    functions: "allocate donate donateETH tip donateERC20 donateToken donateManyERC20 donateManyETH give",
  },
  {
    type: "delegate_votes",
    events: "DelegateChanged SetDelegate ClearDelegate VotesDelegated DelegationUpdated ExpireDelegation",
    functions:
      "delegate delegateBySig setDelegate clearDelegate delegateVotes delegateMulti metaDelegate setDelegation changeDelegate",
  },
  {
    type: "vote",
    events:
      "LogVote UserVote VotingPowerAllocated Poll VoteReset VoteCast Voted VoteEmitted Vote CastVote PollVoted VoteForGauge GaugeVoted Abstained VoteCastWithParams VoteAllocated Allocated VotedSlate",
    functions:
      "vote castVote voteFor voteForProposal submitVote vote_for_gauge_weights vote_for_many_gauge_weights castVoteEmergency voteOnProposal voteForMany allocate voteYes voteNo",
  },
  {
    type: "propose",
    events: "ProposalCreated ProposalSubmitted NewProposal SubmitProposal",
    functions: "propose submitProposal createProposal newProposal",
  },
  {
    type: "execute_proposal",
    events: "ProposalExecuted ProposalQueued ProposalCanceled ExecuteProposal",
    functions: "executeProposal queueProposal cancelProposal",
  },
  {
    type: "attest",
    events: "Attested AttestationCreated Revoked AttestationSubmitted",
    functions: "attest multiAttest attestByDelegation revokeAttestation submitAttestation addStamps",
  },
  {
    type: "follow",
    events: "ListOp Followed Unfollowed Follow",
    functions: "follow unfollow applyListOp setListUser mintPrimaryListNoMeta",
  },
  {
    type: "stream",
    events:
      "CreateLockupDynamicStream CreateLockupLinearStream CancelLockupStream PlanCreated VestingScheduleCreated FlowUpdated StreamCreated CreateStream StreamCancelled StreamCanceled StreamUpdated WithdrawFromStream StreamModified StreamStarted",
    functions:
      "createWithDurations createWithTimestamps createWithMilestones createPlan createVestingSchedule createLockedTokens createFlow updateFlow deleteFlow setFlowrate createStream cancelStream startStream createStreamWithReason depositAndCreate modifyStream setFlowrateFrom",
  },
  {
    type: "register",
    events:
      "RequestSubmitted RecipientAdded ProjectCreated ProfileCreated ProjectApplied NewProjectApplication Registered ApplicationSubmitted GrantCreated RecipientRegistered UserRegistered Register ProfileOwnerUpdated MetadataUpdated RoundCreated NewGrant",
    functions:
      "register registerRecipient createProfile createProject applyToRound addRecipient signUp signup updateProjectMetadata createProfileWithMetadata",
  },
  {
    type: "subscribe",
    events: "Subscribed Unsubscribed Subscribe Unsubscribe Subscription",
    functions: "subscribe unsubscribe subscribeToStrategy activateSub deactivateSub updateSubData",
  },
  {
    type: "place_order",
    events:
      "OrderPlaced OrderCreated OrderPlacement CreateIncreasePosition CreateDecreasePosition OrderSubmitted LimitOrderCreated PositionRequested OrderInvalidated OrderCancelled MarketOrderInitiated OpenLimitPlaced ConditionalOrderCreated",
    functions:
      "createOrder placeOrder createIncreasePosition createDecreasePosition createIncreasePositionETH openTrade submitOrder cancelOrder createSwapOrder createIncreaseOrder",
  },
  {
    type: "migrate",
    events:
      "TokensUpgraded LegacyMigrated TokensSwappedForNew Migrated Migrate Migration TokensMigrated Converted TokenMigrated TokensConverted MigratedToV2",
    functions:
      "migrateFromLegacyReputationToken migrateToken swapLegacyTokens migrate migrateAll migrateTokens upgrade convert swapSaiToDai daiToUsds mkrToSky upgradeTokens migrateToV2 migrateFor convertTokens usdsToDai",
  },
];
