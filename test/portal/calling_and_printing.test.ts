import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type SharedWorldService, sharedWorld } from "../e2e/served_world.ts";
import { type Browser, type ScreenSetting, sharedBrowser, type WatchedPage } from "./browser.ts";

const NAME = "get_wallet_pnl";
const ALICE = String(tools.find(({ name }) => name === NAME)?.example.address);

let stage: SharedWorldService;
let browser: Browser;
const opened: WatchedPage[] = [];
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedWorld(), sharedBrowser()]);
});
afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close();
});

const openAt = async (path: string, look?: ScreenSetting): Promise<Page> => {
  const origin = stage.service.url ?? "";
  const watched = await browser.open(origin, { key: stage.key, ...(look === undefined ? {} : { look }) });
  opened.push(watched);
  await watched.page.goto(`${origin}${path}`);
  await watched.page.getByRole("heading", { level: 1 }).waitFor();
  return watched.page;
};

/** Holds every answer of a tool until the returned function is called. */
const holdAnswers = async (page: Page): Promise<() => void> => {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/api/tools/*", async (route) => {
    await released;
    await route.continue();
  });
  return release;
};

const hasFocus = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate(`document.activeElement === document.querySelector(${JSON.stringify(selector)})`);

const focused = (page: Page): Promise<string> => page.evaluate("document.activeElement.outerHTML.slice(0, 200)");

test("keeps the focus on a button during its call and after it, and calls once", async () => {
  const page = await openAt(`/app/wallet/demo/${ALICE}`);
  const asked: string[] = [];
  page.on("request", (request) => request.url().includes("/api/tools/") && asked.push(request.method()));
  const release = await holdAnswers(page);
  const button = page.locator(`.block-${NAME} button.ask`);
  await button.focus();
  await page.keyboard.press("Enter");
  await page.locator(`.block-${NAME} button.ask[aria-disabled=true]`).waitFor();
  expect(await focused(page)).toMatch(/^<button [^>]*class="[^"]*\bask\b/);
  await page.keyboard.press("Enter");
  release();
  await page.locator(`.block-${NAME}[data-state=answered]`).waitFor();
  expect(await hasFocus(page, `.block-${NAME} button.ask`)).toBe(true);
  expect(asked).toEqual(["POST"]);
});

test("keeps the focus on the playground's button too", async () => {
  const page = await openAt(`/app/tools/${NAME}`);
  await page.getByRole("button", { name: "Fill in the example" }).click();
  await page.locator("button.ask").focus();
  await page.keyboard.press("Enter");
  await page.locator("[data-state=answered]").first().waitFor();
  expect(await hasFocus(page, "button.ask")).toBe(true);
});

test("moves the focus to the answers when the button that calls everything disappears", async () => {
  const page = await openAt(`/app/wallet/demo/${ALICE}`);
  // The contents of the answers do not matter here, and all answers of a wallet take long.
  await page.route("**/api/tools/*", (route) => route.fulfill({ json: { status: "no_data", message: "Nothing." } }));
  await page.locator(".ask-all").focus();
  await page.keyboard.press("Enter");
  await page.locator(".ask-all").waitFor({ state: "detached" });
  expect(await focused(page)).toContain('class="blocks"');
});

test("prints a page in dark colours light, with a heading over every column", async () => {
  const page = await openAt(`/app/wallet/demo/${ALICE}`, { width: 1024, scheme: "dark" });
  await page.evaluate("document.documentElement.dataset.theme = 'dark'");
  await page.locator(`.block-${NAME} button.ask`).click();
  await page.locator(`.block-${NAME} thead th`).first().waitFor();
  const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  expect(await background()).toBe("rgb(15, 20, 20)");
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await background()).toBe("rgb(245, 247, 247)");
  expect(await page.evaluate("getComputedStyle(document.body).color")).toBe("rgb(21, 32, 32)");
  const texts: string[] = await page.evaluate(
    `[...document.querySelectorAll(".block-${NAME} thead th")].map((one) => one.innerText.trim())`,
  );
  expect(texts).toEqual(expect.arrayContaining(["Symbol", "Unrealized", "At unknown cost"]));
  expect(texts.filter((text) => text === "")).toEqual([]);
  expect(await page.evaluate(`getComputedStyle(document.querySelector(".block-${NAME} thead")).display`)).toBe(
    "table-header-group",
  );
});

test("prints the headings of the graph's tables, which are buttons on the screen", async () => {
  const page = await openAt(`/app/graph?network=demo&address=${ALICE}`, { width: 1024, scheme: "dark" });
  await page.getByRole("button", { name: /^Start/ }).click();
  await page.getByRole("region", { name: "Edges", exact: true }).waitFor();
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  const shown: string[] = await page.evaluate(
    `[...document.querySelectorAll("section[aria-label=Edges] thead th")].map((one) => one.innerText.trim())`,
  );
  expect(shown.slice(0, 5)).toEqual(["from", "from label", "to", "to label", "tokens"]);
});
