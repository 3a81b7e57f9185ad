/**
 * Cost of answers in two releases, in turn: `node dist/bench/compare_releases.js --other FOLDER [--times 2] -- [options of
 * answers.js]`. `other`: a built checkout of the other release. Each run of answers.js is a process of its own; one
 * table has medians over `times` runs, the other release's before this one's. Answers with equal hashes are equal byte
 * for byte. With `--data` both read one store, whose format they must share.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadText, median, mustEqual, printLine, progress } from "./figures.ts";

const OWN = fileURLToPath(new URL("../..", import.meta.url));
const { values, positionals } = parseArgs({
  options: { other: { type: "string" }, times: { type: "string", default: "2" } },
  allowPositionals: true,
});
if (values.other === undefined) throw new Error("--other names a checkout of the other release");
const RELEASES = [values.other, OWN];

/** A row of answers.js under the names of its columns. */
type AnswersCsvRow = Readonly<Record<string, string>>;

const cells = (line: string): readonly string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

const rowsIn = (text: string): readonly AnswersCsvRow[] => {
  const [head = "", , ...lines] = text.split("\n").filter((line) => line.startsWith("|"));
  const names = cells(head);
  return lines.map((line) => Object.fromEntries(cells(line).map((cell, i) => [names[i] ?? "", cell])));
};

const run = async (folder: string): Promise<readonly AnswersCsvRow[]> => {
  const args = [join(folder, "dist", "bench", "answers.js"), ...positionals];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk;
  });
  const [code] = await once(child, "close");
  mustEqual(`end of ${folder}`, code, 0);
  progress(`${folder}, ${loadText()}`);
  return rowsIn(text);
};

const WHICH = ["tool", "transfers added", "callers"];
const COMPARED = ["p50 ms", "calls a second", "engine CPU ms a call", "own CPU ms a call", "questions a call"];
const keyOf = (row: AnswersCsvRow): string => WHICH.map((name) => row[name]).join(" | ");

/** Rows of each release by key. */
const found = RELEASES.map(() => new Map<string, AnswersCsvRow[]>());
for (let time = 0; time < Number(values.times); time += 1)
  for (const [i, folder] of RELEASES.entries())
    for (const row of await run(folder)) {
      const rows = found[i]?.get(keyOf(row)) ?? [];
      found[i]?.set(keyOf(row), [...rows, row]);
    }

const [before, now] = found;
printLine(
  `| ${[...WHICH, ...COMPARED, "answers"].join(" | ")} |\n|${"---|".repeat(WHICH.length + COMPARED.length + 1)}`,
);
for (const [key, rows] of now ?? []) {
  const others = before?.get(key) ?? [];
  const both = (name: string): string =>
    [others, rows].map((of) => median(of.map((row) => Number(row[name]))).toString()).join(", ");
  const hashes = new Set([...others, ...rows].map(({ answers }) => answers));
  printLine(`| ${[key, ...COMPARED.map(both), hashes.size === 1 ? "the same" : "differ"].join(" | ")} |`);
}
