import type { Network } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import type { Action, ActionType, TokenAmount } from "../actions/action.ts";
import type { TransactionCategory } from "../actions/categories.ts";
import type { TransactionMovement } from "../decoding/movements.ts";
import { netOf, netsOf } from "../headline/nets.ts";
import { fullName, type Headline, KINDS } from "../headline/types.ts";

export interface SummaryFacts {
  readonly network: Network;
  readonly status: "success" | "failed" | "pending";
  readonly sender: Hex;
  /** The called contract; null for a creation, and where the network itself or a program executed the call. */
  readonly contract: Hex | null;
  /** Null without evidence. */
  readonly headline: Headline | null;
  readonly category: TransactionCategory;
  readonly actions: readonly Action[];
  /** Number of addresses with a movement. */
  readonly parties: number;
  readonly movements: readonly TransactionMovement[];
  readonly show: (address: Hex) => string;
  readonly decimals: (token: Hex) => number | null;
  /** Sentences that come before all others. */
  readonly dangers: readonly string[];
}

const VERBS: Readonly<Record<ActionType, string>> = {
  swap: "swapped",
  add_liquidity: "added liquidity:",
  remove_liquidity: "removed liquidity:",
  collect_fees: "collected fees:",
  create_pool: "created a pool",
  wrap: "wrapped",
  unwrap: "unwrapped",
  supply: "lent",
  withdraw: "took back",
  borrow: "borrowed",
  repay: "repaid",
  liquidation: "liquidated:",
  bridge_out: "sent over a bridge:",
  bridge_in: "received over a bridge:",
  nft_sale: "sold",
  multisig_exec: "executed a decision of its owners",
  multisig_failure: "failed to execute a decision of its owners",
  user_operation: "ran a user operation",
  user_operation_failure: "failed at a user operation",
  approve: "granted a right over tokens",
  permit: "granted a right over tokens by signature",
  revoke: "revoked a right over tokens",
  delegate_code: "delegated its account to code",
  end_delegation: "ended the delegation of its account",
  deploy: "created a contract",
  vote: "voted",
  propose: "made a proposal",
  execute_proposal: "executed a proposal",
  delegate_votes: "delegated votes",
  stake: "staked",
  unstake: "unstaked",
  claim_reward: "claimed",
  change_owner: "changed the owner of a contract",
  upgrade: "upgraded a contract",
};

/** Side effects that are mentioned only when nothing else happened. */
const MINOR: readonly ActionType[] = ["approve", "permit", "revoke", "change_owner", "upgrade", "wrap", "unwrap"];
const SENTENCES_MAX = 3;

/**
 * A symbol from the network's own configuration; other tokens are shown by address, because chain text is untrusted.
 */
const tokenWord = ({ network, show }: SummaryFacts, token: Hex): string => {
  if (token === "") return network.native.symbol;
  if (token === network.wrapped_native) return `wrapped ${network.native.symbol}`;
  return network.stablecoins.find(({ address }) => address === token)?.symbol ?? show(token);
};

const DIGITS = 6;
const FIGURES = new Intl.NumberFormat("en-US", { maximumSignificantDigits: DIGITS });

/** Six significant digits: 3,061.4. */
const figure = (amount: number): string => FIGURES.format(amount);

const amountWords = (told: SummaryFacts, { token, token_id, amount }: TokenAmount): string => {
  const word = tokenWord(told, token);
  if (token_id !== null) return `#${token_id} of ${word}`;
  const decimals = told.decimals(token);
  return decimals === null ? `${amount} base units of ${word}` : `${figure(toAmount(amount, decimals))} ${word}`;
};

const listOf = (told: SummaryFacts, amounts: readonly TokenAmount[]): string =>
  amounts.map((one) => amountWords(told, one)).join(" and ");

const FOR: readonly Headline["type"][] = [
  "claim_reward",
  "claim_airdrop",
  "claim_payment",
  "claim_grant",
  "borrow",
  "withdraw",
];

/** Below it the sentence says "probably". */
const SURE = 0.8;

/** "swapped 1.25 ETH for 3,061.4 USDC on Uniswap v3". */
const headlineSentence = (told: SummaryFacts, headline: Headline): string => {
  const { type, actor, protocol, venue, given, received, fee } = headline;
  const [gave, got] = [listOf(told, given), listOf(told, received)];
  // Acts that obtain a token mention it first.
  const parts = FOR.includes(type) ? [got, gave] : [gave, got];
  const sides = parts.filter((text) => text !== "").join(" for ");
  const name = protocol === null ? "" : fullName(protocol);
  const scope = name === "" ? "" : `on ${name}`;
  const where = venue === null ? scope : `on ${fullName(venue)}, through ${name}`;
  const paid = fee.length === 0 ? "" : `, for a fee of ${listOf(told, fee)}`;
  const doubt = headline.confidence < SURE ? "probably" : "";
  const said = [told.show(actor), doubt, KINDS[type].verb, sides, where].filter((text) => text !== "").join(" ");
  return `${said}${paid}.`;
};

const sentence = (told: SummaryFacts, action: Action): string => {
  const sides = [listOf(told, action.given), listOf(told, action.received)].filter((text) => text !== "").join(" for ");
  const where = action.protocol === null ? "" : ` (${action.protocol})`;
  const said = [told.show(action.actor), VERBS[action.type], sides].filter((text) => text !== "").join(" ");
  return `${said}${where}.`;
};

/** Movements of a transaction without a headline. */
const movementSentence = (told: SummaryFacts): string | null => {
  const { sender, contract, show, movements } = told;
  if (contract === null) return null;
  const { given, received } = netOf(netsOf(movements), sender);
  const parts = [
    given.length === 0 ? "" : `gave ${listOf(told, given)}`,
    received.length === 0 ? "" : `got ${listOf(told, received)}`,
  ];
  const said = parts.filter((text) => text !== "").join(", ");
  return said === "" ? null : `${show(sender)} ${said} through contract ${show(contract)}.`;
};

const counted = (told: SummaryFacts): string => {
  const { sender, show, parties, category } = told;
  if (told.movements.length === 0) return `${show(sender)} made a call that moved nothing.`;
  const moved = category === "other" ? movementSentence(told) : null;
  if (moved !== null) return moved;
  const count = told.movements.length;
  const rows = count === 1 ? "1 transfer" : `${count} transfers`;
  return `${show(sender)} made a ${category === "mint" ? "mint" : "transfer"}: ${rows} between ${parties} ${parties === 1 ? "address" : "addresses"}.`;
};

/**
 * Rights that an account granted by signature in another sender's transaction, and the amounts that left the account in
 * it. The account itself called nothing, so this comes before the sender's act.
 */
const signatureSentences = (told: SummaryFacts): readonly string[] => {
  const { actions, sender, show, movements } = told;
  const nets = netsOf(movements);
  const owners = new Set(actions.flatMap(({ type, actor }) => (type === "permit" && actor !== sender ? [actor] : [])));
  return [...owners].flatMap((owner) => {
    const { given, received } = netOf(nets, owner);
    if (given.length === 0 || received.length > 0) return [];
    return [`By a signature of ${show(owner)} that ${show(sender)} sent, ${listOf(told, given)} left ${show(owner)}.`];
  });
};

/** One to six sentences by a fixed pattern, without any untrusted text. */
export const summaryOf = (told: SummaryFacts): string => {
  const taken = told.status === "success" ? signatureSentences(told) : [];
  return [...told.dangers, ...taken.slice(0, 1), actOf(told)].join(" ");
};

const actOf = (told: SummaryFacts): string => {
  const { status, sender, show, category, actions } = told;
  if (status === "pending") return `${show(sender)} sent a transaction (${category}) that waits for a block.`;
  if (status === "failed")
    return `${show(sender)} sent a transaction (${category}) that failed; only its fee was paid.`;
  if (told.headline !== null) return headlineSentence(told, told.headline);
  const major = actions.filter(({ type }) => !MINOR.includes(type));
  const shown = major.length > 0 ? major : actions;
  if (shown.length === 0) return counted(told);
  const sentences = shown.slice(0, SENTENCES_MAX).map((action) => sentence(told, action));
  const more = shown.length - sentences.length;
  return [...sentences, ...(more > 0 ? [`And ${more} more actions.`] : [])].join(" ");
};
