import type { Hex } from "../../../lib/bytes.ts";
import { inTurns } from "../../../lib/turns.ts";
import type { QueryRow } from "../../../store/facts.ts";
import {
  IS_COLLECTIBLE,
  IS_FEE,
  isNewTransaction,
  KINDS,
  type MovementKind,
} from "../../address/movements/movements.ts";
import { metadataIn, metadataOf, type TokenMetadata } from "../../token/metadata/metadata.ts";
import { readActs } from "./acts/act.ts";
import { rowUsd, type ValuedHistory } from "./history.ts";
import { isBareCall, type ListPage, listedUsd } from "./list.ts";
import { spamReasonsOf } from "./movement_flags.ts";
import { transactionsOf } from "./transactions.ts";
import { type ListedType, listedTypeOf, type TxType } from "./tx_type.ts";

type TransactionDetailRow = QueryRow<"transaction_details">;

/** One described row of the list. */
export interface HistoryListRow {
  readonly block_number: number;
  readonly position: number;
  /** Unix seconds. */
  readonly time: number;
  readonly kind: MovementKind;
  readonly token: Hex;
  readonly token_id: bigint;
  readonly direction: "in" | "out" | "self";
  /** Of the deposit of an account, whose direction is `self`; null for other kinds. */
  readonly deposit: "paid" | "refunded" | null;
  readonly peer: Hex;
  readonly amount: bigint;
  readonly metadata: TokenMetadata;
  /** Null when the token does not report its decimals. */
  readonly decimals: number | null;
  readonly usd_value: number | null;
  /** Null for coins that arrive without a transaction. */
  readonly transaction: TransactionDetailRow | null;
  /** A validator's votes in the block, which have no stored transactions; 0 for other rows. */
  readonly votes: number;
  /** A call that moved nothing of the wallet, represented by its fee. */
  readonly is_bare_call: boolean;
  readonly tx_type: ListedType;
  /**
   * Fee of the whole transaction, on its first listed row; null when another wallet sent it or the fee has no price.
   */
  readonly fee_usd: number | null;
  /** Reason why `fee_usd` is null; null when it is a number. */
  readonly fee_gap: string | null;
  readonly spam_reasons: readonly string[];
}

const FEE_GAPS = {
  counted_before: "counted on the first listed row of this transaction",
  not_sent: "the wallet did not send this transaction and paid no fee",
  no_price: "the coin of the network has no price at that time",
} as const;

const positionKeyOf = ({ movements }: ValuedHistory, row: number): string =>
  `${movements.block_number[row]}:${movements.tx_index[row]}`;

/** All rows of the transaction of one row. */
const rowsOf = (
  { movements, first, end }: ValuedHistory,
  row: number,
): { readonly first: number; readonly end: number } => {
  let [from, to] = [row, row + 1];
  while (from > first && !isNewTransaction(movements, from)) from -= 1;
  while (to < end && !isNewTransaction(movements, to)) to += 1;
  return { first: from, end: to };
};

/** Types of the transactions on a page, from the view of the wallet. */
const readTypes = async (
  history: ValuedHistory,
  { rows }: ListPage,
  include_spam: boolean,
): Promise<ReadonlyMap<string, TxType>> => {
  const [newest, oldest] = [rows[0], rows.at(-1)];
  if (newest === undefined || oldest === undefined) return new Map();
  const part = { ...history, first: rowsOf(history, oldest).first, end: rowsOf(history, newest).end };
  const division = { acts: await readActs(part), include_spam };
  const { list } = await inTurns(transactionsOf(part, division), history.scope.signal);
  return new Map(list.map(({ row, type }) => [positionKeyOf(history, row), type]));
};

/** Fee that the transaction of a row cost the wallet; null when part of it has no price. */
const feeOf = (history: ValuedHistory, row: number): number | null => {
  const { movements } = history;
  let fee = 0;
  const { first, end } = rowsOf(history, row);
  for (let at = first; at < end; at += 1) {
    if (IS_FEE[movements.kind[at] ?? 0] === 0 || movements.direction[at] === 1) continue;
    const usd = rowUsd(history, at);
    if (usd === null) return null;
    fee += usd;
  }
  return fee;
};

const typeOf = (kind: MovementKind, type: TxType | undefined): ListedType => {
  if (kind === "reward" || kind === "withdrawal") return kind;
  return type === undefined ? "transfer" : listedTypeOf(type);
};

interface HistoryListContext {
  readonly details: ReadonlyMap<string, TransactionDetailRow>;
  readonly tokens: ReadonlyMap<Hex, TokenMetadata>;
  readonly types: ReadonlyMap<string, TxType>;
}

const listedOf = (history: ValuedHistory, around: HistoryListContext, row: number): HistoryListRow => {
  const { movements, wallet, spam } = history;
  const scope = positionKeyOf(history, row);
  const transaction = around.details.get(scope) ?? null;
  const code = movements.kind[row] ?? 0;
  const kind = KINDS[code] ?? "native";
  const votes = movements.votesAt(row);
  const is_bare_call = transaction !== null && isBareCall(history, row);
  const token = movements.tokenAt(row);
  const metadata = metadataIn(around.tokens, token);
  const peer = movements.peerAt(row);
  const is_in = movements.direction[row] === 1;
  const is_rent = kind === "rent";
  const is_self = is_rent || (kind !== "fee" && peer === wallet);
  return {
    block_number: movements.block_number[row] ?? 0,
    position: movements.position[row] ?? 0,
    time: movements.time[row] ?? 0,
    kind,
    token,
    token_id: movements.tokenIdAt(row),
    direction: is_self ? "self" : is_in ? "in" : "out",
    deposit: is_rent ? (is_in ? "refunded" : "paid") : null,
    peer:
      votes > 0
        ? (history.scope.chain.can.vote_program ?? peer)
        : is_bare_call
          ? transaction.created === ""
            ? transaction.recipient
            : transaction.created
          : peer,
    amount: kind === "fee" ? 0n : movements.amountAt(row),
    metadata,
    decimals: IS_COLLECTIBLE[code] === 1 ? 0 : metadata.decimals,
    usd_value: listedUsd(history, row),
    transaction,
    votes,
    is_bare_call,
    tx_type: votes > 0 ? "call" : typeOf(kind, around.types.get(scope)),
    fee_usd: null,
    fee_gap: FEE_GAPS.not_sent,
    spam_reasons: spamReasonsOf(spam[row] ?? 0),
  };
};

/** The described rows of a page: one query for its transactions, one for tokens that the history does not describe. */
export const readListed = async (
  history: ValuedHistory,
  page: ListPage,
  include_spam: boolean,
): Promise<readonly HistoryListRow[]> => {
  const { scope, movements } = history;
  const places = [...new Map(page.rows.map((row) => [positionKeyOf(history, row), row])).values()];
  const unknown = page.rows.map((row) => movements.tokenAt(row)).filter((token) => !history.tokens.has(token));
  const [rows, others, types] = await Promise.all([
    places.length === 0
      ? []
      : scope.facts.ask(scope.snapshot, "transaction_details", {
          blocks: places.map((row) => movements.block_number[row] ?? 0),
          indexes: places.map((row) => movements.tx_index[row] ?? 0),
        }),
    metadataOf(scope, unknown),
    readTypes(history, page, include_spam),
  ]);
  const details = new Map(rows.map((row) => [`${row.block_number}:${row.tx_index}`, row]));
  const tokens = new Map([...others, ...history.tokens]);
  const around = { details, tokens, types };
  let before = page.row_before < 0 ? "" : positionKeyOf(history, page.row_before);
  return page.rows.map((row) => {
    const listed = listedOf(history, around, row);
    const is_first = positionKeyOf(history, row) !== before;
    before = positionKeyOf(history, row);
    const is_sent = listed.votes > 0 || listed.transaction?.sender === history.wallet;
    if (!is_sent) return listed;
    if (!is_first) return { ...listed, fee_gap: FEE_GAPS.counted_before };
    const fee_usd = feeOf(history, row);
    return { ...listed, fee_usd, fee_gap: fee_usd === null ? FEE_GAPS.no_price : null };
  });
};
