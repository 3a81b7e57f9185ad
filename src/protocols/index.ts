import type { EventLog } from "../chains/chain.ts";
import { type Bytes, equalBytes } from "../lib/bytes.ts";
import { approvalForAll, erc20Approval, erc721Approval } from "./approvals.ts";
import { curveCryptoExchange, curveCryptoNgExchange, curveStableExchange } from "./curve.ts";
import { bareTransfer, erc20Transfer } from "./erc20.ts";
import { erc721Transfer } from "./erc721.ts";
import { erc1155Batch, erc1155Single } from "./erc1155.ts";
import { justlendBorrow, justlendMint, justlendRedeem, justlendRepay } from "./justlend.ts";
import { lendingEvents } from "./lending.ts";
import { adminChanged, beaconUpgraded, ownershipTransferred, upgraded } from "./ownable.ts";
import { poolEvents } from "./pool_events.ts";
import { type Fact, NOTHING, type Protocol, topicOf } from "./protocol.ts";
import { destroyedBlackFunds, tetherIssue, tetherRedeem } from "./silent_supply.ts";
import {
  v1AddLiquidity,
  v1EthPurchase,
  v1NewExchange,
  v1RemoveLiquidity,
  v1Snapshot,
  v1TokenPurchase,
  v1TrxPurchase,
} from "./uniswap_v1.ts";
import { v3CollectPosition, v3DecreaseLiquidity, v3IncreaseLiquidity } from "./uniswap_v3_positions.ts";
import { vaultDeposit, vaultWithdraw } from "./vaults.ts";
import { wethDeposit, wethWithdrawal } from "./weth.ts";

/** Every event that becomes a fact. A new family adds a file, and its lines here. */
export const PROTOCOLS: readonly Protocol[] = [
  erc20Transfer,
  erc721Transfer,
  bareTransfer,
  erc1155Single,
  erc1155Batch,
  wethDeposit,
  wethWithdrawal,
  destroyedBlackFunds,
  tetherIssue,
  tetherRedeem,
  v1NewExchange,
  v1TokenPurchase,
  v1EthPurchase,
  v1TrxPurchase,
  v1Snapshot,
  v1AddLiquidity,
  v1RemoveLiquidity,
  ...poolEvents,
  curveStableExchange,
  curveCryptoExchange,
  curveCryptoNgExchange,
  v3IncreaseLiquidity,
  v3DecreaseLiquidity,
  v3CollectPosition,
  vaultDeposit,
  vaultWithdraw,
  ...lendingEvents,
  justlendMint,
  justlendRedeem,
  justlendBorrow,
  justlendRepay,
  ownershipTransferred,
  upgraded,
  adminChanged,
  beaconUpgraded,
  erc20Approval,
  erc721Approval,
  approvalForAll,
];

interface TopicProtocol {
  readonly topic: Bytes;
  readonly protocol: Protocol;
}

/** The first four bytes of a topic: a cheap key, confirmed by comparing the whole topic. */
const keyOf = (topic: Bytes): number =>
  ((topic[0] ?? 0) << 24) | ((topic[1] ?? 0) << 16) | ((topic[2] ?? 0) << 8) | (topic[3] ?? 0);

const byTopic = new Map<number, readonly TopicProtocol[]>();
for (const protocol of PROTOCOLS) {
  const topic = topicOf(protocol.event);
  byTopic.set(keyOf(topic), [...(byTopic.get(keyOf(topic)) ?? []), { topic, protocol }]);
}

/** Returns the name of the layout with a log's first topic, or null when no listed protocol has it. */
export const layoutOf = ({ topics: [topic] }: Pick<EventLog, "topics">): string | null =>
  topic === undefined
    ? null
    : (byTopic.get(keyOf(topic))?.find((entry) => equalBytes(entry.topic, topic))?.protocol.name ?? null);

/** Decodes a log into facts; none when no listed protocol matches. Never throws. */
export const decodeLog = (log: EventLog): readonly Fact[] => {
  const topic = log.topics[0];
  if (topic === undefined) return NOTHING;
  for (const entry of byTopic.get(keyOf(topic)) ?? []) {
    if (!equalBytes(entry.topic, topic)) continue;
    const facts = entry.protocol.decode(log);
    if (facts.length > 0) return facts;
  }
  return NOTHING;
};
