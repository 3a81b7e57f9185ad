import type { Hex } from "../../../lib/bytes.ts";
import { inShards } from "../../../lib/in_shards.ts";
import type { QueryColumns, QueryRow } from "../../../store/facts.ts";
import type { IndexedFacts } from "../../context.ts";

/** Change of a token's number of holders in one interval. */
export type HolderGrowth = Pick<QueryRow<"holders/daily_changes">, "part" | "change">;

export interface GrowthWindow {
  /** Unix seconds, and the first block at or after: intervals count from here. */
  readonly since: number;
  readonly since_block: number;
  readonly interval_s: number;
  /** Holders that count; null: all of them. */
  readonly members: readonly Hex[] | null;
  /** Number of the token's movements since then; null: not known. */
  readonly movements: number | null;
}

/** Above this one query cannot hold the movers in its memory limit (docs/design/queries.md). */
const MOVEMENTS_MAX = 4_000_000;

/** At most so many movements, of so few addresses, are processed here: the query would cost more. */
const SMALL_MOVEMENTS_MAX = 2_000;
const SMALL_ADDRESSES_MAX = 1_000;

type Gains = ReadonlyMap<Hex, ReadonlyMap<number, bigint>>;

/** Gains of each address in each interval. */
const gainsOf = (
  { time, source, destination, amount, length }: QueryColumns<"holders/moved_since">,
  { since, interval_s, members }: Pick<GrowthWindow, "since" | "interval_s" | "members">,
): Gains => {
  const wanted = members === null ? null : new Set(members);
  const gains = new Map<Hex, Map<number, bigint>>();
  const add = (address: Hex, part: number, gained: bigint): void => {
    if (address === "" || wanted?.has(address) === false) return;
    const own = gains.get(address) ?? new Map<number, bigint>();
    gains.set(address, own);
    own.set(part, (own.get(part) ?? 0n) + gained);
  };
  for (let row = 0; row < length; row += 1) {
    const part = Math.floor(((time[row] ?? 0) - since) / interval_s);
    add(source.texts[source.codes[row] ?? 0] ?? "", part, -amount.at(row));
    add(destination.texts[destination.codes[row] ?? 0] ?? "", part, amount.at(row));
  }
  return gains;
};

/** Walks from current balances back through the intervals. */
const growthBack = (gains: Gains, now: ReadonlyMap<Hex, bigint>): readonly HolderGrowth[] => {
  const changes = new Map<number, number>();
  for (const [address, parts] of gains) {
    let after = now.get(address) ?? 0n;
    for (const [part, gained] of [...parts].sort(([a], [b]) => b - a)) {
      const before = after - gained;
      changes.set(part, (changes.get(part) ?? 0) + Number(after > 0n) - Number(before > 0n));
      after = before;
    }
  }
  return [...changes].map(([part, change]) => ({ part, change }));
};

/** The growth of a token with few movements; null when it has more. */
const readSmall = async (
  { facts, snapshot }: IndexedFacts,
  token: Hex,
  { members, since_block, ...window }: GrowthWindow,
): Promise<readonly HolderGrowth[] | null> => {
  if ((window.movements ?? 0) > SMALL_MOVEMENTS_MAX) return null;
  const asked = { token, since_block, limit: SMALL_MOVEMENTS_MAX + 1 };
  const moved = await facts.columns(snapshot, "holders/moved_since", asked);
  if (moved.length > SMALL_MOVEMENTS_MAX) return null;
  const gains = gainsOf(moved, { ...window, members });
  if (gains.size > SMALL_ADDRESSES_MAX) return null;
  const addresses = [...gains.keys()];
  const amounts = await facts.balanceOf(
    snapshot,
    addresses.map((holder) => ({ token, holder })),
  );
  return growthBack(gains, new Map(addresses.map((address, i) => [address, amounts[i] ?? 0n])));
};

/** Growth of a token's holders up to the snapshot's block. Exact only if the whole history is indexed. */
export const readHolderGrowth = async (
  scope: IndexedFacts,
  token: Hex,
  growth: GrowthWindow,
): Promise<readonly HolderGrowth[]> => {
  const small = await readSmall(scope, token, growth);
  const found = small ?? (await readLarge(scope, token, growth));
  return [...found].sort((a, b) => a.part - b.part);
};

/** The same by query, in shards of the addresses where one query cannot hold them. */
const readLarge = async (
  { facts, snapshot }: IndexedFacts,
  token: Hex,
  { members, movements, ...window }: GrowthWindow,
): Promise<readonly HolderGrowth[]> => {
  const asked = { token, tokens: [token], ...window, is_all: members === null ? 1 : 0, categories: [] };
  const answers = await inShards(
    (shard) => facts.ask(snapshot, "holders/daily_changes", { ...asked, ...shard, members: members ?? [] }),
    Math.max(1, Math.ceil((movements ?? 0) / MOVEMENTS_MAX)),
  );
  const changes = new Map<number, number>();
  for (const { part, change } of answers.flat()) changes.set(part, (changes.get(part) ?? 0) + change);
  return [...changes].map(([part, change]) => ({ part, change }));
};
