import type { Hex } from "../../../lib/bytes.ts";
import { inTurns, PIECE_ROWS, type Pieces } from "../../../lib/turns.ts";
import type { QueryColumns } from "../../../store/facts.ts";
import { firstAtLeast, type MovementRange, type Movements } from "../../address/movements/movements.ts";
import type { IndexedFacts, SnapshotContext } from "../../context.ts";
import { type MovementSelection, NAMED_MAX } from "./movement_selection.ts";

/** Number of addresses that the token of a row reached in its transaction when it exceeds a hundred; else 0. */
export type ReceiversOf = (row: number) => number;

interface ReceiptKeys {
  readonly tokens: Hex[];
  readonly blocks: number[];
  readonly indexes: number[];
}

/** Tokens that arrived in transactions of other senders: all of them, or one more than the limit to name. */
function* receiptsOf(movements: Movements, { first, end }: MovementRange): Pieces<ReceiptKeys> {
  const found: ReceiptKeys = { tokens: [], blocks: [], indexes: [] };
  const seen = new Set<string>();
  for (let row = first; row < end && found.tokens.length <= NAMED_MAX; row += 1) {
    if (row % PIECE_ROWS === 0) yield;
    const token = movements.tokenAt(row);
    if (token === "" || movements.direction[row] !== 1 || movements.is_own[row] === 1) continue;
    const [block, index] = [movements.block_number[row] ?? 0, movements.tx_index[row] ?? 0];
    const key = `${block}:${index}:${token}`;
    if (seen.has(key)) continue;
    seen.add(key);
    found.tokens.push(token);
    found.blocks.push(block);
    found.indexes.push(index);
  }
  return found;
}

const fromColumns = ({ block_number, tx_index, token, receivers, length }: QueryColumns<"history/mass_receipts">) =>
  Array.from({ length }, (_, row): [string, number] => [
    `${block_number[row]}:${tx_index[row]}:${token.texts[token.codes[row] ?? 0] ?? ""}`,
    receivers[row] ?? 0,
  ]);

const read = async (
  { facts, snapshot, signal }: SnapshotContext,
  { wallet, period, from_block, movements, rows }: MovementSelection,
) => {
  const receipts = await inTurns(receiptsOf(movements, rows), signal);
  if (receipts.tokens.length === 0) return [];
  if (receipts.tokens.length > NAMED_MAX) {
    const { since, until } = period;
    const within = { ...snapshot, from_block };
    return fromColumns(await facts.columns(within, "history/mass_receipts", { wallet, since, until }));
  }
  const found = await facts.ask(snapshot, "history/mass_transfers_among", receipts);
  return found.map((row): [string, number] => [`${row.block_number}:${row.tx_index}:${row.token}`, row.receivers]);
};

/** Reads which received tokens reached many other addresses in the same transaction. */
export const readMassReceipts = async (scope: SnapshotContext, moved: MovementSelection): Promise<ReceiversOf> => {
  const receivers = new Map(await read(scope, moved));
  const { block_number, tx_index } = moved.movements;
  if (receivers.size === 0) return () => 0;
  return (row) => receivers.get(`${block_number[row]}:${tx_index[row]}:${moved.movements.tokenAt(row)}`) ?? 0;
};

/**
 * Returns the tokens that the wallet never moved itself and that arrived in such a transaction. The movements must
 * start with the wallet's first. Null when there are too many receipts to name.
 */
export const unrequestedAmong = async (
  { facts, snapshot }: IndexedFacts,
  movements: Movements,
  tokens: readonly Hex[],
): Promise<ReadonlySet<Hex> | null> => {
  const { token, is_own, direction, block_number, tx_index } = movements;
  const end = firstAtLeast(block_number, snapshot.block.number + 1);
  const wanted = new Set(tokens.map((text) => movements.tokens.find(text)));
  for (let row = 0; row < end; row += 1) if (is_own[row] === 1) wanted.delete(token[row] ?? 0);
  const receipts: ReceiptKeys = { tokens: [], blocks: [], indexes: [] };
  for (let row = 0; row < end; row += 1) {
    if (direction[row] !== 1 || !wanted.has(token[row] ?? 0)) continue;
    receipts.tokens.push(movements.tokenAt(row));
    receipts.blocks.push(block_number[row] ?? 0);
    receipts.indexes.push(tx_index[row] ?? 0);
  }
  if (receipts.tokens.length > NAMED_MAX) return null;
  if (receipts.tokens.length === 0) return new Set();
  const found = await facts.ask(snapshot, "history/mass_transfers_among", receipts);
  return new Set(found.map((row) => row.token));
};
