import type { EventLog, Network, Transaction } from "../chains/chain.ts";
import type { FreezeEvent } from "../knowledge/issuer.ts";
import { issuerCoins, layoutsOf } from "../labels/issuers/index.ts";
import { readFreeze } from "../labels/issuers/read_freeze.ts";
import { type Bytes, EMPTY, type Hex, toHex } from "../lib/bytes.ts";
import { type BlockScope, transactionColumns } from "./decode_scope.ts";

/** Freeze events of the issuers that the decoder follows. */
export interface FreezeList {
  /** First four bytes of the topics, to skip the many other logs without formatting their topics. */
  readonly prefixes: ReadonlySet<number>;
  /**
   * Tokens whose freezes are kept if the chain itself states them: any account can make a token and freeze its holders.
   */
  readonly tokens: ReadonlySet<Hex>;
  /** Contract, then first topic; a coin of several families can have several layouts of one topic. */
  readonly events: ReadonlyMap<Hex, ReadonlyMap<Hex, readonly FreezeEvent[]>>;
}

const prefixOf = (topic: Bytes): number => new DataView(topic.buffer, topic.byteOffset, 4).getUint32(0);

const lists = new WeakMap<Network, FreezeList>();

/** The issuers' registry in the form that decoding needs; built once per network. */
export const freezeListOf = (network: Network): FreezeList => {
  const known = lists.get(network);
  if (known !== undefined) return known;
  const events = new Map<Hex, ReadonlyMap<Hex, readonly FreezeEvent[]>>();
  for (const coin of issuerCoins(network)) {
    const byTopic = layoutsOf(coin);
    if (byTopic.size > 0) events.set(coin.address, byTopic);
  }
  const topics = [...events.values()].flatMap((byTopic) => [...byTopic.keys()]);
  const made = {
    prefixes: new Set(topics.map((topic) => Number.parseInt(topic.slice(0, 8), 16))),
    tokens: new Set(issuerCoins(network).map(({ address }) => address)),
    events,
  };
  lists.set(network, made);
  return made;
};

/** Rows of an issuer's event; none for any other log. Pure, and never throws on untrusted bytes. */
export const decodeFreeze = (scope: BlockScope, transaction: Transaction, log: EventLog): void => {
  const [topic] = log.topics;
  if (topic === undefined || topic.length < 4 || !scope.freezes.prefixes.has(prefixOf(topic))) return;
  const layouts = scope.freezes.events.get(toHex(log.address))?.get(toHex(topic));
  if (layouts === undefined) return;
  const at = { ...transactionColumns(scope, transaction), log_index: log.index, token: log.address, holding: EMPTY };
  const said = readFreeze(layouts, log);
  for (const account of said?.accounts ?? [EMPTY]) {
    const { effect, amount } = said ?? { effect: "unreadable" as const, amount: null };
    scope.rows.freeze_events.push({ ...at, account, effect, amount });
  }
};
