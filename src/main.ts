import { join } from "node:path";
import type { AccountsPlace } from "./accounts/engine.ts";
import { type AccountsStore, openAccounts } from "./accounts/open.ts";
import type { Network, Verify } from "./chains/chain.ts";
import { openChain } from "./chains/families.ts";
import { addressIn, networkFromConfig } from "./chains/networks/from_config.ts";
import type { OpenChain } from "./chains/open_chain.ts";
import type { NetworkSettings, Settings } from "./config.ts";
import { contexts } from "./contexts.ts";
import { watchFreezeViews } from "./freeze_watch.ts";
import { openLeasedIndexer } from "./indexer/open.ts";
import { messageOf } from "./lib/errors.ts";
import { type Log, Secret } from "./lib/log.ts";
import { failed, type Outcome } from "./lib/outcome.ts";
import { makePrivateFolder } from "./lib/private_folder.ts";
import type { ReadStatus } from "./lib/status.ts";
import { listenAddress, listenName } from "./listen_address.ts";
import { openOperatorApi } from "./operator_api.ts";
import { operatorOf } from "./operators.ts";
import type { Venue } from "./protocols/venues.ts";
import { type OpenNetwork, openStatus, type StatusParts } from "./status.ts";
import { type FactsStore, openFacts } from "./store/open.ts";
import { runOnSteadyFacts } from "./surfaces/attempt.ts";
import { bindArguments, servedBy } from "./surfaces/bind.ts";
import type { ContextFor } from "./surfaces/call.ts";
import { openRest, type Rest, type RestParts } from "./surfaces/rest.ts";
import { tools } from "./tools/index.ts";
import type { AnyTool } from "./tools/tool.ts";
import { openTracing } from "./tracing.ts";
import { traderJudge } from "./trader_judge.ts";
import type { OwnOrigin } from "./web/guarded.ts";

/** One network that this instance reads. */
export interface EnabledNetwork {
  readonly network: Network;
  readonly rpc: readonly string[];
  readonly from_block: number;
  /** Oldest block that this run indexes; from_block when left out. */
  readonly oldest_block?: number;
  /** Last block to index; null = follow the head. */
  readonly to_block: number | null;
  readonly poll_ms: number;
  readonly venues: readonly Venue[];
  readonly openings: "read" | "skip";
  /** `full` when left out. */
  readonly verify?: Verify;
  /** Nodes that must say the same of what no block commits to; 1 when left out. */
  readonly agree?: number;
  /** Folder of a project whose contracts are verified sources of this network. */
  readonly project?: string;
}

export interface ServiceOptions {
  readonly settings: Settings;
  /** Absolute; made when it is not there. */
  readonly data_dir: string;
  readonly networks: readonly EnabledNetwork[];
  /** Answer callers, read nodes, or both. */
  readonly surfaces: boolean;
  readonly indexing: boolean;
  /** Stop indexing when everything up to the nodes' present heads is written. */
  readonly once: boolean;
  /** How long another process may index a network before this one gives up; null or left out = until it is stopped. */
  readonly wait_ms?: number | null;
  /** Aborted: indexing stops at once, and opening does; `close` does the rest. */
  readonly signal?: AbortSignal;
  readonly log: Log;
  /** Local sites of this process's own (the demo's) that its tools may ask. */
  readonly own_origins?: readonly OwnOrigin[];
  /** Real answers of the tools' examples, for the OpenAPI document. */
  readonly examples: Readonly<Record<string, unknown>>;
}

export interface Service {
  /** `http://host:port` of the public surface; null without surfaces. */
  readonly url: string | null;
  /** `http://host:port` of the operator API; null where it is off. */
  readonly operator_url: string | null;
  readonly accounts: AccountsStore;
  readonly facts: FactsStore;
  readonly status: ReadStatus;
  /** Runs a tool's example without charging anybody; for the start's "tools ready" and for documentation. */
  readonly tryTool: (tool: AnyTool) => Promise<Outcome<unknown>>;
  /** Settles when every indexer has ended. */
  readonly indexed: Promise<void>;
  /** Stops accepting, ends what runs, closes the stores. */
  close(): Promise<void>;
}

/** A network as the configuration enables it: a known one with its own values, or any other chain of a known family. */
export const enabledNetwork = (id: string, entry: NetworkSettings): EnabledNetwork => {
  const network = networkFromConfig({ id, ...entry });
  return {
    network,
    rpc: entry.rpc,
    from_block: entry.from_block,
    to_block: null,
    poll_ms: entry.poll_ms,
    venues: entry.venues.map((venue) => ({ ...venue, network: id, factory: addressIn(network, venue.factory) })),
    openings: entry.openings,
    verify: entry.verify,
    agree: entry.agree,
  };
};

/** The SQLite file of the accounts. */
export const accountsFile = (data_dir: string): string => join(data_dir, "accounts.db");

/** Where the accounts of a configuration live. */
const accountsPlace = ({ accounts }: Settings, data_dir: string): AccountsPlace =>
  accounts.engine === "embedded"
    ? { engine: "sqlite", path: accountsFile(data_dir) }
    : { engine: "postgres", url: new Secret(accounts.url), connections: accounts.connections };

const openAccountsIn = (data_dir: string, settings: Settings, log: Log): Promise<AccountsStore> => {
  const { prefix, pepper, previous_peppers } = settings.keys;
  const { redis_url, instances } = settings.rate_limit;
  const previous = previous_peppers.map((text) => new Secret(text));
  return openAccounts({
    place: accountsPlace(settings, data_dir),
    plans: settings.plans,
    keys: { prefix, previous_peppers: previous, ...(pepper === undefined ? {} : { pepper: new Secret(pepper) }) },
    tools: tools.map(({ name, credits }) => ({ name, credits })),
    now: Date.now,
    deadline_ms: settings.call_timeout_ms,
    index_lease_ms: settings.index_lease_ms,
    ...(redis_url === null ? {} : { shared_limits: { redis_url: new Secret(redis_url), instances } }),
    log,
  });
};

/** The accounts alone, for commands that work while the service runs. */
export const openAccountsOnly = (settings: Settings, data_dir: string, log: Log): Promise<AccountsStore> => {
  makePrivateFolder(data_dir);
  return openAccountsIn(data_dir, settings, log);
};

/** The facts alone. Joins the engine of a running service, or starts one. */
export const openFactsOnly = (settings: Settings, data_dir: string): Promise<FactsStore> => {
  makePrivateFolder(data_dir);
  return openFacts(
    settings.facts.engine === "embedded" ? { engine: "embedded", data_dir: join(data_dir, "facts") } : settings.facts,
  );
};

/** Everything of one process, opened in order and closed in reverse. */
export const openService = async (options: ServiceOptions): Promise<Service> => {
  const stop = new AbortController();
  options.signal?.addEventListener("abort", () => stop.abort(options.signal?.reason), { once: true });
  if (options.signal?.aborted) stop.abort(options.signal.reason);
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    stop.abort();
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    return await assemble(options, { stop: stop.signal, closers, close });
  } catch (error) {
    await close();
    throw error;
  }
};

interface Life {
  readonly stop: AbortSignal;
  readonly closers: (() => Promise<void>)[];
  readonly close: () => Promise<void>;
}

const assemble = async (options: ServiceOptions, { stop, closers, close }: Life): Promise<Service> => {
  const { settings, data_dir, log } = options;
  makePrivateFolder(data_dir, log);
  const [accounts, facts, traces] = await Promise.all([
    openAccountsIn(data_dir, settings, log),
    openFactsOnly(settings, data_dir),
    openTracing({ settings: settings.telemetry, log, random: Math.random }),
  ]);
  const traced = traces === null ? {} : { tracing: traces.tracing };
  closers.push(
    async () => traces?.close(),
    () => accounts.close(),
    () => facts.close(),
  );
  const networks = await Promise.all(
    options.networks.map(async (enabled): Promise<OpenNetwork> => {
      const { rpc, verify = "full", agree = 1 } = enabled;
      const how = { rpc, verify, agree, log, timeout_ms: settings.rpc_timeout_ms, ...traced };
      const chain = await openChain(enabled.network, how, stop);
      closers.push(() => chain.close());
      const judge = traderJudge(chain, facts.facts);
      const parts = { chain, facts, enabled, judge, log, leases: accounts.leases };
      return { chain, indexer: options.indexing ? openLeasedIndexer(parts) : null };
    }),
  );
  const indexed = Promise.all(
    networks.map(({ indexer }) => indexer?.run({ once: options.once, wait_ms: options.wait_ms ?? null, signal: stop })),
  ).then(() => undefined);
  closers.push(() => indexed);
  const status = openStatus({ accounts, facts, networks, stop });
  const operator = operatorOf(settings, options);
  const contextFor = contexts({ facts, chains: networks.map(({ chain }) => chain), operator });
  const rest = options.surfaces ? openRestOn(options, { accounts, networks, status, contextFor, ...traced }) : null;
  if (rest !== null) closers.push(() => rest.close());
  const url = rest === null ? null : await rest.listen(listenAddress(settings.listen));
  const api = options.surfaces ? await openOperatorApi(settings.operator, { accounts, log }) : null;
  if (api !== null) closers.push(() => api.close());
  const chains = networks.map(({ chain }) => chain);
  if (options.surfaces) {
    const watching = watchFreezeViews({ facts: facts.facts, chains, log, stop });
    closers.push(() => watching);
  }
  const tryTool = (tool: AnyTool) => runExample(tool, { chains, contextFor, timeout_ms: settings.call_timeout_ms });
  return { url, operator_url: api?.url ?? null, accounts, facts, status, tryTool, indexed, close };
};

/** Binds and runs the example on its card. A fault becomes an error outcome with its internal text: for operators. */
const runExample = async (
  tool: AnyTool,
  how: { readonly chains: readonly OpenChain[]; readonly contextFor: ContextFor; readonly timeout_ms: number },
): Promise<Outcome<unknown>> => {
  const bound = bindArguments(tool, tool.example, { chains: servedBy(tool, how.chains), now_ms: Date.now() });
  if (bound.kind === "refused") return failed("UPSTREAM_UNAVAILABLE", bound.detail);
  try {
    const fresh = () => how.contextFor(tool, AbortSignal.timeout(how.timeout_ms));
    return (await runOnSteadyFacts(tool, bound.input, fresh)).outcome;
  } catch (error) {
    return failed("UPSTREAM_UNAVAILABLE", messageOf(error));
  }
};

type Front = Pick<StatusParts, "accounts" | "networks"> & Pick<RestParts, "status" | "contextFor" | "tracing">;

const openRestOn = ({ settings, log, examples }: ServiceOptions, { accounts, networks, ...front }: Front): Rest =>
  openRest({
    ...front,
    tools,
    meter: accounts.meter,
    chains: networks.map(({ chain }) => chain),
    log,
    examples,
    mcp: { ...settings.mcp, hosts: [...settings.mcp.hosts, ...listenName(settings.listen)] },
    limits: {
      deadline_ms: settings.call_timeout_ms,
      calls_max: settings.concurrent_calls_max,
      account_share_percent: settings.account_share_percent,
      waiting_bytes_max: settings.waiting_bytes_max,
      body_bytes_max: settings.body_bytes_max,
    },
  });
