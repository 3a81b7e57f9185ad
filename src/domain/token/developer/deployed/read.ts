import type { Hex } from "../../../../lib/bytes.ts";
import { AssayError } from "../../../../lib/errors.ts";
import type { QueryRow } from "../../../../store/facts.ts";
import type { IndexedFacts, SnapshotContext } from "../../../context.ts";
import { inBatches } from "../../../valuation/prices/pools.ts";
import { metadataOf, storedFaces } from "../../metadata/metadata.ts";

type DeploymentRow = QueryRow<"deployed/rows">;

/** A contract or token from an account's transactions, with its facts in the index. */
export interface Deployment extends DeploymentRow, Pick<QueryRow<"tokens_among">, "name" | "symbol"> {
  /** '' = no token. */
  readonly standard: string;
  /** A pool that its factory announced. */
  readonly is_pool: boolean;
  /** The address was created again later. */
  readonly is_replaced: boolean;
}

/** Filter of creations. `with_children`: includes creations by factories. */
export interface DeployedFilter {
  readonly creator: Hex;
  readonly with_children: boolean;
  readonly kind: string;
}

const queryParameters = ({ with_children, ...rest }: DeployedFilter) => ({
  ...rest,
  with_children: with_children ? 1 : 0,
});

interface CreationPosition {
  readonly block_number: number;
  readonly tx_index: number;
  readonly position: number;
}

const isBefore = (a: CreationPosition, b: CreationPosition): boolean =>
  (a.block_number - b.block_number || a.tx_index - b.tx_index || a.position - b.position) < 0;

/** Facts about contracts are in memory: the query reads only the rows of one account. */
const withFacts = async (
  { facts, snapshot }: IndexedFacts,
  rows: readonly DeploymentRow[],
): Promise<readonly Deployment[]> => {
  const addresses = [...new Set(rows.map(({ address }) => address))];
  const [tokens, pools, creations] = await Promise.all([
    inBatches(addresses, (part) => storedFaces({ facts, snapshot }, part)),
    inBatches(addresses, (part) => facts.ask(snapshot, "pools_among", { pools: part })),
    inBatches(addresses, (part) => facts.ask(snapshot, "creations_among", { addresses: part })),
  ]);
  const token = new Map(tokens.map((one) => [one.token, one]));
  const announced = new Set(pools.filter(({ created_block }) => created_block !== null).map(({ pool }) => pool));
  const last = new Map(creations.map((one) => [one.address, one]));
  return rows.map((row) => {
    const { standard = "", name = null, symbol = null } = token.get(row.address) ?? {};
    const is_pool = announced.has(row.address);
    return { ...row, standard, name, symbol, is_pool, is_replaced: isBefore(row, last.get(row.address) ?? row) };
  });
};

/** Contracts that describe themselves, at most. */
const FOLLOWED_MAX = 1_000;

const tooMany = (network: string): AssayError => {
  const message = `This account created more than ${FOLLOWED_MAX} contracts on ${network}, which is read on demand. A network with 'index: whole' lists them.`;
  return new AssayError({ code: "TOO_LARGE", message, public: message });
};

/** Creations of an account, newest first. */
export const readDeployed = async (
  scope: IndexedFacts,
  filter: DeployedFilter,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<readonly Deployment[]> =>
  withFacts(
    scope,
    await scope.facts.ask(scope.snapshot, "deployed/rows", { ...queryParameters(filter), limit, offset }),
  );

/**
 * Every creation of an account on a network that is read on demand, newest first: there, the index knows only tokens that moved in a block that
 * was read, so the contracts themselves tell what they are. @throws AssayError TOO_LARGE
 */
export const readFollowedDeployed = async (
  scope: SnapshotContext,
  { kind, ...filter }: DeployedFilter,
): Promise<readonly Deployment[]> => {
  const all = await readDeployed(scope, { ...filter, kind: "all" }, { limit: FOLLOWED_MAX + 1, offset: 0 });
  if (all.length > FOLLOWED_MAX) throw tooMany(scope.snapshot.network);
  const faces = await metadataOf(
    scope,
    all.map(({ address }) => address),
  );
  const found = all
    .map((one): Deployment => {
      const face = one.standard === "" ? faces.get(one.address) : undefined;
      if (face === undefined || face.standard === null) return one;
      return { ...one, standard: face.standard, name: face.name, symbol: face.symbol };
    })
    .filter(({ standard }) => kind === "all" || (kind === "token") === (standard !== ""));
  const counts = new Map<Hex, number>();
  for (const { code_hash } of found) counts.set(code_hash, (counts.get(code_hash) ?? 0) + 1);
  return found.map((one) => ({ ...one, same_code: counts.get(one.code_hash) ?? 0 }));
};

/** Counts over all creations of an account. */
export type DeploymentTotals = QueryRow<"deployed/totals">;

/** Null without creations. */
export const readDeployedTotals = async (
  { facts, snapshot }: IndexedFacts,
  filter: DeployedFilter,
): Promise<DeploymentTotals | null> => {
  const [totals] = await facts.ask(snapshot, "deployed/totals", queryParameters(filter));
  return totals === undefined || totals.total === 0 ? null : totals;
};

/** The same totals, computed from the whole list. */
export const totalsOf = (all: readonly Deployment[]): DeploymentTotals | null => {
  if (all.length === 0) return null;
  const hashes = all.map(({ code_hash }) => code_hash).filter((hash) => hash !== "");
  const times = all.map(({ time }) => time);
  return {
    total: all.length,
    tokens: all.filter(({ standard }) => standard !== "").length,
    distinct_code: new Set(hashes).size,
    without_code_hash: all.length - hashes.length,
    first_at: Math.min(...times),
    last_at: Math.max(...times),
  };
};
