import type { Transaction } from "../../chains/chain.ts";
import { toHex } from "../../lib/bytes.ts";
import { isApproval, nameOf } from "../methods.ts";
import type { Movement } from "../movements.ts";
import type { Action, ActionType } from "./action.ts";

/** What a transaction was, in one word. */
export const CATEGORIES = [
  "transfer",
  "swap",
  "add_liquidity",
  "remove_liquidity",
  "bridge",
  "lend",
  "borrow",
  "repay",
  "stake",
  "nft_trade",
  "mint",
  "approval",
  "deploy",
  "governance",
  "multisig_exec",
  "user_operation",
  "other",
] as const;
export type Category = (typeof CATEGORIES)[number];

/** The first line of which something happened names the transaction. */
const BY_ACTION: readonly (readonly [Category, readonly ActionType[]])[] = [
  ["user_operation", ["user_operation", "user_operation_failure"]],
  ["multisig_exec", ["multisig_exec", "multisig_failure"]],
  ["bridge", ["bridge_out", "bridge_in"]],
  ["nft_trade", ["nft_sale"]],
  ["repay", ["repay", "liquidation"]],
  ["borrow", ["borrow"]],
  ["lend", ["supply", "withdraw"]],
  ["stake", ["stake", "unstake", "claim_reward"]],
  ["add_liquidity", ["add_liquidity"]],
  ["remove_liquidity", ["remove_liquidity", "collect_fees"]],
  ["swap", ["swap"]],
  ["governance", ["vote", "propose", "execute_proposal", "delegate_votes"]],
  ["deploy", ["deploy", "create_pool"]],
];

const BY_METHOD: readonly (readonly [Category, RegExp])[] = [
  ["swap", /^(?:swap|exact(?:Input|Output))/],
  ["add_liquidity", /^(?:addLiquidity|increaseLiquidity)/],
  ["remove_liquidity", /^(?:removeLiquidity|decreaseLiquidity|collect$)/],
  ["multisig_exec", /^execTransaction$/],
  ["user_operation", /^handleOps$/],
  ["lend", /^supply$/],
  ["borrow", /^borrow$/],
  ["repay", /^(?:repay|liquidationCall)$/],
  ["stake", /^(?:stake|redeem|getReward|exit)$/],
  ["governance", /^(?:castVote|delegate)$/],
  ["mint", /^(?:mint|safeMint)$/],
  ["transfer", /^(?:transfer|transferFrom|safeTransferFrom)$/],
];

type Called = Pick<Transaction, "recipient" | "input">;

/** What was meant, by the function called: all that is known of a transaction that failed or waits. */
export const categoryByMethod = ({ recipient, input }: Called): Category => {
  if (recipient === null) return "deploy";
  if (input.length === 0) return "transfer";
  const selector = toHex(input.subarray(0, 4));
  if (isApproval(selector)) return "approval";
  const name = nameOf(selector) ?? "";
  return BY_METHOD.find(([, pattern]) => pattern.test(name))?.[0] ?? "other";
};

/** What happened, by the actions; without any that says it, by what moved. */
export const categoryOf = (called: Called, actions: readonly Action[], movements: readonly Movement[]): Category => {
  const types: ReadonlySet<string> = new Set(actions.map(({ type }) => type));
  const told = BY_ACTION.find(([, wanted]) => wanted.some((type) => types.has(type)))?.[0];
  if (told !== undefined) return called.recipient === null ? "deploy" : told;
  if (["wrap", "unwrap", "delegate_code", "end_delegation"].some((type) => types.has(type))) return "other";
  if (movements.length > 0) return movements.every(({ source }) => source === "") ? "mint" : "transfer";
  return types.has("approve") || types.has("permit") || types.has("revoke") ? "approval" : categoryByMethod(called);
};
