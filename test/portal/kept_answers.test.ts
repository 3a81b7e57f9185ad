// @long: alone
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { openDemoWorld, type WorldService } from "../e2e/served_world.ts";
import { type Browser, openBrowser, violationsOn } from "./browser.ts";

// Paid answers that the account keeps, over a reload and in another browser, in a real Chromium.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
/** A folder for screenshots, for manual review. */
const PICTURES = process.env.ASSAY_TEST_PICTURES;

let stage: WorldService;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  [stage, browser] = await Promise.all([
    openDemoWorld({
      portal: PORTAL,
      settings: { answers: { days: 1, answers_per_account: 50, megabytes_per_account: 10 } },
    }),
    openBrowser(),
  ]);
  origin = stage.service.url ?? "";
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const WALLET = String(tools.find(({ name }) => name === "get_wallet_risk_overview")?.example.address);

const keyOf = async (account_id: string): Promise<string> =>
  (await stage.service.accounts.keys.create({ account_id, scopes: ["api:call"] })).secret;

test("a reload and another browser of the account show a paid answer with its age, without a charge; others see nothing", async () => {
  const { accounts } = stage.service;
  const { id: account_id } = await accounts.accounts.create({ name: "Keeping", plan: "wide" });
  const path = `${origin}/app/wallet/demo/${WALLET}`;
  const { page, errors } = await browser.open(origin, { key: await keyOf(account_id) });
  await page.goto(path);
  const risk = page.getByRole("region", { name: "Risk", exact: true });
  await risk.getByRole("button", { name: "Ask · 15 credits: Risk" }).click();
  await risk.getByText(/^asked /).waitFor();
  const spent = async (id = account_id) => (await accounts.accounts.show(id)).credits_used;
  expect(await spent()).toBe(15);
  await page.waitForTimeout(1_000);

  const called: string[] = [];
  page.on("request", (request) => request.url().includes("/api/tools/get_") && called.push(request.url()));
  await page.reload();
  await risk.getByText(/^kept from .* old · block /).waitFor();
  await risk.getByRole("button", { name: "Refresh · 15 credits: Risk" }).waitFor();
  expect([called, await spent()]).toEqual([[], 15]);
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, "kept-answer.png") });
  expect(await violationsOn(page)).toEqual([]);

  const other = await browser.open(origin, { key: await keyOf(account_id) });
  await other.page.goto(path);
  await other.page
    .getByRole("region", { name: "Risk", exact: true })
    .getByText(/^kept from /)
    .waitFor();
  expect(await spent()).toBe(15);

  const stranger = await accounts.accounts.create({ name: "Stranger", plan: "wide" });
  const alone = await browser.open(origin, { key: await keyOf(stranger.id) });
  await alone.page.goto(path);
  await alone.page.getByRole("button", { name: "Ask · 15 credits: Risk" }).waitFor();
  await alone.quiet();
  expect(await alone.page.getByText(/^kept from /).count()).toBe(0);

  // Asking again costs its price, and replaces what is kept.
  await risk.getByRole("button", { name: "Refresh · 15 credits: Risk" }).click();
  await risk.getByText(/^asked /).waitFor();
  expect(await spent()).toBe(30);
  expect([errors, other.errors, alone.errors]).toEqual([[], [], []]);
});
