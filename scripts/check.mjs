// `npm run check`: types, style, dead code, import rules, language and the generated files that follow from sources alone. No engine,
// no chain and no build. Steps cache their results in node_modules/.cache.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const CACHE = "node_modules/.cache/assay";

const program = (path, ...args) => [process.execPath, [join("node_modules", path), ...args]];
const types = (name, ...project) => [
  `types of ${name}`,
  program(
    "typescript/bin/tsc",
    "--noEmit",
    "--incremental",
    "--tsBuildInfoFile",
    `${CACHE}/${name}.tsbuildinfo`,
    ...project,
  ),
];

/** Longest first, because two run at a time. */
const STEPS = [
  types("src"),
  ["dead code", program("knip/bin/knip.js", "--cache", "--cache-location", `${CACHE}/knip`)],
  ["style", program("@biomejs/biome/bin/biome", "check", ".")],
  ["imports and language", program("vitest/vitest.mjs", "run"), { TEST_CHECK: "1" }],
  ["generated files", [process.execPath, ["scripts/check_generated.mjs"]]],
  types("portal", "-p", "portal"),
  types("sdk", "-p", "sdk"),
  types("assembly", "-p", "assembly"),
];
const PLACES = 2;

/** Runs a step and shows its output if it fails. */
const run = ([name, [command, args], env = {}]) =>
  new Promise((resolve) => {
    const began = Date.now();
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const printed = [];
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => printed.push(chunk));
    child.on("error", (error) => printed.push(Buffer.from(`${error.message}\n`)));
    child.on("close", (code) => {
      const seconds = ((Date.now() - began) / 1000).toFixed(1).padStart(5);
      process.stdout.write(`${code === 0 ? "ok    " : "FAILED"} ${seconds} s  ${name}\n`);
      if (code !== 0) process.stdout.write(Buffer.concat(printed));
      resolve(code === 0);
    });
  });

const waiting = [...STEPS];
const results = [];
const work = async () => {
  for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) results.push(await run(step));
};
await Promise.all(Array.from({ length: PLACES }, work));
process.exitCode = results.every(Boolean) ? 0 : 1;
