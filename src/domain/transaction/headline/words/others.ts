import type { WordGroup } from "./word.ts";

/** Votes, names, gifts, attestations, streams and accounts. Sources: the protocols' own public interfaces. */
export const OTHERS: readonly WordGroup[] = [
  // OpenZeppelin Governor, Compound GovernorAlpha and GovernorBravo, Votes
  {
    ...{ type: "vote", protocol: null },
    events: [
      ...["VoteCast(address,uint256,uint8,uint256,string)", "VoteCast(address,uint256,bool,uint256)"],
      "VoteCastWithParams(address,uint256,uint8,uint256,string,bytes)",
    ],
    functions: [
      ...["castVote(uint256,uint8)", "castVote(uint256,bool)", "castVoteWithReason(uint256,uint8,string)"],
      ...[
        "castVoteBySig(uint256,uint8,uint8,bytes32,bytes32)",
        "castVoteWithReasonAndParams(uint256,uint8,string,bytes)",
      ],
      ...[
        "vote(uint256,bool,bool)",
        "vote(uint256,uint256[])",
        "vote(uint256,address[],uint256[])",
        "submitVote(uint256,bool)",
      ],
    ],
  },
  {
    type: "propose",
    protocol: null,
    functions: ["propose(address[],uint256[],bytes[],string)", "propose(address[],uint256[],string[],bytes[],string)"],
  },
  {
    type: "execute_proposal",
    protocol: null,
    functions: [
      "queue(uint256)",
      "execute(address[],uint256[],bytes[],bytes32)",
      "queue(address[],uint256[],bytes[],bytes32)",
    ],
  },
  {
    ...{ type: "delegate_votes", protocol: null },
    events: ["DelegateChanged(address,address,address)"],
    functions: [
      "delegate(address)",
      "delegateBySig(address,uint256,uint256,uint8,bytes32,bytes32)",
      "delegateByType(address,uint8)",
    ],
  },
  {
    type: "delegate_votes",
    protocol: "Snapshot",
    events: ["SetDelegate(address,bytes32,address)", "ClearDelegate(address,bytes32,address)"],
    functions: ["setDelegate(bytes32,address)", "clearDelegate(bytes32)"],
  },
  // ensdomains/ens-contracts
  {
    ...{ type: "register_name", protocol: null },
    events: [
      ...[
        "NameRegistered(string,bytes32,address,uint256,uint256)",
        "NameRegistered(string,bytes32,address,uint256,uint256,uint256)",
      ],
      ...[
        "NameRegistered(string,bytes32,address,uint256)",
        "NameRegistered(string,bytes32,address,uint256,uint256,uint256,bytes32)",
      ],
      "NameRegistered(string,uint256,address,uint256)",
    ],
    functions: [
      ...[
        "register(string,address,uint256,bytes32)",
        "registerWithConfig(string,address,uint256,bytes32,address,address)",
      ],
      "register(string,address,uint256,bytes32,address,bytes[],bool,uint16)",
      ...["register((string,address,uint256,address,bytes[],bool))", "reveal(string,bytes32)"],
      "register((string,address,uint256,bytes32,address,bytes[],uint8,bytes32))",
    ],
  },
  {
    type: "register_name",
    protocol: null,
    is_minor: true,
    events: ["NameRegistered(uint256,address,uint256)"],
    functions: ["commit(bytes32)"],
  },
  {
    type: "renew_name",
    protocol: null,
    events: [
      "NameRenewed(string,bytes32,uint256,uint256)",
      "NameRenewed(string,bytes32,uint256,uint256,bytes32)",
      "NameRenewed(uint256,uint256)",
    ],
    functions: [
      "renew(string,uint256)",
      "renewAll(string[],uint256)",
      "bulkRenew(string[],uint256)",
      "renewAll((string,uint256)[])",
      "renew(string,uint256,bytes32)",
    ],
  },
  {
    ...{ type: "set_name_record", protocol: null },
    events: [
      ...[
        "TextChanged(bytes32,string,string,string)",
        "TextChanged(bytes32,string,string)",
        "ContenthashChanged(bytes32,bytes)",
      ],
      ...["AddrChanged(bytes32,address)", "AddressChanged(bytes32,uint256,bytes)", "NameChanged(bytes32,string)"],
      ...["ReverseClaimed(address,bytes32)", "NewResolver(bytes32,address)", "ABIChanged(bytes32,uint256)"],
    ],
    functions: [
      ...[
        "setText(bytes32,string,string)",
        "setAddr(bytes32,address)",
        "setAddr(bytes32,uint256,bytes)",
        "setName(string)",
      ],
      ...[
        "setContenthash(bytes32,bytes)",
        "setResolver(bytes32,address)",
        "setNameForAddr(address,address,address,string)",
      ],
      ...[
        "setPrimaryName(uint256)",
        "setPrimaryName(string)",
        "setSubnodeRecord(bytes32,string,address,address,uint64,uint32,uint64)",
      ],
      ...[
        "setSubnodeOwner(bytes32,bytes32,address)",
        "setOwner(bytes32,address)",
        "setReverse(string)",
        "setDefaultUsername(string)",
      ],
    ],
  },
  // ethereum-attestation-service/eas-contracts; allo, gitcoin passport
  {
    ...{ type: "attest", protocol: "EAS" },
    events: ["Attested(address,address,bytes32,bytes32)", "Revoked(address,address,bytes32,bytes32)"],
    functions: [
      "attest((bytes32,(address,uint64,bool,bytes32,bytes,uint256)))",
      "multiAttest((bytes32,(address,uint64,bool,bytes32,bytes,uint256)[])[])",
      "revoke((bytes32,(bytes32,uint256)))",
    ],
  },
  {
    type: "donate",
    protocol: "Gitcoin",
    events: ["DonationSent(address,uint256,address,address)"],
    functions: ["donate((address,uint256,address)[])"],
  },
  {
    type: "donate",
    protocol: "Gitcoin",
    functions: [
      "vote(bytes[])",
      "allocate(address,bytes[],uint256[],bytes[],bytes[])",
      "allocate(uint256,bytes)",
      "batchAllocate(uint256[],bytes[])",
      "vote(bytes32[],bytes[][],uint256[],uint256,uint256,bytes)",
    ],
    is_minor: true,
  },
  {
    type: "register",
    protocol: "Gitcoin",
    functions: [
      "registerRecipient(uint256,bytes)",
      "applyToRound(bytes32,(uint256,string))",
      "createProject((uint256,string))",
      "updateProjectMetadata(uint256,(uint256,string))",
    ],
  },
  // jbx-protocol
  {
    type: "donate",
    protocol: "Juicebox",
    events: ["Pay(uint256,uint256,uint256,address,address,uint256,uint256,string,bytes,address)"],
    functions: [
      "pay(uint256,uint256,address,address,uint256,bool,string,bytes)",
      "pay(uint256,address,uint256,address,uint256,string,bytes)",
    ],
  },
  // Giveth donation handler
  {
    type: "donate",
    protocol: "Giveth",
    events: ["DonationMade(address,uint256,address,bytes)"],
    functions: [
      "donateManyERC20(address,uint256,address[],uint256[],bytes[])",
      "donateManyETH(uint256,address[],uint256[],bytes[])",
      "donateERC20(address,address,uint256,bytes)",
      "donateETH(address,bytes)",
    ],
  },
  {
    type: "donate",
    protocol: "Drips",
    events: ["Given(address,address,uint128)", "Given(uint256,uint256,address,uint128)"],
    functions: ["give(address,uint128)", "give(uint256,address,uint128)"],
    is_minor: true,
  },
  {
    type: "donate",
    protocol: "Drips v1",
    events: ["Dripping(address,address,uint128,uint64)", "Drips(address,uint128,(address,uint128)[])"],
  },
  // superfluid
  {
    type: "stream",
    protocol: "Superfluid",
    events: ["FlowUpdated(address,address,address,int96,int256,int256,bytes)"],
    functions: [
      "setFlowrate(address,address,int96)",
      "createFlow(address,address,address,int96,bytes)",
      "deleteFlow(address,address,address,bytes)",
      "updateFlow(address,address,address,int96,bytes)",
      "callAgreement(address,bytes,bytes)",
      "forwardBatchCall((uint32,address,bytes)[])",
    ],
  },
];
