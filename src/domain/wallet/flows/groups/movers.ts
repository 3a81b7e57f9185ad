import { inShards } from "../../../../lib/in_shards.ts";
import type { Params, QueryRow } from "../../../../store/facts.ts";
import type { IndexedFacts } from "../../../context.ts";

/**
 * An address that moved the token as a member of a cohort, with the number of movers in that cohort and in several
 * cohorts.
 */
export type Mover = QueryRow<"groups/wallets">;

export type MoversQuery = Omit<Params<"groups/wallets">, "shards" | "shard">;

const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);
const descending = <T extends number | bigint>(a: T, b: T): number => (a === b ? 0 : a > b ? -1 : 1);

/** The order of the query. */
const byFlow = (a: Mover, b: Mover): number =>
  descending(Math.abs(a.in_usd - a.out_usd), Math.abs(b.in_usd - b.out_usd)) ||
  descending(distance(a.raw_in, a.raw_out), distance(b.raw_in, b.raw_out)) ||
  (a.address < b.address ? -1 : 1);

/** Merges the movers found in several shards of the addresses. Pure. */
export const mergeMovers = (answers: readonly (readonly Mover[])[], limit: number): readonly Mover[] => {
  if (answers.length === 1) return answers[0] ?? [];
  const cohorts = [...new Set(answers.flat().map(({ cohort }) => cohort))].sort();
  const overlap = answers.reduce((sum, rows) => sum + (rows[0]?.overlap ?? 0), 0);
  return cohorts.flatMap((cohort) => {
    const found = answers.map((rows) => rows.filter((row) => row.cohort === cohort));
    const wallets = found.reduce((sum, rows) => sum + (rows[0]?.wallets ?? 0), 0);
    const first = found.flat().sort(byFlow).slice(0, limit);
    return first.map((row) => ({ ...row, wallets, overlap }));
  });
};

/** Movers of a token by cohort, the largest net flows first. */
export const readMovers = async ({ facts, snapshot }: IndexedFacts, asked: MoversQuery): Promise<readonly Mover[]> =>
  mergeMovers(await inShards((shard) => facts.ask(snapshot, "groups/wallets", { ...asked, ...shard })), asked.limit);
