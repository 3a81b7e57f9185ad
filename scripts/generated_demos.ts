/** Generated files that show answers of the demo worlds: examples, the pages of the tools, the OpenAPI document, docs/demo.md. */
import { join } from "node:path";
import { startWorld } from "../src/demo/evm/world.ts";
import { startSolanaWorld } from "../src/demo/solana/world.ts";
import { startTronDemo } from "../src/demo/tron/world.ts";
import { tools } from "../src/tools/index.ts";
import { type FamilyWorlds, writeDemoPage } from "./gen_demo_page.ts";
import { type DemoWorld, pagesWith, writeExamples } from "./gen_examples.ts";
import { fileOf, type Generator, textOf } from "./generated.ts";
import { T0 } from "./on_demos.ts";

/** Answers of the tools on the EVM demo world, and the pages that show them. */
export const examplesOf =
  (demo: DemoWorld): Generator =>
  async (workshop) => {
    const examples = await writeExamples(workshop, demo);
    const block = tools.map(
      ({ name, title, credits }) => `| ${credits} | [${name}](docs/tools/${name}.md) | ${title} |`,
    );
    const list = `<!-- tools -->\n| Credits | Tool | What it is |\n|---|---|---|\n${block.join("\n")}\n<!-- /tools -->`;
    const readme = textOf(join(workshop.root, "README.md"));
    return [
      ...examples.map(({ path, text }) => ({ path, text })),
      ...pagesWith(workshop.root, examples),
      { path: "README.md", text: readme.replace(/<!-- tools -->[\s\S]*<!-- \/tools -->/, () => list) },
    ];
  };

/** docs/demo.md, from the demo worlds of Solana and Tron. */
export const demoPageOf = (worlds: FamilyWorlds): Generator => fileOf("docs/demo.md", () => writeDemoPage(worlds));

const onOwnWorld: Generator = async (workshop) => {
  const world = await startWorld({ placement: "demo", t0: T0 });
  try {
    return await examplesOf({ world })(workshop);
  } finally {
    await world.stop();
  }
};

const onOwnFamilies: Generator = async (workshop) => {
  const [solana, tron] = await Promise.all([startSolanaWorld(T0), startTronDemo(T0)]);
  try {
    return await demoPageOf({ solana, tron })(workshop);
  } finally {
    await Promise.all([solana.stop(), tron.stop()]);
  }
};

/** Both, each on worlds of its own. */
export const DEMOS: readonly Generator[] = [onOwnWorld, onOwnFamilies];
