// @long: alone
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { CaseResult } from "../../src/case/format.ts";
import { graphOf } from "../../src/case/graph.ts";
import type { EdgePayment, GraphEdge } from "../../src/case/graph_model.ts";
import { tools } from "../../src/tools/index.ts";
import { openDemoWorld, type WorldService } from "../e2e/served_world.ts";
import { type Browser, fitsWidth, openBrowser, violationsOn } from "./browser.ts";

// Traces of money in the graph, in a real Chromium. The test compares each drawn payment with the demo chain.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
/** A folder for screenshots, for manual review. */
const PICTURES = process.env.ASSAY_TEST_PICTURES;
const WIDE = { width: 1600, scheme: "light" } as const;

let stage: WorldService;
let browser: Browser;
let origin: string;
let folder: string;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openDemoWorld({ portal: PORTAL }), openBrowser()]);
  origin = stage.service.url ?? "";
  folder = await mkdtemp(join(tmpdir(), "assay-traces-"));
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
  await rm(folder, { recursive: true, force: true });
});

const exampleOf = (tool: string): string => String(tools.find(({ name }) => name === tool)?.example.address);
/** A tenth of its money came from a mixer, over one address. */
const EXPOSED = exampleOf("get_wallet_risk_overview");
const ALICE = exampleOf("get_wallet_counterparties");

const picture = async (page: Page, name: string): Promise<void> => {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
};

interface SavedFile {
  readonly graph: Pick<Parameters<typeof graphOf>[0], "start" | "expansions">;
  readonly entries: readonly CaseResult[];
}

/** The file that a button of the toolbar saves. */
const downloaded = async (page: Page, button: string): Promise<string> => {
  const toolbar = page.getByRole("toolbar", { name: "Graph" });
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    toolbar.getByRole("button", { name: button, exact: true }).click(),
  ]);
  const path = join(folder, `graph.${button.toLowerCase()}`);
  await file.saveAs(path);
  return path;
};

/** The graph of the page, from its export. */
const graphOn = async (page: Page) => {
  const { graph, entries }: SavedFile = JSON.parse(readFileSync(await downloaded(page, "JSON"), "utf8"));
  return graphOf({ ...graph, entries: new Map(entries.map((entry) => [entry.id, entry])) });
};

interface CallFrame {
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly error?: string;
  readonly calls?: readonly CallFrame[];
}

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** Amounts from one address to another in a transaction, by token (`coin` is the native one), as the node states them. */
const movedOnChain = async (hash: string, { from, to }: Pick<GraphEdge, "from" | "to">) => {
  const sums = new Map<string, bigint>();
  const add = (token: string, amount: bigint): void => void sums.set(token, (sums.get(token) ?? 0n) + amount);
  const { logs } = (await stage.world.rpc.call("eth_getTransactionReceipt", hash)) as {
    logs: readonly { address: string; topics: readonly string[]; data: string }[];
  };
  for (const { address, topics, data } of logs) {
    const [topic, payer = "", payee = ""] = topics;
    if (topic !== TRANSFER || topics.length !== 3) continue;
    if (`0x${payer.slice(-40)}` === from && `0x${payee.slice(-40)}` === to) add(address.toLowerCase(), BigInt(data));
  }
  const root = (await stage.world.rpc.call("debug_traceTransaction", hash, { tracer: "callTracer" })) as CallFrame;
  const visit = (frame: CallFrame): void => {
    if (frame.error !== undefined) return;
    const value = BigInt(frame.value ?? "0x0");
    if (value > 0n && frame.from.toLowerCase() === from && frame.to?.toLowerCase() === to) add("coin", value);
    for (const call of frame.calls ?? []) visit(call);
  };
  visit(root);
  return sums;
};

/** Units of a token's amount; every token on these paths has the decimals that its contract states. */
const decimalsOf = async (token: string): Promise<number> =>
  token === "coin"
    ? 18
    : Number(BigInt(String(await stage.world.rpc.call("eth_call", { to: token, data: "0x313ce567" }, "latest"))));

const compare = async (edge: GraphEdge, payment: EdgePayment): Promise<void> => {
  const moved = await movedOnChain(payment.tx_hash, edge);
  const shown = payment.tokens.map(({ address, amount }) => [address?.toLowerCase() ?? "coin", amount] as const);
  expect(shown.length).toBeGreaterThan(0);
  expect(shown.map(([token]) => token).sort()).toEqual([...moved.keys()].sort());
  for (const [token, amount] of shown)
    expect(amount).toBeCloseTo(Number(moved.get(token)) / 10 ** (await decimalsOf(token)), 6);
  const { blockNumber } = (await stage.world.rpc.call("eth_getTransactionByHash", payment.tx_hash)) as {
    blockNumber: string;
  };
  const { timestamp } = (await stage.world.rpc.call("eth_getBlockByNumber", blockNumber, false)) as {
    timestamp: string;
  };
  expect(Date.parse(payment.time)).toBe(Number(timestamp) * 1_000);
};

const edgeRows = (page: Page): Promise<number> =>
  page.getByRole("region", { name: "Edges", exact: true }).locator("tbody tr").count();

test("one priced action draws the paths to the sources with their shares, and each edge is a payment on the chain", async () => {
  const { page, errors, foreign } = await browser.open(origin, { key: stage.key, look: WIDE });
  await page.goto(`${origin}/app/graph?network=demo&address=${EXPOSED}`);
  await page.getByRole("button", { name: "Trace to the source · 15 credits" }).click();
  const traces = page.getByRole("region", { name: "Where the money came from", exact: true });
  await traces.getByRole("row", { name: /Demo Mixer/ }).waitFor();
  // Of 20 ether 2 are of the mixer over one address. The account that the chain began with paid 12 itself, and 6 over the same address.
  const rows = traces.locator("tbody tr");
  expect(await rows.count()).toBe(3);
  expect(await rows.nth(0).textContent()).toMatch(/had it without a known receipt60 %\$29,282.121/);
  expect(await rows.nth(1).textContent()).toMatch(/had it without a known receipt30 %\$14,641.062/);
  expect(await rows.nth(2).textContent()).toMatch(/Demo Mixer! mixer10 %\$4,880.352/);
  expect(await edgeRows(page)).toBe(4);
  expect(new URL(page.url()).searchParams.get("as_of")).toMatch(/^\d+$/);

  const graph = await graphOn(page);
  expect(graph.edges.size).toBe(4);
  for (const edge of graph.edges.values()) for (const payment of edge.payments) await compare(edge, payment);

  await traces.getByRole("button", { name: /Demo Mixer/ }).click();
  await page.waitForTimeout(1_500);
  await picture(page, "graph-trace");
  expect([errors, foreign, await fitsWidth(page), await violationsOn(page)]).toEqual([[], [], true, []]);

  // The picture as a file: an image viewer shows it without a page, and a PNG has twice its pixels.
  const svg = readFileSync(await downloaded(page, "SVG"), "utf8");
  expect(svg).toContain(`<title>Money graph of ${EXPOSED} on demo</title>`);
  expect(svg).toMatch(/>As of demo block \d+ \(0x[0-9a-f]{16}…\), \d{4}-/);
  const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const png = readFileSync(await downloaded(page, "PNG"));
  expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2 * Number(width), 2 * Number(height)]);
  if (PICTURES !== undefined) writeFileSync(join(PICTURES, "graph-export.png"), png);

  // The other direction is in the same answer: no second call.
  const called: string[] = [];
  page.on("request", (request) => request.method() === "POST" && called.push(request.url()));
  await page
    .getByRole("region", { name: "Addresses" })
    .getByRole("row", { name: new RegExp(EXPOSED) })
    .getByRole("button")
    .click();
  await page.getByRole("button", { name: "Trace to where it went · already paid" }).click();
  await page.getByRole("region", { name: "Where the money went", exact: true }).waitFor();
  expect(called).toEqual([]);
  // Both traces are of one entry of the case.
  await page.getByRole("button", { name: "Save in the case" }).click();
  await page.getByText("Saved. Later changes are saved by themselves.").waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await page.getByRole("region", { name: "Where the money went", exact: true }).count()).toBe(0);
});

test("a trace to where the money went joins the graph of counterparties, survives a reload, and is right", async () => {
  const { page, errors } = await browser.open(origin, { key: stage.key, look: WIDE });
  await page.goto(`${origin}/app/graph?network=demo&address=${ALICE}`);
  await page.getByRole("button", { name: "Start · 25 credits" }).click();
  const addresses = page.getByRole("region", { name: "Addresses" });
  await addresses
    .getByRole("row", { name: new RegExp(ALICE) })
    .getByRole("button")
    .click();
  await page.getByRole("button", { name: "Trace to where it went · 15 credits" }).click();
  const traces = page.getByRole("region", { name: "Where the money went", exact: true });
  await traces
    .getByRole("row", { name: /Harbour Exchange/ })
    .first()
    .waitFor();

  const graph = await graphOn(page);
  expect(graph.traces.length).toBeGreaterThan(1);
  const paid = [...graph.edges.values()].flatMap((edge) => edge.payments.map((payment) => ({ edge, payment })));
  expect(paid.length).toBeGreaterThan(1);
  for (const { edge, payment } of paid) await compare(edge, payment);
  // Each path goes from the wallet to its end over edges of the graph, and the shares are parts of one whole.
  for (const { nodes, edges, end } of graph.traces) {
    expect([nodes[0], nodes.at(-1), edges.every((id) => graph.edges.has(id))]).toEqual([
      ALICE.toLowerCase(),
      end,
      true,
    ]);
  }
  expect(graph.traces.reduce((sum, { share_percent }) => sum + (share_percent ?? 0), 0)).toBeLessThanOrEqual(100.0001);

  const edges = page.getByRole("region", { name: "Edges", exact: true });
  await traces
    .getByRole("button", { name: /Harbour Exchange/ })
    .first()
    .click();
  await edges.locator("tbody tr").first().getByRole("button").click();
  await page.waitForTimeout(1_500);
  await picture(page, "graph-trace-out");
  expect(await violationsOn(page)).toEqual([]);
  const before = await edgeRows(page);
  await page.waitForTimeout(2_000);
  await page.reload();
  await traces
    .getByRole("row", { name: /Harbour Exchange/ })
    .first()
    .waitFor();
  expect([await edgeRows(page), errors]).toEqual([before, []]);
});
