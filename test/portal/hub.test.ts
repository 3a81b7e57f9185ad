// @long: alone
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { blowUp, HUB } from "../../bench/blown_up.ts";
import { openDemoWorld, type WorldService } from "../e2e/served_world.ts";
import { type Browser, fitsWidth, openBrowser, until, violationsOn } from "./browser.ts";

// A wallet that dealt with more addresses than any page can hold.

const PEERS = 100_000;
const ADDRESS = `0x${HUB}`;
const PORTAL = join(import.meta.dirname, "../../dist/portal");
/**
 * The whole story is in the default window of 90 days. Nineteen pairs of these random addresses look alike by chance, so
 * that a few of them, which paid dust, are taken for poisoning.
 */
const ALL = /(?<!\d)(?:100,000|99,99\d)(?!\d)/;
const ANSWER_MS_MAX = 30_000;

let stage: WorldService;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openDemoWorld({ portal: PORTAL }), openBrowser()]);
  await blowUp(stage.service.facts.engine, { hub_peers: PEERS });
  origin = stage.service.url ?? "";
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

/** How long the page lets a click wait, while it does what it does. */
const answersIn = (page: Page): Promise<number> =>
  page.evaluate(`(() => { const from = performance.now();
    return new Promise((done) => setTimeout(() => requestAnimationFrame(() => done(performance.now() - from)), 0)); })()`);

test("gets each answer of its page in time and in full, and stays usable", async () => {
  const { page, errors, foreign } = await browser.open(origin, { key: stage.key });
  await page.goto(`${origin}/app/wallet/demo/${ADDRESS}`);
  await page.locator(".ask-all").click();
  await until(page, "[...document.querySelectorAll('.block')].every((block) => block.dataset.state === 'answered')");
  expect(await page.locator(".block .notice-bad").allTextContents()).toEqual([]);
  const peers = page.locator(".block-get_wallet_counterparties");
  expect(await peers.locator(".answer-figures").textContent()).toMatch(ALL);
  expect(await page.locator("*").count()).toBeLessThan(20_000);
  expect(await answersIn(page)).toBeLessThan(1_000);
  expect([errors, foreign, await fitsWidth(page), await violationsOn(page)]).toEqual([[], [], true, []]);
});

test("starts its graph with one page of them, and shows their number", async () => {
  const { page, errors } = await browser.open(origin, { key: stage.key });
  await page.goto(`${origin}/app/graph?network=demo&address=${ADDRESS}`);
  const from = Date.now();
  await page.getByRole("button", { name: "Start · 25 credits" }).click();
  const addresses = page.getByRole("region", { name: "Addresses" });
  await addresses.waitFor();
  expect(Date.now() - from).toBeLessThan(ANSWER_MS_MAX);
  const shown = await addresses.locator("tbody tr").count();
  expect(shown).toBeGreaterThan(10);
  expect(shown).toBeLessThan(2_000);
  const hub = addresses.getByRole("row", { name: new RegExp(ADDRESS, "i") }).first();
  await hub.getByRole("button").click();
  await page.getByRole("region", { name: "Chosen address" }).getByText(ALL).waitFor();
  expect([errors, await fitsWidth(page), await violationsOn(page)]).toEqual([[], true, []]);
});
