// @long: alone
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { caseJsonOf } from "../../src/case/html.ts";
import { readCase } from "../../src/case/read.ts";
import { run } from "../../src/commands/case.ts";
import { type CommandIo, EXIT, parseArgs } from "../../src/commands/command.ts";
import { commandNamed } from "../../src/commands/index.ts";
import { loadSettings } from "../../src/config/settings.ts";
import { tools } from "../../src/tools/index.ts";
import { openDemoWorld, type WorldService } from "../e2e/served_world.ts";
import { type Browser, fitsWidth, openBrowser, violationsOn } from "./browser.ts";
import { generatedCase, HOSTILE_LABELS } from "./generated_case.ts";

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
  folder = await mkdtemp(join(tmpdir(), "assay-graph-"));
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
  await rm(folder, { recursive: true, force: true });
});

const ALICE = String(tools.find(({ name }) => name === "get_wallet_counterparties")?.example.address);

const picture = async (page: Page, name: string): Promise<void> => {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
};

const started = async (page: Page): Promise<void> => {
  await page.goto(`${origin}/app/graph?network=demo&address=${ALICE}`);
  await page.getByRole("button", { name: "Start · 25 credits" }).click();
  await page.getByRole("region", { name: "Addresses" }).waitFor();
};

const rows = (page: Page, region: string): Promise<number> =>
  page.getByRole("region", { name: region, exact: true }).locator("tbody tr").count();

/** Reads the file that a click downloads. */
const downloaded = async (page: Page, button: string, name: string): Promise<string> => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  const path = join(folder, name);
  await file.saveAs(path);
  return path;
};

const verify = async (path: string): Promise<{ code: number; out: string }> => {
  const out: string[] = [];
  const env = { ASSAY_DATA_DIR: folder, ASSAY_URL: origin, ASSAY_KEY: stage.key };
  const io: CommandIo = {
    out: (text) => void out.push(text),
    err: () => undefined,
    ...{ json: false, tty: false, env, checkout: folder, signal: new AbortController().signal },
    settings: () => loadSettings({ config: null, cwd: folder, home: folder, env }),
  };
  return { code: await run(parseArgs(commandNamed("case"), ["verify", path, "--yes"]), io), out: out.join("") };
};

describe("the graph", () => {
  test("works by keyboard alone: starts at its price, grows, opens an edge and goes back, without a barrier", async () => {
    const { page, errors, foreign } = await browser.open(origin, { key: stage.key, look: WIDE });
    await started(page);
    // Alice has ten counterparties in the example of the tool's page: six of them paid her and were paid, two only paid her and two
    // were only paid, so 2 * 6 + 4 edges.
    expect([await rows(page, "Addresses"), await rows(page, "Edges")]).toEqual([11, 16]);
    expect(new URL(page.url()).searchParams.get("as_of")).toMatch(/^\d+$/);

    const addresses = page.getByRole("region", { name: "Addresses" });
    const exchange = addresses.getByRole("row", { name: /Harbour Exchange hot wallet/ }).getByRole("button");
    await exchange.focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("region", { name: "Chosen address" });
    await panel.getByText("labels/").waitFor();
    await panel.getByRole("button", { name: "Expand · 25 credits" }).focus();
    await page.keyboard.press("Enter");
    await panel.getByText("All its counterparties are here.").waitFor();
    const grown = await rows(page, "Addresses");
    expect(grown).toBeGreaterThan(11);

    await panel.getByRole("button", { name: "Path from here" }).click();
    await addresses
      .getByRole("row", { name: /Deposit address of Harbour/ })
      .getByRole("button")
      .click();
    await panel.getByRole("button", { name: "Path to here" }).click();
    await page.getByRole("region", { name: "Path" }).getByText("Only among what was loaded").waitFor();
    await page.waitForTimeout(1_500);
    await picture(page, "graph-wide");
    expect([errors, foreign, await fitsWidth(page), await violationsOn(page)]).toEqual([[], [], true, []]);

    await page.getByRole("button", { name: "Undo" }).click();
    expect(await rows(page, "Addresses")).toBe(11);
  });

  test("opens the transactions of an edge", async () => {
    const { page, errors } = await browser.open(origin, { key: stage.key, look: { width: 390, scheme: "dark" } });
    await started(page);
    // Five transfers to the deposit address (docs/tools/get_wallet_counterparties.md).
    const edges = page.getByRole("region", { name: "Edges", exact: true });
    await edges
      .getByRole("row", { name: /0xEf93DD2a5115c729A2610feFd65A34DD3787aF9f/ })
      .getByRole("button")
      .click();
    const panel = page.getByRole("region", { name: "Chosen edge" });
    await panel.getByText("5, 0 without a price").waitFor();
    expect(await panel.getByRole("heading").textContent()).toMatch(/^0x3C44.* → .*Deposit address of Harbour/);
    await panel.getByRole("button", { name: "Transactions · 25 credits" }).click();
    await panel.getByRole("region", { name: "Transactions of the edge" }).waitFor();
    expect(await rows(page, "Transactions of the edge")).toBe(5);
    await panel.getByRole("button", { name: "Keep in the case" }).click();
    await panel.getByRole("link", { name: "In the case" }).waitFor();
    await picture(page, "graph-narrow");
    expect([errors, await fitsWidth(page), await violationsOn(page)]).toEqual([[], true, []]);
  });

  test("reports missing WebGL, and shows everything in the tables", async () => {
    const { page, errors } = await browser.open(origin, { key: stage.key });
    await page.addInitScript({ content: "HTMLCanvasElement.prototype.getContext = () => null" });
    await started(page);
    await page.getByText("This browser draws no WebGL").waitFor();
    expect([await rows(page, "Addresses"), errors]).toEqual([11, []]);
  });
});

/** The row of the address that `marked` names. */
const laundry = (page: Page) => page.getByRole("region", { name: "Addresses" }).getByRole("row", { name: /Laundry/ });

/** Names an exchange of the graph and hides another address. */
const marked = async (page: Page): Promise<void> => {
  const addresses = page.getByRole("region", { name: "Addresses" });
  const panel = page.getByRole("region", { name: "Chosen address" });
  await addresses
    .getByRole("row", { name: /Harbour Exchange hot wallet/ })
    .getByRole("button")
    .click();
  await panel.getByLabel("Your label").fill("Laundry");
  await panel.getByLabel("Your note").fill("Asked on the first of May");
  await panel.getByLabel("Your note").blur();
  await addresses
    .getByRole("row", { name: /Deposit address of Harbour/ })
    .getByRole("button")
    .click();
  await panel.getByRole("button", { name: "Hide" }).click();
  await page.getByRole("button", { name: "Show 1 hidden" }).waitFor();
};

test("a graph in no case keeps its answers, labels and hidden addresses over a reload, without another call", async () => {
  const { page, errors } = await browser.open(origin, { key: stage.key, look: WIDE });
  await started(page);
  await marked(page);
  expect(await rows(page, "Addresses")).toBe(10);
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await rows(page, "Addresses")).toBe(11);
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await laundry(page).count()).toBe(0);
  await marked(page);
  await page.waitForTimeout(2_500);
  const called: string[] = [];
  page.on("request", (request) => request.method() === "POST" && called.push(request.url()));
  await page.reload();
  await laundry(page).waitFor();
  expect([await rows(page, "Addresses"), called, errors]).toEqual([10, [], []]);
  await laundry(page).getByRole("button").first().click();
  expect(await page.getByLabel("Your note").inputValue()).toBe("Asked on the first of May");
  await picture(page, "graph-marks");
  expect([await fitsWidth(page), await violationsOn(page)]).toEqual([true, []]);
});

describe("a case", () => {
  test("exports saved results as JSON and as one page, and each result is the same when it is called again", async () => {
    const { page, errors, foreign } = await browser.open(origin, { key: stage.key });
    await started(page);
    await page.getByRole("button", { name: "Save in the case" }).click();
    await page.getByRole("link", { name: "Open the case" }).click();
    await page.getByLabel("Title").fill("Harbour <script>alert(1)</script>");
    await page.getByLabel("New note").fill("Deposits every week.\n\u202eReversed");
    await page.getByRole("button", { name: "Add note" }).click();
    await page.getByText("Results: 1 of at most 500").waitFor();
    await page.getByRole("button", { name: "Show the result" }).click();
    await picture(page, "case");
    expect([errors, foreign, await fitsWidth(page), await violationsOn(page)]).toEqual([[], [], true, []]);

    const json = await downloaded(page, "Export as JSON", "case.json");
    const html = await downloaded(page, "Export as one page", "case.html");
    const read = readCase(readFileSync(json, "utf8"));
    expect(read).toMatchObject({ kind: "read", file: { notes: [{ text: "Deposits every week.\n\u202eReversed" }] } });
    expect(readCase(caseJsonOf(readFileSync(html, "utf8")))).toEqual(read);
    for (const path of [json, html]) {
      const { code, out } = await verify(path);
      expect([code, out]).toEqual([EXIT.ok, expect.stringContaining("get_wallet_counterparties  same")]);
    }

    await page.reload();
    await page.getByText("Results: 1 of at most 500").waitFor();
    await page.getByRole("link", { name: /Graph from/ }).click();
    await page.getByRole("region", { name: "Addresses" }).waitFor();
    expect(await rows(page, "Addresses")).toBe(11);
    // Opened from the case, changes are saved by themselves, and a reload shows them.
    await marked(page);
    await page.getByText("Saving…").waitFor();
    await page.getByText("Saved.", { exact: true }).waitFor();
    await page.reload();
    await laundry(page).waitFor();
    expect(await rows(page, "Addresses")).toBe(10);

    const { page: alone, errors: faults, foreign: asked } = await browser.open("file://");
    await alone.goto(`file://${html}`);
    await alone.getByRole("heading", { name: "Notes" }).waitFor();
    await picture(alone, "case-page");
    const loaded = asked.filter((url) => url !== `file://${html}`);
    expect([faults, loaded, await violationsOn(alone)]).toEqual([[], [], []]);
  });

  test("opens a graph of 2,000 with names by strangers, and stays responsive", async () => {
    const path = join(folder, "large.json");
    writeFileSync(path, JSON.stringify(generatedCase(2_000)));
    const { page, errors, foreign } = await browser.open(origin, { key: stage.key, look: WIDE });
    await page.goto(`${origin}/app/case`);
    await page.getByLabel("Open a file").setInputFiles(path);
    await page.getByRole("link", { name: /Graph of 2000/ }).click();
    await page.getByText("Addresses: 2,000").waitFor();
    await page.getByRole("button", { name: "Show all", exact: true }).waitFor();
    const begun = Date.now();
    await page.getByLabel("Name or address").fill("mixer 7");
    await page.getByText(/^Addresses: \d\d?$/).waitFor();
    const answered_ms = Date.now() - begun;
    await page.getByLabel("Name or address").fill("");
    await page.getByText("Addresses: 2,000").waitFor();
    await page.locator(".graph-stage[data-rest]").waitFor({ timeout: 120_000 });
    const frames = await framesWhileMoving(page);
    await picture(page, "graph-2000");
    if (PICTURES !== undefined) writeFileSync(join(PICTURES, "frames.json"), JSON.stringify({ answered_ms, frames }));
    // The layout has its own thread: a busy machine with software rendering still answers in seconds.
    expect(answered_ms).toBeLessThan(15_000);
    expect([errors, foreign]).toEqual([[], []]);
    const text = (await page.locator("main").textContent()) ?? "";
    expect(HOSTILE_LABELS.filter((label) => /[\u202a-\u202e]/.test(label) && text.includes(label))).toEqual([]);
  });

  test("rejects an invalid file with a reason, and keeps the open case", async () => {
    const path = join(folder, "other.json");
    writeFileSync(path, '{"format":"assay.case","version":1,"__proto__":{}}');
    const { page } = await browser.open(origin, { key: stage.key });
    await page.goto(`${origin}/app/case`);
    await page.getByLabel("Open a file").setInputFiles(path);
    await page.getByText("__proto__").waitFor();
    await page.getByText("Results: 0 of at most 500").waitFor();
  });
});

/** Frames drawn while the canvas is dragged to and fro for two seconds, and the longest wait for one. */
const framesWhileMoving = async (page: Page): Promise<{ per_second: number; longest_ms: number }> => {
  const box = await page.locator(".graph-stage").boundingBox();
  const [x, y] = [(box?.x ?? 0) + 30, (box?.y ?? 0) + 30];
  await page.evaluate(`
    globalThis.drawn = [];
    const draw = (at) => { globalThis.drawn.push(at); requestAnimationFrame(draw); };
    requestAnimationFrame(draw);`);
  await page.mouse.move(x, y);
  await page.mouse.down();
  const until = Date.now() + 2_000;
  for (let i = 0; Date.now() < until; i++) await page.mouse.move(x + (i % 40) * 5, y + (i % 25) * 4);
  await page.mouse.up();
  return page.evaluate(`(() => {
    const waits = globalThis.drawn.slice(1).map((at, i) => at - globalThis.drawn[i]);
    const all = waits.reduce((sum, wait) => sum + wait, 0);
    return { per_second: Math.round((waits.length / all) * 10_000) / 10, longest_ms: Math.round(Math.max(...waits)) };
  })()`);
};
