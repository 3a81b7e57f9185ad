import type { TransactionDetails } from "../../../chains/transaction_details.ts";
import { toHex } from "../../../lib/bytes.ts";
import type { Action, ActionType } from "../actions/action.ts";
import type { Category } from "../actions/categories.ts";
import { type Movement, netChanges } from "../decoding/movements.ts";
import { nameOf, namesApproval } from "./methods.ts";

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
  ["swap", /^(?:swap|exact(?:Input|Output)|(?:shared_accounts_|exact_out_)*route|buy|sell)/],
  ["add_liquidity", /^(?:addLiquidity|increaseLiquidity|add_liquidity|increase_liquidity)/],
  ["remove_liquidity", /^(?:removeLiquidity|decreaseLiquidity|collect$|remove_|decrease_liquidity)/],
  ["multisig_exec", /^execTransaction$/],
  ["user_operation", /^handleOps$/],
  ["lend", /^supply$/],
  ["borrow", /^borrow$/],
  ["repay", /^(?:repay|liquidationCall)$/],
  [
    "stake",
    /^(?:stake|unstake|redeem|getReward|exit)$|[a-z]Stake|^(?:(?:Unf|F)reezeBalance|WithdrawExpire|CancelAllUnf)/,
  ],
  ["stake", /^(?:Un)?DelegateResourceContract$|^WithdrawBalanceContract$/],
  ["governance", /^(?:castVote|delegate)$|^(?:VoteWitness|Proposal)/],
  ["mint", /^(?:mint|safeMint|mintTo|mintToChecked|AssetIssueContract)$/],
  ["deploy", /^(?:deployProgram|upgradeProgram|initializeMint2?)$/],
  ["transfer", /^(?:transfer|transferFrom|safeTransferFrom|transferChecked|transferWithSeed)$/],
  ["transfer", /^Transfer(?:Asset)?Contract$/],
];

type Asked = Pick<TransactionDetails, "sender" | "recipient" | "input" | "called">;

/** What was meant, by what was called: all that is known of a transaction that failed or waits. */
export const categoryByMethod = ({ recipient, input, called }: Asked): Category => {
  if (recipient === null) return "deploy";
  if (called === undefined && input.length === 0) return "transfer";
  const name = (called === undefined ? nameOf(toHex(input.subarray(0, 4))) : called.name) ?? "";
  if (namesApproval(name)) return "approval";
  return BY_METHOD.find(([, pattern]) => pattern.test(name))?.[0] ?? "other";
};

/** A contract was called, and its caller both gave and got: whatever that was, it was no transfer. */
const isTrading = ({ input, recipient, sender }: Asked, movements: readonly Movement[]): boolean => {
  if (recipient === null || input.length === 0) return false;
  const own = netChanges(movements).filter(({ address }) => address === toHex(sender));
  return own.some(({ amount }) => amount < 0n) && own.some(({ amount }) => amount > 0n);
};

/** What happened, by the actions; without any that says it, by what moved. */
export const categoryOf = (asked: Asked, actions: readonly Action[], movements: readonly Movement[]): Category => {
  const types: ReadonlySet<string> = new Set(actions.map(({ type }) => type));
  const told = BY_ACTION.find(([, wanted]) => wanted.some((type) => types.has(type)))?.[0];
  if (told !== undefined) return asked.recipient === null ? "deploy" : told;
  // A contract may call itself what it likes; what the network itself runs is what its name says.
  const by_name = asked.called?.is_protocol === true ? categoryByMethod(asked) : "other";
  if (by_name !== "other" && by_name !== "transfer") return by_name;
  if (["wrap", "unwrap", "delegate_code", "end_delegation"].some((type) => types.has(type))) return "other";
  const paid = movements.filter(({ kind }) => kind !== "rent");
  if (isTrading(asked, paid)) return "other";
  if (paid.length > 0) return paid.every(({ source }) => source === "") ? "mint" : "transfer";
  return types.has("approve") || types.has("permit") || types.has("revoke") ? "approval" : categoryByMethod(asked);
};
