import { inShards } from "../../../../lib/in_shards.ts";
import type { Params, Row } from "../../../../store/facts.ts";
import type { HeldFacts } from "../../../context.ts";

/** An address that moved the token, in a cohort, with how many did in that cohort and in more than one. */
export type Mover = Row<"groups/wallets">;

export type AskedMovers = Omit<Params<"groups/wallets">, "shards" | "shard">;

const distance = (one: bigint, other: bigint): bigint => (one > other ? one - other : other - one);
const descending = <T extends number | bigint>(a: T, b: T): number => (a === b ? 0 : a > b ? -1 : 1);

/** As the question orders them. */
const byFlow = (a: Mover, b: Mover): number =>
  descending(Math.abs(a.in_usd - a.out_usd), Math.abs(b.in_usd - b.out_usd)) ||
  descending(distance(a.raw_in, a.raw_out), distance(b.raw_in, b.raw_out)) ||
  (a.address < b.address ? -1 : 1);

/** What was found in several shards of the addresses, together. Pure. */
export const moversTogether = (answers: readonly (readonly Mover[])[], limit: number): readonly Mover[] => {
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

/** Who of each cohort moved a token, the largest net flows first. */
export const readMovers = async ({ facts, snapshot }: HeldFacts, asked: AskedMovers): Promise<readonly Mover[]> =>
  moversTogether(await inShards((shard) => facts.ask(snapshot, "groups/wallets", { ...asked, ...shard })), asked.limit);
