import type { Hex } from "../../../lib/bytes.ts";
import type { Columns, Snapshot } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import type { History } from "../history.ts";
import { firstAtLeast, IS_COLLECTIBLE, IS_COST, isNewPlace } from "../movements.ts";
import { type KeptPart, KeptTold, nothingTold, type Said, sizeOf, type Told } from "./kept_told.ts";

/** Tokens by whose pools trades are looked for: more than a window has. */
const TOKENS_MAX = 2_000;

export const placeKey = (block_number: number, tx_index: number): string => `${block_number}:${tx_index}`;

/** What the rows above a block need to be told of. */
interface Wanted {
  /** Something was sent by the wallet or left it. */
  readonly has_calls: boolean;
  /** Tokens of transactions in which it gave and got; none where it never did. */
  readonly tokens: readonly Hex[];
}

/** Of all rows behind a block, those of no window of the history too: what is kept is told of them as well. */
const wantedOf = ({ movements, place }: History, after: number): Wanted => {
  const { wrapped_native } = place.chain.network;
  const [first, end] = [firstAtLeast(movements.block_number, after + 1), movements.length];
  const tokens = new Set<number>();
  let [from, gave, got, has_calls] = [first, false, false, false];
  const close = (to: number): void => {
    for (let row = from; row < to && gave && got; row += 1)
      if (IS_COLLECTIBLE[movements.kind[row] ?? 0] === 0) tokens.add(movements.token[row] ?? 0);
    [from, gave, got] = [to, false, false];
  };
  for (let row = first; row < end; row += 1) {
    if (isNewPlace(movements, row)) close(row);
    const is_out = movements.direction[row] === -1;
    has_calls ||= is_out || movements.is_own[row] === 1;
    if (IS_COST[movements.kind[row] ?? 0] === 1) continue;
    gave ||= is_out;
    got ||= !is_out;
  }
  close(end);
  const moved = [...tokens].map((code) => movements.tokens.textOf(code));
  // Pools of the native coin are often those of its wrapped form.
  const traded = moved.includes("") && wrapped_native !== null ? [...moved, wrapped_native] : moved;
  return { has_calls, tokens: [...new Set(traded)].sort().slice(0, TOKENS_MAX) };
};

const addCalls = (told: Told, rows: Columns<"acts/calls">, isTaken: (block: number) => boolean): void => {
  const { block_number, tx_index, sender, recipient, selector, is_creation, succeeded, length } = rows;
  for (let i = 0; i < length; i += 1) {
    if (!isTaken(block_number[i] ?? 0)) continue;
    told.calls.set(placeKey(block_number[i] ?? 0, tx_index[i] ?? 0), {
      sender: sender.texts[sender.codes[i] ?? 0] ?? "",
      recipient: recipient.texts[recipient.codes[i] ?? 0] ?? "",
      selector: selector.texts[selector.codes[i] ?? 0] ?? "",
      is_creation: is_creation[i] === 1,
      succeeded: succeeded[i] === 1,
    });
  }
};

const addSaid = (told: Told, rows: Columns<"acts/positions">, isTaken: (block: number) => boolean): void => {
  const { block_number, tx_index, kind, contract, has_pool, length } = rows;
  const found = new Map<string, Said[]>();
  for (let i = 0; i < length; i += 1) {
    if (!isTaken(block_number[i] ?? 0)) continue;
    const key = placeKey(block_number[i] ?? 0, tx_index[i] ?? 0);
    const said = {
      kind: kind.texts[kind.codes[i] ?? 0] ?? "",
      contract: contract.texts[contract.codes[i] ?? 0] ?? "",
      has_pool: has_pool[i] === 1,
    };
    const known = found.get(key);
    if (known === undefined) found.set(key, [said]);
    else known.push(said);
  }
  for (const [key, list] of found) told.said.set(key, list);
};

const addTraded = (told: Told, rows: Columns<"acts/trades">, isTaken: (block: number) => boolean): void => {
  const { block_number, tx_index, length } = rows;
  for (let i = 0; i < length; i += 1)
    if (isTaken(block_number[i] ?? 0)) told.traded.add(placeKey(block_number[i] ?? 0, tx_index[i] ?? 0));
};

interface Asked {
  readonly wallet: Hex;
  /** Unix seconds. */
  readonly since: number;
  /** Of later blocks only. */
  readonly after: number;
}

const ask = async (
  { facts, snapshot }: Pick<SnapshotContext, "facts" | "snapshot">,
  { wallet, since, after }: Asked,
  { has_calls, tokens }: Wanted,
) => {
  const behind = { ...snapshot, from_block: after + 1 };
  const [calls, said, traded] = await Promise.all([
    has_calls ? facts.columns(behind, "acts/calls", { wallet, since }) : null,
    // An NFT may have come long before.
    facts.columns(snapshot, "acts/positions", { wallet, since, after }),
    tokens.length === 0 ? null : facts.columns(behind, "acts/trades", { wallet, since, tokens }),
  ]);
  return (told: Told, isTaken: (block: number) => boolean): void => {
    if (calls !== null) addCalls(told, calls, isTaken);
    addSaid(told, said, isTaken);
    if (traded !== null) addTraded(told, traded, isTaken);
  };
};

const begun = (since: number, { from_block }: Snapshot): KeptPart => ({
  ...nothingTold(),
  since,
  block: from_block - 1,
});

/** What facts tell of the transactions of a history; of final blocks it is read once, unless the wallet is too large. */
export const readTold = async (history: History): Promise<Told> => {
  const { place, wallet, movements, first, end, is_whole } = history;
  if (first >= end) return nothingTold();
  const { facts, snapshot } = place;
  const since = movements.time[first] ?? 0;
  const memory = facts.own(KeptTold);
  const kept = (is_whole ? memory.find(snapshot, wallet, since) : null) ?? begun(since, snapshot);
  if (kept.block >= snapshot.block.number) return kept;
  const asked = { wallet, since: kept.since, after: kept.block };
  const add = await ask(place, asked, wantedOf(history, kept.block));
  const last_final = Math.min(snapshot.block.number, snapshot.final_block);
  add(kept, (block) => block <= last_final);
  kept.block = Math.max(kept.block, last_final);
  if (is_whole) memory.keep(snapshot, wallet, kept);
  const tail = nothingTold();
  add(tail, (block) => block > last_final);
  return sizeOf(tail) === 0 ? kept : { ...kept, above: tail };
};
