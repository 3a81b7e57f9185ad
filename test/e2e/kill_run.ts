import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { settings } from "../../src/config/settings.ts";
import { isSound, verifyNetwork } from "../../src/store/verify/index.ts";
import { openFactsOnly } from "../../src/wiring/stores.ts";
import { factsHash } from "../facts_hash.ts";
import { ended, indexBlocks, indexOnce, processesOf, sleep } from "./indexer_process.ts";

/** Networks that are indexed and killed together. */
export interface KillScenario {
  /** Writes a configuration into the folder, with the data in `data`; returns its path. */
  readonly writeConfig: (folder: string) => Promise<string>;
  /** Newest block by network. */
  readonly heads: () => Readonly<Record<string, number>>;
}

export type Hashes = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface KillCount {
  readonly kills: number;
  /** Number of kills that hit an engine. */
  readonly engines: number;
  readonly stores: number;
  /** Tables that differ from those of a clean index, with their contents. */
  readonly differences: readonly string[];
}

/** Kills of one store before it may finish and is compared. */
const KILLS_PER_STORE = 10;
/** Kills are spread up to this multiple of a clean run's time, since a killed store has more work. More kills come sooner. */
const LATEST = 1.3;

const hashesOf = async (
  { heads }: KillScenario,
  folder: string,
): Promise<{ hashes: Hashes; unsound: readonly string[] }> => {
  const store = await openFactsOnly(settings.parse({}), join(folder, "data"));
  try {
    const hashes: Record<string, Record<string, string>> = {};
    const unsound: string[] = [];
    for (const [network, head] of Object.entries(heads())) {
      const { final_block, block } = await store.facts.snapshot(network, null);
      if (block.number !== head) throw new Error(`${network} is at ${block.number}, its node at ${head}`);
      hashes[network] = await factsHash(store.engine, network, final_block);
      const verified = await verifyNetwork(store.engine, network, { signal: new AbortController().signal });
      if (!isSound(verified)) unsound.push(`${network}: ${JSON.stringify(verified)}`);
    }
    return { hashes, unsound };
  } finally {
    await store.close();
  }
};

const withFolder = async <T>(run: (folder: string) => Promise<T>): Promise<T> => {
  const folder = await mkdtemp(join(tmpdir(), "assay-kills-"));
  try {
    return await run(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
};

/** Facts of an undisturbed index, and its duration. */
export const cleanRun = (stage: KillScenario): Promise<{ hashes: Hashes; took_ms: number }> =>
  withFolder(async (folder) => {
    const config = await stage.writeConfig(folder);
    const began = performance.now();
    const { code, said } = await indexOnce(config);
    if (code !== 0) throw new Error(`the undisturbed indexer ended with ${code}: ${said}`);
    const took_ms = performance.now() - began;
    const { hashes, unsound } = await hashesOf(stage, folder);
    if (unsound.length > 0) throw new Error(`an undisturbed index is not sound: ${unsound.join("; ")}`);
    return { hashes, took_ms };
  });

/**
 * Starts an indexer, and others beside it, and kills it, its engine, or both in either order; the others continue for a while. Returns the
 * engines that were killed.
 */
const killOnce = async (
  folder: string,
  config: string,
  { after_ms, kind, beside }: { after_ms: number; kind: number; beside: number },
) => {
  const child = indexBlocks(config, []);
  const others = Array.from({ length: beside }, () => indexBlocks(config, []));
  await sleep(after_ms);
  if (kind === 0 || kind === 1) child.kill("SIGKILL");
  const own = [child, ...others].map(({ pid }) => pid);
  const engines = kind === 0 ? [] : processesOf(folder).filter((pid) => !own.includes(pid));
  for (const pid of engines) process.kill(pid, "SIGKILL");
  // An indexer that outlives its engine continues with a new one for a while.
  if (kind === 2) await sleep(after_ms / 4);
  child.kill("SIGKILL");
  if (beside > 0) await sleep(after_ms / 2);
  for (const other of others) other.kill("SIGKILL");
  await Promise.all([child, ...others].map(ended));
  return engines.length;
};

/** Kills at random moments of `random` (0 to 1), store after store, and compares each with the clean index. */
export const killRun = async (
  stage: KillScenario,
  clean: { readonly hashes: Hashes; readonly took_ms: number },
  how: {
    readonly kills: number;
    /** Kills of one store before it may finish and is compared; 10 by default. */
    readonly per_store?: number;
    /** Indexers that help the one that is killed; none by default. */
    readonly beside?: number;
    readonly random: () => number;
    readonly onStore?: (count: KillCount) => void;
  },
): Promise<KillCount> => {
  const { per_store = KILLS_PER_STORE, beside = 0 } = how;
  const latest_ms = (LATEST * clean.took_ms * KILLS_PER_STORE) / per_store;
  let [kills, engines, stores] = [0, 0, 0];
  const differences: string[] = [];
  while (kills < how.kills) {
    const planned = Math.min(per_store, how.kills - kills);
    await withFolder(async (folder) => {
      const config = await stage.writeConfig(folder);
      for (let at = 0; at < planned; at += 1) {
        const after_ms = how.random() * latest_ms;
        engines += await killOnce(folder, config, { after_ms, kind: Math.floor(how.random() * 4), beside });
        kills += 1;
      }
      const last = Array.from({ length: 1 + beside }, () => indexOnce(config));
      for (const { code, said } of await Promise.all(last))
        if (code !== 0) differences.push(`store ${stores}: the last indexer ended with ${code}: ${said}`);
      const { hashes, unsound } = await hashesOf(stage, folder);
      differences.push(...unsound.map((text) => `store ${stores}: ${text}`));
      for (const [network, tables] of Object.entries(clean.hashes))
        for (const [table, hash] of Object.entries(tables)) {
          const found = hashes[network]?.[table];
          if (found !== hash) differences.push(`store ${stores}: ${network} ${table}: ${found} instead of ${hash}`);
        }
      // The engine ends with its last handle.
      for (let tries = 0; tries < 200 && processesOf(folder).length > 0; tries += 1) await sleep(50);
    });
    stores += 1;
    how.onStore?.({ kills, engines, stores, differences });
  }
  return { kills, engines, stores, differences };
};
