import type { Log } from "../../../chains/chain.ts";
import { type Bytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../../../lib/words.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import type { Movement } from "../decoding/movements.ts";
import type { Action, ActionType, EventReader, Family, Scene, TokenAmount } from "./action.ts";

/**
 * Source of a value: `t1`..`t3` an indexed field, `w0`.. a word of the payload, `emitter` the contract that logged,
 * `sender` the signer of the transaction, `native` the coin, `moved` the token of which that amount came to or left the
 * emitter.
 */
type FieldSource = `t${1 | 2 | 3}` | `w${number}` | "emitter" | "sender" | "native" | "moved";

interface Side {
  readonly token: FieldSource;
  readonly amount: FieldSource;
}

/** One event as data. */
export interface EventRow {
  readonly event: string;
  /** Repository and file that define the layout. */
  readonly source: string;
  readonly type: ActionType;
  readonly protocol: string | null;
  /** Required topics of the log and words of payload: exactly, or at least when a part is dynamic. */
  readonly topics: number;
  readonly words: number;
  readonly is_dynamic?: boolean;
  readonly actor: FieldSource;
  readonly given?: readonly Side[];
  readonly received?: readonly Side[];
}

const wordOf = (log: Log, scope: FieldSource): Bytes | null => {
  const n = Number(scope.slice(1));
  if (scope.startsWith("t")) return log.topics[n] ?? null;
  const word = log.data.subarray(n * WORD_BYTES, (n + 1) * WORD_BYTES);
  return word.length === WORD_BYTES ? word : null;
};

const amountOf = (log: Log, scope: FieldSource): bigint | null => {
  const word = wordOf(log, scope);
  return word === null ? null : uintAt(word, 0);
};

const addressOf = (log: Log, scope: FieldSource, scene: Scene): Hex | null => {
  if (scope === "emitter") return toHex(log.address);
  if (scope === "sender") return toHex(scene.transaction.sender);
  if (scope === "native") return "";
  const word = wordOf(log, scope);
  const address = word === null ? "" : toHex(addressAt(word, 0));
  return address === "" ? null : address;
};

/** The first movement of this amount to or from a contract. */
const movedThrough = (scene: Scene, contract: Hex, amount: bigint): Movement | undefined =>
  scene.movements.find((move) => move.amount === amount && (move.source === contract || move.destination === contract));

const sideOf = (log: Log, { token, amount: at }: Side, scene: Scene): TokenAmount | null => {
  const amount = amountOf(log, at);
  if (amount === null) return null;
  const moved = token === "moved" ? movedThrough(scene, toHex(log.address), amount)?.token : undefined;
  const address = token === "moved" ? (moved ?? null) : addressOf(log, token, scene);
  return address === null ? null : { token: address, token_id: null, amount };
};

const hasMoved = (scene: Scene, { token, amount }: TokenAmount): boolean =>
  scene.movements.some((move) => move.token === token && move.amount === amount);

/** Any contract can emit any event: an event about tokens counts only when some of them really moved. */
const isBorneOut = (row: EventRow, told: readonly TokenAmount[], scene: Scene): boolean =>
  (row.given ?? []).length + (row.received ?? []).length === 0 || told.some((side) => hasMoved(scene, side));

const read = (row: EventRow, log: Log, scene: Scene): Action | null => {
  const words = log.data.length / WORD_BYTES;
  if (log.topics.length !== row.topics) return null;
  if (row.is_dynamic === true ? words < row.words : words !== row.words) return null;
  const actor = addressOf(log, row.actor, scene);
  if (actor === null) return null;
  const given = (row.given ?? []).flatMap((side) => sideOf(log, side, scene) ?? []);
  const received = (row.received ?? []).flatMap((side) => sideOf(log, side, scene) ?? []);
  if (!isBorneOut(row, [...given, ...received], scene)) return null;
  const { type, protocol } = row;
  return { type, protocol, actor, given, received, contract: toHex(log.address), log_index: log.index };
};

/** Turns rows into readers. */
export const readersOf = (rows: readonly EventRow[]): readonly EventReader[] =>
  rows.map((row) => ({ event: row.event, source: row.source, read: (log, scene) => read(row, log, scene) }));

/**
 * Builds a family from events: each log goes to the readers of its first topic, and the first one that recognises it
 * wins.
 */
export const familyOf = (readers: readonly EventReader[]): Family => {
  const by_topic = new Map<Hex, readonly EventReader[]>();
  for (const reader of readers) {
    const topic = toHex(topicOf(reader.event));
    by_topic.set(topic, [...(by_topic.get(topic) ?? []), reader]);
  }
  return (scene) =>
    scene.transaction.logs.flatMap((log) => {
      const [topic] = log.topics;
      for (const reader of topic === undefined ? [] : (by_topic.get(toHex(topic)) ?? [])) {
        const action = reader.read(log, scene);
        if (action !== null) return [action];
      }
      return [];
    });
};
