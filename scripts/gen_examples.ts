import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoNetwork } from "../src/commands/demo.ts";
import { DEMO_LISTS, importDemoLists } from "../src/commands/demo_lists.ts";
import { settings } from "../src/config.ts";
import { silentLog } from "../src/lib/log.ts";
import { openFactsOnly, openService, type Service } from "../src/main.ts";
import { toJson } from "../src/surfaces/json.ts";
import { tools } from "../src/tools/index.ts";
import { startSite } from "../test/world/site.ts";
import { startWorld } from "../test/world/world.ts";
import type { Workshop } from "./gen.ts";

/** A midnight that never moves, so that the shown answers do not change by themselves. */
const T0 = Date.UTC(2026, 7, 1) / 1000;
const PATIENCE_MS = 120_000;

const caughtUp = async (service: Service): Promise<void> => {
  const until = Date.now() + PATIENCE_MS;
  for (;;) {
    const states = Object.values((await service.status()).networks);
    if (states.every(({ state, lag_blocks }) => state === "following" && lag_blocks === 0)) return;
    if (Date.now() > until) throw new Error(`the demo world was not indexed: ${JSON.stringify(states)}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
};

/** Lists as old as this are stale nowhere: what is shown must not depend on the day of the making. */
const AGE_MAX_HOURS = 87_600;
const IMPORTED_AT = T0 + 90 * 86_400;

/** Copies what stands at `path` (`a.b[].c`) of the answer shown before: it may differ between two runs at one block. */
const keepShown = (answer: unknown, before: unknown, path: readonly string[]): void => {
  const [step, ...rest] = path;
  if (step === undefined || typeof answer !== "object" || answer === null) return;
  if (typeof before !== "object" || before === null) return;
  const name = step.replace(/\[\]$/, "");
  // Both are objects, read and written by name.
  const [now, then] = [answer as Record<string, unknown>, before as Record<string, unknown>];
  if (!(name in now) || !(name in then)) return;
  const [inner, shown] = [now[name], then[name]];
  if (rest.length === 0) now[name] = shown;
  else if (Array.isArray(inner) && Array.isArray(shown)) {
    for (const [i, one] of inner.entries()) keepShown(one, shown[i], rest);
  } else keepShown(inner, shown, rest);
};

/** Runs every tool's example on the demo world. An example that does not answer with data is a fault of the tool. */
export const writeExamples = async ({
  complain,
  root,
}: Workshop): Promise<{ path: string; text: string; answer: unknown }[]> => {
  const world = await startWorld({ placement: "demo", t0: T0 });
  const site = await startSite();
  const data_dir = await mkdtemp(join(tmpdir(), "assay-examples-"));
  try {
    const own = settings.parse({ listen: "127.0.0.1:0", sanctions_max_age_hours: AGE_MAX_HOURS });
    const lists = await openFactsOnly(own, data_dir);
    await importDemoLists(lists, {
      folder: join(root, DEMO_LISTS),
      networks: [demoNetwork(world).network],
      now_ms: IMPORTED_AT * 1000,
    });
    const service = await openService({
      settings: own,
      data_dir,
      networks: [{ ...demoNetwork(world), poll_ms: 50 }],
      surfaces: false,
      indexing: true,
      once: false,
      log: silentLog,
      examples: {},
      own_origins: site.own_origins,
    });
    try {
      await caughtUp(service);
      const files: { path: string; text: string; answer: unknown }[] = [];
      for (const tool of tools) {
        const outcome = await service.tryTool(tool);
        if (outcome.kind !== "data") {
          complain(`${tool.name}: the example answers ${outcome.kind === "error" ? outcome.message : outcome.kind}`);
          continue;
        }
        const answer: unknown = JSON.parse(toJson(outcome.data));
        const path = `docs/examples/${tool.name}.json`;
        const before = existsSync(join(root, path)) ? JSON.parse(readFileSync(join(root, path), "utf8")) : null;
        for (const field of tool.live_fields ?? []) keepShown(answer, before, field.split("."));
        files.push({ path, text: `${JSON.stringify(answer, null, 2)}\n`, answer });
      }
      return files;
    } finally {
      await service.close();
      await lists.close();
    }
  } finally {
    await site.close();
    await world.stop();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
};
