// Brings along what tsc does not copy (SQL files, contract sources and artifacts, lists), compiles to dist/ and builds the page. Files are written
// even when types do not fit: `gen --store` needs them to write the types that do, and asks for them with --untyped, which
// passes over what the compiler says. --clean: nothing stays of sources that are no more, as a package needs it.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
if (process.argv.includes("--clean")) rmSync(join(root, "dist"), { recursive: true, force: true });
for (const folder of ["src", "contracts"]) {
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
    if (!/\.(sql|json|sol|tsv\.gz)$/.test(path)) continue;
    const target = join(root, "dist", folder, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, folder, path), target);
  }
}

const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: process.argv.includes("--untyped") ? "ignore" : "inherit",
});
if (process.argv.includes("--untyped")) process.exit(0);
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

// The page that people look at, into dist/portal.
const { build } = await import("vite");
await build({ configFile: join(root, "portal/vite.config.ts"), logLevel: "warn" });
