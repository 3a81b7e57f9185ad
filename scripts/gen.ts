// Writes what is generated. `npm run gen` does all of it: builds, --store (what the compiler needs: types of questions and
// tables, in seconds), builds again, --docs (the rest). With --check it writes nothing and exits 1 when a file is stale. A new
// output is one entry of STORE or DOCS.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { messageOf } from "../src/lib/errors.ts";
import { type Engine, openEngine } from "../src/store/engine.ts";
import { dumpSchema, migrate } from "../src/store/migrate.ts";
import { tools } from "../src/tools/index.ts";
import { writeConfigurationPage, writeConfigurationSchema } from "./gen_configuration.ts";
import { writeDemoPage } from "./gen_demo_page.ts";
import { pagesWith, writeExamples } from "./gen_examples.ts";
import { writeNetworks } from "./gen_networks.ts";
import { writeProtocolsPage } from "./gen_protocols.ts";
import { writeQueries } from "./gen_queries.ts";
import { writeTables } from "./gen_tables.ts";
import { writeVerifyModule } from "./gen_verify_module.ts";

/** What a generator may use: the root of the project, and an empty store with all tables. */
export interface Workshop {
  readonly root: string;
  readonly engine: Engine;
  /** Remembers a fault of one source; the other files are written all the same. */
  readonly complain: (message: string) => void;
}

/** A file to be written: its path below the root of the project, and its whole text. */
interface Generated {
  readonly path: string;
  readonly text: string;
}

type Generator = (workshop: Workshop) => Promise<readonly Generated[]>;

const one =
  (path: string, write: (workshop: Workshop) => Promise<string> | string): Generator =>
  async (workshop) => [{ path, text: await write(workshop) }];

/** The answers are made by really asking; the pages and the OpenAPI document show them. */
const writeDocs: Generator = async (workshop) => {
  const examples = await writeExamples(workshop);
  const pages = pagesWith(workshop.root, examples);
  const block = tools.map(({ name, title, credits }) => `| ${credits} | [${name}](docs/tools/${name}.md) | ${title} |`);
  const readme = readIfThere(join(workshop.root, "README.md"));
  const list = `<!-- tools -->\n| Credits | Tool | What it is |\n|---|---|---|\n${block.join("\n")}\n<!-- /tools -->`;
  return [
    ...examples.map(({ path, text }) => ({ path, text })),
    ...pages,
    { path: "README.md", text: readme.replace(/<!-- tools -->[\s\S]*<!-- \/tools -->/, () => list) },
  ];
};

/** Commands that need nothing of a tool but its price load this and no tool. */
const writeCredits = (): string => {
  const rows = tools.map(({ name, credits }) => `  { name: ${JSON.stringify(name)}, credits: ${credits} },\n`);
  return `// Written by \`npm run gen\` from the cards.\n\n/** Every tool and the price on its card. */\nexport const CREDITS: readonly { readonly name: string; readonly credits: number }[] = [\n${rows.join("")}];\n`;
};

/** What the compiler needs. */
const STORE: readonly Generator[] = [
  one("src/store/schema/schema.sql", ({ engine }) => dumpSchema(engine)),
  one("src/store/tables.gen.ts", ({ engine }) => writeTables(engine)),
  one("src/store/queries.gen.ts", writeQueries),
  one("src/chains/networks/list.gen.ts", writeNetworks),
  one("src/tools/credits.gen.ts", writeCredits),
];

const DOCS: readonly Generator[] = [
  one("src/chains/evm/verify/module.gen.ts", writeVerifyModule),
  one("docs/configuration.md", writeConfigurationPage),
  one("docs/configuration.schema.json", writeConfigurationSchema),
  one("docs/protocols.md", writeProtocolsPage),
  writeDocs,
  one("docs/demo.md", writeDemoPage),
];

const findRoot = (folder: string): string =>
  existsSync(join(folder, "package.json")) ? folder : findRoot(dirname(folder));

const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const run = async (generators: readonly Generator[], is_check: boolean): Promise<number> => {
  const root = findRoot(dirname(fileURLToPath(import.meta.url)));
  const data_dir = await mkdtemp(join(tmpdir(), "assay-gen-"));
  const engine = await openEngine({ engine: "embedded", data_dir });
  let faults = 0;
  const complain = (message: string): void => {
    faults += 1;
    process.stderr.write(`gen: ${message}\n`);
  };
  try {
    await migrate(engine);
    for (const made of await Promise.all(generators.map((generate) => generate({ root, engine, complain })))) {
      for (const { path, text } of made) {
        const file = join(root, path);
        if (text === readIfThere(file)) continue;
        if (is_check) complain(`${path} is stale: run 'npm run gen'`);
        else {
          mkdirSync(dirname(file), { recursive: true });
          writeFileSync(file, text);
          process.stderr.write(`gen: ${path}\n`);
        }
      }
    }
  } finally {
    await engine.close();
    await rm(data_dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }
  return faults === 0 ? 0 : 1;
};

const PARTS = { "--store": STORE, "--docs": DOCS } as const;
const asked = Object.entries(PARTS).filter(([flag]) => process.argv.includes(flag));
const generators = (asked.length === 0 ? Object.entries(PARTS) : asked).flatMap(([, part]) => part);

run(generators, process.argv.includes("--check")).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`gen: ${messageOf(error)}\n`);
    process.exitCode = 1;
  },
);
