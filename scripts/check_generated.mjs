// Compares the generated files that follow from sources alone (scripts/stale_sources.ts), without a build. The others are compared by tests.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const { module } = await runnerImport(join(here, "stale_sources.ts"), { configFile: false, logLevel: "warn" });
const faults = await module.staleSources();
for (const fault of faults) process.stderr.write(`${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
