import type { Hex } from "../../../lib/bytes.ts";
import { isApproval } from "../../transaction/headline/methods.ts";
import type { HeadlineType } from "../../transaction/headline/types.ts";
import type { WalletAct } from "./acts/act.ts";

/** Types of listed transactions. */
export const TX_TYPES = [
  "transfer",
  "swap",
  "wrap",
  "unwrap",
  "add_liquidity",
  "remove_liquidity",
  "deposit",
  "withdraw",
  "borrow",
  "repay",
  "stake",
  "unstake",
  "claim",
  "bridge",
  "governance",
  "nft_trade",
  "mint",
  "burn",
  "approval",
  "call",
  "deploy",
  "reward",
  "withdrawal",
  "other",
] as const;
export type ListedType = (typeof TX_TYPES)[number];

/** Type of a transaction from the view of the wallet. */
export type TxType = Exclude<ListedType, "transfer"> | "receive" | "send" | "self";

/** Net changes of a transaction; the native coin and its wrapped form are one. */
export interface TransactionNet {
  readonly gained: ReadonlyMap<Hex, bigint>;
  readonly lost: ReadonlyMap<Hex, bigint>;
  /** All gains were minted; all losses were burned. */
  readonly is_minted: boolean;
  readonly is_burned: boolean;
  /** 1: the wrapped coin arrived, -1: it left, 0: neither. */
  readonly wrapped: number;
  /** Something moved between the wallet and others; the wallet paid itself. */
  readonly is_moved: boolean;
  readonly is_self: boolean;
  readonly is_own: boolean;
  /** Coins issued by the network. */
  readonly issued: "reward" | "withdrawal" | null;
}

/** Transaction type of each headline type (docs/design/readings.md). */
const TYPE_OF_ACT: Readonly<Record<HeadlineType, TxType>> = {
  swap: "swap",
  nft_purchase: "nft_trade",
  nft_sale: "nft_trade",
  add_liquidity: "add_liquidity",
  remove_liquidity: "remove_liquidity",
  collect_fees: "remove_liquidity",
  supply: "deposit",
  deposit: "deposit",
  withdraw: "withdraw",
  borrow: "borrow",
  repay: "repay",
  liquidation: "repay",
  stake: "stake",
  extend_stake: "stake",
  unstake: "unstake",
  queue_withdrawal: "unstake",
  claim_reward: "claim",
  claim_airdrop: "claim",
  claim_payment: "claim",
  claim_grant: "claim",
  wrap: "wrap",
  unwrap: "unwrap",
  bridge_out: "bridge",
  bridge_in: "bridge",
  vote: "governance",
  propose: "governance",
  execute_proposal: "governance",
  delegate_votes: "governance",
  deploy: "deploy",
  mint: "mint",
  transfer: "send",
  donate: "send",
  purchase: "send",
  migrate: "other",
  place_order: "other",
  register_name: "other",
  renew_name: "other",
  set_name_record: "other",
  attest: "other",
  follow: "other",
  stream: "other",
  register: "other",
  subscribe: "other",
  multisig_exec: "other",
  user_operation: "other",
};

/** Type from movements alone; a trade, a deposit or liquidity needs more evidence. */
const byNets = ({ gained, lost, is_minted, is_burned, wrapped }: TransactionNet): TxType => {
  if (gained.size > 0 && lost.size > 0) return "other";
  if (gained.size > 0) return is_minted ? "mint" : "receive";
  if (lost.size > 0) return is_burned ? "burn" : "send";
  if (wrapped !== 0) return wrapped > 0 ? "wrap" : "unwrap";
  return "other";
};

/** Type from the call when nothing of the wallet moved. */
const callType = ({ call, type }: WalletAct): TxType => {
  if (call !== null && isApproval(call.selector)) return "approval";
  const word = type === null ? "other" : TYPE_OF_ACT[type];
  return word === "other" || word === "send" ? "call" : word;
};

export const txTypeOf = (net: TransactionNet, act: WalletAct): TxType => {
  if (act.call?.is_creation === true) return "deploy";
  if (net.issued !== null) return net.issued;
  if (!net.is_moved && net.is_self) return "self";
  // A transaction of another sender that moves nothing is an empty receipt.
  if (!net.is_moved) return net.is_own ? callType(act) : "receive";
  return act.type === null ? byNets(net) : TYPE_OF_ACT[act.type];
};

/** A list shows receipts and payments as transfers, because its rows have a direction. */
export const listedTypeOf = (type: TxType): ListedType =>
  type === "receive" || type === "send" || type === "self" ? "transfer" : type;
