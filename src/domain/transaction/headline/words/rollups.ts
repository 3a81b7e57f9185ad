import type { WordGroup } from "./word.ts";

/** Bridges of rollups and of others. Sources: the protocols' own public interfaces. */
export const ROLLUPS: readonly WordGroup[] = [
  {
    ...{ type: "bridge_out", protocol: "zkSync Era" },
    events: [
      "DepositInitiated(bytes32,address,address,address,uint256)",
      "BridgehubDepositInitiated(uint256,bytes32,address,address,address,uint256)",
      "Withdrawal(address,address,uint256)",
      "NewPriorityRequest(uint256,bytes32,uint64,(uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256,uint256[4],bytes,bytes,uint256[],bytes,bytes),bytes[])",
    ],
    functions: [
      "requestL2Transaction(address,uint256,bytes,uint256,uint256,bytes[],address)",
      "requestL2TransactionDirect((uint256,uint256,address,uint256,bytes,uint256,uint256,bytes[],address))",
    ],
  },
  {
    ...{ type: "bridge_in", protocol: "zkSync Era", actor: "t1" },
    events: [
      "WithdrawalFinalized(address,address,uint256)",
      "EthWithdrawalFinalized(address,uint256)",
      "WithdrawalFinalizedSharedBridge(uint256,address,address,uint256)",
    ],
  },
  // scroll-tech/scroll-contracts
  {
    ...{ type: "bridge_out", protocol: "Scroll", actor: "t1" },
    events: ["WithdrawETH(address,address,uint256,bytes)", "DepositETH(address,address,uint256,bytes)"],
    functions: [
      "depositETH(uint256,uint256)",
      "withdrawETH(uint256,uint256)",
      "depositETH(address,uint256,uint256)",
      "withdrawETH(address,uint256,uint256)",
    ],
  },
  {
    ...{ type: "bridge_out", protocol: "Scroll", actor: "t3" },
    events: [
      "WithdrawERC20(address,address,address,address,uint256,bytes)",
      "DepositERC20(address,address,address,address,uint256,bytes)",
    ],
    functions: ["depositERC20(address,uint256,uint256)", "withdrawERC20(address,uint256,uint256)"],
  },
  {
    ...{ type: "bridge_in", protocol: "Scroll", actor: "t2" },
    events: ["FinalizeWithdrawETH(address,address,uint256,bytes)", "FinalizeDepositETH(address,address,uint256,bytes)"],
    functions: ["relayMessageWithProof(address,address,uint256,uint256,bytes,(uint256,bytes))"],
  },
  {
    type: "bridge_in",
    protocol: "Scroll",
    events: [
      "FinalizeWithdrawERC20(address,address,address,address,uint256,bytes)",
      "FinalizeDepositERC20(address,address,address,address,uint256,bytes)",
    ],
  },
  // Consensys/linea
  {
    type: "bridge_out",
    protocol: "Linea",
    functions: ["sendMessage(address,uint256,bytes)", "bridgeToken(address,uint256,address)"],
    events: [
      "BridgingInitiatedV2(address,address,address,uint256)",
      "BridgingInitiated(address,address,address,uint256)",
      "MessageSent(address,address,uint256,uint256,uint256,bytes,bytes32)",
    ],
  },
  {
    type: "bridge_in",
    protocol: "Linea",
    functions: [
      "claimMessageWithProof((bytes32[],uint256,uint32,address,address,uint256,uint256,address,bytes32,bytes))",
    ],
    events: [
      "BridgingFinalizedV2(address,address,uint256,address)",
      "BridgingFinalized(address,address,bytes32,uint256,address)",
    ],
  },
  // 0xPolygonHermez/zkevm-contracts
  {
    type: "bridge_out",
    protocol: "Polygon zkEVM",
    events: ["BridgeEvent(uint8,uint32,address,uint32,address,uint256,bytes,uint32)"],
    functions: ["bridgeAsset(uint32,address,uint256,address,bool,bytes)"],
  },
  {
    type: "bridge_in",
    protocol: "Polygon zkEVM",
    events: ["ClaimEvent(uint256,uint32,address,address,uint256)", "ClaimEvent(uint32,uint32,address,address,uint256)"],
  },
  // omni/tokenbridge-contracts
  {
    ...{ type: "bridge_out", protocol: "Gnosis" },
    events: [
      ...[
        "UserRequestForAffirmation(address,uint256)",
        "UserRequestForSignature(address,uint256)",
        "UserRequestForAffirmation(address,uint256,bytes32)",
      ],
      ...[
        "TokensBridgingInitiated(address,address,uint256,bytes32)",
        "UserRequestForSignature(address,uint256,bytes32)",
      ],
      ...["UserRequestForAffirmation(bytes32,bytes)", "UserRequestForSignature(bytes32,bytes)"],
    ],
    functions: ["relayTokens(address,address)", "relayTokens(address,address,uint256)", "relayTokens(address,uint256)"],
    is_minor: true,
  },
  {
    ...{ type: "bridge_in", protocol: "Gnosis" },
    events: [
      "RelayedMessage(address,uint256,bytes32)",
      "AffirmationCompleted(address,uint256,bytes32)",
      "TokensBridged(address,address,uint256,bytes32)",
    ],
    functions: ["executeSignatures(bytes,bytes)", "executeAffirmation(address,uint256,bytes32)"],
  },
  // lifinance/contracts ILiFi.sol
  {
    ...{ type: "bridge_out", protocol: "LI.FI" },
    events: ["LiFiTransferStarted((bytes32,string,string,address,address,address,uint256,uint256,bool,bool))"],
  },
  {
    type: "bridge_in",
    protocol: "LI.FI",
    actor: "w2",
    events: ["LiFiTransferCompleted(bytes32,address,address,uint256,uint256)"],
  },
  // SocketDotTech/socket-ll-contracts
  {
    ...{ type: "bridge_out", protocol: "Socket" },
    events: [
      "SocketBridge(uint256,address,uint256,bytes32,address,address,bytes32)",
      "ExecutionCompleted(uint256,uint256)",
    ],
  },
  // celer-network/sgn-v2-contracts
  {
    type: "bridge_out",
    protocol: "Celer",
    events: ["Send(bytes32,address,address,address,uint256,uint64,uint64,uint32)"],
  },
  { type: "bridge_in", protocol: "Celer", events: ["Relay(bytes32,address,address,address,uint256,uint64,bytes32)"] },
  // synapsecns/synapse-contracts
  {
    type: "bridge_out",
    protocol: "Synapse",
    actor: "t1",
    events: [
      "TokenRedeem(address,uint256,address,uint256)",
      "TokenDeposit(address,uint256,address,uint256)",
      "TokenRedeemAndSwap(address,uint256,address,uint256,uint8,uint8,uint256,uint256)",
      "TokenDepositAndSwap(address,uint256,address,uint256,uint8,uint8,uint256,uint256)",
      "BridgeRequested(bytes32,address,bytes,uint32,address,address,uint256,uint256,bool)",
    ],
  },
  {
    type: "bridge_in",
    protocol: "Synapse",
    actor: "t1",
    events: [
      "TokenWithdraw(address,address,uint256,uint256,bytes32)",
      "TokenMint(address,address,uint256,uint256,bytes32)",
      "TokenMintAndSwap(address,address,uint256,uint256,uint8,uint8,uint256,uint256,bool,bytes32)",
    ],
  },
  // wormhole-foundation/wormhole
  {
    type: "bridge_out",
    protocol: "Wormhole",
    functions: [
      "transferTokens(address,uint256,uint16,bytes32,uint256,uint32)",
      "wrapAndTransferETH(uint16,bytes32,uint256,uint32)",
    ],
    events: ["LogMessagePublished(address,uint64,uint32,bytes,uint8)"],
    is_minor: true,
  },
  {
    type: "bridge_in",
    protocol: "Wormhole",
    functions: ["completeTransfer(bytes)", "completeTransferAndUnwrapETH(bytes)"],
    events: ["TransferRedeemed(uint16,bytes32,uint64)"],
  },
  // debridge-finance
  {
    type: "bridge_out",
    protocol: "deBridge",
    events: [
      "CreatedOrder((uint64,bytes,uint256,bytes,uint256,uint256,bytes,uint256,bytes,bytes,bytes,bytes,bytes,bytes),bytes32,bytes,uint256,uint256,uint32,bytes)",
    ],
  },
  {
    type: "bridge_in",
    protocol: "deBridge",
    events: [
      "FulfilledOrder((uint64,bytes,uint256,bytes,uint256,uint256,bytes,uint256,bytes,bytes,bytes,bytes,bytes,bytes),bytes32,address,address)",
    ],
  },
  // connext
  {
    type: "bridge_out",
    protocol: "Connext",
    events: [
      "XCalled(bytes32,uint256,bytes32,(uint32,uint32,uint32,address,address,bool,bytes,uint256,address,uint256,uint256,uint256,bytes32),address,uint256,address,bytes)",
    ],
  },
  // EYWA / CrossCurve
  {
    type: "bridge_in",
    protocol: "CrossCurve",
    functions: ["receiveRequestV2(bytes32,address,bytes,bytes32,address)"],
    events: ["RequestReceived(bytes32,bytes32)"],
  },
];
