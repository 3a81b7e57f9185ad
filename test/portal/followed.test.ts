import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import { startDemoWorld } from "../demo_world.ts";
import { openTestService, T0, type TestService } from "../e2e/served_world.ts";
import { type Browser, fitsWidth, sharedBrowser, violationsOn } from "./browser.ts";

const PORTAL = join(import.meta.dirname, "../../dist/portal");

let world: EvmWorld;
let stage: TestService;
let browser: Browser;
beforeAll(async () => {
  world = await startDemoWorld({ placement: "demo", t0: T0 });
  await world.rpc.call("anvil_mine", "0x60");
  const { project: _, ...demo } = demoNetwork(world);
  const { on_demand } = settings.parse({ on_demand: { wait_seconds: 25 } });
  const network = { ...demo, poll_ms: 100, index: "on_demand" as const };
  [stage, browser] = await Promise.all([
    openTestService({ networks: [network], settings: { on_demand }, portal: PORTAL }),
    sharedBrowser(),
  ]);
});
afterAll(async () => {
  await stage?.close();
  await world?.stop();
});

test("the account page reads an address on demand, shows its progress, and leaves it", async () => {
  const origin = stage.service.url ?? "";
  const { page, errors, foreign } = await browser.open(origin, { key: stage.key });
  await page.goto(`${origin}/app/account`);
  const part = page.getByRole("region", { name: "Addresses on demand", exact: true });
  await part.getByLabel("Addresses").fill("0x12");
  await part.getByRole("button", { name: "Read and follow" }).click();
  await part.getByText("'0x12' is not an address of demo.").waitFor();
  const { address } = CHARACTERS.carol;
  await part.getByLabel("Addresses").fill(address);
  await part.getByRole("button", { name: "Read and follow" }).click();
  // Found in 60 s even on a busy machine; the page looks every two seconds.
  await part.getByRole("cell", { name: "read", exact: true }).waitFor({ timeout: 60_000 });
  expect(await part.getByText("not an address").count()).toBe(0);
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await fitsWidth(page)).toBe(true);
  await part.getByRole("button", { name: "Leave" }).click();
  await part.getByRole("button", { name: "Leave" }).click();
  await part.getByText("A call about an address on these networks").waitFor();
  expect(errors.filter((one) => !one.includes("422"))).toEqual([]);
  expect(foreign).toEqual([]);
  await page.context().close();
});
