import type { AccountsStore } from "./accounts/open.ts";
import type { Settings } from "./config/settings.ts";
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
import { networkOpener } from "./wiring/open_network.ts";
import { openStatus } from "./wiring/status.ts";
import { openAccountsIn, openFactsOnly } from "./wiring/stores.ts";
import { openTracing } from "./wiring/tracing.ts";

export interface ServiceOptions {
  readonly settings: Settings;
  /** Absolute path; created if it does not exist. */
  readonly data_dir: string;
  readonly networks: readonly EnabledNetwork[];
  /** Configured networks that are switched off. */
  readonly disabled?: readonly string[];
  /** Answer callers, read nodes, or both. */
  readonly surfaces: boolean;
  readonly indexing: boolean;
  /** Stop indexing once everything up to the nodes' current heads is written. */
  readonly once: boolean;
  /** How long to wait for another process that indexes a network; null or omitted waits until the service is stopped. */
  readonly wait_ms?: number | null;
  /** Aborting it stops indexing and opening at once; `close` does the rest. */
  readonly signal?: AbortSignal;
  readonly log: Log;
  /** Local sites of this process (the demo's) that its tools may read. */
  readonly own_origins?: readonly OwnOrigin[];
  /** Addresses of interest on the demo's chains, for assistants. */
  readonly cast?: readonly CastRow[];
  /** The program's version, for the metrics. */
  readonly version?: string;
  /** Real answers of the tools' examples, for the OpenAPI document. */
  readonly examples: Readonly<Record<string, unknown>>;
  /** Folder of the documentation to serve; without it, none is served. */
  readonly docs?: string;
  /** Folder of the built portal to serve; without it, none is served. */
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
  /** State of this process's indexers, by network. Reads only memory, so it may be polled often. */
  readonly progress: () => Readonly<Record<string, IndexerStatus>>;
  /** Runs a tool's example free of charge; for the start's "tools ready" and for documentation. */
  readonly tryTool: (tool: AnyTool) => Promise<Outcome<unknown>>;
  /** Makes the first calls of this process itself, so that no caller waits for their one-time cost. */
  readonly warm: () => Promise<void>;
  /** Starts and stops networks until the running ones equal `wanted`; calls in progress continue. */
  readonly apply: (wanted: ConfiguredNetworks) => Promise<void>;
  /** Settles when every indexer that existed at the start has ended. */
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
  const { indexing, networks: wanted } = options;
  const opener = networkOpener({ settings, accounts, facts, log, indexing, networks: wanted.length, ...traced });
  const networks = new NetworkSet({
    open: opener.open,
    how: { once: options.once, wait_ms: options.wait_ms ?? null },
    linger_ms: settings.call_timeout_ms,
    log,
    stop,
  });
  closers.push(
    () => opener.close(),
    () => networks.close(),
  );
  await networks.apply({ enabled: wanted, disabled: options.disabled ?? [] });
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
  // A process that only indexes does not load the tools.
  let opened: Promise<AnsweringService> | null = null;
  const answering = () =>
    (opened ??= import("./wiring/answering.ts").then(({ openAnswering }) => openAnswering(parts)));
  const urls = options.surfaces ? await (await answering()).listen() : { url: null, operator_url: null };
  const tryTool = async (tool: AnyTool) => (await answering()).runExample(tool);
  const warm = async () => (await answering()).warm();
  const apply = (configured: ConfiguredNetworks) => networks.apply(configured);
  return { ...urls, accounts, facts, status, progress, tryTool, warm, apply, indexed: networks.ended(), close };
};
