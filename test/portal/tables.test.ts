import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type SharedWorldService, sharedWorld } from "../e2e/served_world.ts";
import {
  type Browser,
  fitsWidth,
  type ScreenSetting,
  sharedBrowser,
  violationsOn,
  type WatchedPage,
} from "./browser.ts";

// A large table of an answer: filter, order, columns and file, by keyboard.
const NAME = "get_wallet_transactions";
const LABEL = "Movements";

let stage: SharedWorldService;
let browser: Browser;
const opened: WatchedPage[] = [];
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedWorld(), sharedBrowser()]);
});
afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close();
});

const openAnswer = async (look: ScreenSetting): Promise<WatchedPage> => {
  const origin = stage.service.url ?? "";
  const watched = await browser.open(origin, { key: stage.key, look });
  opened.push(watched);
  const wallet = tools.find(({ name }) => name === "get_wallet_pnl")?.example.address;
  await watched.page.goto(`${origin}/app/wallet/demo/${String(wallet)}`);
  await watched.page.locator(`.block-${NAME} button.ask`).click();
  await watched.page.locator(`.block-${NAME}[data-state=answered]`).waitFor();
  return watched;
};

const focusedName = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent");

/** Texts of the shown cells of a column. */
const cellsOf = (page: Page, head: string): Promise<readonly string[]> =>
  page.evaluate(`(() => {
    const table = document.querySelector(".block-${NAME} table");
    const at = [...table.tHead.rows[0].cells].findIndex((cell) => cell.innerText.startsWith(${JSON.stringify(head)}));
    return [...table.tBodies[0].rows].map((row) => row.cells[at].innerText.trim());
  })()`);

const headsOf = (page: Page): Promise<readonly string[]> =>
  page.evaluate(
    `[...document.querySelector(".block-${NAME} table").tHead.rows[0].cells].map((cell) => cell.innerText.trim())`,
  );

test.each([
  { width: 1600, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const)("is filtered, sorted and taken away by keyboard at $width px", async (look) => {
  const { page, errors } = await openAnswer(look);
  const block = page.locator(`.block-${NAME}`);
  const filter = block.getByRole("searchbox", { name: `Filter ${LABEL}` });
  await filter.focus();
  const times = await cellsOf(page, "When");
  const day = (times[0] ?? "").slice(0, 10);
  await page.keyboard.type(day);
  const found = await cellsOf(page, "When");
  expect(found.length).toBeGreaterThan(0);
  expect(found.every((time) => time.startsWith(day))).toBe(true);
  expect(await block.getByRole("status").filter({ hasText: " of " }).textContent()).toMatch(/^\d+ of \d+ rows$/);
  expect(await focusedName(page)).toBe(`Filter ${LABEL}`);
  await page.keyboard.type(" no such words");
  await block.getByText("No row has these words.").waitFor();
  await filter.fill("");

  const when = block.getByRole("columnheader", { name: "When" });
  await when.getByRole("button").focus();
  await page.keyboard.press("Enter");
  expect(await when.getAttribute("aria-sort")).toBe("descending");
  await page.keyboard.press("Enter");
  expect(await when.getAttribute("aria-sort")).toBe("ascending");
  const ascending = await cellsOf(page, "When");
  expect(ascending).toEqual([...ascending].sort());
  expect(await focusedName(page)).toContain("When");

  const columns = block.getByRole("button", { name: `Columns of ${LABEL}` });
  const [first = "", second = ""] = await headsOf(page);
  await columns.focus();
  await page.keyboard.press("Enter");
  await block.getByRole("checkbox", { name: second, exact: true }).focus();
  await page.keyboard.press("Space");
  expect(await headsOf(page)).not.toContain(second);
  expect([await violationsOn(page), await fitsWidth(page)]).toEqual([[], true]);

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    block.getByRole("button", { name: `${LABEL} as CSV`, exact: true }).click(),
  ]);
  expect(file.suggestedFilename()).toBe(`${LABEL}.csv`);
  const lines = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
  const heads = (await headsOf(page)).map((head) => head.replace(/ [▾▴]$/, ""));
  expect(lines[0]).toBe(heads.join(","));
  expect(first).toMatch(/^When/);
  // Exact times, in the order of the page, and all rows that the filter leaves, also those that are folded away.
  expect(lines.slice(1, 4).map((line) => line.slice(0, 16).replace("T", " "))).toEqual(ascending.slice(0, 3));
  const caption = (await block.locator("caption").first().textContent()) ?? "";
  expect(lines.length - 1).toBe(Number(/\((\d+)\)$/.exec(caption)?.[1]));
  expect(errors).toEqual([]);
});

test("paper has the headings and the chosen rows, and no tools", async () => {
  const { page } = await openAnswer({ width: 1024, scheme: "light" });
  const block = page.locator(`.block-${NAME}`);
  await page.emulateMedia({ media: "print" });
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await block.getByRole("searchbox").isVisible()).toBe(false);
  expect(await block.getByRole("columnheader", { name: "When" }).isVisible()).toBe(true);
  expect(await page.evaluate(`getComputedStyle(document.querySelector(".block-${NAME} thead")).display`)).toBe(
    "table-header-group",
  );
  const caption = (await block.locator("caption").first().textContent()) ?? "";
  const rows = await block.locator("table").first().locator("tbody tr").count();
  expect(rows).toBe(Number(/\((\d+)\)$/.exec(caption)?.[1]));
});
