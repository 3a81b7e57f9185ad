import type { Hex } from "../../lib/bytes.ts";
import { inShards } from "../../lib/in_shards.ts";
import type { Row } from "../../store/facts.ts";
import type { HeldFacts } from "../context.ts";

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

/** Of more one question does not hold who moved it in the memory that it may take (docs/decisions/0094). */
const MOVEMENTS_MAX = 4_000_000;

/** How holders of a token grew, up to the snapshot's block. Exact only where the whole history is indexed. */
export const readHolderGrowth = async (
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
  return [...changes].map(([part, change]) => ({ part, change })).sort((a, b) => a.part - b.part);
};
