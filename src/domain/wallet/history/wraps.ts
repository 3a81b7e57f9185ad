import { IS_COST, IS_WRAP, isNewTransaction } from "../../address/movements/movements.ts";
import type { ValuedHistory } from "./history.ts";

type WrapHistory = Pick<ValuedHistory, "movements" | "scope" | "wallet" | "first" | "end">;

/** Rows of one transaction: [first, end). */
interface TransactionRowSpan {
  readonly first: number;
  readonly end: number;
}

/**
 * Wrapped coins of Solana are in an account of the wallet, not with the coin's contract. The other side of the wrap is
 * an address that received or paid exactly the wrapped amount in the transaction, the nearest one of several.
 */
const markAccounts = (
  { movements, wallet }: WrapHistory,
  { first, end }: TransactionRowSpan,
  marks: Uint8Array,
): void => {
  const { direction, kind, peer } = movements;
  const coin = movements.tokens.find("");
  const nobody_else = ([wallet, ""] as const).map((text) => movements.peers.find(text));
  for (const way of [1, -1]) {
    let [wrapped, at, is_answered] = [0n, -1, false];
    const paid = new Map<number, { amount: bigint; readonly rows: number[] }>();
    for (let row = first; row < end; row += 1) {
      const of = kind[row] ?? 0;
      if (IS_WRAP[of] === 1 && direction[row] === way) {
        wrapped += movements.amountAt(row);
        at = row;
      }
      const code = peer[row] ?? 0;
      if (movements.token[row] !== coin || IS_COST[of] === 1 || direction[row] === way) continue;
      if (marks[row] === 1) is_answered = true;
      if (nobody_else.includes(code)) continue;
      const known = paid.get(code) ?? { amount: 0n, rows: [] };
      known.amount += movements.amountAt(row);
      known.rows.push(row);
      paid.set(code, known);
    }
    if (at < 0 || is_answered) continue;
    const gap = ({ rows }: { readonly rows: readonly number[] }): number =>
      Math.min(...rows.map((row) => Math.abs(row - at)));
    const [side] = [...paid.values()].filter(({ amount }) => amount === wrapped).sort((a, b) => gap(a) - gap(b));
    for (const row of side?.rows ?? []) marks[row] = 1;
  }
};

/** 1 for rows that change the native coin into its wrapped form or back, on both sides of it, by row of the window. */
export const wrapRows = (history: WrapHistory): Uint8Array => {
  const { movements, scope, first, end } = history;
  const { kind, token, peer } = movements;
  const marks = new Uint8Array(movements.length);
  const wrapped = scope.chain.network.wrapped_native;
  if (wrapped === null) return marks;
  const [nobody, wrapper] = [movements.peers.find(""), movements.peers.find(wrapped)];
  const [coin, wrapped_coin] = [movements.tokens.find(""), movements.tokens.find(wrapped)];
  for (let row = first; row < end; row += 1) {
    const is_minted = token[row] === wrapped_coin && peer[row] === nobody;
    const is_paid = token[row] === coin && peer[row] === wrapper && wrapper >= 0 && IS_COST[kind[row] ?? 0] === 0;
    if (is_minted || is_paid || IS_WRAP[kind[row] ?? 0] === 1) marks[row] = 1;
  }
  for (let from = first; from < end; ) {
    let to = from + 1;
    let is_wrap = IS_WRAP[kind[from] ?? 0] === 1;
    while (to < end && !isNewTransaction(movements, to)) {
      is_wrap ||= IS_WRAP[kind[to] ?? 0] === 1;
      to += 1;
    }
    if (is_wrap) markAccounts(history, { first: from, end: to }, marks);
    from = to;
  }
  return marks;
};
