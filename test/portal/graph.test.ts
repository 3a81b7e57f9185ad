import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { openWorldStage, type WorldStage } from "../e2e/stage.ts";
import { type Browser, fitsWidth, LOOKS, openBrowser, violationsOn } from "./browser.ts";

const PORTAL = join(import.meta.dirname, "../../dist/portal");
const SHOTS = process.env.ASSAY_TEST_PICTURES;

let stage: WorldStage;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openWorldStage({ portal: PORTAL }), openBrowser()]);
  origin = stage.service.url ?? "";
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const ALICE = String(tools.find(({ name }) => name === "get_wallet_counterparties")?.example.address);

describe("the graph", () => {
  test("it starts at its price", async () => {
    const { page, errors, foreign } = await browser.open(origin, { key: stage.key, look: { width: 1600, scheme: "light" } });
    await page.goto(`${origin}/app/graph?network=demo&address=${ALICE}`);
    await page.getByRole("button", { name: "Start · 25 credits" }).click();
    await page.getByRole("region", { name: "Addresses" }).waitFor();
    await page.waitForTimeout(4000);
    if (SHOTS !== undefined) await page.screenshot({ path: join(SHOTS, "graph.png"), fullPage: true });
    expect([errors, foreign, await fitsWidth(page), await violationsOn(page)]).toEqual([[], [], true, []]);
    void LOOKS;
  });
});
