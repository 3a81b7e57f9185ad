import type { Hex } from "../../../lib/bytes.ts";
import { inShards } from "../../../lib/in_shards.ts";
import type { Columns, Row } from "../../../store/facts.ts";
import type { HeldFacts } from "../../context.ts";

/** By how many the holders of a token grew in one interval. */
export type HolderGrowth = Pick<Row<"holders/daily_changes">, "part" | "change">;

export interface GrowthWindow {
  /** Unix seconds, and the first block that is not before: intervals count from here. */
  readonly since: number;
  readonly since_block: number;
  readonly interval_s: number;
  /** Holders that count; null: all of them. */
  readonly members: readonly Hex[] | null;
  /** How often the token moved since then; null: not known. */
  readonly movements: number | null;
}

/** Of more one question does not hold who moved it in the memory that it may take (docs/design/queries.md). */
const MOVEMENTS_MAX = 4_000_000;

/** So few movements, of so few addresses, are gone through here: the question costs more than that. */
const SMALL_MOVEMENTS_MAX = 2_000;
const SMALL_ADDRESSES_MAX = 1_000;

type Gains = ReadonlyMap<Hex, ReadonlyMap<number, bigint>>;

/** What each address gained in each interval. */
const gainsOf = (
  { time, source, destination, amount, length }: Columns<"holders/moved_since">,
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

/** From what each address has now back through the intervals. */
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

/** The growth of a token that moved little; null where it moved more. */
const readSmall = async (
  { facts, snapshot }: HeldFacts,
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

/** How holders of a token grew, up to the snapshot's block. Exact only where the whole history is indexed. */
export const readHolderGrowth = async (
  scope: HeldFacts,
  token: Hex,
  growth: GrowthWindow,
): Promise<readonly HolderGrowth[]> => {
  const small = await readSmall(scope, token, growth);
  const found = small ?? (await readLarge(scope, token, growth));
  return [...found].sort((a, b) => a.part - b.part);
};

/** The same asked of the store, in shards of the addresses where one question cannot hold them. */
const readLarge = async (
  { facts, snapshot }: HeldFacts,
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
