// @long: alone
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { openDemoWorld, type WorldService } from "../e2e/served_world.ts";
import { type Browser, openBrowser, violationsOn } from "./browser.ts";

// A graph of the account, which two of its people open, in a real Chromium.
const PORTAL = join(import.meta.dirname, "../../dist/portal");

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

const openWithKey = async () => {
  const { accounts } = stage.service;
  const [account] = await accounts.accounts.list();
  const account_id = account?.id ?? "";
  const { secret, id } = await accounts.keys.create({ account_id, scopes: ["api:call", "cases:write"] });
  return { ...(await browser.open(origin, { key: secret })), account_id, key_id: id };
};

const choose = (page: Page, name: RegExp): Promise<void> =>
  page.getByRole("region", { name: "Addresses" }).getByRole("row", { name }).getByRole("button").click();

const rename = async (page: Page, name: RegExp, label: string): Promise<void> => {
  await choose(page, name);
  const field = page.getByRole("region", { name: "Chosen address" }).getByLabel("Your label");
  await field.fill(label);
  await field.blur();
};

test("a graph saves itself in the account's case, opens by its link, and is not overwritten by an older page", async () => {
  const { page, errors, account_id } = await openWithKey();
  await page.goto(`${origin}/app/graph?network=demo&address=${ALICE}`);
  await page.getByRole("button", { name: "Start · 25 credits" }).click();
  await page.getByRole("button", { name: "Save in the case" }).click();
  await page.getByText("Saved. Later changes are saved by themselves.").waitFor();
  await rename(page, /Harbour Exchange hot wallet/, "Laundry");
  await page.getByText("Saving…").waitFor();
  await page.getByText("Saved.", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Copy link for the account" }).waitFor();
  expect(await violationsOn(page)).toEqual([]);
  const link = page.url();

  const other = await openWithKey();
  await other.page.goto(link);
  await other.page
    .getByRole("region", { name: "Addresses" })
    .getByRole("row", { name: /Laundry/ })
    .waitFor();
  await choose(other.page, /Deposit address of Harbour/);
  await other.page.getByRole("button", { name: "Hide" }).click();
  await other.page.getByText("Saved.", { exact: true }).waitFor();

  await rename(page, /Deposit address of Harbour/, "Mine");
  await page.getByText(`The graph was changed by key:${other.key_id} in the meantime.`).waitFor();
  await page.getByText("Later changes are not saved.").waitFor();
  const { accounts } = stage.service;
  const [{ id: case_id = "" } = {}] = await accounts.as("x").cases.list(account_id);
  const { parts, head } = await accounts.as("x").cases.show({ account_id, case_id }, "heads");
  const graph = JSON.parse(parts.find(({ kind }) => kind === "graph")?.body ?? "{}");
  expect([head.entries, head.graphs, graph.hidden.length]).toEqual([1, 1, 1]);
  expect(graph.labels.map(([, label]: readonly [string, string]) => label)).toEqual(["Laundry"]);
  expect([errors, other.errors]).toEqual([[], []]);
});
