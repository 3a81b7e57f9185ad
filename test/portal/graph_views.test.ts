// @long: alone
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { openDemoWorld, type WorldService } from "../e2e/served_world.ts";
import { type Browser, fitsWidth, openBrowser, violationsOn } from "./browser.ts";

// Time, tokens and groups of the graph, in a real Chromium.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
/** A folder for screenshots, for manual review. */
const PICTURES = process.env.ASSAY_TEST_PICTURES;

let stage: WorldService;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openDemoWorld({ portal: PORTAL }), openBrowser()]);
  origin = stage.service.url ?? "";
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const ALICE = String(tools.find(({ name }) => name === "get_wallet_counterparties")?.example.address);

const picture = async (page: Page, name: string): Promise<void> => {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
};

const table = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

/** The texts of one column of a table. */
const column = async (page: Page, region: string, name: string): Promise<readonly string[]> => {
  const heads = await table(page, region).getByRole("columnheader").allTextContents();
  const nth = heads.findIndex((head) => head.trim().startsWith(name));
  return table(page, region)
    .locator(`tbody td:nth-child(${nth + 1})`)
    .allTextContents();
};

const countOf = (page: Page, region: string): Promise<number> => table(page, region).locator("tbody tr").count();

const started = async (page: Page): Promise<void> => {
  await page.goto(`${origin}/app/graph?network=demo&address=${ALICE}`);
  await page.getByRole("button", { name: "Start · 25 credits" }).click();
  await table(page, "Addresses").waitFor();
};

test("the thumbs of time and the choice of a token narrow the edges, by keyboard alone", async () => {
  const { page, errors } = await browser.open(origin, { key: stage.key, look: { width: 1600, scheme: "light" } });
  await started(page);
  const [lasts, tokens] = [await column(page, "Edges", "pair last"), await column(page, "Edges", "tokens")];
  const days = lasts.map((time) => time.slice(0, 10)).sort();

  const first = page.getByRole("slider", { name: "First day" });
  await first.focus();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  const since = (await first.getAttribute("aria-valuetext")) ?? "";
  expect(since < (days.at(-1) ?? "")).toBe(true);
  const late = days.filter((day) => day >= since).length;
  expect(late).toBeLessThan(lasts.length);
  expect(await countOf(page, "Edges")).toBe(late);
  // The other thumb cannot pass it.
  await page.getByRole("slider", { name: "Last day" }).focus();
  await page.keyboard.press("Home");
  expect(await page.getByRole("slider", { name: "Last day" }).getAttribute("aria-valuetext")).toBe(since);
  await page.keyboard.press("End");
  await first.focus();
  await page.keyboard.press("Home");
  expect(await countOf(page, "Edges")).toBe(lasts.length);

  await page.getByRole("combobox", { name: /^Token/ }).selectOption({ label: "USDC" });
  const of_usdc = tokens.filter((text) => /\bUSDC\b/.test(text)).length;
  expect(of_usdc).toBeGreaterThan(0);
  expect(of_usdc).toBeLessThan(tokens.length);
  expect(await countOf(page, "Edges")).toBe(of_usdc);
  expect((await column(page, "Edges", "tokens")).every((text) => /^[\d.,]+ USDC$/.test(text))).toBe(true);
  await picture(page, "graph-narrowed");
  expect([errors, await fitsWidth(page), await violationsOn(page)]).toEqual([[], true, []]);
});

test("addresses are grouped by entity and by hand; undo and a reload keep up with it", async () => {
  const { page, errors } = await browser.open(origin, { key: stage.key, look: { width: 1024, scheme: "dark" } });
  await started(page);
  // Harbour Exchange has two addresses in Alice's graph, and Uniswap v2 three (docs/tools/get_wallet_counterparties_analysis.md).
  expect(await countOf(page, "Addresses")).toBe(11);
  await page.getByText("Groups: 0").click();
  await page.getByRole("button", { name: "Group by entity (2)" }).click();
  expect(await countOf(page, "Addresses")).toBe(11 - 1 - 2);
  await table(page, "Addresses").getByRole("button", { name: "2 addresses" }).click();
  await page.getByRole("region", { name: "Chosen group" }).getByText("Harbour Exchange").waitFor();
  await page.waitForTimeout(1_500);
  await picture(page, "graph-groups");
  expect(await violationsOn(page)).toEqual([]);
  await page.waitForTimeout(1_500);
  await page.reload();
  await page.getByText("Groups: 2").waitFor();
  expect(await countOf(page, "Addresses")).toBe(8);
  await page.getByRole("button", { name: "Open", exact: true }).first().click();
  expect(await countOf(page, "Addresses")).toBeGreaterThan(8);
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await countOf(page, "Addresses")).toBe(8);
  for (const name of ["Ungroup", "Ungroup"]) await page.getByRole("button", { name, exact: true }).first().click();
  expect(await countOf(page, "Addresses")).toBe(11);

  for (const nth of [3, 4]) {
    await table(page, "Addresses").locator("tbody tr").nth(nth).getByRole("button").click();
    await page.getByRole("button", { name: "Select for a group" }).click();
  }
  await page.getByLabel("Name of the group").fill("Suspects <b>");
  await page.getByRole("button", { name: "Group 2 addresses" }).click();
  await page.getByText("Groups: 1").waitFor();
  expect(await countOf(page, "Addresses")).toBe(10);
  expect([errors, await fitsWidth(page)]).toEqual([[], true]);
});

test("transactions of an edge become payments by token and step of time", async () => {
  const { page, errors } = await browser.open(origin, { key: stage.key, look: { width: 390, scheme: "light" } });
  await started(page);
  await table(page, "Edges")
    .getByRole("row", { name: /0xEf93DD2a5115c729A2610feFd65A34DD3787aF9f/ })
    .getByRole("button")
    .click();
  await page.getByRole("button", { name: "Transactions · 25 credits" }).click();
  await table(page, "Payments by token and week").waitFor();
  // Five deposits on five days, each of a transaction; Alice's other edges have payments of these days too.
  const transactions = await table(page, "Transactions of the edge").locator("tbody tr").count();
  expect(transactions).toBe(5);
  const payments = async (step: string) => {
    await page.getByRole("combobox", { name: /^Payments by token/ }).selectOption(step);
    const [to, counts] = [
      await column(page, `Payments by token and ${step}`, "to"),
      await column(page, `Payments by token and ${step}`, "transactions"),
    ];
    return counts.filter((_, i) => to[i] === "Deposit address of Harbour Exchange").map(Number);
  };
  for (const step of ["day", "week", "month"])
    expect((await payments(step)).reduce((sum, count) => sum + count, 0)).toBe(5);
  expect((await payments("day")).length).toBeGreaterThan((await payments("month")).length);
  await picture(page, "graph-payments");
  expect([errors, await fitsWidth(page), await violationsOn(page)]).toEqual([[], true, []]);
});
