import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { demoNetwork } from "../src/commands/demo.ts";
import { startWorld } from "../src/demo/evm/world.ts";
import { toJson } from "../src/surfaces/json.ts";
import { tools } from "../src/tools/index.ts";
import type { Workshop } from "./gen.ts";
import { onDemos, T0 } from "./on_demos.ts";

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
  try {
    return await onDemos({ root, networks: [demoNetwork(world)] }, async (service) => {
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
    });
  } finally {
    await world.stop();
  }
};
