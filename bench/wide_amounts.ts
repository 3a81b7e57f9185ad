/**
 * Amounts of up to 2^256 - 1 in many more histories than the suite draws: `node dist/bench/wide_amounts.js --seeds
 * 100`. Each seed draws three histories of an honest and of a lying token, writes them into a store of their own and
 * compares every query about balances and movements with a model (src/store/wide_amounts.test.ts). Ends with 1 if one
 * differs.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { seeds: { type: "string", default: "10" }, first: { type: "string", default: "2" } },
});
const root = fileURLToPath(new URL("../../", import.meta.url));
const [seeds, first] = [Number(values.seeds), Number(values.first)];

const different: number[] = [];
for (let seed = first; seed < first + seeds; seed += 1) {
  const { status, stdout } = spawnSync(
    process.execPath,
    ["node_modules/vitest/vitest.mjs", "run", "--project", "all", "src/store/wide_amounts.test.ts"],
    { cwd: root, encoding: "utf8", env: { ...process.env, ASSAY_TEST_SEED: String(seed) } },
  );
  if (status !== 0) {
    different.push(seed);
    process.stderr.write(`seed ${seed}:\n${stdout}\n`);
  }
}
process.stdout.write(
  `${seeds} seeds, ${3 * seeds} histories of two tokens; different: ${different.join(", ") || "none"}\n`,
);
process.exitCode = different.length === 0 ? 0 : 1;
