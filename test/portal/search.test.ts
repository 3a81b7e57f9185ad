import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { type SharedWorldService, sharedWorld } from "../e2e/served_world.ts";
import { openTruth, type Truth } from "../e2e/truth.ts";
import { type Browser, fitsWidth, sharedBrowser, violationsOn, type WatchedPage } from "./browser.ts";

let stage: SharedWorldService;
let truth: Truth;
let browser: Browser;
let origin: string;
const opened: WatchedPage[] = [];
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedWorld(), sharedBrowser()]);
  truth = await openTruth(stage.world);
  origin = stage.service.url ?? "";
});
afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close();
});

const openAt = async (path: string) => {
  const watched = await browser.open(origin, { key: stage.key });
  opened.push(watched);
  await watched.page.goto(`${origin}${path}`);
  await watched.page.getByRole("heading", { level: 1 }).waitFor();
  return watched;
};

/** Presses the shortcut until the page, which a busy machine draws late, listens to it. */
const focusBy = (page: Page, shortcut: string) =>
  expect
    .poll(
      async () => {
        await page.keyboard.press(shortcut);
        return page.evaluate("document.activeElement?.getAttribute('role')");
      },
      { timeout: 20_000 },
    )
    .toBe("combobox");

test("the box suggests tokens while a symbol is typed, marks copies, and opens the chosen one by keyboard", async () => {
  const { page, errors, foreign } = await openAt("/");
  await focusBy(page, "/");
  await page.keyboard.type("usdc");
  const list = page.getByRole("listbox", { name: "Suggestions" });
  await list.waitFor();
  const box = page.getByRole("combobox");
  expect(await box.getAttribute("aria-expanded")).toBe("true");
  expect(await violationsOn(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await fitsWidth(page)).toBe(true);
  const first = list.getByRole("option").first();
  expect(await first.textContent()).toContain("USDC");
  expect(await first.textContent()).not.toContain("copy of another token");
  // The world has a fake USDC.
  expect(await list.getByText("copy of another token").count()).toBeGreaterThan(0);
  await page.keyboard.press("ArrowDown");
  expect(await box.getAttribute("aria-activedescendant")).toBe(await first.getAttribute("id"));
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/app/token/demo/${truth.addressOf("usdc")}`);
  expect(errors).toEqual([]);
  expect(foreign).toEqual([]);
});

test("the box on other pages suggests labelled addresses, and says what was searched when nothing resembles a text", async () => {
  const { page, errors } = await openAt("/app/tools");
  await focusBy(page, "Control+k");
  await page.keyboard.type("no such thing");
  await page.getByText("No symbol, token name, label or entity on demo resembles this text.").waitFor();
  await page.getByRole("combobox").fill("exchange");
  const option = page.getByRole("option").filter({ hasText: "Wallet" }).first();
  await option.waitFor();
  expect(await violationsOn(page)).toEqual([]);
  await page.keyboard.press("Escape");
  expect(await page.getByRole("listbox").isVisible()).toBe(false);
  await page.keyboard.press("ArrowDown");
  await option.click();
  await page.waitForURL("**/app/wallet/demo/**");
  expect(errors).toEqual([]);
});

test("a call of the search names what it searched, and is free", async () => {
  const ask = (query: string, key = stage.key) =>
    fetch(`${origin}/api/search?${query}`, { headers: { authorization: `Bearer ${key}` } });
  const found = await ask("q=usdc&limit=1");
  expect(found.headers.get("x-credits-charged")).toBe("0");
  expect(await found.json()).toMatchObject({
    matches: [{ kind: "token", network: "demo", id: truth.addressOf("usdc"), is_original: true, closeness: "exact" }],
    networks: ["demo"],
    not_searched: [],
  });
  const address = truth.addressOf("usdc");
  const itself = await (await ask(`q=${address.toLowerCase()}`)).json();
  const named = { title: "USDC", is_original: true, is_impersonation: false };
  expect(itself).toMatchObject({ matches: [{ kind: "address", network: "demo", id: address, ...named }] });
  expect(await (await ask("q=Alice.eth")).json()).toMatchObject({
    matches: [{ kind: "name", network: null, id: "alice.eth" }],
  });
  for (const wrong of ["", "q=", "q=a&limit=51", "q=a&network=nowhere", `q=${"a".repeat(129)}`])
    expect([wrong, (await ask(wrong)).status]).toEqual([wrong, 422]);
  expect((await ask("q=a", "svc_live_wrong")).status).toBe(401);
});
