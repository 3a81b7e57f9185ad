/**
 * P2: blocks of the whole product against the bare floor (floor.ts), on mainnet-shaped blocks with 200 transactions and
 * their effects (replay/acts.ts). Also the cost of the start, memory, and the size of a transfer on disk.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { costText, median, medianCost, mustEqual, progress } from "../figures.ts";
import type { BenchNode } from "../node.ts";
import { type Cost, type MeasuredProcess, measure } from "../process_tree.ts";
import { checkStored, indexAll, storedBytes, storedRows } from "../product.ts";
import { type ReportRow, row } from "./row.ts";

const FLOOR = fileURLToPath(new URL("../floor.js", import.meta.url));
/** Compares the peaks of a run and of one with this many times fewer blocks. */
const FEWER = 10;
export const MEMORY_MB = 700;
const KINDS = ["floor", "product", "believes"] as const;

export interface FloorRun {
  readonly node: BenchNode;
  readonly folder: string;
  readonly rounds: number;
}

/** The cost after the first blocks were requested. */
export const withoutStart = ({ cost, start }: MeasuredProcess): Cost => {
  if (start === null) throw new Error("the product never began to read");
  return { ...cost, wall_s: cost.wall_s - start.wall_s, cpu_s: cost.cpu_s - start.cpu_s };
};

const runFloor = async ({ node, folder }: FloorRun): Promise<MeasuredProcess> => {
  const args = [FLOOR, node.url, String(node.from), String(node.to), join(folder, "floor")];
  const measured = await measure({ command: process.execPath, args, begun: node.reading });
  const { count, sum } = node.totals;
  mustEqual("transfers of the floor", JSON.parse(measured.stdout), { count, sum });
  return measured;
};

const runProduct = async ({ node, folder }: FloorRun, verify: "full" | "header"): Promise<MeasuredProcess> => {
  const measured = await indexAll({ ...node, folder: join(folder, verify), verify });
  await checkStored(join(folder, verify), node, "mainnet");
  return measured;
};

const runFewer = async ({ node, folder }: FloorRun): Promise<Cost> => {
  const to = node.from + Math.ceil((node.to - node.from + 1) / FEWER) - 1;
  await node.set({ head: to });
  const { cost } = await indexAll({ ...node, to, folder: join(folder, "fewer") });
  await node.set({ head: node.to });
  return cost;
};

export const compareFloor = async (run: FloorRun): Promise<readonly ReportRow[]> => {
  const { node, folder, rounds } = run;
  const blocks = node.to - node.from + 1;
  const runs: Record<(typeof KINDS)[number], MeasuredProcess[]> = { floor: [], product: [], believes: [] };
  for (let round = 0; round < rounds; round += 1)
    for (const kind of KINDS) {
      const measured =
        kind === "floor" ? await runFloor(run) : await runProduct(run, kind === "product" ? "full" : "header");
      runs[kind].push(measured);
      progress(`round ${round + 1} ${kind}: ${costText(measured.cost)}`);
    }
  const fewer = await runFewer(run);
  const of = (kind: (typeof KINDS)[number]) => medianCost(runs[kind].map(withoutStart));
  const [floor, product, believes] = [of("floor"), of("product"), of("believes")];
  const whole = medianCost(runs.product.map(({ cost }) => cost));
  const start_s = median(runs.product.map(({ start }) => start?.cpu_s ?? Number.NaN));
  const text = ({ cpu_s, wall_s }: Cost): string =>
    `${((1_000 * cpu_s) / blocks).toFixed(2)} ms CPU a block, ${(blocks / wall_s).toFixed(1)} blocks/s`;
  const part = (100 * floor.cpu_s) / product.cpu_s;
  const grown = whole.peak_rss_mb / fewer.peak_rss_mb;
  const transfers = await storedRows(join(folder, "full"));
  const disk = (await storedBytes(join(folder, "full"))) / transfers;
  return [
    row({
      name: "",
      what: `floor, ${blocks} blocks`,
      found: `${text(floor)}, ${Math.round(floor.peak_rss_mb)} MB`,
      goal: "",
      is_met: null,
    }),
    row({
      ...{ name: "P2", what: `${blocks} mainnet-shaped blocks, verified, traces read, without the start` },
      ...{
        found: `${text(product)}: ${part.toFixed(0)} % of the floor's`,
        goal: "55 % of the floor's CPU",
        is_met: part >= 55,
      },
    }),
    row({ name: "", what: "the same, blocks trusted", found: text(believes), goal: "", is_met: null }),
    row({
      ...{ name: "start", what: "CPU until the first blocks are requested", found: `${start_s.toFixed(2)} s` },
      ...{ goal: "1 s", is_met: start_s <= 1 },
    }),
    row({
      ...{
        name: "memory",
        what: `highest sum of both processes, ${blocks} blocks`,
        found: `${Math.round(whole.peak_rss_mb)} MB`,
      },
      ...{ goal: `${MEMORY_MB} MB`, is_met: whole.peak_rss_mb <= MEMORY_MB },
    }),
    row({
      ...{
        name: "",
        what: `over that of ${FEWER} times fewer`,
        found: `${Math.round(fewer.peak_rss_mb)} MB: ${grown.toFixed(2)} x`,
      },
      ...{ goal: "1.1 x", is_met: grown <= 1.1 },
    }),
    row({
      ...{
        name: "disk",
        what: `what is stored over ${transfers} rows of transfers`,
        found: `${disk.toFixed(0)} bytes`,
      },
      ...{ goal: "110 bytes", is_met: disk <= 110 },
    }),
  ];
};
