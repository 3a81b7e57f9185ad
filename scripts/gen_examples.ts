import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NETWORKS } from "../src/chains/networks/index.ts";
import { demoNetwork } from "../src/commands/demo.ts";
import type { EvmWorld } from "../src/demo/evm/world.ts";
import type { Outcome } from "../src/lib/outcome.ts";
import { generateDocs } from "../src/surfaces/generated_docs/pages.ts";
import { tools } from "../src/tools/index.ts";
import type { AnyTool } from "../src/tools/tool.ts";
import type { Workshop } from "./generated.ts";
import { onDemos } from "./on_demos.ts";

/** Copies the value at `path` (`a.b[].c`) from the previous answer, because it may differ between two runs at one block. */
const keepExample = (answer: unknown, before: unknown, path: readonly string[]): void => {
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
    for (const [i, one] of inner.entries()) keepExample(one, shown[i], rest);
  } else keepExample(inner, shown, rest);
};

/** A tool's answer as its page and the OpenAPI document show it. */
interface Example {
  readonly name: string;
  readonly path: string;
  readonly text: string;
  readonly answer: unknown;
}

/**
 * A tool's example to show. An example without data is a fault of the tool, and the previous answer stays; null without
 * a previous one.
 */
export const exampleOf = (
  { root, complain }: Pick<Workshop, "root" | "complain">,
  { name, live_fields = [] }: Pick<AnyTool, "name" | "live_fields">,
  outcome: Outcome<string>,
): Example | null => {
  const path = `docs/examples/${name}.json`;
  const shown = existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : null;
  const before: unknown = shown === null ? null : JSON.parse(shown);
  if (outcome.kind !== "data") {
    complain(`${name}: the example answers ${outcome.kind === "error" ? outcome.message : outcome.kind}`);
    return shown === null ? null : { name, path, text: shown, answer: before };
  }
  const answer: unknown = JSON.parse(outcome.data);
  for (const field of live_fields) keepExample(answer, before, field.split("."));
  return { name, path, text: `${JSON.stringify(answer, null, 2)}\n`, answer };
};

/** The pages of docs/ to write. A tool's page without an example never replaces an existing page. */
export const pagesWith = (root: string, examples: readonly Example[]): readonly { path: string; text: string }[] => {
  const answers = Object.fromEntries(examples.map(({ name, answer }) => [name, answer]));
  const bare = new Set(tools.filter(({ name }) => !(name in answers)).map(({ name }) => `docs/tools/${name}.md`));
  const pages = generateDocs({ networks: NETWORKS, examples: answers });
  return pages.filter(({ path }) => !bare.has(path) || !existsSync(join(root, path)));
};

/** A running EVM demo world, and its index if one exists. */
export interface DemoWorld {
  readonly world: EvmWorld;
  readonly index?: string;
}

/** Runs every tool's example on the demo world. */
export const writeExamples = (workshop: Workshop, { world, ...index }: DemoWorld): Promise<readonly Example[]> =>
  onDemos({ ...index, networks: [demoNetwork(world)] }, async (service, write) => {
    const examples: Example[] = [];
    for (const tool of tools) {
      const outcome = await service.tryTool(tool);
      const example = exampleOf(
        workshop,
        tool,
        outcome.kind === "data" ? { ...outcome, data: write(outcome.data) } : outcome,
      );
      if (example !== null) examples.push(example);
    }
    return examples;
  });
