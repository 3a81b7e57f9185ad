// @long: alone
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WALLET } from "../contract/bench_tools.ts";
import { openService } from "../contract/service.ts";
import { type Browser, fitsWidth, openBrowser, violationsOn, type WatchedPage } from "./browser.ts";

// Watches of an account, in a real Chromium.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
const PASSWORD = "correct horse battery";
/** A folder for screenshots, for manual review. */
const PICTURES = process.env.ASSAY_TEST_PICTURES;
const RECEIVER = "https://hooks.example/assay";

let service: Awaited<ReturnType<typeof openService>>;
let browser: Browser;
beforeAll(async () => {
  [service, browser] = await Promise.all([
    openService({
      portal: PORTAL,
      sign_in: {},
      watch: { webhooks: true, local_origins: ["https://hooks.example"], streams_per_account: 2 },
      accounts: {
        ...{ password_cost: { N: 1_024, r: 8, p: 1 }, now: Date.now },
        watch: { rules_per_account: 9, is_priced: false },
      },
    }),
    openBrowser(),
  ]);
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
});

const openAs = async (name: string, role: "viewer" | "watcher", width: number): Promise<WatchedPage> => {
  const watched = await browser.open(service.url, { look: { width, scheme: width < 500 ? "dark" : "light" } });
  const wish = { name, account_id: service.customer.account.id, is_operator: false, role };
  const { token } = await service.store.users.link(wish);
  await watched.page.goto(`${service.url}/app/set-up#${token}`);
  await watched.page.getByLabel("Password, 12 characters or more").fill(PASSWORD);
  await watched.page.getByLabel("The same again").fill(PASSWORD);
  await watched.page.getByRole("button", { name: "Set the password" }).click();
  await watched.page.getByRole("heading", { name: /^Account of/ }).waitFor();
  return watched;
};

test.each([1600, 390])("from a wallet's page to a rule, a test event and its end, at %i px", async (width) => {
  const watched = await openAs(`wendy-${width}`, "watcher", width);
  const { page, errors, foreign } = watched;
  await page.goto(`${service.url}/app/wallet/demo/${WALLET}`);
  await page.getByRole("link", { name: "Watch", exact: true }).click();
  await page.getByRole("heading", { name: "New watch" }).waitFor();
  expect(await page.getByLabel("Address", { exact: true }).inputValue()).toBe(WALLET);
  expect(await page.getByLabel("Network").inputValue()).toBe("demo");

  // An address that can never be sent to is refused by the service, and the draft stays.
  const url = page.getByLabel("Send to this https address (empty: only list and stream)");
  await url.fill("https://127.0.0.1/x");
  await page.getByLabel("Note").fill("Treasury");
  await page.getByRole("button", { name: "Watch it" }).click();
  await page.getByText("url can never be sent to").waitFor();
  await url.fill(RECEIVER);
  await page.getByLabel("At least, USD (empty: any value)").fill("100.5");
  await page.getByRole("button", { name: "Watch it" }).click();
  expect(await page.locator("code.secret").textContent()).toMatch(/^whsec_/);
  await page.getByRole("button", { name: "I have it" }).click();

  const rules = page.getByRole("region", { name: "Watch rules" });
  const row = rules.getByRole("row", { name: /Treasury/ });
  await row.getByRole("cell", { name: "movement, at least $100.5" }).waitFor();
  await row.getByRole("button", { name: "Send a test" }).click();
  const events = page.getByRole("region", { name: "Table of events" });
  await events.getByRole("row", { name: /test.*address.*waiting after 0 attempts/ }).waitFor();
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `watches-${width}.png`), fullPage: true });
  expect([errors, foreign, await fitsWidth(page), await violationsOn(page)]).toEqual([[], [], true, []]);

  await row.getByRole("button", { name: "Pause" }).click();
  await row.getByRole("cell", { name: "paused" }).waitFor();
  await row.getByRole("button", { name: "Resume" }).click();
  await row.getByRole("cell", { name: "active" }).waitFor();
  await row.getByRole("button", { name: "New secret" }).click();
  await page.getByText("The new secret of the rule's webhooks.").waitFor();
  await page.getByRole("button", { name: "I have it" }).click();

  // The receiver never took the event: it is a dead letter, and is sent again by hand.
  const [stored] = await service.store.watch.events.list({
    ...{ account_id: service.customer.account.id, rule_id: null, before: null, limit: 1, is_dead: false },
  });
  expect(stored).toMatchObject({ delivery: { state: "waiting" } });
  await events.getByRole("button", { name: "Send again" }).first().click();
  await row.getByRole("button", { name: "Remove" }).click();
  await row.getByRole("button", { name: "Remove" }).click();
  await row.waitFor({ state: "detached" });
  await events
    .getByRole("row", { name: /a rule that has ended/ })
    .first()
    .waitFor();
  expect([errors, foreign, await violationsOn(page)]).toEqual([[], [], []]);
});

test("a viewer learns which right is missing", async () => {
  const { page } = await openAs("vera", "viewer", 1024);
  await page.goto(`${service.url}/app/watches`);
  await page.getByText("This requires a key or a role with watch:read or watch:manage.").waitFor();
  expect(await page.getByRole("button", { name: "Watch it" }).count()).toBe(0);
  expect(await violationsOn(page)).toEqual([]);
});
