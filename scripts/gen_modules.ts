/**
 * Compiles `assembly/` to WebAssembly, the same bytes each time (three seconds a module), and writes them into source files:
 * so neither the build nor a test needs the compiler or a path.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** No checks inside: a trap is as good as one, and every write asks for room. No allocator but the one at start. */
const OPTIONS = [
  "-O3",
  "--noAssert",
  "--runtime",
  "stub",
  "--use",
  "abort=",
  "--enable",
  "simd",
  "--initialMemory",
  "64",
];
const LINE = 116;

interface Module {
  /** Below `assembly/`. */
  readonly entry: string;
  readonly constant: string;
}

export const writeModule = ({ entry, constant }: Module, root: string): string => {
  const compiler = createRequire(join(root, "package.json")).resolve("assemblyscript/bin/asc.js");
  const folder = mkdtempSync(join(tmpdir(), "assay-asc-"));
  try {
    const out = join(folder, "module.wasm");
    const args = [compiler, join("assembly", entry), ...OPTIONS, "-o", out];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    if (status !== 0) throw new Error(`assembly/ does not compile: ${stderr}`);
    return sourceOf({ entry, constant }, readFileSync(out).toString("base64"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

const sourceOf = ({ entry, constant }: Module, base64: string): string => {
  const lines = base64.match(new RegExp(`.{1,${LINE}}`, "g")) ?? [];
  return [
    `// Written by \`npm run gen\` from assembly/${entry}.`,
    "/** The compiled module, base64. */",
    `export const ${constant} =`,
    `${lines.map((line) => `  "${line}"`).join(" +\n")};`,
    "",
  ].join("\n");
};
