import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type SharedWorldService, sharedWorld } from "../e2e/served_world.ts";
import { type Browser, sharedBrowser, until, violationsOn, type WatchedPage } from "./browser.ts";
import { openPausableProxy, type PausableProxy } from "./pausable_proxy.ts";

let stage: SharedWorldService;
let browser: Browser;
let gate: PausableProxy;
const opened: WatchedPage[] = [];
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedWorld(), sharedBrowser()]);
  gate = await openPausableProxy(stage.service.url ?? "");
});
afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close();
});
afterAll(() => gate.shut());

const keyOn = async (plan: string) => {
  const { accounts, keys } = stage.service.accounts;
  const account = await accounts.create({ name: `page ${plan} ${crypto.randomUUID()}`, plan });
  return keys.create({ account_id: account.id, scopes: ["api:call"] });
};

const openWallet = async (key: string) => {
  const watched = await browser.open(gate.origin, { key });
  opened.push(watched);
  const { wallet_address } = tools.find(({ name }) => name === "get_wallet_portfolio_breakdown")?.example ?? {};
  await watched.page.goto(`${gate.origin}/app/wallet/demo/${wallet_address}`);
  await watched.page.locator("button.ask").first().waitFor();
  await watched.quiet();
  return watched.page;
};

test("reports a key that is revoked while the page is open, charges nothing, and continues with another key", async () => {
  const [first, second] = [await keyOn("wide"), await keyOn("wide")];
  const page = await openWallet(first.secret);
  await stage.service.accounts.keys.revoke(first.id);
  await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
  const told = page.getByRole("alert");
  await told.waitFor();
  expect(await told.textContent()).toMatch(/This key is not valid any more.*Nothing was charged\./);
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole("button", { name: "Forget this key" }).click();
  await page.getByLabel("API key").fill(second.secret);
  await page.getByRole("button", { name: "Use it" }).click();
  await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
  await page.locator(".covered").first().waitFor();
});

test("keeps paid answers when the credits end in the middle of a page, and does not call the rest", async () => {
  // 20 credits: profile and holdings cost 8 each, profit and loss 25.
  const page = await openWallet((await keyOn("small")).secret);
  const before = gate.calls();
  await page.locator(".ask-all").click();
  const told = page.getByRole("alert");
  await told.waitFor();
  expect(await told.textContent()).toMatch(/The credits of this plan are used up.*Nothing was charged\./);
  await until(page, "!document.querySelector('[data-state=asking], .ask-all[aria-disabled=true]')");
  expect(await page.locator("[data-state=answered]").count()).toBe(3);
  expect(await page.locator(".block-get_wallet_portfolio_breakdown .answer-figures").count()).toBe(1);
  expect(await page.locator(".credits").textContent()).toBe("4 credits");
  expect(gate.calls() - before).toBe(3);
});

test("reports a service that restarts under an open page, and answers the next call", async () => {
  const page = await openWallet(stage.key);
  await gate.shut();
  await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
  const told = page.getByRole("alert");
  await told.waitFor();
  expect(await told.textContent()).toMatch(/The service did not answer.*Whether it was charged is not known\./);
  // A page that was not opened before cannot come either.
  await page.getByRole("link", { name: "Tools" }).click();
  await page.getByText("This part of the page could not be loaded").waitFor();
  await gate.open();
  await page.goBack();
  await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
  await page.locator(".covered").first().waitFor();
});

test("shows that it waits for a slow answer, and lets the user stop waiting", async () => {
  const page = await openWallet(stage.key);
  gate.hold();
  try {
    await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
    await page.getByText(/Asking… [2-9] s/).waitFor();
    expect(await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Stop waiting" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("You stopped waiting");
  } finally {
    gate.release();
  }
  await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
  await page.locator(".covered").first().waitFor();
});

test("charges nothing when the price changed after it was shown, and shows the new one on the button", async () => {
  const page = await openWallet(stage.key);
  const { prices } = stage.service.accounts;
  const tool = "get_wallet_portfolio_breakdown";
  await prices.set(tool, 9);
  try {
    await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByRole("alert").textContent()).toMatch(/The price has changed.*Nothing was charged\./);
    await page.getByRole("button", { name: "Ask · 9 credits: Holdings" }).waitFor();
  } finally {
    await prices.set(tool, 8);
  }
});
