import { type EventRow, familyOf, readersOf } from "./event_rows.ts";

const POLYGON = "maticnetwork/pos-portal contracts/root/TokenPredicates";
const OPTIMISM = "ethereum-optimism/optimism packages/contracts-bedrock/src/L1/L1StandardBridge.sol";
const ARBITRUM = "OffchainLabs/token-bridge-contracts contracts/tokenbridge/ethereum/gateway/L1ArbitrumGateway.sol";
const ACROSS = "across-protocol/contracts contracts/interfaces/V3SpokePoolInterface.sol";
const CCTP = "circlefin/evm-cctp-contracts src/TokenMessenger.sol";
const LAYERZERO = "LayerZero-Labs/LayerZero-v2 packages/layerzero-v2/evm/oapp/contracts/oft/interfaces/IOFT.sol";

type BridgeEventShape = Pick<EventRow, "source" | "protocol" | "topics" | "words">;
const OUT = "bridge_out";
const IN = "bridge_in";

const polygon = (topics: number): BridgeEventShape => ({
  source: POLYGON,
  protocol: "Polygon PoS bridge",
  topics,
  words: 1,
});
const optimism = (topics: number, words: number) =>
  ({ source: OPTIMISM, protocol: "OP standard bridge", topics, words, is_dynamic: true }) as const;
const arbitrum: BridgeEventShape = { source: ARBITRUM, protocol: "Arbitrum gateway", topics: 4, words: 2 };

const ROWS: readonly EventRow[] = [
  {
    event: "LockedERC20(address,address,address,uint256)",
    ...polygon(4),
    ...{ type: OUT, actor: "t1", given: [{ token: "t3", amount: "w0" }] },
  },
  {
    event: "LockedEther(address,address,uint256)",
    ...polygon(3),
    ...{ type: OUT, actor: "t1", given: [{ token: "native", amount: "w0" }] },
  },
  {
    event: "ExitedERC20(address,address,uint256)",
    ...polygon(3),
    ...{ type: IN, actor: "t1", received: [{ token: "t2", amount: "w0" }] },
  },
  {
    event: "ExitedEther(address,uint256)",
    ...polygon(2),
    ...{ type: IN, actor: "t1", received: [{ token: "native", amount: "w0" }] },
  },
  {
    event: "ETHDepositInitiated(address,address,uint256,bytes)",
    ...optimism(3, 2),
    ...{ type: OUT, actor: "t1", given: [{ token: "native", amount: "w0" }] },
  },
  {
    event: "ERC20DepositInitiated(address,address,address,address,uint256,bytes)",
    ...optimism(4, 3),
    ...{ type: OUT, actor: "t3", given: [{ token: "t1", amount: "w1" }] },
  },
  {
    event: "ETHWithdrawalFinalized(address,address,uint256,bytes)",
    ...optimism(3, 2),
    ...{ type: IN, actor: "t2", received: [{ token: "native", amount: "w0" }] },
  },
  {
    event: "ERC20WithdrawalFinalized(address,address,address,address,uint256,bytes)",
    ...optimism(4, 3),
    ...{ type: IN, actor: "w0", received: [{ token: "t1", amount: "w1" }] },
  },
  {
    event: "DepositInitiated(address,address,address,uint256,uint256)",
    ...arbitrum,
    ...{ type: OUT, actor: "t1", given: [{ token: "w0", amount: "w1" }] },
  },
  {
    event: "WithdrawalFinalized(address,address,address,uint256,uint256)",
    ...arbitrum,
    ...{ type: IN, actor: "t2", received: [{ token: "w0", amount: "w1" }] },
  },
  {
    event:
      "V3FundsDeposited(address,address,uint256,uint256,uint256,uint32,uint32,uint32,uint32,address,address,address,bytes)",
    ...{ source: ACROSS, protocol: "Across", topics: 4, words: 10, is_dynamic: true, type: OUT, actor: "t3" },
    given: [{ token: "w0", amount: "w2" }],
  },
  {
    event:
      "FundsDeposited(bytes32,bytes32,uint256,uint256,uint256,uint256,uint32,uint32,uint32,bytes32,bytes32,bytes32,bytes)",
    ...{ source: ACROSS, protocol: "Across", topics: 4, words: 10, is_dynamic: true, type: OUT, actor: "t3" },
    given: [{ token: "w0", amount: "w2" }],
  },
  {
    event: "DepositForBurn(uint64,address,uint256,address,bytes32,uint32,bytes32,bytes32)",
    ...{ source: CCTP, protocol: "CCTP", topics: 4, words: 5, type: OUT, actor: "t3" },
    given: [{ token: "t2", amount: "w0" }],
  },
  {
    event: "MintAndWithdraw(address,uint256,address)",
    ...{ source: CCTP, protocol: "CCTP", topics: 3, words: 1, type: IN, actor: "t1" },
    received: [{ token: "t2", amount: "w0" }],
  },
  {
    event: "OFTSent(bytes32,uint32,address,uint256,uint256)",
    ...{ source: LAYERZERO, protocol: "LayerZero OFT", topics: 3, words: 3, type: OUT, actor: "t2" },
    given: [{ token: "emitter", amount: "w1" }],
  },
  {
    event: "OFTReceived(bytes32,uint32,address,uint256)",
    ...{ source: LAYERZERO, protocol: "LayerZero OFT", topics: 3, words: 2, type: IN, actor: "t2" },
    received: [{ token: "emitter", amount: "w1" }],
  },
];

/** Coins that leave for another chain or come from one. */
export const bridges = familyOf(readersOf(ROWS));
