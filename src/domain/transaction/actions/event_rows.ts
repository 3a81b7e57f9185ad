import type { EventLog } from "../../../chains/chain.ts";
import type { ActEventOf, FieldSource } from "../../../knowledge/protocol_row.ts";
import { type Bytes, type Hex, toHex } from "../../../lib/bytes.ts";
import { addressAt, uintAt, WORD_BYTES } from "../../../lib/words.ts";
import { topicOf } from "../../../protocols/protocol.ts";
import type { TransactionMovement } from "../decoding/movements.ts";
import type { Action, ActionContext, ActionReader, ActionType, EventReader, TokenAmount } from "./action.ts";

/** One event as data. */
export type EventMapping = ActEventOf<ActionType>;
type EventSide = NonNullable<EventMapping["given"]>[number];

const wordOf = (log: EventLog, scope: FieldSource): Bytes | null => {
  const n = Number(scope.slice(1));
  if (scope.startsWith("t")) return log.topics[n] ?? null;
  const word = log.data.subarray(n * WORD_BYTES, (n + 1) * WORD_BYTES);
  return word.length === WORD_BYTES ? word : null;
};

const amountOf = (log: EventLog, scope: FieldSource): bigint | null => {
  const word = wordOf(log, scope);
  return word === null ? null : uintAt(word, 0);
};

const addressOf = (log: EventLog, scope: FieldSource, scene: ActionContext): Hex | null => {
  if (scope === "emitter") return toHex(log.address);
  if (scope === "sender") return toHex(scene.transaction.sender);
  if (scope === "native") return "";
  const word = wordOf(log, scope);
  const address = word === null ? "" : toHex(addressAt(word, 0));
  return address === "" ? null : address;
};

/** The first movement of an amount to or from a contract. */
const movementThrough = (scene: ActionContext, contract: Hex, amount: bigint): TransactionMovement | undefined =>
  scene.movements.find((move) => move.amount === amount && (move.source === contract || move.destination === contract));

const sideOf = (log: EventLog, { token, amount: at }: EventSide, scene: ActionContext): TokenAmount | null => {
  const amount = amountOf(log, at);
  if (amount === null) return null;
  const moved = token === "moved" ? movementThrough(scene, toHex(log.address), amount)?.token : undefined;
  const address = token === "moved" ? (moved ?? null) : addressOf(log, token, scene);
  return address === null ? null : { token: address, token_id: null, amount };
};

const hasMovement = (scene: ActionContext, { token, amount }: TokenAmount): boolean =>
  scene.movements.some((move) => move.token === token && move.amount === amount);

/** Any contract can emit any event, so an event that names tokens counts only when some of them moved. */
const isBorneOut = (row: EventMapping, told: readonly TokenAmount[], scene: ActionContext): boolean =>
  (row.given ?? []).length + (row.received ?? []).length === 0 || told.some((side) => hasMovement(scene, side));

const read = (row: EventMapping, log: EventLog, scene: ActionContext): Action | null => {
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

/** Rows as readers. */
export const readersOf = (rows: readonly EventMapping[]): readonly EventReader[] =>
  rows.map((row) => ({ event: row.event, source: row.source, read: (log, scene) => read(row, log, scene) }));

/** A family made of events: each log is given to the readers of its first topic, and the first that knows it wins. */
export const familyOf = (readers: readonly EventReader[]): ActionReader => {
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
