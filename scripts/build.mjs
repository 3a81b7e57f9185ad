// Brings along what tsc does not copy (SQL files, contract sources and artifacts, lists), compiles to dist/, puts the program into few
// files (bundle.mjs) and builds the page. Files are written even when types do not fit: `gen --store` needs them to write the types that
// do, and asks for them with --untyped, which looks at no types. --clean: nothing stays of sources that are no more, as a package needs it.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
if (process.argv.includes("--clean")) rmSync(join(root, "dist"), { recursive: true, force: true });
for (const folder of ["src", "contracts", "bench/judgement"]) {
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
    if (!/\.(sql|json|sol|tsv\.gz)$/.test(path)) continue;
    const target = join(root, "dist", folder, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, folder, path), target);
  }
}

const is_untyped = process.argv.includes("--untyped");
const args = ["-p", "tsconfig.build.json", ...(is_untyped ? ["--noCheck"] : [])];
const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), ...args], {
  cwd: root,
  stdio: is_untyped ? "ignore" : "inherit",
});
if (is_untyped) process.exit(0);
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

await import("./bundle.mjs");

// The page that people look at, into dist/portal.
const { build } = await import("vite");
await build({ configFile: join(root, "portal/vite.config.ts"), logLevel: "warn" });
