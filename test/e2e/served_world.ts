import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallToolResult, ListToolsResult } from "@modelcontextprotocol/client";
import { demoNetwork } from "../../src/commands/demo.ts";
import { demoSolanaNetwork, demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { DEMO_LISTS, importDemoLists } from "../../src/commands/demo_lists.ts";
import { type Settings, settings } from "../../src/config/settings.ts";
import { startSite } from "../../src/demo/evm/site.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { type SolanaWorld, startSolanaWorld } from "../../src/demo/solana/world.ts";
import { startTronDemo, type TronDemoWorld } from "../../src/demo/tron/world.ts";
import { type Log, silentLog } from "../../src/lib/log.ts";
import { openService, type RunningService } from "../../src/main.ts";
import type { FactsStore } from "../../src/store/open.ts";
import type { OwnOrigin } from "../../src/web/guarded.ts";
import type { EnabledNetwork } from "../../src/wiring/enabled_network.ts";
import type { KnownNetworks } from "../../src/wiring/import_list.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { postMcp } from "../contract/mcp_client.ts";
import { modernMessage } from "../contract/mcp_messages.ts";
import { startDemoWorld } from "../demo_world.ts";
import { assertMcpDescribed } from "../mcp_openapi.ts";
import { assertDescribed } from "../openapi.ts";
import { fillWith, runFolder } from "../run_folder.ts";
import { type CachedReplies, remembering } from "./cached_replies.ts";
import { SHARED } from "./shared.ts";

/** The story is the same at every T0, and so are these tests. */
export const T0 = Date.UTC(2026, 7, 1) / 1000;

const REMOVED = { recursive: true, force: true, maxRetries: 20, retryDelay: 50 };

export interface ToolReply {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are walked freely in assertions, after validation.
  readonly body: any;
  readonly text: string;
}

export interface McpReply {
  readonly status: number;
  readonly headers: Headers;
  readonly result: CallToolResult;
}

export interface TestService {
  readonly service: RunningService;
  readonly data_dir: string;
  /** Calls a tool over HTTP with a fresh key's credits, and validates the answer against the service's own OpenAPI. */
  readonly ask: (tool: string, args: Readonly<Record<string, unknown>>, key?: string) => Promise<ToolReply>;
  /** The same over `/mcp`. */
  readonly askMcp: (tool: string, args: Readonly<Record<string, unknown>>, key?: string) => Promise<McpReply>;
  /** `tools/list`. */
  readonly listMcp: () => Promise<ListToolsResult>;
  readonly key: string;
  readonly close: () => Promise<void>;
}

export interface TestSetup {
  readonly networks: readonly EnabledNetwork[];
  readonly log?: Log;
  readonly settings?: Partial<Settings>;
  readonly data_dir?: string;
  readonly own_origins?: readonly OwnOrigin[];
  /** Folder of the built portal; without it the service has no portal. */
  readonly portal?: string;
  /** Networks whose demo lists are imported before the service starts; [] = none. */
  readonly listed?: KnownNetworks;
}

/** Limits wide enough that no test hits them by accident; no kept answers, which would change the next file's pages. */
const WIDE = { monthly_credits: 100_000_000, keys_max: 1_000, calls_per_minute: 1_000_000 };
const SMALL = { ...WIDE, monthly_credits: 20 };
const DEFAULTS = { listen: "127.0.0.1:0", plans: { wide: WIDE, small: SMALL }, answers: { days: 0 } };

/** Imports lists before the first block is read, so that derived facts do not depend on timing. */
const importBefore = async ({ listed, settings: own }: TestSetup, data_dir: string): Promise<FactsStore | null> => {
  if (listed === undefined || listed.length === 0) return null;
  const facts = await openFactsOnly(settings.parse({ ...own }), data_dir);
  await importDemoLists(facts, { folder: DEMO_LISTS, networks: listed, now_ms: Date.now() });
  return facts;
};

/** The whole service on separate stores, with one account and key. */
export const openTestService = async (options: TestSetup): Promise<TestService> => {
  const data_dir = options.data_dir ?? (await mkdtemp(join(tmpdir(), "assay-e2e-")));
  const lists = await importBefore(options, data_dir);
  const service = await openService({
    settings: settings.parse({ ...DEFAULTS, ...options.settings }),
    data_dir,
    networks: options.networks,
    ...{ surfaces: true, indexing: true, once: false },
    log: options.log ?? silentLog,
    examples: {},
    own_origins: options.own_origins ?? [],
    ...(options.portal === undefined ? {} : { portal: options.portal }),
  });
  await lists?.close();
  const account = await service.accounts.accounts.create({ name: "tests", plan: "wide" });
  const { secret } = await service.accounts.keys.create({ account_id: account.id, scopes: ["api:call", "mcp:call"] });
  // An OpenAPI document is a JSON object; assertDescribed fails on anything else.
  const openapi = (await (await fetch(`${service.url}/api/tools/openapi.json`)).json()) as Record<string, unknown>;
  const ask: TestService["ask"] = async (tool, args, key = secret) => {
    const response = await fetch(`${service.url}/api/tools/${tool}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(args),
    });
    const text = await response.text();
    const body = JSON.parse(text);
    assertDescribed(openapi, { method: "post", path: `/api/tools/${tool}` }, { status: response.status, body });
    return { status: response.status, headers: response.headers, body, text };
  };
  const askMcp: TestService["askMcp"] = async (tool, args, key = secret) => {
    const message = modernMessage("tools/call", { name: tool, arguments: args });
    const { status, headers, body } = await postMcp(service.url ?? "", { key, ...message });
    if (body?.result === undefined) throw new Error(`tools/call ${tool} -> ${status} ${JSON.stringify(body)}`);
    assertMcpDescribed(openapi, tool, body.result);
    return { status, headers, result: body.result };
  };
  const listMcp: TestService["listMcp"] = async () =>
    (await postMcp(service.url ?? "", { key: secret, ...modernMessage("tools/list") })).body.result;
  const close = async () => {
    await service.close();
    if (options.data_dir === undefined) await rm(data_dir, REMOVED);
  };
  return { service, data_dir, ask, askMcp, listMcp, key: secret, close };
};

/** Waits until every network has caught up with its node (its status would query the store). Throws after `timeout_ms` with the problems. */
export const caughtUp = async (service: RunningService, timeout_ms = 400_000): Promise<void> => {
  const until = Date.now() + timeout_ms;
  for (;;) {
    const networks = service.progress();
    const states = Object.values(networks);
    if (states.every(({ state, lag_blocks }) => state === "following" && lag_blocks === 0)) return;
    if (Date.now() > until) throw new Error(`not caught up: ${JSON.stringify(networks)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

export interface WorldService extends TestService {
  readonly world: EvmWorld;
}

/** Interval of checks for new blocks. */
const POLL_MS = 200;

const startDemo = async (poll_ms: number) => {
  const world = await startDemoWorld({ placement: "demo", t0: T0 });
  const site = await startSite();
  const demo = { ...demoNetwork(world), poll_ms };
  const options = { networks: [demo], listed: [demo.network], own_origins: site.own_origins };
  const stop = async (): Promise<void> => {
    await site.close();
    await world.stop();
  };
  return { world, options, stop };
};

/** Running worlds, their service, and their end. */
interface StartedWorlds {
  readonly options: TestSetup;
  readonly stop: () => Promise<void>;
}

/** Worlds of the same T0 have the same blocks, so the index of one serves all. */
const indexOf =
  (start: (poll_ms: number) => Promise<StartedWorlds>) =>
  async (data_dir: string): Promise<void> => {
    const { options, stop } = await start(POLL_MS);
    try {
      const stage = await openTestService({ ...options, data_dir });
      await caughtUp(stage.service);
      await stage.close();
    } finally {
      await stop();
    }
  };

interface IndexedOptions extends Partial<TestSetup> {
  readonly poll_ms?: number;
}

/** A folder, new unless given, with a copy of the index of worlds. */
const copyOfIndex = async (name: string, start: (poll_ms: number) => Promise<StartedWorlds>, given?: string) => {
  const data_dir = given ?? (await mkdtemp(join(tmpdir(), "assay-e2e-")));
  await fillWith(data_dir, name, indexOf(start));
  return data_dir;
};

/** Serves worlds on a copy of an equal world's index. */
const openIndexed = async <S extends StartedWorlds>(
  name: string,
  start: (poll_ms: number) => Promise<S>,
  { poll_ms = POLL_MS, ...more }: IndexedOptions,
): Promise<{ readonly stage: TestService; readonly started: S }> => {
  const data_dir = await copyOfIndex(name, start, more.data_dir);
  const started = await start(poll_ms);
  try {
    const stage = await openTestService({ ...started.options, ...more, listed: [], data_dir });
    await caughtUp(stage.service);
    const close = async () => {
      await stage.close();
      await started.stop();
      if (more.data_dir === undefined) await rm(data_dir, REMOVED);
    };
    return { stage: { ...stage, close }, started };
  } catch (error) {
    await started.stop();
    throw error;
  }
};

/** Worlds, freshly indexed into the store in the settings. */
const openFresh = async <S extends StartedWorlds>(started: S, own: Partial<Settings>): Promise<S & TestService> => {
  try {
    const stage = await openTestService({ ...started.options, settings: own });
    await caughtUp(stage.service);
    const close = async () => {
      await stage.close();
      await started.stop();
    };
    return { ...started, ...stage, close };
  } catch (error) {
    await started.stop();
    throw error;
  }
};

/** The demo world, freshly indexed into the store in the settings. */
export const openFreshWorld = async (own: Partial<Settings>): Promise<WorldService> =>
  openFresh(await startDemo(POLL_MS), own);

/** The demo world, indexed and served. */
export const openDemoWorld = async (more: IndexedOptions = {}): Promise<WorldService> => {
  const { stage, started } = await openIndexed("world", startDemo, more);
  return { ...stage, world: started.world };
};

const startFamilies = async (poll_ms: number) => {
  const [solana, tron, site] = await Promise.all([startSolanaWorld(T0), startTronDemo(T0), startSite()]);
  const networks = [demoSolanaNetwork(solana), demoTronNetwork(tron)].map((one) => ({ ...one, poll_ms }));
  const options = { networks, listed: networks.map(({ network }) => network), own_origins: site.own_origins };
  const stop = async (): Promise<void> => {
    for (const one of [tron, solana]) await one.stop();
    await site.close();
  };
  return { solana, tron, options, stop };
};

/** A new temporary folder with the index of the demo world, or of those of Solana and Tron, for another service on them. */
export const worldIndex = (): Promise<string> => copyOfIndex("world", startDemo);
export const familiesIndex = (): Promise<string> => copyOfIndex("families", startFamilies);

export interface FamiliesService extends TestService {
  readonly solana: SolanaWorld;
  readonly tron: TronDemoWorld;
}

/** The demo worlds of Solana and Tron, indexed and served together. */
export const openFamilies = async (more: IndexedOptions = {}): Promise<FamiliesService> => {
  const { stage, started } = await openIndexed("families", startFamilies, more);
  return { ...stage, solana: started.solana, tron: started.tron };
};

/** The same, freshly indexed into the store in the settings. */
export const openFreshFamilies = async (own: Partial<Settings>): Promise<FamiliesService> =>
  openFresh(await startFamilies(POLL_MS), own);

/** Users of the shared stages do not close them. */
export type SharedWorldService = Omit<WorldService & CachedReplies, "close">;
export type SharedFamiliesService = Omit<FamiliesService & CachedReplies, "close">;

let world: Promise<WorldService & CachedReplies> | null = null;
let families: Promise<FamiliesService & CachedReplies> | null = null;

const openShared = async <S extends TestService>(
  open: (more: IndexedOptions) => Promise<S>,
): Promise<S & CachedReplies> => {
  const data_dir = await mkdtemp(join(runFolder(), "shared-"));
  return remembering(await open({ data_dir, ...SHARED }));
};

/**
 * The demo world for files that only read it (project `answers`): files of one process share it, and it ends with the process.
 * Their tests must not depend on earlier calls of other files.
 */
export const sharedWorld = async (): Promise<SharedWorldService> => {
  world ??= openShared(openDemoWorld);
  return world;
};

/** The same with the demo worlds of Solana and Tron. */
export const sharedFamilies = async (): Promise<SharedFamiliesService> => {
  families ??= openShared(openFamilies);
  return families;
};
