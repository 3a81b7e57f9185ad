import type { TransactionDetails } from "../../../chains/transaction_details.ts";
import { toHex } from "../../../lib/bytes.ts";
import type { Action, ActionType } from "../actions/action.ts";
import type { TransactionCategory } from "../actions/categories.ts";
import { netChanges, type TransactionMovement } from "../decoding/movements.ts";
import { nameOf, namesApproval } from "./methods.ts";

/** The first line with a matching action names the transaction. */
const BY_ACTION: readonly (readonly [TransactionCategory, readonly ActionType[]])[] = [
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

const BY_METHOD: readonly (readonly [TransactionCategory, RegExp])[] = [
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

type CategoryFacts = Pick<TransactionDetails, "sender" | "recipient" | "input" | "called">;

/** The intention by the called function, which is all that is known of a failed or pending transaction. */
export const categoryByMethod = ({ recipient, input, called }: CategoryFacts): TransactionCategory => {
  if (recipient === null) return "deploy";
  if (called === undefined && input.length === 0) return "transfer";
  const name = (called === undefined ? nameOf(toHex(input.subarray(0, 4))) : called.name) ?? "";
  if (namesApproval(name)) return "approval";
  return BY_METHOD.find(([, pattern]) => pattern.test(name))?.[0] ?? "other";
};

/** A caller of a contract that both gave and received did not make a transfer. */
const isTrading = ({ input, recipient, sender }: CategoryFacts, movements: readonly TransactionMovement[]): boolean => {
  if (recipient === null || input.length === 0) return false;
  const own = netChanges(movements).filter(({ address }) => address === toHex(sender));
  return own.some(({ amount }) => amount < 0n) && own.some(({ amount }) => amount > 0n);
};

/** The category by the actions; without a telling one, by the movements. */
export const categoryOf = (
  asked: CategoryFacts,
  actions: readonly Action[],
  movements: readonly TransactionMovement[],
): TransactionCategory => {
  const types: ReadonlySet<string> = new Set(actions.map(({ type }) => type));
  const told = BY_ACTION.find(([, wanted]) => wanted.some((type) => types.has(type)))?.[0];
  if (told !== undefined) return asked.recipient === null ? "deploy" : told;
  // A contract may have any name; programs of the network itself are named truthfully.
  const by_name = asked.called?.is_protocol === true ? categoryByMethod(asked) : "other";
  if (by_name !== "other" && by_name !== "transfer") return by_name;
  if (["wrap", "unwrap", "delegate_code", "end_delegation"].some((type) => types.has(type))) return "other";
  const paid = movements.filter(({ kind }) => kind !== "rent");
  if (isTrading(asked, paid)) return "other";
  if (paid.length > 0) return paid.every(({ source }) => source === "") ? "mint" : "transfer";
  return types.has("approve") || types.has("permit") || types.has("revoke") ? "approval" : categoryByMethod(asked);
};
