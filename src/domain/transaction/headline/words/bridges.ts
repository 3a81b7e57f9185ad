import type { WordGroup } from "./word.ts";

/** Bridges. Sources: the bridges' own public interfaces. */
export const BRIDGES: readonly WordGroup[] = [
  {
    ...{ type: "bridge_out", protocol: "Across", actor: "t3" },
    events: [
      "V3FundsDeposited(address,address,uint256,uint256,uint256,uint32,uint32,uint32,uint32,address,address,address,bytes)",
      "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)",
      "FundsDeposited(uint256,uint256,uint256,int64,uint32,uint32,address,address,address,bytes)",
      "FundsDeposited(uint256,uint256,uint256,uint64,uint32,uint32,address,address,address)",
    ],
  },
  {
    ...{ type: "bridge_in", protocol: "Across" },
    events: [
      "FilledV3Relay(address,address,uint256,uint256,uint256,uint256,uint32,uint32,uint32,address,address,address,address,bytes,(address,bytes,uint256,uint8))",
      "FilledRelay(bytes32,bytes32,uint256,uint256,uint256,uint256,uint256,uint32,uint32,bytes32,bytes32,bytes32,bytes32,bytes32,(bytes32,bytes32,uint256,uint8))",
      "FilledRelay(uint256,uint256,uint256,uint256,uint32,uint32,uint32,address,address,address,address,bytes,(address,bytes,int64,bool,int256))",
      "FilledRelay(uint256,uint256,uint256,uint256,uint256,uint256,uint64,uint64,uint64,uint32,address,address,address,address,bool)",
    ],
  },
  // hop-protocol/contracts
  {
    ...{ type: "bridge_out", protocol: "Hop" },
    events: [
      "TransferSent(bytes32,uint256,address,uint256,bytes32,uint256,uint256,uint256,uint256)",
      "TransferSentToL2(uint256,address,uint256,uint256,uint256,address,uint256)",
    ],
  },
  {
    ...{ type: "bridge_in", protocol: "Hop" },
    events: [
      "TransferFromL1Completed(address,uint256,uint256,uint256,address,uint256)",
      "WithdrawalBonded(bytes32,uint256)",
      "Withdrew(bytes32,address,uint256,bytes32)",
    ],
  },
  // circlefin/evm-cctp-contracts
  {
    ...{ type: "bridge_out", protocol: "Circle CCTP", actor: "t3" },
    events: ["DepositForBurn(uint64,address,uint256,address,bytes32,uint32,bytes32,bytes32)"],
    functions: [
      "depositForBurn(uint256,uint32,bytes32,address)",
      "depositForBurnWithCaller(uint256,uint32,bytes32,address,bytes32)",
    ],
  },
  {
    ...{ type: "bridge_out", protocol: "Circle CCTP", actor: "t2" },
    events: ["DepositForBurn(address,uint256,address,bytes32,uint32,bytes32,bytes32,uint256,uint32,bytes)"],
  },
  {
    ...{ type: "bridge_in", protocol: "Circle CCTP", actor: "t1" },
    events: ["MintAndWithdraw(address,uint256,address)", "MintAndWithdraw(address,uint256,address,uint256)"],
    functions: ["receiveMessage(bytes,bytes)"],
  },
  // stargate-protocol, LayerZero-Labs
  {
    ...{ type: "bridge_out", protocol: "LayerZero", actor: "t2" },
    events: ["OFTSent(bytes32,uint32,address,uint256,uint256)"],
  },
  { type: "bridge_in", protocol: "LayerZero", actor: "t2", events: ["OFTReceived(bytes32,uint32,address,uint256)"] },
  {
    ...{ type: "bridge_out", protocol: "LayerZero" },
    events: ["SendToChain(uint16,address,bytes,uint256)"],
    functions: [
      "sendFrom(address,uint16,bytes,uint256,address,address,bytes)",
      "send((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)",
    ],
  },
  { type: "bridge_in", protocol: "LayerZero", events: ["ReceiveFromChain(uint16,address,uint256)"] },
  {
    ...{ type: "bridge_out", protocol: "Stargate" },
    events: ["Swap(uint16,uint256,address,uint256,uint256,uint256,uint256,uint256)"],
    functions: [
      "swap(uint16,uint256,uint256,address,uint256,uint256,(uint256,uint256,bytes),bytes,bytes)",
      "swapETH(uint16,address,bytes,uint256,uint256)",
      "sendToken((uint32,bytes32,uint256,uint256,bytes,bytes,bytes),(uint256,uint256),address)",
    ],
  },
  { type: "bridge_in", protocol: "Stargate", events: ["SwapRemote(address,uint256,uint256,uint256)"], actor: "w0" },
  // maticnetwork/pos-portal, matic-protocol
  {
    ...{ type: "bridge_out", protocol: "Polygon", actor: "t1" },
    events: [
      ...["LockedERC20(address,address,address,uint256)", "LockedEther(address,address,uint256)"],
      ...["NewDepositBlock(address,address,uint256,uint256)", "LockedERC721(address,address,address,uint256)"],
    ],
    functions: [
      "depositEtherFor(address)",
      "depositFor(address,address,bytes)",
      "depositERC20ForUser(address,address,uint256)",
    ],
  },
  {
    ...{ type: "bridge_in", protocol: "Polygon", actor: "t1" },
    events: [
      ...[
        "ExitedERC20(address,address,uint256)",
        "ExitedEther(address,uint256)",
        "Withdraw(uint256,address,address,uint256)",
      ],
    ],
    functions: ["exit(bytes)", "processExits(address)", "startExitWithBurntTokens(bytes)"],
  },
  // ethereum-optimism
  {
    ...{ type: "bridge_out", protocol: null, actor: "t1" },
    events: ["ETHDepositInitiated(address,address,uint256,bytes)", "ETHBridgeInitiated(address,address,uint256,bytes)"],
    functions: [
      "depositETH(uint32,bytes)",
      "depositETHTo(address,uint32,bytes)",
      "bridgeETH(uint32,bytes)",
      "bridgeETHTo(address,uint32,bytes)",
      "depositTransaction(address,uint256,uint64,bool,bytes)",
    ],
  },
  {
    ...{ type: "bridge_out", protocol: null, actor: "t3" },
    events: [
      "ERC20DepositInitiated(address,address,address,address,uint256,bytes)",
      "ERC20BridgeInitiated(address,address,address,address,uint256,bytes)",
      "WithdrawalInitiated(address,address,address,address,uint256,bytes)",
    ],
    functions: [
      ...[
        "depositERC20(address,address,uint256,uint32,bytes)",
        "depositERC20To(address,address,address,uint256,uint32,bytes)",
      ],
      ...["bridgeERC20(address,address,uint256,uint32,bytes)", "withdraw(address,uint256,uint32,bytes)"],
      ...[
        "withdrawTo(address,address,uint256,uint32,bytes)",
        "bridgeERC20To(address,address,address,uint256,uint32,bytes)",
      ],
    ],
  },
  {
    type: "bridge_out",
    protocol: null,
    is_minor: true,
    events: [
      "MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)",
      "TransactionDeposited(address,address,uint256,bytes)",
      "SentMessage(address,address,bytes,uint256,uint256)",
    ],
  },
  {
    ...{ type: "bridge_in", protocol: null, actor: "t2" },
    events: [
      "ETHWithdrawalFinalized(address,address,uint256,bytes)",
      "ETHBridgeFinalized(address,address,uint256,bytes)",
    ],
    functions: [
      "finalizeWithdrawalTransaction((uint256,address,address,uint256,uint256,bytes))",
      "finalizeWithdrawalTransactionExternalProof((uint256,address,address,uint256,uint256,bytes),address)",
    ],
  },
  {
    ...{ type: "bridge_in", protocol: null, actor: "w0" },
    events: [
      "ERC20WithdrawalFinalized(address,address,address,address,uint256,bytes)",
      "ERC20BridgeFinalized(address,address,address,address,uint256,bytes)",
      "DepositFinalized(address,address,address,address,uint256,bytes)",
    ],
    functions: [
      "relayMessage(address,address,bytes,uint256)",
      "relayMessage(uint256,address,address,uint256,uint256,bytes)",
      "relayMessage(address,address,bytes,uint256,(bytes32,(uint256,bytes32,uint256,uint256,bytes),(uint256,bytes32[]),bytes,bytes32[]))",
      "relayMessage(address,address,bytes,uint256,(bytes32,(uint256,bytes32,uint256,uint256,bytes),(uint256,bytes32[]),(bytes,bytes)))",
    ],
  },
  {
    type: "bridge_in",
    protocol: null,
    is_minor: true,
    events: ["WithdrawalFinalized(bytes32,bool)", "RelayedMessage(bytes32)"],
  },
  // OffchainLabs/token-bridge-contracts, nitro-contracts
  {
    ...{ type: "bridge_out", protocol: "Arbitrum" },
    events: [
      "DepositInitiated(address,address,address,uint256,uint256)",
      "WithdrawalInitiated(address,address,address,uint256,uint256,uint256)",
      "L2ToL1Tx(address,address,uint256,uint256,uint256,uint256,uint256,uint256,bytes)",
    ],
    functions: [
      "depositEth()",
      "depositEth(uint256)",
      "withdrawEth(address)",
      "outboundTransfer(address,address,uint256,uint256,uint256,bytes)",
      "outboundTransfer(address,address,uint256,bytes)",
      "outboundTransferCustomRefund(address,address,address,uint256,uint256,uint256,bytes)",
    ],
  },
  {
    type: "bridge_out",
    protocol: "Arbitrum",
    is_minor: true,
    events: [
      "InboxMessageDelivered(uint256,bytes)",
      "MessageDelivered(uint256,bytes32,address,uint8,address,bytes32,uint256,uint64)",
    ],
  },
  {
    ...{ type: "bridge_in", protocol: "Arbitrum" },
    events: [
      ...[
        "WithdrawalFinalized(address,address,address,uint256,uint256)",
        "DepositFinalized(address,address,address,uint256)",
      ],
      ...[
        "OutBoxTransactionExecuted(address,address,uint256,uint256)",
        "BridgeCallTriggered(address,address,uint256,bytes)",
      ],
    ],
    functions: ["executeTransaction(bytes32[],uint256,address,address,uint256,uint256,uint256,uint256,bytes)"],
  },
  // matter-labs
  {
    ...{ type: "bridge_out", protocol: "zkSync Lite" },
    events: ["NewPriorityRequest(address,uint64,uint8,bytes,uint256)"],
    functions: ["depositERC20(address,uint104,address)", "depositETH(address)"],
  },
  {
    ...{ type: "bridge_in", protocol: "zkSync Lite" },
    events: [
      "Withdrawal(uint16,uint128)",
      "OnchainWithdrawal(address,uint16,uint128)",
      "Withdrawal(address,uint16,uint128)",
      "OnchainDeposit(address,uint16,uint128)",
    ],
    functions: [
      "withdrawPendingBalance(address,address,uint128)",
      "withdrawERC20(address,uint128)",
      "withdrawETH(uint128)",
      "completeWithdrawals(uint32)",
    ],
  },
];
