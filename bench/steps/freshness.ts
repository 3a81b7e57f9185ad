/**
 * P4: from the moment a node has a new mainnet-shaped block (200 transactions, some 450 logs) until an answer over HTTP
 * shows a transaction of it. The indexer polls the node's head every 5 ms, so that the pause between two polls, which
 * is a setting (poll_ms), barely counts.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { settings } from "../../src/config/settings.ts";
import { silentLog } from "../../src/lib/log.ts";
import { openService, type RunningService } from "../../src/main.ts";
import { type EnabledNetwork, enabledNetwork } from "../../src/wiring/enabled_network.ts";
import { median } from "../figures.ts";
import { answerState } from "../replay/contracts.ts";
import { type ReplayBlock, type ReplayServer, startReplay } from "../replay/server.ts";
import { syntheticBlocks } from "../replay/synthetic.ts";
import { type ReportRow, row } from "./row.ts";

const POLL_MS = 5;
const HISTORY_BLOCKS = 70;
const ANSWER_MS_MAX = 30_000;

const keyFor = async ({ accounts }: RunningService): Promise<string> => {
  const account = await accounts.accounts.create({ name: "bench", plan: "business" });
  return (await accounts.keys.create({ account_id: account.id, scopes: ["api:call"], limit: null })).secret;
};

interface FreshnessCaller {
  readonly service: RunningService;
  readonly key: string;
}

/** Requests the newest transactions of the block's last sender until the last transaction is among them. */
const untilListed = async ({ service, key }: FreshnessCaller, block: ReplayBlock): Promise<void> => {
  // Transactions of generated blocks are whole ones.
  const last = block.block.transactions.at(-1) as { hash: string; from: string } | undefined;
  if (last === undefined) throw new Error("a block without transactions shows nothing");
  const deadline = performance.now() + ANSWER_MS_MAX;
  // The indexer's own memory: polling the store would be most of the store's work meanwhile.
  while (service.progress().ethereum?.indexed !== Number(block.block.number)) {
    if (performance.now() > deadline) throw new Error(`block ${block.block.number} was not indexed`);
    await sleep(1);
  }
  const answer = await fetch(`${service.url}/api/tools/get_wallet_transactions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ address: last.from, network: "ethereum" }),
  });
  const text = await answer.text();
  if (!text.toLowerCase().includes(last.hash))
    throw new Error(
      `block ${block.block.number} is held and the answer does not show ${last.hash}: ${text.slice(0, 400)}`,
    );
};

const caughtUp = async (service: RunningService, number: number): Promise<void> => {
  while ((await service.status()).networks.ethereum?.indexed !== number) await sleep(20);
};

/** Milliseconds until each of these new blocks was shown, with a pause of `pause_ms` before the next one. */
const run = async (
  blocks: readonly ReplayBlock[],
  [asking, replay]: readonly [FreshnessCaller, ReplayServer],
  pause_ms: number,
): Promise<readonly number[]> => {
  const waits_ms: number[] = [];
  for (const block of blocks) {
    const begun = performance.now();
    replay.setHead(Number(block.block.number));
    await untilListed(asking, block);
    waits_ms.push(performance.now() - begun);
    await sleep(pause_ms);
  }
  return waits_ms;
};

const GOAL_MS = 300;
/**
 * The pace of chains with such blocks is 2 to 12 s. One after the other, the remaining work of a block meets the next
 * one.
 */
const PACES = [
  { pace: "2 s apart", pause_ms: 2_000 },
  { pace: "one after the other", pause_ms: 100 },
] as const;

export const freshness = async ({
  folder,
  blocks: count,
}: {
  folder: string;
  blocks: number;
}): Promise<readonly ReportRow[]> => {
  const all = HISTORY_BLOCKS + count * PACES.length;
  const blocks = syntheticBlocks({ shape: "mainnet", count: all, with_traces: true });
  const from_block = Number(blocks[0]?.block.number);
  const head = from_block + HISTORY_BLOCKS - 1;
  const replay = await startReplay({ blocks, chain_id: 1, head, state: answerState(blocks) });
  try {
    return await withService(replay, { data_dir: join(folder, "fresh"), from_block }, async (service) => {
      await caughtUp(service, head);
      const asking = { service, key: await keyFor(service) };
      const rows: ReportRow[] = [];
      for (const [nth, { pace, pause_ms }] of PACES.entries()) {
        const first = HISTORY_BLOCKS + nth * count;
        const waits_ms = await run(blocks.slice(first, first + count), [asking, replay], pause_ms);
        const p50 = median(waits_ms);
        const p90 = waits_ms.toSorted((a, b) => a - b)[Math.floor(waits_ms.length * 0.9)] ?? Number.NaN;
        const what = `${count} new blocks ${pace}, from the node's having one to the end of an answer that shows it`;
        const found = `p50 ${p50.toFixed(0)} ms, p90 ${p90.toFixed(0)} ms`;
        rows.push(row({ name: "P4", what, found, goal: `p50 < ${GOAL_MS} ms`, is_met: p50 < GOAL_MS }));
      }
      return rows;
    });
  } finally {
    await replay.close();
  }
};

interface FreshnessStore {
  readonly data_dir: string;
  readonly from_block: number;
}

const withService = async <T>(
  replay: ReplayServer,
  stored: FreshnessStore,
  use: (service: RunningService) => Promise<T>,
): Promise<T> => {
  const { data_dir, from_block } = stored;
  const given = settings.parse({
    listen: "127.0.0.1:0",
    networks: { ethereum: { rpc: [replay.url], from_block } },
  });
  const entry = given.networks.ethereum;
  if (entry === undefined) throw new Error("the settings have lost a network");
  const network: EnabledNetwork = { ...enabledNetwork("ethereum", entry), poll_ms: POLL_MS };
  const service = await openService({
    ...{ settings: given, data_dir, networks: [network], surfaces: true, indexing: true, once: false },
    ...{ log: silentLog, examples: {} },
  });
  try {
    return await use(service);
  } finally {
    await service.close();
  }
};
