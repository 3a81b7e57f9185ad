import type { WordGroup } from "./word.ts";

/** Gifts, attestations, streams, names and accounts. Sources: the protocols' own public interfaces. */
export const PEOPLE: readonly WordGroup[] = [
  { type: "wrap", protocol: "Superfluid", events: ["TokenUpgraded(address,uint256)"], functions: ["upgrade(uint256)"] },
  {
    type: "unwrap",
    protocol: "Superfluid",
    events: ["TokenDowngraded(address,uint256)"],
    functions: ["downgrade(uint256)"],
  },
  {
    type: "stream",
    protocol: "Sablier",
    events: ["CreateStream(uint256,address,address,uint256,address,uint256,uint256)"],
  },
  // ethereumfollowprotocol
  {
    type: "follow",
    protocol: "Ethereum Follow Protocol",
    events: ["ListOp(uint256,bytes)"],
    functions: [
      "applyListOps(uint256,bytes[])",
      "applyListOp(uint256,bytes)",
      "setMetadataValuesAndApplyListOps(uint256,(string,bytes)[],bytes[])",
      "mintAndSetAsDefaultList(bytes)",
    ],
  },
  // safe-global/safe-smart-account: what changes the account itself
  {
    ...{ type: "multisig_exec", protocol: "Safe", is_minor: true },
    events: [
      ...["AddedOwner(address)", "RemovedOwner(address)", "ChangedThreshold(uint256)", "EnabledModule(address)"],
      ...[
        "DisabledModule(address)",
        "ChangedMasterCopy(address)",
        "ChangedFallbackHandler(address)",
        "ChangedGuard(address)",
      ],
      ...["SafeSetup(address,address[],uint256,address,address)", "SignMsg(bytes32)"],
    ],
    functions: [
      ...[
        "addOwnerWithThreshold(address,uint256)",
        "removeOwner(address,address,uint256)",
        "swapOwner(address,address,address)",
      ],
      ...["changeThreshold(uint256)", "enableModule(address)", "disableModule(address,address)", "setGuard(address)"],
      ...["setFallbackHandler(address)", "changeMasterCopy(address)", "signMessage(bytes)"],
    ],
  },
  {
    type: "deploy",
    protocol: "Safe",
    events: ["ProxyCreation(address,address)", "ProxyCreation(address)"],
    functions: ["createProxyWithNonce(address,bytes,uint256)"],
  },
  {
    type: "deploy",
    protocol: null,
    events: [
      "Created(address,address,address,address)",
      "AccountCreated(address,address,uint256)",
      "AccountCreated(address,address,address)",
    ],
    functions: [
      "build()",
      "build(address)",
      "createAccount(address,uint256)",
      "createAccount()",
      "createAccount(address)",
    ],
    is_minor: true,
  },
  // DeFi Saver
  {
    type: "subscribe",
    protocol: "DeFi Saver",
    functions: [
      "subscribeToStrategy((uint64,bool,bytes[],bytes32[]))",
      "activateSub(uint256)",
      "deactivateSub(uint256)",
      "subToAaveV3Automation(bytes)",
    ],
    events: [
      "Subscribe(uint256,address,bytes32,(uint64,bool,bytes[],bytes32[]))",
      "UpdateData(uint256,bytes32,(uint64,bool,bytes[],bytes32[]))",
      "ActivateSub(uint256)",
      "DeactivateSub(uint256)",
    ],
  },
  // DSProxy note of its own execute says nothing of the act
  { type: "register", protocol: null, is_minor: true, events: ["MetadataUpdated(uint256,(uint256,string))"] },
  // farcaster
  {
    type: "purchase",
    protocol: "Farcaster",
    functions: ["rent(uint256,uint256)", "batchRent(uint256[],uint256[])", "purchaseTier(uint256,uint256,uint256)"],
  },
  {
    type: "purchase",
    protocol: null,
    functions: [
      "pay(uint256)",
      "purchase(uint256)",
      "pay(address,uint256)",
      "purchase(uint256,uint256)",
      "pay(address,uint256,bytes)",
    ],
    is_minor: true,
  },
  // curvefi/curve-dao-contracts GaugeController.vy, velodrome-finance Voter.sol
  {
    type: "vote",
    protocol: null,
    functions: [
      "vote_for_gauge_weights(address,uint256)",
      "vote(uint256,address[],uint256[])",
      "vote(address[],uint256[])",
      "vote(uint256,bool,bool,bytes)",
    ],
    events: [
      "VoteForGauge(uint256,address,address,uint256)",
      "Voted(address,address,uint256,uint256,uint256,uint256)",
      "CastVote(uint256,address,bool,uint256)",
    ],
  },
  // velodrome: bribes and fees of voters
  {
    type: "claim_reward",
    protocol: null,
    functions: [
      "claimBribes(address[],address[][],uint256)",
      "claimFees(address[],address[][],uint256)",
      "claimRewards(address[])",
    ],
  },
  // makerdao/ds-chief, aragon, snapshot
  { type: "vote", protocol: null, functions: ["vote(bytes32)", "vote(address[])", "lift(address)"] },
  { type: "vote", protocol: "Snapshot", functions: ["sendVote(bytes32)"] },
  // EFP: minting of the primary list
  {
    type: "follow",
    protocol: "Ethereum Follow Protocol (EFP)",
    functions: [
      "mintPrimaryListNoMeta(bytes)",
      "mintPrimaryList(bytes,string)",
      "mint(bytes)",
      "applyListOps(uint256,bytes[])",
    ],
    events: [
      "UpdateListStorageLocation(uint256,bytes)",
      "UpdateAccountMetadata(address,string,bytes)",
      "UpdateListMetadata(uint256,string,bytes)",
    ],
    is_known: true,
  },
  // superfluid vesting, sablier, llamapay, hedgey
  {
    type: "stream",
    protocol: "LlamaPay",
    functions: ["createStream(address,uint216)", "cancelStream(address,uint216)", "withdraw(address,address,uint216)"],
    events: ["StreamCreated(address,address,uint216,bytes32)", "StreamCancelled(address,address,uint216,bytes32)"],
    is_known: true,
  },
  {
    type: "claim_payment",
    protocol: "Sablier",
    functions: ["withdrawMax(uint256,address)", "withdraw(uint256,address,uint128)"],
    events: ["WithdrawFromLockupStream(uint256,address,address,uint128)"],
  },
  // the proof of a withdrawal, before it is paid out
  {
    type: "bridge_in",
    protocol: null,
    is_minor: true,
    functions: [
      "proveWithdrawalTransaction((uint256,address,address,uint256,uint256,bytes),uint256,(bytes32,bytes32,bytes32,bytes32),bytes[])",
    ],
    events: ["WithdrawalProven(bytes32,address,address)"],
  },
  // gitcoin passport, humanbound, POAP
  {
    type: "attest",
    protocol: null,
    functions: [
      "addPassport(((bytes32,(address,uint64,bool,bytes32,bytes,uint256)[])[],uint256,uint256),uint8,bytes32,bytes32)",
      "verifyAndAttest(((bytes32,(address,uint64,bool,bytes32,bytes,uint256)[])[],address,uint256,uint256),uint8,bytes32,bytes32)",
    ],
  },
  // gitcoin v1 bulk checkout, quadratic funding, protocol guild
  {
    type: "donate",
    protocol: null,
    functions: [
      "donate((address,uint256,address)[])",
      "contribute(uint256,uint256)",
      "submitMessageBatch(((uint256,uint256[10]),(uint256,uint256))[])",
    ],
  },
  // ens: wraps, transfers of names, commitments
  {
    type: "set_name_record",
    protocol: null,
    functions: [
      "wrapETH2LD(string,address,uint16,address)",
      "reclaim(uint256,address)",
      "setRecord(bytes32,address,address,uint64)",
      "multicallWithNodeCheck(bytes32,bytes[])",
      "setPubkey(bytes32,bytes32,bytes32)",
      "setABI(bytes32,uint256,bytes)",
    ],
    events: ["NameWrapped(bytes32,bytes,address,uint32,uint64)"],
    is_minor: true,
  },
];
