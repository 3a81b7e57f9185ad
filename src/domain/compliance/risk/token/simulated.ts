import type { Chain } from "../../../../chains/chain.ts";
import { type Hex, keccak256, toHex } from "../../../../lib/bytes.ts";
import { HOUR_S } from "../../../../lib/time.ts";
import type { SnapshotContext } from "../../../context.ts";
import { ownerAt } from "../../../token/contracts/capabilities/power.ts";
import { type CapabilityScan, type KnownAccounts, scanCode } from "../../../token/contracts/capabilities/scan.ts";
import { burnAddressesOf } from "../../../token/holders/burn_addresses.ts";
import { readPowers } from "../../../token/powers/read.ts";
import { KINDS, type SimulationState } from "../../../token/simulation/market.ts";
import { type HolderReplay, replayHolders } from "../../../token/simulation/replay.ts";
import { type NoSimulation, type Simulation, simulate } from "../../../token/simulation/simulate.ts";
import { anchorsOf } from "../../../valuation/prices/pools.ts";
import type { TokenRiskFacts } from "./facts.ts";
import type { TokenLiquidity } from "./liquidity.ts";

/** Functions of a token, and its trades, sales of holders and uses of powers, as a node simulates them. */

/** Number of cached results of each kind per store. */
const REMEMBERED_MAX = 500;

/** Callers of its pools to look at. */
const ROUTERS_MAX = 4;

/** Results by key, the newest ones. */
class ResultCache<T> {
  readonly #known = new Map<string, T>();

  get(key: string): T | null {
    return this.#known.get(key) ?? null;
  }

  keep(key: string, result: T): void {
    const [oldest] = this.#known.keys();
    if (this.#known.size >= REMEMBERED_MAX && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(key, result);
  }
}

type ReadPowers = Pick<TokenRiskFacts, "powers" | "power_holders">;

/** Results of one chain. */
class ChainResults {
  readonly scans = new ResultCache<CapabilityScan>();
  readonly trades = new ResultCache<Simulation>();
  readonly sales = new ResultCache<HolderReplay>();
  /** By code and owner. */
  readonly powers = new ResultCache<{ readonly time: number; readonly found: ReadPowers }>();
}

/** A token at a block always has the same result, so the node computes it once. */
class SimulatedCache {
  readonly #chains = new WeakMap<Chain, ChainResults>();

  of(chain: Chain): ChainResults {
    const known = this.#chains.get(chain) ?? new ChainResults();
    this.#chains.set(chain, known);
    return known;
  }
}

const resultsOf = ({ facts, chain }: SnapshotContext): ChainResults => facts.own(SimulatedCache).of(chain);

/** The functions of a token's code; null when it has none. */
export const readScan = async (
  scope: SnapshotContext,
  { token, at, known }: { readonly token: Hex; readonly at: number; readonly known: KnownAccounts },
): Promise<CapabilityScan | null> => {
  const { chain, snapshot, signal } = scope;
  const memory = resultsOf(scope).scans;
  const key = `${chain.network.id} ${token} ${snapshot.block.hash} ${at}`;
  const kept = memory.get(key);
  if (kept !== null) return kept;
  const scan = await scanCode({ chain, address: token, at, signal }, known);
  if (scan !== null) memory.keep(key, scan);
  return scan;
};

const keyOf = ({ chain, snapshot }: SnapshotContext, ground: SimulationState, liquidity: TokenLiquidity): string => {
  const pools = liquidity.markets.map(({ pool, depth_raw }) => `${pool}:${depth_raw}`).join(" ");
  return `${chain.network.id} ${snapshot.block.hash} ${ground.block.number} ${pools}`;
};

export const readSimulation = async (
  scope: SnapshotContext,
  ground: SimulationState,
  liquidity: TokenLiquidity,
): Promise<Simulation | NoSimulation> => {
  const { facts, snapshot, chain } = scope;
  const { wrapped_native } = chain.network;
  const memory = resultsOf(scope).trades;
  const key = keyOf(scope, ground, liquidity);
  const known = memory.get(key);
  if (known !== null) return known;
  const anchors = new Set([...anchorsOf(chain.network), ...(wrapped_native === null ? [] : [wrapped_native])]);
  const calls = { pools: liquidity.markets.map(({ pool }) => pool), limit: ROUTERS_MAX };
  const routers = calls.pools.length === 0 ? [] : await facts.ask(snapshot, "token/pool_callers", calls);
  const simulation = await simulate(ground, {
    ...{ found: liquidity.markets, anchors },
    routers: routers.map(({ caller }) => caller),
  });
  // The token may have other pools than those that factories name.
  if (simulation === "no_pool" && snapshot.followed !== undefined) return "pools_unread";
  // Another node may do what this one could not.
  if (typeof simulation !== "string") memory.keep(key, simulation);
  return simulation;
};

const NOT_REPLAYED: HolderReplay = { holders_tested: 0, holders_failed: 0, fail_percent: null, first_failure: null };

interface ReplaySubject {
  readonly token: Hex;
  readonly people: readonly Hex[];
  readonly liquidity: TokenLiquidity;
  readonly simulation: Simulation | NoSimulation;
}

/** Holders sell in the pool that was simulated; else they send to the deepest pool, or to its manager. */
export const readReplay = async (
  scope: SnapshotContext,
  ground: SimulationState,
  { token, people, liquidity, simulation }: ReplaySubject,
): Promise<HolderReplay> => {
  const deepest = liquidity.markets.find(({ family }) => KINDS.has(family));
  if (deepest === undefined || people.length === 0) return NOT_REPLAYED;
  const memory = resultsOf(scope).sales;
  const key = `${keyOf(scope, ground, liquidity)} ${people.join(" ")}`;
  const known = memory.get(key);
  if (known !== null) return known;
  const simulated = typeof simulation === "string" ? null : simulation;
  const market = liquidity.markets.find(({ pool }) => pool === simulated?.pools[0]) ?? null;
  const replay = await replayHolders(ground, {
    ...{ token, payee: (market ?? deepest).payee, market, router: simulated?.router ?? null, holders: people },
  });
  memory.keep(key, replay);
  return replay;
};

interface PowersSubject {
  readonly token: Hex;
  readonly scan: CapabilityScan;
  readonly creator: Hex | null;
  readonly liquidity: TokenLiquidity;
  readonly people: readonly Hex[];
}

const findPowers = async (
  { chain, signal }: SnapshotContext,
  ground: SimulationState,
  { token, scan, creator, liquidity, people }: PowersSubject,
): Promise<ReadPowers> => {
  const { wrapped_native } = chain.network;
  const pools = liquidity.markets.flatMap(({ pool, payee, quote }) => [pool, payee, quote]);
  const known = [scan.owner?.address ?? null, creator, scan.upgrader?.address ?? null].flatMap((one) => one ?? []);
  const powers = await readPowers(ground, {
    ...{ token, codes: scan.codes, known, stored: scan.stored, people },
    market: liquidity.markets.find(({ family }) => KINDS.has(family)) ?? null,
    implementations: scan.code_addresses.filter((one) => one !== token),
    never: [...pools, ...(wrapped_native === null ? [] : [wrapped_native]), ...burnAddressesOf(chain.network)],
  });
  const callers = typeof powers === "string" ? [] : powers.powers.flatMap(({ caller }) => caller ?? []);
  const examined = { chain, address: token, at: ground.block.number, signal };
  const holders = await Promise.all([...new Set(callers)].map((caller) => ownerAt(examined, caller)));
  return { powers, power_holders: new Map(holders.map((holder) => [holder.address, holder])) };
};

/**
 * Powers over the token that trials prove, and the kinds of the accounts that have them. Repeated after an hour, and when
 * the code, the owner or the pool changes.
 */
export const readTokenPowers = async (
  scope: SnapshotContext,
  ground: SimulationState,
  subject: PowersSubject,
): Promise<ReadPowers> => {
  const { token, scan, creator, liquidity } = subject;
  const memory = resultsOf(scope).powers;
  const codes = scan.codes.map((code) => toHex(keccak256(code))).join(" ");
  const pool = liquidity.markets[0]?.pool ?? "";
  const key = `${scope.chain.network.id} ${token} ${codes} ${scan.owner?.address ?? ""} ${creator ?? ""} ${pool}`;
  const known = memory.get(key);
  const { time } = ground.block;
  if (known !== null && known.time <= time && time - known.time < HOUR_S) return known.found;
  const found = await findPowers(scope, ground, subject);
  // Another node may do what this one could not.
  if (typeof found.powers !== "string") memory.keep(key, { time, found });
  return found;
};
