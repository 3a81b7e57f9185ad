// Compiles to dist/ and brings along what tsc does not copy: SQL files and contract artifacts.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json"], {
  cwd: root,
  stdio: "inherit",
});
if (tsc.status !== 0) process.exit(tsc.status ?? 1);

for (const folder of ["src", "contracts"]) {
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })) {
    if (!/\.(sql|json)$/.test(path)) continue;
    const target = join(root, "dist", folder, path);
    mkdirSync(dirname(target), { recursive: true });
    cpSync(join(root, folder, path), target);
  }
}
