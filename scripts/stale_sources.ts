/** Compares the generated files that follow from sources alone; `npm run check` runs it without a build. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CODE, KNOWLEDGE, MODULES, PAGES, ROOT, staleFiles, textOf } from "./generated.ts";

/** Compiling takes twenty seconds, so it is skipped while neither a source, the compiler nor a compiled file has changed. */
const STAMP = "node_modules/.cache/assay/modules.sha256";

const COMPILER = ["scripts/gen_modules.ts", "node_modules/assemblyscript/package.json"];

/** A hash of everything that compiled modules follow from, and of the modules. */
const hashOfModules = (root: string, modules: readonly string[]): string => {
  const sources = readdirSync(join(root, "assembly"), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".ts") || path.endsWith(".json"))
    .map((path) => join("assembly", path));
  const hash = createHash("sha256");
  for (const path of [...sources, ...COMPILER, ...modules].sort())
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update("\0");
  return hash.digest("hex");
};

/** Paths of the committed compiled modules. */
const modulePaths = (root: string): readonly string[] =>
  readdirSync(join(root, "src/chains"), { recursive: true, encoding: "utf8" })
    .filter((path) => /\/(module|signers)\.gen\.ts$/.test(path))
    .map((path) => join("src/chains", path));

const staleModules = async (root: string): Promise<readonly string[]> => {
  const stamp = join(root, STAMP);
  const hash = hashOfModules(root, modulePaths(root));
  if (textOf(stamp) === hash) return [];
  const faults = await staleFiles(MODULES, { root });
  if (faults.length > 0) return faults;
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, hash);
  return [];
};

export const staleSources = async (): Promise<readonly string[]> => [
  ...(await staleFiles([...KNOWLEDGE, ...CODE, ...PAGES], { root: ROOT })),
  ...(await staleModules(ROOT)),
];
