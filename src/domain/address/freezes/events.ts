import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { canFreeze, familiesKey, issuerCoins } from "../../../labels/issuers/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";

type EventsContext = Pick<SnapshotContext, "facts" | "chain" | "snapshot">;

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

const EVENTS_UNREAD = "The network is read on demand, and the events of issuers are not read.";

/** Reason why a coin's events are not its whole history. */
const faultOf = (
  { snapshot, chain }: EventsContext,
  coin: IssuerCoin,
  facts: { readonly watch: QueryRow<"freeze_watches"> | undefined; readonly unreadable: FreezeEventRow | undefined },
): string | null => {
  const { watch, unreadable } = facts;
  // Block 0 has no transactions.
  const first = Math.max(1, coin.start_block ?? 0);
  if (snapshot.followed !== undefined) return EVENTS_UNREAD;
  if (!snapshot.coverage.logs) return "Events are not indexed on this network.";
  if (watch === undefined || watch.families !== familiesKey(coin)) {
    return "The index does not listen to this coin's issuer.";
  }
  if (watch.blind_to >= first) {
    return `Blocks up to ${watch.blind_to} were indexed before this coin was registered: its events there are missing.`;
  }
  if (snapshot.from_block > first) return `Blocks before ${snapshot.from_block} are not indexed.`;
  if (unreadable !== undefined) {
    return `The issuer's event in ${chain.formatHash(unreadable.tx_hash)} is not laid out as registered.`;
  }
  return null;
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

/**
 * Freeze states of these accounts, for the given coins (by default every freezable coin of the network): cheap for many
 * accounts, because no node is called. An account without events has no state: it was never frozen when `fault` is
 * null, and is unknown otherwise.
 */
export const readFreezeEvents = async (
  scope: EventsContext,
  accounts: readonly Hex[],
  coins: readonly IssuerCoin[] = issuerCoins(scope.chain.network).filter(canFreeze),
): Promise<FreezeHistories> => {
  if (coins.length === 0) return { fault: new Map(), standings: [] };
  const { facts, snapshot } = scope;
  // '' finds the unreadable events.
  const wanted = [...new Set<Hex>(["", ...accounts])].sort();
  const [watches, rows] = await Promise.all([
    facts.ask(snapshot, "freeze_watches", {}),
    facts.ask(snapshot, "freeze_events_among", { tokens: coins.map(({ address }) => address), accounts: wanted }),
  ]);
  const watched = new Map(watches.map((watch) => [watch.token, watch]));
  const standings = coins.flatMap((coin) => {
    const byAccount = new Map<Hex, FreezeEvent[]>();
    for (const row of rows.filter(({ token, account }) => token === coin.address && account !== "")) {
      const event = seen(row);
      if (event !== null) byAccount.set(row.account, [...(byAccount.get(row.account) ?? []), event]);
    }
    return [...byAccount].map(([account, history]) => freezeStatusOf(coin, account, history));
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
  { facts, snapshot }: EventsContext,
  coins: readonly IssuerCoin[],
): Promise<ReadonlyMap<Hex, Hex>> => {
  const tokens = coins.map(({ address }) => address);
  const rows = tokens.length === 0 ? [] : await facts.ask(snapshot, "freeze_witnesses", { tokens });
  return new Map(rows.filter(({ account }) => account !== "").map(({ token, account }) => [token, account]));
};
