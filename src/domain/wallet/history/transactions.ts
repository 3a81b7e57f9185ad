import type { Hex } from "../../../lib/bytes.ts";
import { NanoSum } from "../../../lib/nano_usd.ts";
import { PIECE_ROWS, type Pieces } from "../../../lib/turns.ts";
import { IS_COST, IS_FEE, isNewTransaction, KINDS, NO_TRANSACTION } from "../../address/movements/movements.ts";
import { type Acts, actAt } from "./acts/act.ts";
import type { ValuedHistory } from "./history.ts";
import { isPriced } from "./movement_values.ts";
import { type TransactionNet, type TxType, txTypeOf } from "./tx_type.ts";

/** One transaction of a wallet and its net changes. */
export interface WalletTransaction {
  readonly block_number: number;
  readonly tx_index: number;
  /** Its first row in the history. */
  readonly row: number;
  /** Unix seconds. */
  readonly time: number;
  /** The wallet signed it. */
  readonly is_own: boolean;
  readonly type: TxType;
  /** Net gains and losses of the wallet by token ('' = native and wrapped), in base units. */
  readonly gained: ReadonlyMap<Hex, bigint>;
  readonly lost: ReadonlyMap<Hex, bigint>;
  /** Numbers of distinct other sides. */
  readonly payees: number;
  readonly payers: number;
  /** The first of them by address; '' without one. */
  readonly payee: Hex;
  readonly payer: Hex;
  /** USD gained and lost; null when part of it has no price. */
  readonly in_usd: number | null;
  readonly out_usd: number | null;
}

interface TransactionBucket {
  net: bigint;
  readonly nano: NanoSum;
  is_unpriced: boolean;
  is_minted: boolean;
  is_burned: boolean;
}

/** State of one transaction while its rows are read. An empty side has no set: most transactions have one side. */
interface TransactionDraft {
  readonly buckets: Map<number, TransactionBucket>;
  payees: Set<number> | null;
  payers: Set<number> | null;
  row: number;
  is_own: boolean;
  is_self: boolean;
  issued: TransactionNet["issued"];
  wrapped: number;
  /** Number of movements between the wallet and others, flagged ones included, and of those that count. */
  met: number;
  moved: number;
}

const newDraft = (row: number): TransactionDraft => ({
  buckets: new Map(),
  payees: null,
  payers: null,
  row,
  is_own: false,
  is_self: false,
  issued: null,
  wrapped: 0,
  met: 0,
  moved: 0,
});

/** Codes compared with those of movements. */
interface MovementCodes {
  readonly self: number;
  readonly nobody: number;
  readonly wrapped: number;
  /** The bucket of the native coin and its wrapped form. */
  readonly coin: number;
}

const codesOf = ({ movements, wallet, scope }: ValuedHistory): MovementCodes => {
  const { wrapped_native } = scope.chain.network;
  return {
    self: movements.peers.find(wallet),
    nobody: movements.peers.find(""),
    wrapped: wrapped_native === null ? -1 : movements.tokens.find(wrapped_native),
    coin: movements.tokens.codeOf(""),
  };
};

const bucketOf = (draft: TransactionDraft, code: number): TransactionBucket => {
  const known = draft.buckets.get(code);
  if (known !== undefined) return known;
  const made = { net: 0n, nano: new NanoSum(), is_unpriced: false, is_minted: false, is_burned: false };
  draft.buckets.set(code, made);
  return made;
};

/** Adds a movement between the wallet and another address. */
const addMovement = (
  { movements, values }: ValuedHistory,
  draft: TransactionDraft,
  [row, codes]: readonly [number, MovementCodes],
): void => {
  const amount = movements.amountAt(row);
  if (amount === 0n) return;
  const token = movements.token[row] ?? 0;
  const is_in = movements.direction[row] === 1;
  const is_wrapped = token === codes.wrapped;
  const is_void = movements.peer[row] === codes.nobody && !is_wrapped;
  const bucket = bucketOf(draft, is_wrapped ? codes.coin : token);
  draft.moved += 1;
  bucket.net += is_in ? amount : -amount;
  if (isPriced(values, row)) bucket.nano.add((is_in ? 1 : -1) * (values.nano_usd[row] ?? 0));
  else bucket.is_unpriced = true;
  if (is_void && is_in) bucket.is_minted = true;
  if (is_void && !is_in) bucket.is_burned = true;
  if (is_wrapped) draft.wrapped = is_in ? 1 : -1;
  const kind = KINDS[movements.kind[row] ?? 0];
  if (kind === "reward" || kind === "withdrawal") draft.issued = kind;
  if (is_void) return;
  const peer = movements.peer[row] ?? 0;
  if (is_in) draft.payers = (draft.payers ?? new Set()).add(peer);
  else draft.payees = (draft.payees ?? new Set()).add(peer);
};

const NOBODY: ReadonlySet<number> = new Set();

const firstOf = ({ movements }: ValuedHistory, codes: ReadonlySet<number>): Hex => {
  let first: Hex | null = null;
  for (const code of codes) {
    const peer = movements.peers.textOf(code);
    if (first === null || peer < first) first = peer;
  }
  return first ?? "";
};

/** USD of one side: the sum of its buckets, null when one of them has no price. */
const usdOf = (side: readonly TransactionBucket[], sign: 1 | -1): number | null => {
  if (side.some(({ is_unpriced }) => is_unpriced)) return null;
  const sum = new NanoSum();
  for (const { nano } of side) sum.addSum(nano);
  return side.length === 0 ? 0 : sign * sum.usd;
};

const NOTHING: ReadonlyMap<Hex, bigint> = new Map();

/** A completed transaction with its rows. */
interface FinishedTransaction {
  readonly draft: TransactionDraft;
  readonly acts: Acts;
  /** The first row after it. */
  readonly end: number;
  readonly isLeftOut: (row: number) => boolean;
}

const finish = (history: ValuedHistory, { draft, acts, end, isLeftOut }: FinishedTransaction): WalletTransaction => {
  const { movements } = history;
  const [got, gave]: readonly [TransactionBucket[], TransactionBucket[]] = [[], []];
  let [gained, lost]: [Map<Hex, bigint> | null, Map<Hex, bigint> | null] = [null, null];
  for (const [code, bucket] of draft.buckets) {
    const token = movements.tokens.textOf(code);
    if (bucket.net > 0n) {
      got.push(bucket);
      gained = (gained ?? new Map()).set(token, bucket.net);
    } else if (bucket.net < 0n) {
      gave.push(bucket);
      lost = (lost ?? new Map()).set(token, -bucket.net);
    }
  }
  const [payees, payers] = [draft.payees ?? NOBODY, draft.payers ?? NOBODY];
  return {
    block_number: movements.block_number[draft.row] ?? 0,
    tx_index: movements.tx_index[draft.row] ?? 0,
    row: draft.row,
    time: movements.time[draft.row] ?? 0,
    is_own: draft.is_own,
    type: txTypeOf(
      {
        gained: gained ?? NOTHING,
        lost: lost ?? NOTHING,
        is_minted: got.every(({ is_minted }) => is_minted),
        is_burned: gave.every(({ is_burned }) => is_burned),
        wrapped: draft.wrapped,
        is_moved: draft.moved > 0,
        is_self: draft.is_self,
        is_own: draft.is_own,
        issued: draft.issued,
      },
      actAt(history, acts, { rows: { first: draft.row, end }, isLeftOut }),
    ),
    gained: gained ?? NOTHING,
    lost: lost ?? NOTHING,
    payees: payees.size,
    payers: payers.size,
    payee: firstOf(history, payees),
    payer: firstOf(history, payers),
    in_usd: usdOf(got, 1),
    out_usd: usdOf(gave, -1),
  };
};

/** Options of the division. */
export interface DivisionOptions {
  /** Facts beyond the movements (`readActs`). */
  readonly acts: Acts;
  readonly include_spam: boolean;
}

export interface TransactionList {
  /** Oldest first. */
  readonly list: readonly WalletTransaction[];
  /** Number of transactions of spam only, which were left out. */
  readonly hidden_spam: number;
}

/**
 * Yields the transactions of a history: the wallet's own, and those that moved something of it. Coins issued by a
 * block, collected fees and tips, and votes stored as sums are no transactions. A transaction of another sender with
 * flagged movements only is spam; flagged movements of other transactions do not count.
 */
export function* transactionsOf(
  history: ValuedHistory,
  { acts, include_spam }: DivisionOptions,
): Pieces<TransactionList> {
  const { movements, spam, first, end } = history;
  const { kind, direction, tx_index, is_own, peer } = movements;
  const codes = codesOf(history);
  const list: WalletTransaction[] = [];
  let hidden_spam = 0;
  let draft: TransactionDraft | null = null;
  const isLeftOut = (row: number): boolean => peer[row] === codes.self || (!include_spam && (spam[row] ?? 0) !== 0);
  const close = (behind: number): void => {
    if (draft === null) return;
    if (!draft.is_own && draft.met > 0 && draft.moved === 0 && !include_spam && isFlagged(history, draft.row)) {
      hidden_spam += 1;
    } else list.push(finish(history, { draft, acts, end: behind, isLeftOut }));
    draft = null;
  };
  for (let row = first; row < end; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    if (isNewTransaction(movements, row)) close(row);
    if (tx_index[row] === NO_TRANSACTION || movements.votesAt(row) > 0) continue;
    const of = kind[row] ?? 0;
    if (IS_FEE[of] === 1 && direction[row] === 1) continue;
    draft ??= newDraft(row);
    draft.is_own ||= is_own[row] === 1;
    if (IS_COST[of] === 1) continue;
    if (peer[row] === codes.self) draft.is_self = true;
    else {
      draft.met += 1;
      if (include_spam || (spam[row] ?? 0) === 0) addMovement(history, draft, [row, codes]);
    }
  }
  close(end);
  return { list, hidden_spam };
}

/** Reports whether every movement of the transaction that starts at this row is flagged. */
const isFlagged = ({ movements, spam, end }: ValuedHistory, first: number): boolean => {
  for (let row = first; row < end && (row === first || !isNewTransaction(movements, row)); row += 1) {
    if (IS_COST[movements.kind[row] ?? 0] === 0 && (spam[row] ?? 0) === 0) return false;
  }
  return true;
};
