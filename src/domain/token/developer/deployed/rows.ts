import type { Chain } from "../../../../chains/chain.ts";
import { type Hex, keccak256, toHex } from "../../../../lib/bytes.ts";
import { iso } from "../../../../lib/time.ts";
import type { Sources } from "../../../../sources/index.ts";
import type { SourceAnswer } from "../../../../sources/source.ts";
import { labelsOf, type Party } from "../../../address/identity/parties.ts";
import type { SnapshotContext } from "../../../context.ts";
import type { PoolState } from "../../../valuation/prices/pool_states.ts";
import { isVerified, sourcesAmong } from "../../contracts/verified_sources.ts";
import { readHolderCounts } from "../../holders/sums.ts";
import { type Liquidity, readLiquidity } from "../../market/liquidity.ts";
import { isFungible } from "../../metadata/subject.ts";
import type { TokenOutcome } from "../../verdict/verdict.ts";
import { readDeveloper } from "../linked_wallets.ts";
import { type DeveloperTokens, readDeveloperTokens } from "../records.ts";
import { judgeRecord, type TokenRecord } from "../rug_outcomes.ts";
import { type Census, codeHashOf, isDestroyed, type LiveContract } from "./live.ts";
import type { Deployment } from "./read.ts";

/** A contract as the answer shows it. */
export interface DeployedContract {
  contract_address: string;
  network: string;
  created_at: string;
  block_number: number;
  tx_hash: string;
  /** The factory; null when the transaction itself created it. */
  via: string | null;
  kind: "erc20" | "trc20" | "erc721" | "erc1155" | "pool" | "proxy" | "contract" | "spl_mint" | "program";
  name: string | null;
  symbol: string | null;
  is_verified: boolean | null;
  is_proxy: boolean | null;
  is_self_destructed: boolean | null;
  code_hash: string | null;
  same_code_count: number | null;
  token: {
    holders_count: number | null;
    liquidity_usd: number | null;
    outcome: TokenOutcome | null;
  } | null;
  risk_tags: string[];
}

const STANDARDS = ["erc20", "trc20", "erc721", "erc1155"] as const;

const kindOf = ({ standard, is_pool }: Deployment, is_proxy: boolean, { can }: Chain): DeployedContract["kind"] => {
  if (standard === "spl") return "spl_mint";
  // The amounts of a hybrid are those of a coin.
  if (standard === "erc404") return "erc20";
  const known = STANDARDS.find((one) => one === standard);
  if (known !== undefined) return known;
  if (is_pool) return "pool";
  return can.token_accounts ? "program" : is_proxy ? "proxy" : "contract";
};

/** Everything that a page needs in one read, by address. */
export interface PageFacts {
  readonly live: ReadonlyMap<Hex, LiveContract>;
  readonly labels: ReadonlyMap<Hex, Party>;
  readonly holders: ReadonlyMap<Hex, number | null>;
  readonly sources: ReadonlyMap<Hex, SourceAnswer>;
  /** Of fungible tokens. */
  readonly records: ReadonlyMap<Hex, TokenRecord>;
  readonly liquidity: ReadonlyMap<Hex, Liquidity>;
}

const isTraded = ({ standard, is_pool }: Deployment): boolean => isFungible(standard) && !is_pool;

/** Whether sources of these contracts are known; contracts whose code is gone or unread are absent. */
export const readSources = (
  scope: SnapshotContext,
  sources: Sources,
  live: ReadonlyMap<Hex, LiveContract>,
): Promise<ReadonlyMap<Hex, SourceAnswer>> =>
  sourcesAmong(
    scope,
    sources,
    [...live].flatMap(([address, { code }]) => (code.length === 0 ? [] : [{ address, code }])),
  );

const readTokens = async (
  scope: SnapshotContext,
  creator: Hex,
  shown: readonly Deployment[],
): Promise<Pick<DeveloperTokens, "records" | "pool_states">> => {
  const tokens = shown.filter(isTraded).map(({ address, time }) => ({ token: address, created_s: time }));
  if (tokens.length === 0) return NO_TOKENS;
  return readDeveloperTokens(scope, await readDeveloper(scope, creator), tokens);
};

const NO_TOKENS = { records: new Map<Hex, TokenRecord>(), pool_states: new Map<Hex, PoolState | null>() };

/** `live` and `sources` are read earlier because they may cover more than the page. */
export const readPageFacts = async (
  scope: SnapshotContext,
  creator: Hex,
  given: { readonly shown: readonly Deployment[] } & Pick<PageFacts, "live" | "sources">,
): Promise<PageFacts> => {
  const { shown, live, sources } = given;
  const addresses = shown.map(({ address }) => address);
  const tokens = shown.filter(({ standard }) => standard !== "").map(({ address }) => address);
  const [labels, holders, { records, pool_states }] = await Promise.all([
    labelsOf(scope.facts, scope.snapshot, addresses),
    readHolderCounts(scope, tokens),
    // Without a node it is unknown which addresses are people, and so which are linked; without all trades, how a token ended.
    live.size === 0 || scope.snapshot.followed !== undefined ? NO_TOKENS : readTokens(scope, creator, shown),
  ]);
  const traded = shown.filter(isTraded).map(({ address }) => address);
  const liquidity = await readLiquidity(scope, traded, pool_states);
  return { live, sources, labels, holders, liquidity, records };
};

const tokenOf = (found: Deployment, { holders, records, liquidity }: PageFacts): DeployedContract["token"] => {
  if (found.standard === "") return null;
  const record = records.get(found.address);
  return {
    holders_count: holders.get(found.address) ?? null,
    liquidity_usd: liquidity.get(found.address)?.usd ?? null,
    outcome: record === undefined ? null : judgeRecord(record).outcome,
  };
};

export interface CensusContext {
  readonly scope: SnapshotContext;
  readonly census: Census | null;
  /** The index knows the code hash of every contract. */
  readonly all_hashed: boolean;
}

export const outputRow = (
  found: Deployment,
  facts: PageFacts,
  { scope, census, all_hashed }: CensusContext,
): DeployedContract => {
  const { chain } = scope;
  const live = facts.live.get(found.address);
  const hash = codeHashOf(found, facts.live);
  const is_proxy = live?.is_proxy ?? null;
  const same = all_hashed ? found.same_code : (census?.countOf(hash ?? "") ?? null);
  const source = facts.sources.get(found.address);
  // A contract that was created here again later is not the one of this row.
  const is_own = !found.is_replaced && live !== undefined && hash === toHex(keccak256(live.code));
  return {
    contract_address: chain.formatAddress(found.address),
    network: chain.network.id,
    created_at: iso(found.time),
    block_number: found.block_number,
    tx_hash: chain.formatHash(found.tx_hash),
    via: found.factory === "" ? null : chain.formatAddress(found.factory),
    kind: kindOf(found, is_proxy ?? false, chain),
    name: found.name,
    symbol: found.symbol,
    is_verified: source === undefined || !is_own ? null : isVerified(source),
    is_proxy,
    is_self_destructed: isDestroyed(found, facts.live),
    code_hash: hash === null ? null : `0x${hash}`,
    same_code_count: hash === null ? null : same,
    token: tokenOf(found, facts),
    risk_tags: [...(facts.labels.get(found.address)?.tags ?? [])],
  };
};
