import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEMO_LISTS, importDemoLists } from "../src/commands/demo_lists.ts";
import { settings } from "../src/config/settings.ts";
import { startSite } from "../src/demo/evm/site.ts";
import { silentLog } from "../src/lib/log.ts";
import { openService, type Service } from "../src/main.ts";
import type { EnabledNetwork } from "../src/wiring/enabled_network.ts";
import { openFactsOnly } from "../src/wiring/stores.ts";

/** A midnight that never moves, so that the shown answers do not change by themselves. */
export const T0 = Date.UTC(2026, 7, 1) / 1000;
const PATIENCE_MS = 120_000;
/** Lists as old as this are stale nowhere: what is shown must not depend on the day of the making. */
const AGE_MAX_HOURS = 87_600;
const IMPORTED_AT = T0 + 90 * 86_400;

const caughtUp = async (service: Service): Promise<void> => {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const states = Object.values((await service.status()).networks);
    if (states.every(({ state, lag_blocks }) => state === "following" && lag_blocks === 0)) return;
    if (Date.now() > until) throw new Error(`the demo worlds were not indexed: ${JSON.stringify(states)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/** Indexes demo worlds into stores of its own, asks, and takes everything away again. */
export const onDemos = async <T>(
  demos: { readonly root: string; readonly networks: readonly EnabledNetwork[] },
  ask: (service: Service) => Promise<T>,
): Promise<T> => {
  const site = await startSite();
  const data_dir = await mkdtemp(join(tmpdir(), "assay-examples-"));
  try {
    const own = settings.parse({ listen: "127.0.0.1:0", sanctions_max_age_hours: AGE_MAX_HOURS });
    const lists = await openFactsOnly(own, data_dir);
    const networks = demos.networks.map(({ network }) => network);
    await importDemoLists(lists, { folder: DEMO_LISTS, networks, now_ms: IMPORTED_AT * 1000 });
    const service = await openService({
      settings: own,
      data_dir,
      networks: demos.networks.map((enabled) => ({ ...enabled, poll_ms: 50 })),
      surfaces: false,
      indexing: true,
      once: false,
      log: silentLog,
      examples: {},
      own_origins: site.own_origins,
    });
    try {
      await caughtUp(service);
      return await ask(service);
    } finally {
      await service.close();
      await lists.close();
    }
  } finally {
    await site.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
};
