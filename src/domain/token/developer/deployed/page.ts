import type { Hex } from "../../../../lib/bytes.ts";
import { iso } from "../../../../lib/time.ts";
import type { Sources } from "../../../../sources/index.ts";
import type { SourceAnswer } from "../../../../sources/source.ts";
import type { SnapshotContext } from "../../../context.ts";
import { gapOf } from "../../contracts/verified_sources.ts";
import { readLive, takeCensus } from "./live.ts";
import {
  type DeployedFilter,
  type Deployment,
  type DeploymentTotals,
  readDeployed,
  readDeployedTotals,
  readFollowedDeployed,
  totalsOf,
} from "./read.ts";
import { type DeployedContract, outputRow, readPageFacts, readSources } from "./rows.ts";

/** Codes that one call reads from a node: the largest page. */
export const CODE_READS_MAX = 100;

/** Totals over all contracts of the account. Null where a contract is unknown. */
export interface DeployedSummary {
  total: number;
  tokens: number;
  verified: number | null;
  destroyed: number | null;
  distinct_code: number | null;
  first_at: string;
  last_at: string;
}

/** One page of an account's contracts, and the totals over all of them. */
export interface DeployedPage {
  readonly sources: ReadonlyMap<Hex, SourceAnswer>;
  readonly rows: DeployedContract[];
  readonly summary: DeployedSummary;
  readonly has_more_data: boolean;
}

/** The deployments that a caller requested. */
export interface DeployedQuery {
  readonly creator: Hex;
  readonly include_factory_created: boolean;
  readonly kind: "all" | "token" | "contract";
  readonly page: number;
  readonly records_per_page: number;
}

/** Contracts with a known source; null when it is unknown for some. */
const verifiedOf = (
  all: readonly Deployment[] | null,
  is_read: boolean,
  sources: ReadonlyMap<Hex, SourceAnswer>,
): number | null =>
  all === null || !is_read || gapOf(sources.values()) !== null
    ? null
    : all.filter(({ address, is_replaced }) => !is_replaced && sources.get(address)?.kind === "verified").length;

/** The shared basis of the answers. `all`: every contract, null when there are more than one call can read codes of. */
interface DeploymentList {
  readonly totals: DeploymentTotals | null;
  readonly all: readonly Deployment[] | null;
  readonly shown: readonly Deployment[];
  readonly has_more_data: boolean;
}

/** Reads the deployments of an account; one query covers an account with few contracts. */
const readDeployments = async (
  scope: SnapshotContext,
  filter: DeployedFilter,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<DeploymentList> => {
  if (scope.snapshot.followed !== undefined) {
    const every = await readFollowedDeployed(scope, filter);
    const shown = every.slice(offset, offset + limit);
    const all = every.length <= CODE_READS_MAX ? every : null;
    return { totals: totalsOf(every), all, shown, has_more_data: every.length > offset + limit };
  }
  const newest = await readDeployed(scope, filter, { limit: CODE_READS_MAX + 1, offset: 0 });
  const all = newest.length <= CODE_READS_MAX ? newest : null;
  const is_within = all !== null || offset + limit < newest.length;
  const [totals, page] = await Promise.all([
    all === null ? readDeployedTotals(scope, filter) : totalsOf(all),
    is_within ? newest.slice(offset, offset + limit + 1) : readDeployed(scope, filter, { limit: limit + 1, offset }),
  ]);
  return { totals, all, shown: page.slice(0, limit), has_more_data: page.length > limit };
};

/** Reads one page and the totals; null when the account deployed nothing. */
export const readDeployedPage = async (
  scope: SnapshotContext,
  known: Sources,
  asked: DeployedQuery,
): Promise<DeployedPage | null> => {
  const { creator, page, records_per_page, kind } = asked;
  const filter = { creator, with_children: asked.include_factory_created, kind };
  const { totals, all, shown, has_more_data } = await readDeployments(scope, filter, {
    offset: (page - 1) * records_per_page,
    limit: records_per_page,
  });
  if (totals === null) return null;
  const live = await readLive(
    scope,
    (all ?? shown).map(({ address }) => address),
  );
  const sources = await readSources(scope, known, live);
  const page_facts = await readPageFacts(scope, creator, { shown, live, sources });
  const all_hashed = totals.without_code_hash === 0;
  const census = takeCensus(all, live);
  return {
    sources,
    rows: shown.map((contract) => outputRow(contract, page_facts, { scope, census, all_hashed })),
    summary: {
      total: totals.total,
      tokens: totals.tokens,
      verified: verifiedOf(all, live.size > 0 && scope.chain.can.contract_calls, sources),
      destroyed: census?.destroyed ?? null,
      distinct_code: all_hashed ? totals.distinct_code : (census?.distinct_code ?? null),
      first_at: iso(totals.first_at),
      last_at: iso(totals.last_at),
    },
    has_more_data,
  };
};
