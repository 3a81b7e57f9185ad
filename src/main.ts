import type { AccountsStore } from "./accounts/open.ts";
import { openChain } from "./chains/families.ts";
import type { OpenChain } from "./chains/open_chain.ts";
import { listenAddress, listenName } from "./config/listen_address.ts";
import type { Settings } from "./config/settings.ts";
import { openLeasedIndexer } from "./indexer/open.ts";
import { messageOf } from "./lib/errors.ts";
import type { Log } from "./lib/log.ts";
import { failed, type Outcome } from "./lib/outcome.ts";
import { makePrivateFolder } from "./lib/private_folder.ts";
import type { ReadStatus } from "./lib/status.ts";
import type { FactsStore } from "./store/open.ts";
import { runOnSteadyFacts } from "./surfaces/attempt.ts";
import { bindArguments, servedBy } from "./surfaces/bind.ts";
import type { ContextFor } from "./surfaces/call.ts";
import { openRest, type Rest, type RestParts } from "./surfaces/rest.ts";
import { tools } from "./tools/index.ts";
import type { AnyTool } from "./tools/tool.ts";
import type { OwnOrigin } from "./web/guarded.ts";
import { contexts } from "./wiring/contexts.ts";
import type { EnabledNetwork } from "./wiring/enabled_network.ts";
import { watchFreezeViews } from "./wiring/freeze_watch.ts";
import { openOperatorApi } from "./wiring/operator_api.ts";
import { operatorOf } from "./wiring/operators.ts";
import { type OpenNetwork, openStatus, type StatusParts } from "./wiring/status.ts";
import { openAccountsIn, openFactsOnly } from "./wiring/stores.ts";
import { openTracing } from "./wiring/tracing.ts";
import { traderJudge } from "./wiring/trader_judge.ts";

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
