import type { Hex } from "../../../../lib/bytes.ts";
import type { QueryColumns, Snapshot } from "../../../../store/facts.ts";
import { firstAtLeast, IS_COLLECTIBLE, IS_COST, isNewTransaction } from "../../../address/movements/movements.ts";
import type { IndexedFacts } from "../../../context.ts";
import type { ValuedHistory } from "../history.ts";
import { NAMED_MAX } from "../movement_selection.ts";
import { readPositionEvents } from "../position_events.ts";
import {
  type CachedTransactionFacts,
  noTransactionFacts,
  type ObservedPositionEvent,
  sizeOf,
  type TransactionCall,
  type TransactionFacts,
  TransactionFactsCache,
} from "./transaction_facts_cache.ts";

/** Limit of tokens whose pools are searched for trades; windows have fewer. */
const TOKENS_MAX = 2_000;

export const transactionKey = (block_number: number, tx_index: number): string => `${block_number}:${tx_index}`;

/** Transactions after a block for which facts are needed. */
interface TransactionFactsQuery {
  readonly has_rows: boolean;
  /** Transactions that the wallet sent or that moved something out of it. */
  readonly calls: BlockPositions;
  /** Transactions in which it gave and received, and the tokens that moved in them. */
  readonly dealt: BlockPositions;
  readonly tokens: readonly Hex[];
}

/** Transactions by block and index, each once, as a query names them. */
interface BlockPositions {
  readonly blocks: number[];
  readonly indexes: number[];
}

const noPositions = (): BlockPositions => ({ blocks: [], indexes: [] });

const isNamed = ({ blocks }: BlockPositions): boolean => blocks.length <= NAMED_MAX;

/** Covers all rows after a block, also those outside the window of the history: the cache serves other windows too. */
const factsQueryOf = ({ movements, scope }: ValuedHistory, after: number): TransactionFactsQuery => {
  const { wrapped_native } = scope.chain.network;
  const [first, end] = [firstAtLeast(movements.block_number, after + 1), movements.length];
  const tokens = new Set<number>();
  const [calls, dealt] = [noPositions(), noPositions()];
  let [from, gave, got, is_call] = [first, false, false, false];
  const close = (to: number): void => {
    const take = ({ blocks, indexes }: BlockPositions): void => {
      blocks.push(movements.block_number[from] ?? 0);
      indexes.push(movements.tx_index[from] ?? 0);
    };
    if (is_call) take(calls);
    if (gave && got) take(dealt);
    for (let row = from; row < to && gave && got; row += 1)
      if (IS_COLLECTIBLE[movements.kind[row] ?? 0] === 0) tokens.add(movements.token[row] ?? 0);
    [from, gave, got, is_call] = [to, false, false, false];
  };
  for (let row = first; row < end; row += 1) {
    if (row > first && isNewTransaction(movements, row)) close(row);
    const is_out = movements.direction[row] === -1;
    is_call ||= is_out || movements.is_own[row] === 1;
    if (IS_COST[movements.kind[row] ?? 0] === 1) continue;
    gave ||= is_out;
    got ||= !is_out;
  }
  close(end);
  const moved = [...tokens].map((code) => movements.tokens.textOf(code));
  // Pools of the native coin mostly hold its wrapped form.
  const traded = moved.includes("") && wrapped_native !== null ? [...moved, wrapped_native] : moved;
  return { has_rows: first < end, calls, dealt, tokens: [...new Set(traded)].sort().slice(0, TOKENS_MAX) };
};

const callsFromColumns = (rows: QueryColumns<"acts/calls">): readonly CallRow[] => {
  const { block_number, tx_index, sender, recipient, selector, is_creation, succeeded, length } = rows;
  return Array.from({ length }, (_, i) => ({
    block_number: block_number[i] ?? 0,
    tx_index: tx_index[i] ?? 0,
    sender: sender.texts[sender.codes[i] ?? 0] ?? "",
    recipient: recipient.texts[recipient.codes[i] ?? 0] ?? "",
    selector: selector.texts[selector.codes[i] ?? 0] ?? "",
    is_creation: is_creation[i] === 1,
    succeeded: succeeded[i] === 1,
  }));
};

interface BlockPosition {
  readonly block_number: number;
  readonly tx_index: number;
}

type CallRow = BlockPosition & TransactionCall;

/** Calls of these transactions. If there are too many to name, the store finds them through the wallet's ledger. */
const readCalls = async (
  { facts, snapshot }: IndexedFacts,
  { wallet, since, after }: FactsPeriod,
  calls: BlockPositions,
): Promise<readonly CallRow[]> => {
  if (calls.blocks.length === 0) return [];
  if (!isNamed(calls)) {
    const behind = { ...snapshot, from_block: after + 1 };
    return callsFromColumns(await facts.columns(behind, "acts/calls", { wallet, since }));
  }
  const rows = await facts.ask(snapshot, "transaction_details", calls);
  return rows.map(({ created, succeeded, ...row }) => ({
    ...{ block_number: row.block_number, tx_index: row.tx_index },
    ...{ sender: row.sender, recipient: row.recipient, selector: row.selector },
    is_creation: created !== "",
    succeeded: succeeded === 1,
  }));
};

const addCalls = (told: TransactionFacts, rows: readonly CallRow[], isTaken: (block: number) => boolean): void => {
  for (const { block_number, tx_index, ...call } of rows)
    if (isTaken(block_number)) told.calls.set(transactionKey(block_number, tx_index), call);
};

type ObservedEventRow = BlockPosition & ObservedPositionEvent;

const eventsFromColumns = (rows: QueryColumns<"acts/positions">): readonly ObservedEventRow[] => {
  const { block_number, tx_index, kind, contract, has_pool, length } = rows;
  return Array.from({ length }, (_, i) => ({
    block_number: block_number[i] ?? 0,
    tx_index: tx_index[i] ?? 0,
    kind: kind.texts[kind.codes[i] ?? 0] ?? "",
    contract: contract.texts[contract.codes[i] ?? 0] ?? "",
    has_pool: has_pool[i] === 1,
  }));
};

/** Protocol events about the wallet in the transactions after a block. An NFT may have arrived long before. */
const readObservedEvents = async (
  history: ValuedHistory,
  { wallet, since, after }: FactsPeriod,
): Promise<readonly ObservedEventRow[]> => {
  const { facts, snapshot } = history.scope;
  const rows = await readPositionEvents({ facts, snapshot }, wallet, history);
  if (rows === null)
    return eventsFromColumns(await facts.columns(snapshot, "acts/positions", { wallet, since, after }));
  return rows
    .filter(({ block_number, time }) => block_number > after && time >= since)
    .map(({ block_number, tx_index, kind, contract, pool }) => {
      return { block_number, tx_index, kind, contract, has_pool: pool !== "" };
    });
};

const addObservedEvents = (
  told: TransactionFacts,
  rows: readonly ObservedEventRow[],
  isTaken: (block: number) => boolean,
): void => {
  const found = new Map<string, ObservedPositionEvent[]>();
  for (const { block_number, tx_index, ...said } of rows) {
    if (!isTaken(block_number)) continue;
    const key = transactionKey(block_number, tx_index);
    const known = found.get(key);
    if (known === undefined) found.set(key, [said]);
    else known.push(said);
  }
  for (const [key, list] of found) told.said.set(key, list);
};

const positionsOfColumns = ({
  block_number,
  tx_index,
  length,
}: QueryColumns<"acts/trades">): readonly BlockPosition[] =>
  Array.from({ length }, (_, i) => ({ block_number: block_number[i] ?? 0, tx_index: tx_index[i] ?? 0 }));

/** Transactions with a pool trade, among those in which the wallet gave and received. */
const readTraded = async (
  { facts, snapshot }: IndexedFacts,
  { wallet, since, after }: FactsPeriod,
  { dealt, tokens }: TransactionFactsQuery,
): Promise<readonly BlockPosition[]> => {
  if (tokens.length === 0) return [];
  if (!isNamed(dealt)) {
    const behind = { ...snapshot, from_block: after + 1 };
    return positionsOfColumns(await facts.columns(behind, "acts/trades", { wallet, since, tokens }));
  }
  return facts.ask(snapshot, "acts/trades_among", { ...dealt, tokens });
};

const addTraded = (
  told: TransactionFacts,
  rows: readonly BlockPosition[],
  isTaken: (block: number) => boolean,
): void => {
  for (const { block_number, tx_index } of rows)
    if (isTaken(block_number)) told.traded.add(transactionKey(block_number, tx_index));
};

interface FactsPeriod {
  readonly wallet: Hex;
  /** Unix seconds. */
  readonly since: number;
  /** Later blocks only. */
  readonly after: number;
}

const queryFacts = async (history: ValuedHistory, asked: FactsPeriod, wanted: TransactionFactsQuery) => {
  const { scope } = history;
  const [calls, said, traded] = await Promise.all([
    readCalls(scope, asked, wanted.calls),
    wanted.has_rows ? readObservedEvents(history, asked) : [],
    readTraded(scope, asked, wanted),
  ]);
  return (told: TransactionFacts, isTaken: (block: number) => boolean): void => {
    addCalls(told, calls, isTaken);
    addObservedEvents(told, said, isTaken);
    addTraded(told, traded, isTaken);
  };
};

const begun = (since: number, { from_block }: Pick<Snapshot, "from_block">): CachedTransactionFacts => ({
  ...noTransactionFacts(),
  since,
  block: from_block - 1,
});

/** Facts about the transactions of a history. Those of final blocks are cached, unless the wallet is too large. */
export const readTransactionFacts = async (history: ValuedHistory): Promise<TransactionFacts> => {
  const { scope, wallet, movements, first, end, is_whole } = history;
  if (first >= end) return noTransactionFacts();
  const { facts, snapshot } = scope;
  const since = movements.time[first] ?? 0;
  const memory = facts.own(TransactionFactsCache);
  const from_block = is_whole ? snapshot.from_block : (movements.block_number[first] ?? 0);
  const kept = (is_whole ? memory.find(snapshot, wallet, since) : null) ?? begun(since, { from_block });
  if (kept.block >= snapshot.block.number) return kept;
  const asked = { wallet, since: kept.since, after: kept.block };
  const add = await queryFacts(history, asked, factsQueryOf(history, kept.block));
  const last_final = Math.min(snapshot.block.number, snapshot.final_block);
  add(kept, (block) => block <= last_final);
  kept.block = Math.max(kept.block, last_final);
  if (is_whole) memory.keep(snapshot, wallet, kept);
  const tail = noTransactionFacts();
  add(tail, (block) => block > last_final);
  return sizeOf(tail) === 0 ? kept : { ...kept, above: tail };
};
