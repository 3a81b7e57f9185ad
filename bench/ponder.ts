/** Ponder on the same node and the same events: a project that is written here, run with an installed ponder. */
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Cost, measure } from "./process_tree.ts";
import { type ReferenceTotals, totalsOf } from "./replay/reference.ts";

export const PONDER = "0.16.10";

const READY_MS_MAX = 900_000;
const ASK_MS = 200;

const CONFIG = `import { createConfig } from "ponder";
const event = { type: "event", name: "Transfer", inputs: [
  { name: "from", type: "address", indexed: true }, { name: "to", type: "address", indexed: true },
  { name: "value", type: "uint256", indexed: false } ] };
export default createConfig({
  chains: { dev: { id: 1, rpc: process.env.BENCH_RPC } },
  contracts: { Token: { chain: "dev", abi: [event], startBlock: Number(process.env.BENCH_FROM) } },
});
`;
const SCHEMA = `import { onchainTable } from "ponder";
export const transfer = onchainTable("transfer", (t) => ({
  id: t.text().primaryKey(), block: t.integer().notNull(), log: t.integer().notNull(), timestamp: t.integer().notNull(),
  token: t.hex().notNull(), from: t.hex().notNull(), to: t.hex().notNull(), amount: t.bigint().notNull(),
}));
`;
const INDEX = `import { ponder } from "ponder:registry";
import { transfer } from "ponder:schema";
ponder.on("Token:Transfer", async ({ event, context }) => {
  await context.db.insert(transfer).values({
    id: event.id, block: Number(event.block.number), log: event.log.logIndex, timestamp: Number(event.block.timestamp),
    token: event.log.address, from: event.args.from, to: event.args.to, amount: event.args.value,
  });
});
`;
const API = `import { Hono } from "hono";
import { db } from "ponder:api";
import { transfer } from "ponder:schema";
import { asc, count } from "ponder";
const app = new Hono();
app.get("/count", async (c) => c.json((await db.select({ n: count() }).from(transfer))[0].n));
app.get("/rows", async (c) => {
  const rows = await db.select().from(transfer).orderBy(asc(transfer.block), asc(transfer.log));
  return c.json(rows.map((r) => [r.block, r.log, r.token, r.from, r.to, String(r.amount)]));
});
export default app;
`;

export interface PonderRun {
  /** Folder of the installed ponder, with its node_modules. */
  readonly installed: string;
  readonly folder: string;
  readonly url: string;
  readonly from: number;
  /** Number of events. */
  readonly events: number;
}

/** @throws Error if the folder has no ponder of the version of the figures */
export const checkInstalled = (installed: string): void => {
  const path = join(installed, "node_modules/ponder/package.json");
  const { version } = JSON.parse(readFileSync(path, "utf8"));
  if (version !== PONDER) throw new Error(`${path} is version ${version}, not ${PONDER}`);
};

const writeProject = ({ installed, folder }: PonderRun): void => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "src/api"), { recursive: true });
  symlinkSync(resolve(installed, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"private": true, "type": "module"}');
  writeFileSync(join(folder, "ponder.config.ts"), CONFIG);
  writeFileSync(join(folder, "ponder.schema.ts"), SCHEMA);
  writeFileSync(join(folder, "src/index.ts"), INDEX);
  writeFileSync(join(folder, "src/api/index.ts"), API);
};

const freePort = (): Promise<number> =>
  new Promise((done) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => done(typeof address === "object" && address !== null ? address.port : 0));
    });
  });

/** Ponder is ready when everything final is indexed; the newest blocks come after it. */
const hasAll = async (url: string, events: number): Promise<boolean> => {
  try {
    if ((await fetch(`${url}/ready`)).status !== 200) return false;
    return Number(await (await fetch(`${url}/count`)).json()) >= events;
  } catch {
    return false; // It does not listen yet.
  }
};

type PonderRow = readonly [number, number, string, string, string, string];

/** From nothing until ponder has every event. */
export const runPonder = async (run: PonderRun): Promise<{ cost: Cost; totals: ReferenceTotals }> => {
  writeProject(run);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const found: ReferenceTotals[] = [];
  const measured = await measure(
    {
      command: process.execPath,
      args: ["node_modules/ponder/dist/esm/bin/ponder.js", "start", "--schema", "bench", "--port", String(port)],
      cwd: run.folder,
      env: { BENCH_RPC: run.url, BENCH_FROM: String(run.from), PONDER_TELEMETRY_DISABLED: "true", CI: "1" },
    },
    {
      until: async () => {
        const deadline = performance.now() + READY_MS_MAX;
        while (!(await hasAll(url, run.events))) {
          if (performance.now() > deadline) throw new Error("ponder is not through after 15 minutes");
          await sleep(ASK_MS);
        }
      },
      check: async () => {
        // The application above writes rows of this shape.
        const rows = (await (await fetch(`${url}/rows`)).json()) as readonly PonderRow[];
        const transfers = rows.map(([block_number, log_index, token, source, destination, amount]) => ({
          block_number,
          log_index,
          token: token.toLowerCase(),
          source: source.toLowerCase(),
          destination: destination.toLowerCase(),
          amount: BigInt(amount),
        }));
        found.push(totalsOf(transfers));
      },
    },
  );
  const [totals] = found;
  if (totals === undefined) throw new Error("ponder's rows were not read");
  return { cost: measured.cost, totals };
};
