import type { Network } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { toAmount } from "../../../lib/money.ts";
import type { Action, ActionType, TokenAmount } from "../actions/action.ts";
import type { Category } from "../actions/category.ts";

export interface Summarised {
  readonly network: Network;
  readonly status: "success" | "failed" | "pending";
  readonly sender: Hex;
  readonly category: Category;
  readonly actions: readonly Action[];
  /** Addresses between which something moved. */
  readonly parties: number;
  readonly movements: number;
  readonly show: (address: Hex) => string;
  readonly decimals: (token: Hex) => number | null;
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
  revoke: "took back a right over tokens",
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

/** Side effects that are told only when nothing else happened. */
const MINOR: readonly ActionType[] = ["approve", "permit", "revoke", "change_owner", "upgrade", "wrap", "unwrap"];
const SENTENCES_MAX = 3;

/** A symbol that the network's own data vouches for; anything else is shown by its address, for chain text may lie. */
const tokenWord = ({ network, show }: Summarised, token: Hex): string => {
  if (token === "") return network.native.symbol;
  if (token === network.wrapped_native) return `wrapped ${network.native.symbol}`;
  return network.stablecoins.find(({ address }) => address === token)?.symbol ?? show(token);
};

const amountWords = (told: Summarised, { token, token_id, amount }: TokenAmount): string => {
  const word = tokenWord(told, token);
  if (token_id !== null) return `#${token_id} of ${word}`;
  const decimals = told.decimals(token);
  return decimals === null ? `${amount} base units of ${word}` : `${toAmount(amount, decimals)} ${word}`;
};

const sentence = (told: Summarised, action: Action): string => {
  const list = (amounts: readonly TokenAmount[]) => amounts.map((one) => amountWords(told, one)).join(" and ");
  const sides = [list(action.given), list(action.received)].filter((text) => text !== "").join(" for ");
  const where = action.protocol === null ? "" : ` (${action.protocol})`;
  const said = [told.show(action.actor), VERBS[action.type], sides].filter((text) => text !== "").join(" ");
  return `${said}${where}.`;
};

const counted = (told: Summarised): string => {
  const { sender, show, movements, parties, category } = told;
  if (movements === 0) return `${show(sender)} made a call that moved nothing.`;
  const rows = movements === 1 ? "1 transfer" : `${movements} transfers`;
  return `${show(sender)} made a ${category === "mint" ? "mint" : "transfer"}: ${rows} between ${parties} ${parties === 1 ? "address" : "addresses"}.`;
};

/** One to four sentences by a fixed pattern, without any text that a stranger could have written. */
export const summaryOf = (told: Summarised): string => {
  const { status, sender, show, category, actions } = told;
  if (status === "pending") return `${show(sender)} sent a transaction (${category}) that waits for a block.`;
  if (status === "failed")
    return `${show(sender)} sent a transaction (${category}) that failed; only its fee was paid.`;
  const major = actions.filter(({ type }) => !MINOR.includes(type));
  const shown = major.length > 0 ? major : actions;
  if (shown.length === 0) return counted(told);
  const sentences = shown.slice(0, SENTENCES_MAX).map((action) => sentence(told, action));
  const more = shown.length - sentences.length;
  return [...sentences, ...(more > 0 ? [`And ${more} more actions.`] : [])].join(" ");
};
