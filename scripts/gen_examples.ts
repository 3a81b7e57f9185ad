import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { demoNetwork } from "../src/commands/demo.ts";
import { settings } from "../src/config.ts";
import { silentLog } from "../src/lib/log.ts";
import { openService, type Service } from "../src/main.ts";
import { toJson } from "../src/surfaces/json.ts";
import { tools } from "../src/tools/index.ts";
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

/** Runs every tool's example on the demo world. An example that does not answer with data is a fault of the tool. */
export const writeExamples = async ({
  complain,
}: Workshop): Promise<{ path: string; text: string; answer: unknown }[]> => {
  const world = await startWorld({ placement: "demo", t0: T0 });
  const data_dir = await mkdtemp(join(tmpdir(), "assay-examples-"));
  try {
    const service = await openService({
      settings: settings.parse({ listen: "127.0.0.1:0" }),
      data_dir,
      networks: [{ ...demoNetwork(world), poll_ms: 50 }],
      surfaces: false,
      indexing: true,
      once: false,
      log: silentLog,
      examples: {},
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
        files.push({ path: `docs/examples/${tool.name}.json`, text: `${JSON.stringify(answer, null, 2)}\n`, answer });
      }
      return files;
    } finally {
      await service.close();
    }
  } finally {
    await world.stop();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
};
