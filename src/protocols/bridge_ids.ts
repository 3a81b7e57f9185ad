/** Ids of crossings that the logs of a bridge's own contracts state. */
import type { EventLog, Network } from "../chains/chain.ts";
import type { BridgeIdRow, BridgeIdSide, StatedField } from "../knowledge/bridge_id.ts";
import { BRIDGE_IDS } from "../knowledge/bridge_ids.gen.ts";
import { type Bytes, concatHex, type Hex, intToHex, padHex, sliceHex, toHex } from "../lib/bytes.ts";
import { uintAt, WORD_BYTES } from "../lib/words.ts";
import { contractAt, isListedOn } from "./contracts.ts";
import { topicOf } from "./protocol.ts";

type NetworkNumbers = Pick<Network, "id" | "chain_id">;

/** One side of a crossing, as a log states it. */
export interface StatedCrossing {
  /** The bridge's row in the knowledge. */
  readonly bridge: string;
  /** The protocol of the contract that logged. */
  readonly protocol: string;
  /** Equal on both sides of one crossing of a bridge and protocol. */
  readonly id: Hex;
  readonly is_arrival: boolean;
  /** The bridge's number of the other side's network; null where the log does not state it. */
  readonly other_network: bigint | null;
  /** The payer or receiver on this side; null where the log does not state it. */
  readonly account: Hex | null;
  readonly other_account: Hex | null;
  /** Base units that moved on this side; null where the log does not state it. */
  readonly amount: bigint | null;
}

interface KnownSide {
  readonly row: BridgeIdRow;
  readonly side: BridgeIdSide;
}

const byTopic = new Map<Hex, readonly KnownSide[]>();
for (const row of BRIDGE_IDS)
  for (const side of row.sides) {
    const topic = toHex(topicOf(side.event));
    byTopic.set(topic, [...(byTopic.get(topic) ?? []), { row, side }]);
  }

const PROTOCOLS = new Set(BRIDGE_IDS.flatMap(({ protocols }) => protocols));

/** The number of a network by which a bridge names it; null for a network that the bridge does not have. */
const numberOf = ({ networks }: BridgeIdRow, { id, chain_id }: NetworkNumbers): bigint | null => {
  const number = networks === undefined ? chain_id : networks[id];
  return number === undefined ? null : BigInt(number);
};

const wordOf = (bytes: Bytes): Hex => padHex(toHex(bytes), WORD_BYTES);

/** Bytes of a dynamic parameter whose offset is in the n-th word, as a word; null beyond its end. */
const sliceAt = (data: Bytes, n: number, [from, length]: readonly [number, number]): Hex | null => {
  const offset = uintAt(data, n);
  if (offset % BigInt(WORD_BYTES) !== 0n || offset + BigInt(WORD_BYTES) > BigInt(data.length)) return null;
  const start = Number(offset) + WORD_BYTES;
  if (uintAt(data, Number(offset) / WORD_BYTES) < BigInt(from + length) || start + from + length > data.length)
    return null;
  return wordOf(data.subarray(start + from, start + from + length));
};

const fieldIn = ({ topics, data }: EventLog, field: StatedField): Hex | null => {
  const [place = "", slice] = field.split("@");
  const n = Number(place.slice(1));
  if (slice !== undefined) {
    const [from = 0, length = 0] = slice.split(":").map(Number);
    return sliceAt(data, n, [from, length]);
  }
  const word = place.startsWith("t") ? topics[n] : data.subarray(n * WORD_BYTES, (n + 1) * WORD_BYTES);
  return word?.length === WORD_BYTES ? toHex(word) : null;
};

const ZEROS = /^0+$/;
/** Twelve empty bytes before an address. */
const ADDRESS = /^0{24}/;
const ADDRESS_FROM = 12;

const statedBy = (log: EventLog, { row, side }: KnownSide, network: NetworkNumbers): StatedCrossing | null => {
  if (log.topics.length !== side.topics || log.data.length < side.words * WORD_BYTES) return null;
  const own = numberOf(row, network);
  const protocol = contractAt(network.id, toHex(log.address))?.name;
  if (own === null || protocol === undefined || !row.protocols.includes(protocol)) return null;
  const words = side.id.map((field) => (field === "network" ? intToHex(own, WORD_BYTES) : fieldIn(log, field)));
  const id = words.flatMap((word) => word ?? []);
  // Stargate's departures by bus state zeros.
  const is_empty = side.id.every((field, i) => field === "network" || ZEROS.test(words[i] ?? ""));
  if (id.length < words.length || is_empty) return null;
  const read = (field: StatedField | undefined): Hex | null => (field === undefined ? null : fieldIn(log, field));
  const numberIn = (field: StatedField | undefined): bigint | null => {
    const word = read(field);
    return word === null ? null : BigInt(`0x${word}`);
  };
  const accountIn = (field: StatedField | undefined): Hex | null => {
    const word = read(field);
    return word !== null && ADDRESS.test(word) ? sliceHex(word, ADDRESS_FROM) : null;
  };
  return {
    ...{ bridge: row.name, protocol, id: concatHex(...id), is_arrival: side.is_arrival },
    ...{ other_network: numberIn(side.other_network), account: accountIn(side.account) },
    ...{ other_account: accountIn(side.other_account), amount: numberIn(side.amount) },
  };
};

/** Crossings that the logs of a transaction state. A log of a contract that is not the bridge's on this network states none. */
export const statedCrossings = (logs: readonly EventLog[], network: NetworkNumbers): readonly StatedCrossing[] =>
  logs.flatMap((log) => {
    const [topic] = log.topics;
    const known = topic === undefined ? [] : (byTopic.get(toHex(topic)) ?? []);
    return known.flatMap((side) => statedBy(log, side, network) ?? []);
  });

/** Whether both are the two sides of one crossing. */
export const isOneCrossing = (a: StatedCrossing, b: StatedCrossing): boolean =>
  a.is_arrival !== b.is_arrival && isOneBridge(a, b) && a.id === b.id;

export const isOneBridge = (a: StatedCrossing, b: StatedCrossing): boolean =>
  a.bridge === b.bridge && a.protocol === b.protocol;

/** Whether the other side of a crossing can be on a network. */
export const mayCrossTo = ({ bridge, protocol, other_network }: StatedCrossing, network: NetworkNumbers): boolean => {
  const row = BRIDGE_IDS.find(({ name }) => name === bridge);
  if (row === undefined || numberOf(row, network) === null) return false;
  if (other_network !== null) return numberOf(row, network) === other_network;
  return isListedOn(network.id, protocol);
};

/** Whether a contract is one of a bridge that states ids. */
export const statesIds = (network: Pick<Network, "id">, address: Hex): boolean =>
  PROTOCOLS.has(contractAt(network.id, address)?.name ?? "");
