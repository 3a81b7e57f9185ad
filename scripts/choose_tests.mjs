// Before `./assay test`: refuses a choice of files that cannot run with one sentence (exit 1), and says whether the build is needed (exit 3).
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const load = async (path) => (await runnerImport(join(root, path), { configFile: false, logLevel: "error" })).module;
const [{ chosenFiles, needBuild }, { testFiles }] = [
  await load("test/chosen_files.ts"),
  await load("test/test_files.ts"),
];

const { files, refusal, notes } = chosenFiles(process.argv.slice(2), testFiles(root), root);
for (const note of notes) process.stderr.write(`assay test: ${note}\n`);
if (refusal !== null) process.stderr.write(`assay test: ${refusal}\n`);
process.exitCode = refusal !== null ? 1 : needBuild(files, root) ? 3 : 0;
