import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO_LISTS, importDemoLists } from "../src/commands/demo_lists.ts";
import { settings } from "../src/config/settings.ts";
import { startSite } from "../src/demo/evm/site.ts";
import { silentLog } from "../src/lib/log.ts";
import { openService, type RunningService } from "../src/main.ts";
import { currentLists } from "../src/store/lists.ts";
import type { FactsStore } from "../src/store/open.ts";
import { toJson } from "../src/surfaces/http/json.ts";
import type { EnabledNetwork } from "../src/wiring/enabled_network.ts";
import { openFactsOnly } from "../src/wiring/stores.ts";

/** A fixed midnight, so that the shown answers do not change from day to day. */
export const T0 = Date.UTC(2026, 7, 1) / 1000;
const PATIENCE_MS = 120_000;
/** Lists of this age are not stale anywhere: the shown answers must not depend on the day of generation. */
const AGE_MAX_HOURS = 87_600;
const IMPORTED_AT = T0 + 90 * 86_400;

const caughtUp = async (service: RunningService): Promise<void> => {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const states = Object.values((await service.status()).networks);
    if (states.every(({ state, lag_blocks }) => state === "following" && lag_blocks === 0)) return;
    if (Date.now() > until) throw new Error(`the demo worlds were not indexed: ${JSON.stringify(states)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/** The demo networks that answer the examples, and their index. */
export interface DemoNetworks {
  readonly networks: readonly EnabledNetwork[];
  /** A data folder with an index of these networks; without it, they are indexed into a temporary folder. */
  readonly index?: string;
}

/** Writes an answer as text, with the time of every import of a list replaced by the one that the pages show. */
export type WriteText = (answer: unknown) => string;

const toSecond = (ms: number): string => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

const textWriter = async (lists: FactsStore): Promise<WriteText> => {
  const times = new Set((await currentLists(lists)).map(({ imported_at_ms }) => toSecond(imported_at_ms)));
  return (answer) =>
    [...times].reduce((text, time) => text.replaceAll(time, toSecond(IMPORTED_AT * 1000)), toJson(answer));
};

/** Serves demo worlds, runs `ask` on them, and removes everything that it created. */
export const onDemos = async <T>(
  { networks, index }: DemoNetworks,
  ask: (service: RunningService, write: WriteText) => Promise<T>,
): Promise<T> => {
  const site = await startSite();
  const data_dir = index ?? (await mkdtemp(join(tmpdir(), "assay-examples-")));
  try {
    const own = settings.parse({ listen: "127.0.0.1:0", sanctions_max_age_hours: AGE_MAX_HOURS });
    const lists = await openFactsOnly(own, data_dir);
    const known = networks.map(({ network }) => network);
    if (index === undefined)
      await importDemoLists(lists, { folder: DEMO_LISTS, networks: known, now_ms: IMPORTED_AT * 1000 });
    const write = await textWriter(lists);
    const service = await openService({
      settings: own,
      data_dir,
      networks: networks.map((enabled) => ({ ...enabled, poll_ms: 50 })),
      surfaces: false,
      indexing: true,
      once: false,
      log: silentLog,
      examples: {},
      own_origins: site.own_origins,
    });
    try {
      await caughtUp(service);
      return await ask(service, write);
    } finally {
      await service.close();
      await lists.close();
    }
  } finally {
    await site.close();
    if (index === undefined) await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
};
