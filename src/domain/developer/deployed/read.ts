import type { Hex } from "../../../lib/bytes.ts";
import type { Row } from "../../../store/facts.ts";
import type { SnapshotContext } from "../../context.ts";

type Place = Pick<SnapshotContext, "facts" | "snapshot">;

/** A contract or token that came out of an account's transactions. */
export type Found = Row<"deployed/rows">;

/** Creations that are meant. `with_children`: also those by factories. */
export interface DeployedFilter {
  readonly creator: Hex;
  readonly with_children: boolean;
  readonly kind: string;
}

const asked = ({ with_children, ...rest }: DeployedFilter) => ({ ...rest, with_children: with_children ? 1 : 0 });

/** Creations of an account, newest first. */
export const readDeployed = (
  { facts, snapshot }: Place,
  filter: DeployedFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly Found[]> => facts.ask(snapshot, "deployed/rows", { ...asked(filter), limit, offset });

/** Counts over all of them; null when there are none. */
export const readDeployedTotals = async (
  { facts, snapshot }: Place,
  filter: DeployedFilter,
): Promise<Row<"deployed/totals"> | null> => {
  const [totals] = await facts.ask(snapshot, "deployed/totals", asked(filter));
  return totals === undefined || totals.total === 0 ? null : totals;
};
