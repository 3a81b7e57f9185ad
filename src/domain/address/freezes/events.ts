import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { canFreeze, familiesKey, issuerCoins } from "../../../labels/issuers/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";
import { type FreezeScope, needsEvents, readNodeEvents } from "./node_events.ts";

/** An action of an issuer on an account. */
export interface FreezeEvent {
  readonly effect: "freeze" | "unfreeze" | "destroy" | "seize";
  readonly block_number: number;
  /** Unix seconds. */
  readonly time: number;
  readonly tx_hash: Hex;
  /** Base units; null when the event has no amount. */
  readonly amount: bigint | null;
  /** The token account concerned; '' on networks without token accounts, where it is the account itself. */
  readonly holding: Hex;
}

/** State of one account and coin at the snapshot's block, from events. */
export interface FreezeStatus {
  readonly coin: IssuerCoin;
  readonly account: Hex;
  readonly is_frozen: boolean;
  /** The oldest freeze in force; null without one. */
  readonly frozen_since: FreezeEvent | null;
  /** Freezes in force, by frozen holding. */
  readonly frozen: ReadonlyMap<Hex, FreezeEvent>;
  /** Oldest first. */
  readonly history: readonly FreezeEvent[];
}

/** Whether the events cover the whole history of a coin. `fault`: the missing part, null when complete. */
export interface FreezeHistories {
  readonly fault: ReadonlyMap<Hex, string | null>;
  readonly standings: readonly FreezeStatus[];
}

type FreezeEventRow = QueryRow<"freeze_events_among">;

export const EVENTS_UNREAD = "The network is read on demand, and the events of the issuer are not read yet.";

/** Reason why a coin's events are not its whole history. */
const faultOf = (
  { snapshot, chain }: SnapshotContext,
  coin: IssuerCoin,
  facts: { readonly watch: QueryRow<"freeze_watches"> | undefined; readonly unreadable: FreezeEventRow | undefined },
): string | null => {
  const { watch, unreadable } = facts;
  // Block 0 has no transactions.
  const first = Math.max(1, coin.start_block ?? 0);
  if (!snapshot.coverage.logs) return "Events are not indexed on this network.";
  if (watch === undefined || watch.families !== familiesKey(coin)) {
    return "The index does not listen to this coin's issuer.";
  }
  if (watch.blind_to >= first) {
    return `Blocks up to ${watch.blind_to} were indexed before this coin was registered: its events there are missing.`;
  }
  if (snapshot.from_block > first) return `Blocks before ${snapshot.from_block} are not indexed.`;
  return unreadable === undefined ? null : badlyLaidOut({ chain }, unreadable.tx_hash);
};

const seen = ({ effect, block_number, time, tx_hash, amount, holding }: FreezeEventRow): FreezeEvent | null =>
  effect === "unreadable" ? null : { effect, block_number, time, tx_hash, amount, holding };

/** Replays the events of one account, oldest first. */
export const freezeStatusOf = (coin: IssuerCoin, account: Hex, history: readonly FreezeEvent[]): FreezeStatus => {
  const frozen = new Map<Hex, FreezeEvent>();
  for (const event of history) {
    if (event.effect === "freeze" && !frozen.has(event.holding)) frozen.set(event.holding, event);
    if (event.effect === "unfreeze") frozen.delete(event.holding);
  }
  const [frozen_since = null] = frozen.values();
  return { coin, account, is_frozen: frozen_since !== null, frozen_since, frozen, history };
};

const standingsOf = (
  coin: IssuerCoin,
  events: readonly (FreezeEvent & { readonly account: Hex })[],
): readonly FreezeStatus[] => {
  const by = new Map<Hex, FreezeEvent[]>();
  for (const { account, ...event } of events) by.set(account, [...(by.get(account) ?? []), event]);
  return [...by].map(([account, history]) => freezeStatusOf(coin, account, history));
};

/** The same where the network is read on demand: the events of a coin come from a node if no view states its freezes. */
const readNodeStandings = async (
  scope: FreezeScope,
  accounts: readonly Hex[],
  coins: readonly IssuerCoin[],
): Promise<FreezeHistories> => {
  const wanted = new Set(accounts);
  const all = await Promise.all(
    coins.map(async (coin) => ({ coin, known: needsEvents(scope, coin) ? await readNodeEvents(scope, coin) : null })),
  );
  return {
    fault: new Map(
      all.map(({ coin, known }) => [
        coin.address,
        known === null ? EVENTS_UNREAD : known.unreadable === null ? null : badlyLaidOut(scope, known.unreadable),
      ]),
    ),
    standings: all.flatMap(({ coin, known }) =>
      standingsOf(coin, known?.events.filter(({ account }) => wanted.has(account)) ?? []),
    ),
  };
};

const readNodeWitnesses = async (scope: FreezeScope, coins: readonly IssuerCoin[]): Promise<ReadonlyMap<Hex, Hex>> => {
  const found = coins
    .filter((coin) => needsEvents(scope, coin))
    .map(async (coin) => {
      const known = await readNodeEvents(scope, coin);
      const witness = standingsOf(coin, known?.events ?? []).find(({ is_frozen }) => is_frozen);
      return witness === undefined ? [] : [[coin.address, witness.account] as const];
    });
  return new Map((await Promise.all(found)).flat());
};

const badlyLaidOut = ({ chain }: Pick<SnapshotContext, "chain">, tx_hash: Hex): string =>
  `The issuer's event in ${chain.formatHash(tx_hash)} is not laid out as registered.`;

/**
 * Freeze states of these accounts, for the given coins (by default every freezable coin of the network): cheap for many
 * accounts, because no node is called. An account without events has no state: it was never frozen when `fault` is
 * null, and is unknown otherwise.
 */
export const readFreezeEvents = async (
  scope: FreezeScope,
  accounts: readonly Hex[],
  coins: readonly IssuerCoin[] = issuerCoins(scope.chain.network).filter(canFreeze),
): Promise<FreezeHistories> => {
  if (coins.length === 0) return { fault: new Map(), standings: [] };
  const { facts, snapshot } = scope;
  if (snapshot.followed !== undefined) return readNodeStandings(scope, accounts, coins);
  // '' finds the unreadable events.
  const wanted = [...new Set<Hex>(["", ...accounts])].sort();
  const [watches, rows] = await Promise.all([
    facts.ask(snapshot, "freeze_watches", {}),
    facts.ask(snapshot, "freeze_events_among", { tokens: coins.map(({ address }) => address), accounts: wanted }),
  ]);
  const watched = new Map(watches.map((watch) => [watch.token, watch]));
  const standings = coins.flatMap((coin) => {
    const own = rows.filter(({ token, account }) => token === coin.address && account !== "");
    return standingsOf(
      coin,
      own.flatMap((row) => {
        const event = seen(row);
        return event === null ? [] : [{ account: row.account, ...event }];
      }),
    );
  });
  const unreadable = (coin: IssuerCoin) =>
    rows.find(({ token, effect }) => token === coin.address && effect === "unreadable");
  const fault = new Map(
    coins.map((coin) => {
      const watch = watched.get(coin.address);
      return [coin.address, faultOf(scope, coin, { watch, unreadable: unreadable(coin) })] as const;
    }),
  );
  return { fault, standings };
};

/** Per coin, an account that is frozen by the events; a coin without one is absent. */
export const readWitnesses = async (
  scope: FreezeScope,
  coins: readonly IssuerCoin[],
): Promise<ReadonlyMap<Hex, Hex>> => {
  const { facts, snapshot } = scope;
  if (snapshot.followed !== undefined) return readNodeWitnesses(scope, coins);
  const tokens = coins.map(({ address }) => address);
  const rows = tokens.length === 0 ? [] : await facts.ask(snapshot, "freeze_witnesses", { tokens });
  return new Map(rows.filter(({ account }) => account !== "").map(({ token, account }) => [token, account]));
};
