// Compiles the TypeScript client into an emptied sdk/dist, so that the package holds no file of an earlier build.
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
rmSync(join(root, "sdk/dist"), { recursive: true, force: true });
const tsc = spawnSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", "sdk"], {
  cwd: root,
  stdio: "inherit",
});
cpSync(join(root, "LICENSE"), join(root, "sdk/LICENSE"));
process.exit(tsc.status ?? 1);
