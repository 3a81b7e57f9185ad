import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AccountsStore } from "../accounts/open.ts";
import { networkFromConfig } from "../chains/networks/from_config.ts";
import type { Settings } from "../config/settings.ts";
import { evmActors } from "../demo/actors.ts";
import { CHARACTERS } from "../demo/evm/characters.ts";
import { catchUp, heartbeat } from "../demo/evm/live.ts";
import { type DemoSite, startSite } from "../demo/evm/site.ts";
import type { EvmWorld } from "../demo/evm/world.ts";
import { hex } from "../lib/bytes.ts";
import type { FactsStore } from "../store/open.ts";
import { queryRows } from "../store/query.ts";
import type { EnabledNetwork } from "../wiring/enabled_network.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import type { BegunDemo, DemoLocation } from "./demo_begin.ts";
import { DEMO_NETWORKS, type DemoChain, ofSolana, ofTron, POLL_MS, V2_FEE_PPM } from "./demo_chains.ts";
import { DEMO_LISTS, importDemoLists } from "./demo_lists.ts";

/** Sources of the contracts that the demo world deploys. */
const CONTRACTS = fileURLToPath(new URL("../../contracts", import.meta.url));

/** The demo world's network as this instance enables it. */
export const demoNetwork = (world: EvmWorld): EnabledNetwork => ({
  network: networkFromConfig({ id: "demo", ...world.network }),
  rpc: [world.url],
  from_block: 0,
  to_block: null,
  poll_ms: POLL_MS,
  venues: world.network.venues.map(({ name, family, factory }) => ({
    venue: name,
    family,
    factory,
    network: "demo",
    fee_ppm: family === "uniswap_v2" ? V2_FEE_PPM : null,
  })),
  openings: "read",
  project: CONTRACTS,
});

export interface Demo {
  readonly chains: readonly DemoChain[];
  /** Has a payment in a new block of the EVM chain every minute, until the signal or the end of the chain. */
  readonly beat: (signal: AbortSignal) => Promise<void>;
  /** The world's own web site, which its tools may ask. */
  readonly site: DemoSite;
  /** Keeps the engine running between the look at the old facts and the service; close it after the service is open. */
  readonly facts: FactsStore;
}

const ofEvm = (world: EvmWorld): DemoChain => ({
  enabled: demoNetwork(world),
  cast: evmActors(),
  head: { number: world.head.number, hash: hex(world.head.hash.slice(2)) },
  blockHash: async (number) => {
    // A block header of the JSON-RPC specification, or null.
    const block = (await world.rpc.call("eth_getBlockByNumber", `0x${number.toString(16)}`, false)) as {
      hash: string;
    } | null;
    return block === null ? null : hex(block.hash.slice(2));
  },
  gone: world.gone,
  stop: world.stop,
});

interface DemoChains {
  /** The EVM chain's own world, which a visitor can send transactions to. */
  readonly world: EvmWorld;
  readonly all: readonly DemoChain[];
}

/** Builds the other two chains, and waits for all. The packages that make them are no part of a service's own. */
const startDemoChains = async ({ t0, evm: world }: BegunDemo): Promise<DemoChains> => {
  const started = await Promise.allSettled([
    world,
    import("../demo/tron/world.ts").then(({ startTronDemo }) => startTronDemo(t0)),
    import("../demo/solana/world.ts").then(({ startSolanaWorld }) => startSolanaWorld(t0)),
  ]);
  const [evm, onTron, onSolana] = started;
  if (evm.status === "fulfilled" && onTron.status === "fulfilled" && onSolana.status === "fulfilled")
    return { world: evm.value, all: [ofEvm(evm.value), ofSolana(onSolana.value), ofTron(onTron.value)] };
  await Promise.all(started.map((one) => (one.status === "fulfilled" ? one.value.stop() : undefined)));
  throw started.find((one) => one.status === "rejected")?.reason;
};

/** True when a stored final block is not on the rebuilt chain (a visitor's own blocks had become final). */
const isVoid = async (facts: FactsStore, { enabled, blockHash }: DemoChain): Promise<boolean> => {
  const rows = await queryRows(facts.engine, "segments", { network: enabled.network.id });
  for (const { to_block, to_hash } of rows) {
    if ((await blockHash(to_block)) !== to_hash) return true;
  }
  return false;
};

const dropFacts = ({ engine }: FactsStore): Promise<void> =>
  engine.command(`DROP DATABASE IF EXISTS ${engine.database} SYNC`);

/** Imports the demo's lists. Opens the facts for it: their tables may have just been dropped. */
const importLists = async (settings: Settings, { data_dir, now }: DemoLocation): Promise<void> => {
  const lists = await openFactsOnly(settings, data_dir);
  try {
    await importDemoLists(lists, { folder: DEMO_LISTS, networks: DEMO_NETWORKS, now_ms: now * 1000 });
  } finally {
    await lists.close();
  }
};

/** The facts, with the demo's lists. */
const openFactsOf = async (settings: Settings, at: DemoLocation, is_void: boolean): Promise<FactsStore> => {
  const facts = await openFactsOnly(settings, at.data_dir);
  if (is_void) await dropFacts(facts);
  await importLists(settings, at);
  return facts;
};

const BEAT_MS = 60_000;

const beatOf =
  ({ rpc }: EvmWorld): Demo["beat"] =>
  async (signal) => {
    // A chain that has ended takes no more payments; `gone` reports it.
    await heartbeat({ rpc, interval_ms: BEAT_MS, signal }).catch(() => undefined);
  };

/** Builds the demo's chains and, meanwhile, imports their lists. Facts of an older chain are dropped, accounts never. */
export const openDemo = async (settings: Settings, begun: BegunDemo): Promise<Demo> => {
  const { moved, now } = begun;
  const [opened, chains] = await Promise.allSettled([openFactsOf(settings, begun, moved), startDemoChains(begun)]);
  try {
    if (chains.status === "rejected") throw chains.reason;
    if (opened.status === "rejected") throw opened.reason;
    const { world, all } = chains.value;
    const facts = opened.value;
    const voids = moved ? [] : await Promise.all(all.map((chain) => isVoid(facts, chain)));
    if (voids.includes(true)) {
      await dropFacts(facts);
      await importLists(settings, begun);
    }
    await catchUp(world.rpc, now);
    return { chains: all, beat: beatOf(world), site: await startSite(), facts };
  } catch (error) {
    if (opened.status === "fulfilled") await opened.value.close();
    if (chains.status === "fulfilled") await Promise.all(chains.value.all.map(({ stop }) => stop()));
    throw error;
  }
};

/** The token of a set-up link for the demo's own account; null after the account was set up. */
export const demoLink = async ({
  accounts,
  users,
}: Pick<AccountsStore, "accounts" | "users">): Promise<string | null> => {
  const account = (await accounts.list()).findLast(({ name }) => name === "demo");
  if (account === undefined) return null;
  const present = (await users.list()).filter(({ name, state }) => name === "demo" && state !== "removed");
  if (present.some(({ state, account_id }) => state === "active" || account_id !== account.id)) return null;
  const { token } = await users.link({ name: "demo", account_id: account.id, is_operator: true, role: "owner" });
  return token;
};

/** The account `demo` watches nina from the start: she pays the exchange every minute. */
const watchPayer = ({ watch }: AccountsStore, by: { readonly account_id: string; readonly key_id: string }) =>
  watch.rules("process").create(by, {
    ...{ network: "demo", subject_kind: "address", subject: hex(CHARACTERS.nina.address.slice(2).toLowerCase()) },
    ...{ events: ["movement"], direction: "both", min_usd_micros: null, include_unpriced: true, categories: [] },
    ...{ note: "nina pays the exchange every minute", url: null },
  });

/** The demo's key: the kept one while it works, otherwise a new one for the account `demo`. */
export const demoKey = async (store: AccountsStore, data_dir: string, watches: boolean): Promise<string> => {
  const path = join(data_dir, "demo.key");
  if (existsSync(path)) {
    const kept = readFileSync(path, "utf8").trim();
    const known = await store.meter.authenticate(`Bearer ${kept}`, "api");
    if (known.kind === "caller") return kept;
  }
  const account = await store.accounts.create({ name: "demo", plan: "business" });
  const scopes = ["api:call", "mcp:call", ...(watches ? ["watch:manage"] : [])];
  const key = await store.keys.create({ account_id: account.id, scopes, limit: null });
  if (watches) await watchPayer(store, { account_id: account.id, key_id: key.id });
  writeFileSync(path, `${key.secret}\n`, { mode: 0o600 });
  chmodSync(path, 0o600);
  return key.secret;
};
