import type { AccountsStore } from "./accounts/open.ts";
import { openChain } from "./chains/families.ts";
import type { Settings } from "./config/settings.ts";
import { openLeasedIndexer } from "./indexer/open.ts";
import type { Log } from "./lib/log.ts";
import type { Outcome } from "./lib/outcome.ts";
import { makePrivateFolder } from "./lib/private_folder.ts";
import type { IndexerStatus, ReadStatus } from "./lib/status.ts";
import type { FactsStore } from "./store/open.ts";
import type { CastRow } from "./surfaces/mcp/resources.ts";
import type { AnyTool } from "./tools/tool.ts";
import type { OwnOrigin } from "./web/guarded.ts";
import type { AnsweringService } from "./wiring/answering.ts";
import type { EnabledNetwork } from "./wiring/enabled_network.ts";
import { openFigures } from "./wiring/figures.ts";
import { type ConfiguredNetworks, NetworkSet } from "./wiring/network_set.ts";
import { type OpenNetwork, openStatus } from "./wiring/status.ts";
import { openAccountsIn, openFactsOnly } from "./wiring/stores.ts";
import { openTracing } from "./wiring/tracing.ts";
import { traderJudge } from "./wiring/trader_judge.ts";

export interface ServiceOptions {
  readonly settings: Settings;
  /** Absolute; made when it is not there. */
  readonly data_dir: string;
  readonly networks: readonly EnabledNetwork[];
  /** Configured networks that are switched off. */
  readonly disabled?: readonly string[];
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
  /** Whom the demo's chains can be asked about, for assistants. */
  readonly cast?: readonly CastRow[];
  /** Of the program, for the metrics. */
  readonly version?: string;
  /** Real answers of the tools' examples, for the OpenAPI document. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** Folder of the documentation that is served; none without it. */
  readonly docs?: string;
  /** Folder of the built page that is served; none without it. */
  readonly portal?: string;
}

export interface RunningService {
  /** `http://host:port` of the public surface; null without surfaces. */
  readonly url: string | null;
  /** `http://host:port` of the operator API; null where it is off. */
  readonly operator_url: string | null;
  readonly accounts: AccountsStore;
  readonly facts: FactsStore;
  readonly status: ReadStatus;
  /** What the indexers of this process know by themselves, by network: costs nothing, so that it may be looked at often. */
  readonly progress: () => Readonly<Record<string, IndexerStatus>>;
  /** Runs a tool's example without charging anybody; for the start's "tools ready" and for documentation. */
  readonly tryTool: (tool: AnyTool) => Promise<Outcome<unknown>>;
  /** Makes the first calls of this process by itself, so that nobody waits for what they alone cost. */
  readonly warm: () => Promise<void>;
  /** Makes the networks that run be those that are wanted now; calls that are under way go on. */
  readonly apply: (wanted: ConfiguredNetworks) => Promise<void>;
  /** Settles when every indexer that was there at the start has ended. */
  readonly indexed: Promise<void>;
  /** Stops accepting, ends what runs, closes the stores. */
  close(): Promise<void>;
}

/** Everything of one process, opened in order and closed in reverse. */
export const openService = async (options: ServiceOptions): Promise<RunningService> => {
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

interface Lifetime {
  readonly stop: AbortSignal;
  readonly closers: (() => Promise<void>)[];
  readonly close: () => Promise<void>;
}

const assemble = async (options: ServiceOptions, { stop, closers, close }: Lifetime): Promise<RunningService> => {
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
  const networks = new NetworkSet({
    open: async (enabled, own_stop): Promise<OpenNetwork> => {
      const { rpc, verify = "full", votes = "summed", agree = 1 } = enabled;
      const how = { rpc, verify, votes, agree, log, timeout_ms: settings.rpc_timeout_ms, ...traced };
      const chain = await openChain(enabled.network, how, own_stop);
      const judge = traderJudge(chain, facts.facts);
      const { label_pack } = settings;
      const parts = { chain, facts, enabled, judge, label_pack, log, leases: accounts.leases };
      return { chain, indexer: options.indexing ? openLeasedIndexer(parts) : null };
    },
    how: { once: options.once, wait_ms: options.wait_ms ?? null },
    linger_ms: settings.call_timeout_ms,
    log,
    stop,
  });
  closers.push(() => networks.close());
  await networks.apply({ enabled: options.networks, disabled: options.disabled ?? [] });
  const status = openStatus({ accounts, facts, networks, stop });
  const progress = () =>
    Object.fromEntries(
      networks.open.flatMap(({ chain, indexer }) => (indexer === null ? [] : [[chain.network.id, indexer.status()]])),
    );
  const own = {
    settings,
    data_dir,
    log,
    examples: options.examples,
    ...(options.docs === undefined ? {} : { docs: options.docs }),
    ...(options.portal === undefined ? {} : { portal: options.portal }),
    own_origins: options.own_origins,
    cast: options.cast ?? [],
    metrics: openFigures({ networks, facts, data_dir, version: options.version ?? "unknown" }),
  };
  const parts = { ...own, accounts, facts, networks, status, stop, closers, ...traced };
  // Who only indexes has no need of the tools, and does not load them.
  let opened: Promise<AnsweringService> | null = null;
  const answering = () =>
    (opened ??= import("./wiring/answering.ts").then(({ openAnswering }) => openAnswering(parts)));
  const urls = options.surfaces ? await (await answering()).listen() : { url: null, operator_url: null };
  const tryTool = async (tool: AnyTool) => (await answering()).runExample(tool);
  const warm = async () => (await answering()).warm();
  const apply = (wanted: ConfiguredNetworks) => networks.apply(wanted);
  return { ...urls, accounts, facts, status, progress, tryTool, warm, apply, indexed: networks.ended(), close };
};
