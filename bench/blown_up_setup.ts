/** The demo world with many more transfers (blown_up.ts), open to calls in process. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openChain } from "../src/chains/families.ts";
import { endpointOf } from "../src/chains/node/rpc_address.ts";
import { demoNetwork } from "../src/commands/demo.ts";
import { DEMO_LISTS, importDemoLists } from "../src/commands/demo_lists.ts";
import { settings } from "../src/config/settings.ts";
import { startSite } from "../src/demo/evm/site.ts";
import { startWorld } from "../src/demo/evm/world.ts";
import { silentLog } from "../src/lib/log.ts";
import { openService, type RunningService } from "../src/main.ts";
import { contexts } from "../src/wiring/contexts.ts";
import { operatorOf } from "../src/wiring/operators.ts";
import { openFactsOnly } from "../src/wiring/stores.ts";
import { blowUp } from "./blown_up.ts";
import type { CallTarget } from "./calls.ts";

/** A midnight long ago, as in the tests: the scenario is the same at any midnight. */
const T0 = Date.UTC(2026, 7, 1) / 1000;
const CATCH_UP_MS = 300_000;

export interface BlownUp {
  readonly place: CallTarget;
  readonly service: RunningService;
  readonly facts_dir: string;
  /** Rows added and seconds taken; 0 s if they existed already. */
  readonly added: { readonly transfers: number; readonly seconds: number };
  close(): Promise<void>;
}

interface Size {
  /** Transfers beside the scenario's, and rows of one exchange among them. */
  readonly transfers: number;
  readonly exchange_rows?: number;
  /** Folder of the facts, which is reused; '': a temporary one. */
  readonly data: string;
  /** False: the cache of queries at the same block is empty, as at a wallet's first call of each block. */
  readonly has_recent: boolean;
  /** A relay between the service and its node: returns its address for the node's. */
  readonly relayed?: (rpc: string) => Promise<string>;
}

const caughtUp = async (service: RunningService): Promise<void> => {
  for (const until = Date.now() + CATCH_UP_MS; Date.now() < until; await sleep(50)) {
    const { networks } = await service.status();
    if (Object.values(networks).every(({ state, lag_blocks }) => state === "following" && lag_blocks === 0)) return;
  }
  throw new Error(`the demo was not indexed in ${CATCH_UP_MS} ms`);
};

/** Adds the transfers, unless the existing facts have them already. */
const addOnce = async (
  { facts }: RunningService,
  { transfers, exchange_rows = 0 }: Size,
): Promise<BlownUp["added"]> => {
  const count = async (): Promise<number> => {
    const counted = "SELECT count() FROM transfers WHERE tx_index BETWEEN 1000000 AND 4294967294";
    return Number((await facts.engine.query(counted))[0]?.[0]);
  };
  const from = performance.now();
  if (transfers + exchange_rows > 0 && (await count()) === 0) await blowUp(facts.engine, { transfers, exchange_rows });
  return { transfers: await count(), seconds: Math.round((performance.now() - from) / 1000) };
};

const openEnlarged = async (size: Size, closers: (() => Promise<void>)[]): Promise<Omit<BlownUp, "close">> => {
  const world = await startWorld({ placement: "demo", t0: T0 });
  closers.push(() => world.stop());
  const site = await startSite();
  closers.push(() => site.close());
  const data_dir = size.data === "" ? await mkdtemp(join(tmpdir(), "assay-bench-")) : size.data;
  closers.unshift(async () => {
    if (size.data === "") await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const near = demoNetwork(world);
  const { relayed } = size;
  const enabled =
    relayed === undefined
      ? near
      : { ...near, rpc: await Promise.all(near.rpc.map((node) => relayed(endpointOf(node).url))) };
  const memory = size.has_recent ? {} : { recent_answers_bytes_max: 0 };
  const chosen = settings.parse({ listen: "127.0.0.1:0", ...memory });
  const lists = await openFactsOnly(chosen, data_dir);
  closers.push(() => lists.close());
  await importDemoLists(lists, { folder: DEMO_LISTS, networks: [enabled.network], now_ms: Date.now() });
  const service = await openService({
    settings: chosen,
    data_dir,
    networks: [enabled],
    surfaces: false,
    indexing: true,
    once: false,
    log: silentLog,
    examples: {},
  });
  closers.push(() => service.close());
  await caughtUp(service);
  const stop = new AbortController();
  const chain = await openChain(enabled.network, { rpc: enabled.rpc, log: silentLog }, stop.signal);
  closers.push(async () => {
    stop.abort();
    await chain.close();
  });
  const own = { own_origins: site.own_origins, readStoredRules: service.accounts.risk_rules.list };
  const operator = operatorOf(chosen, { networks: [enabled], ...own });
  const contextFor = contexts({ facts: service.facts, chains: [chain], operator });
  const place: CallTarget = { chains: [chain], contextFor, now_ms: Date.now() };
  return { place, service, facts_dir: join(data_dir, "facts"), added: await addOnce(service, size) };
};

/** Opens the demo world with `size` further transfers. Close it: it has processes and, without `data`, a folder. */
export const openBlownUp = async (size: Size): Promise<BlownUp> => {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    return { ...(await openEnlarged(size, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
};
