// Writes the generated files. `npm run gen` does all of it: builds, --knowledge (tables of `knowledge/`), builds again, --store (what the
// compiler needs, in seconds), builds again, --docs (the rest). With --check it writes nothing and exits 1 when a file is stale. A new file is one entry of scripts/generated*.ts.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../src/lib/errors.ts";
import { CODE, type Generator, KNOWLEDGE, MODULES, PAGES, ROOT, textOf, type Workshop } from "./generated.ts";
import { DEMOS } from "./generated_demos.ts";
import { STORE, withTables } from "./generated_store.ts";

const is_check = process.argv.includes("--check");

let faults = 0;
const complain = (message: string): void => {
  faults += 1;
  process.stderr.write(`gen: ${message}\n`);
};

const put = (path: string, text: string): void => {
  const file = join(ROOT, path);
  if (text === textOf(file)) return;
  if (is_check) {
    complain(`${path} is stale: run 'npm run gen'`);
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  process.stderr.write(`gen: ${path}\n`);
};

const run = async <W extends Workshop>(generators: readonly Generator<W>[], workshop: W): Promise<void> => {
  for (const files of await Promise.all(generators.map((generate) => generate(workshop))))
    for (const { path, text } of files) put(path, text);
};

const workshop = { root: ROOT, complain };
const PARTS = {
  "--knowledge": () => run(KNOWLEDGE, workshop),
  "--store": async () => {
    await withTables((engine) => run(STORE, { ...workshop, engine }));
    await run(CODE, workshop);
  },
  "--docs": () => run([...MODULES, ...PAGES, ...DEMOS], workshop),
} as const;

const asked = Object.entries(PARTS).filter(([flag]) => process.argv.includes(flag));
const parts = asked.length === 0 ? Object.entries(PARTS) : asked;

const runAll = async (): Promise<void> => {
  for (const [, part] of parts) await part();
};

runAll().then(
  () => {
    process.exitCode = faults === 0 ? 0 : 1;
  },
  (error: unknown) => {
    process.stderr.write(`gen: ${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
