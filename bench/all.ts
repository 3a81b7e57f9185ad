/**
 * Cost of indexing, in one dated table:
 *   node dist/bench/all.js [--only p1,p2,p3,p4,solana,tron,growth] [--ponder FOLDER] [--rounds 3] [--blocks 2000] …
 * Every step compares the stored rows with a plain reading of the same JSON before it reports a figure. Blocks are
 * generated once and stored in a file of the temporary folder, about 1.2 MB each.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { messageOf } from "../src/lib/errors.ts";
import { loadText, printLine, progress } from "./figures.ts";
import { type BenchNode, startNode } from "./node.ts";
import { solanaBlocks, tronBlocks } from "./steps/families.ts";
import { compareFloor } from "./steps/floor_comparison.ts";
import { freshness } from "./steps/freshness.ts";
import { growth } from "./steps/growth.ts";
import { compareLatency } from "./steps/latency.ts";
import { comparePonder } from "./steps/ponder_comparison.ts";
import { type ReportRow, row, table } from "./steps/row.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "p1,p2,p3,p4,solana,tron,growth" },
    rounds: { type: "string", default: "3" },
    /** Folder of the installed ponder (steps/ponder_beside.ts). */
    ponder: { type: "string" },
    /** Mainnet-shaped blocks of P2. */
    blocks: { type: "string", default: "2000" },
    "p1-blocks": { type: "string", default: "3001" },
    "p1-mainnet-blocks": { type: "string", default: "300" },
    "p3-blocks": { type: "string", default: "600" },
    "p4-blocks": { type: "string", default: "40" },
    "solana-blocks": { type: "string", default: "300" },
    "tron-blocks": { type: "string", default: "1000" },
    /** Blocks that are copied until the ledger has `growth-rows`, and blocks on top of them. */
    "growth-blocks": { type: "string", default: "600" },
    "growth-more": { type: "string", default: "400" },
    "growth-rows": { type: "string", default: "50000000" },
  },
});

const number = (name: Exclude<keyof typeof values, "ponder" | "only">): number => Number(values[name]);
const rounds = number("rounds");
const folder = mkdtempSync(join(tmpdir(), "assay-bench-"));

/** The blocks that several steps read; made by the first of them. */
const shared: { node: Promise<BenchNode> | null } = { node: null };
const mainnet = (): Promise<BenchNode> => {
  const grown = number("growth-blocks") + number("growth-more");
  const served = Math.max(steps.includes("growth") ? grown : 0, steps.includes("p3") ? number("p3-blocks") : 0);
  const counted = steps.includes("p2") ? number("blocks") : served;
  const more = String(Math.max(0, served - counted));
  shared.node ??= startNode(["--shape", "mainnet", "--count", String(counted), "--more", more]);
  return shared.node;
};

const STEPS: Readonly<Record<string, () => Promise<readonly ReportRow[]>>> = {
  p1: () =>
    comparePonder({
      ...{ installed: values.ponder ?? null, folder: join(folder, "p1"), rounds },
      blocks: { transfers: number("p1-blocks"), mainnet: number("p1-mainnet-blocks") },
    }),
  p2: async () => compareFloor({ node: await mainnet(), folder: join(folder, "p2"), rounds }),
  p3: async () => compareLatency({ node: await mainnet(), folder: join(folder, "p3"), blocks: number("p3-blocks") }),
  p4: () => freshness({ folder: join(folder, "p4"), blocks: number("p4-blocks") }),
  solana: () => solanaBlocks({ folder: join(folder, "solana"), rounds, blocks: number("solana-blocks") }),
  tron: () => tronBlocks({ folder: join(folder, "tron"), rounds, blocks: number("tron-blocks") }),
  growth: async () =>
    growth({
      ...{ node: await mainnet(), folder: join(folder, "growth"), rows: number("growth-rows") },
      ...{ first: number("growth-blocks"), more: number("growth-more") },
    }),
};
const steps = values.only.split(",");

/** The commit of this build; null outside a clone. */
const release = (): string | null => {
  try {
    return execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return null;
  }
};

const failed = (name: string, error: unknown): ReportRow => {
  progress(`step ${name} failed: ${error instanceof Error ? error.stack : String(error)}`);
  process.exitCode = 1;
  return row({ name, what: "the whole step", found: `failed: ${messageOf(error)}`, goal: "", is_met: false });
};

const rows: ReportRow[] = [];
try {
  for (const name of steps) {
    const step = STEPS[name];
    if (step === undefined) throw new Error(`there is no step ${name}; there are ${Object.keys(STEPS).join(", ")}`);
    progress(`step ${name}`);
    // A failed step must not lose hours of other steps.
    rows.push(...(await step().catch((error: unknown) => [failed(name, error)])));
    rmSync(join(folder, name), { recursive: true, force: true });
  }
} finally {
  await (await shared.node)?.stop();
  rmSync(folder, { recursive: true, force: true });
}
const gigabytes = Math.round(totalmem() / 2 ** 30);
printLine(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${gigabytes} GB, Node ${process.versions.node}, ` +
    `release ${release() ?? "unknown"}, ${loadText()} at the end, medians of ${rounds}\n\n${table(rows)}`,
);
