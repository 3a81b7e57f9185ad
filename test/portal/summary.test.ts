/** The tasks of an analyst on an entity page: what they cost in clicks, credits and seconds, and what the page answers first. */
import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { chartExample } from "../chart_examples.ts";
import { type SharedWorldService, sharedWorld } from "../e2e/served_world.ts";
import { openTruth, type Truth } from "../e2e/truth.ts";
import { type Browser, fitsWidth, SCREENS, sharedBrowser, until, violationsOn, type WatchedPage } from "./browser.ts";

const CLICKS_MAX = 12;

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

/** Counts the clicks of the user in the tab, over all its pages. */
const COUNTING = `
  addEventListener("pointerdown", ({ isTrusted }) => {
    if (isTrusted) sessionStorage.setItem("clicks", String(Number(sessionStorage.getItem("clicks") ?? 0) + 1));
  }, true);`;

const openAt = async (path: string, key = stage.key): Promise<WatchedPage> => {
  const watched = await browser.open(origin, { key });
  opened.push(watched);
  await watched.page.addInitScript({ content: COUNTING });
  await watched.page.goto(`${origin}${path}`);
  await watched.page.getByRole("combobox").first().waitFor();
  return watched;
};

const clicksOf = (page: Page): Promise<number> => page.evaluate("Number(sessionStorage.getItem('clicks') ?? 0)");

/** Every tool of the summary has an answer: nothing is left to ask. */
const isAnswered =
  "document.querySelector('.summary[aria-busy=false]') !== null && document.querySelector('.ask-summary.button-main') === null";

const isDone =
  "document.querySelector('.summary[aria-busy=false]') && !document.querySelector('.ask-summary[aria-disabled=true]')";

/** Asks the summary and returns its rows by question. A call that a busy machine does not finish in time is refunded, and repeated by keyboard. */
const askSummary = async (page: Page): Promise<ReadonlyMap<string, string>> => {
  await page.locator(".ask-summary").click();
  for (let attempts = 0; attempts < 5; attempts += 1) {
    await until(page, isDone);
    if (await page.evaluate<boolean>(isAnswered)) break;
    await page.keyboard.press("Enter");
  }
  const rows: [string, string][] = await page.evaluate(
    "[...document.querySelectorAll('.summary-row')].map((row) => [row.querySelector('dt').innerText, row.querySelector('dd').innerText])",
  );
  return new Map(rows);
};

/** Calls that a page made, as the service charged them. */
const chargesOf = (page: Page): { readonly tools: string[]; readonly credits: () => number } => {
  const charged: number[] = [];
  const names: string[] = [];
  page.on("response", (response) => {
    if (response.request().method() !== "POST" || !response.url().includes("/api/tools/")) return;
    names.push(response.url().split("/").at(-1) ?? "");
    charged.push(Number(response.headers()["x-credits-charged"] ?? Number.NaN));
  });
  return { tools: names, credits: () => charged.reduce((sum, one) => sum + one, 0) };
};

describe("tasks", () => {
  test("is this token safe to buy: from its symbol to the verdict, for a honeypot and a copy", async () => {
    const { page } = await openAt("/");
    const charges = chargesOf(page);
    const began = Date.now();
    await page.getByRole("combobox").click();
    await page.keyboard.type("usdc");
    const copy = page.getByRole("option").filter({ hasText: "copy of another token" }).first();
    await copy.click();
    await page.waitForURL(`**/app/token/demo/${truth.addressOf("fake_usdc")}`);
    // Its name and that it is a copy cost nothing.
    await page.locator(".verdict").getByText("Copy of another token").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toMatch(/USDC/);
    // The sum of the prices of get_token_info and get_token_risk_traits, before any call.
    expect(await page.locator(".ask-summary").textContent()).toBe("Ask the summary · 6 credits");
    const rows = await askSummary(page);
    expect(rows.get("Is it the real one?")).toMatch(/No\. It copies 0x/);
    expect(await page.locator(".verdict").textContent()).toContain("Copy of another token");
    expect(await page.locator(".verdict").textContent()).toContain(truth.addressOf("usdc"));
    expect([...new Set(charges.tools)].toSorted()).toEqual(["get_token_info", "get_token_risk_traits"]);
    expect(charges.credits()).toBe(6);
    const clicks = await clicksOf(page);
    console.log(`safe to buy: ${clicks} clicks, ${charges.credits()} credits, ${(Date.now() - began) / 1_000} s`);
    expect(clicks).toBe(3);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);

    await page.goto(`${origin}/app/token/demo/${truth.addressOf("honeypot")}`);
    const trap = await askSummary(page);
    expect(trap.get("Can it be sold?")).toContain("No. It can be bought, but not sold");
    expect(await page.locator(".verdict").textContent()).toMatch(/risk.*not sold/);
    // The two tools of the summary fill their blocks too, without a second call.
    expect(await page.locator(".block[data-state=answered]").count()).toBe(2);
    expect(charges.credits()).toBe(12);
  });

  test("explain a transaction: from its hash to the sentence, the movements and the signs", async () => {
    const hash = String(tools.find(({ name }) => name === "analyze_transaction")?.example.tx_hash);
    const { page } = await openAt("/");
    const charges = chargesOf(page);
    const began = Date.now();
    await page.getByRole("combobox").click();
    await page.keyboard.type(hash);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/app/transaction/demo/*");
    const rows = await askSummary(page);
    // Alice of the scenario buys Harbor with one coin.
    expect(rows.get("In one sentence")).toMatch(/swapped 1 ETH for .* HRB .* on Uniswap v2\./);
    expect(rows.get("What moved")).toMatch(/−1 ETH \(\$[\d,.]+\), \+[\d,.]+ HRB/);
    expect(rows.has("Signs of risk")).toBe(true);
    expect([...new Set(charges.tools)]).toEqual(["analyze_transaction"]);
    expect(charges.credits()).toBe(40);
    const clicks = await clicksOf(page);
    console.log(`explain: ${clicks} clicks, ${charges.credits()} credits, ${(Date.now() - began) / 1_000} s`);
    expect(clicks).toBe(2);
    expect(clicks).toBeLessThanOrEqual(CLICKS_MAX);
  });
});

test("a wallet opens with its name, its worth and its verdict after the summary", async () => {
  const { page } = await openAt(`/app/wallet/demo/${truth.addressOf("alice")}`);
  await askSummary(page);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe("alice.eth");
  expect(await page.locator(".entity-id").textContent()).toBe(truth.addressOf("alice"));
  expect(await page.locator(".entity-figure").textContent()).toMatch(/Net worth\$[\d,]+\.\d\dwithout tokens/);
  expect(await page.locator(".verdict").textContent()).toContain("risk");
  const [summary, blocks]: [string, string] = await page.evaluate(
    "[document.querySelector('.summary').getBoundingClientRect().top, document.querySelector('.blocks').getBoundingClientRect().top]",
  );
  expect(summary).toBeLessThan(Number(blocks));
});

test("a wallet's worth over time is a picture, a table and a CSV file, in the step of the page's address", async () => {
  const { page } = await openAt(`/app/wallet/demo/${truth.addressOf("alice")}?step=month&from_date=2026-08-01`);
  const bodies: unknown[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/api/series/net_worth")) bodies.push(request.postDataJSON());
  });
  // The button of the whole page does not pay for series: it names the price of the other blocks alone.
  await page.locator(".ask-all").waitFor();
  await page.getByRole("button", { name: "Ask · 40 credits: Net worth over time" }).click();
  const block = page.locator(".block-series_net_worth");
  await block.locator(".picture svg").waitFor();
  expect(bodies).toEqual([
    {
      ...{ wallet_address: truth.addressOf("alice"), network: "demo" },
      ...{ step: "month", from_date: "2026-08-01" },
    },
  ]);
  // The story begins on 1 August and ends before November.
  expect(await block.locator("tbody tr td:first-child").allTextContents()).toEqual([
    "2026-08-01",
    "2026-09-01",
    "2026-10-01",
  ]);
  await block.getByText("Tables as files").click();
  const download = page.waitForEvent("download");
  await block.getByRole("button", { name: "steps as CSV" }).click();
  expect((await download).suggestedFilename()).toBe("series_net_worth-steps.csv");
  expect(await violationsOn(page)).toEqual([]);
});

describe("every state has no barrier and no excess width", () => {
  const faultsIn = async ({ page, errors, foreign }: WatchedPage) => {
    const faults: unknown[] = [];
    for (const { width, scheme } of SCREENS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme: scheme });
      for (const fault of await violationsOn(page, scheme === "dark" ? "colours" : "all"))
        faults.push([width, scheme, fault]);
      if (!(await fitsWidth(page))) faults.push([width, scheme, "wider than its window"]);
    }
    return [...faults, ...errors, ...foreign];
  };

  test("open, running, answered, and without an answer", async () => {
    const watched = await openAt(`/app/token/demo/${truth.addressOf("usdc")}`);
    const { page } = watched;
    // The state of the page counts here: a trial that a busy machine does not finish would be another one.
    await page.route("**/api/tools/get_token_risk_traits", (route) =>
      route.fulfill({ json: chartExample("get_token_risk_traits") }),
    );
    await page.locator(".ask-summary").waitFor();
    expect(await faultsIn(watched)).toEqual([]);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/tools/get_token_info", async (route) => {
      await released;
      await route.fulfill({ status: 200, json: { status: "error", code: "TIMEOUT", message: "Not ready." } });
    });
    await page.locator(".ask-summary").focus();
    await page.keyboard.press("Enter");
    await page.locator(".summary .skeleton").first().waitFor();
    expect(await faultsIn(watched)).toEqual([]);
    release();
    await page.locator(".summary").getByText("Not ready.").waitFor();
    expect(await faultsIn(watched)).toEqual([]);
    // The button calls only the tool without an answer, at its price, and has kept the focus.
    await until(page, "document.querySelector('.summary[aria-busy=false]')");
    expect(await page.locator(".ask-summary").textContent()).toBe("Ask the summary · 3 credits");
    expect(await page.evaluate("document.activeElement.classList.contains('ask-summary')")).toBe(true);
    await page.unroute("**/api/tools/get_token_info");
    await page.keyboard.press("Enter");
    await until(page, isAnswered);
    expect(await faultsIn(watched)).toEqual([]);
    expect(await page.locator(".ask-summary").textContent()).toBe("Refresh the summary · 6 credits");
  });
});

test("the focus never falls to the body when the element that has it goes away", async () => {
  const { page } = await openAt(`/app/wallet/demo/${truth.addressOf("alice")}`);
  const where = () => page.evaluate<string>("document.activeElement.tagName");
  await page.locator(".ask-summary").waitFor();
  const forget = page.getByRole("button", { name: "Forget the key" });
  await forget.focus();
  await page.keyboard.press("Enter");
  await forget.waitFor({ state: "detached" });
  await expect.poll(where).not.toBe("BODY");
  await page.getByLabel("API key").last().fill(stage.key);
  await page.keyboard.press("Enter");
  await page.locator(".ask-summary").waitFor();
  await expect.poll(where).not.toBe("BODY");
});

test("prints the summary with its answers and without buttons", async () => {
  const { page } = await openAt(`/app/token/demo/${truth.addressOf("usdc")}`);
  await askSummary(page);
  await page.emulateMedia({ media: "print" });
  expect(await page.locator(".summary-answer").first().isVisible()).toBe(true);
  expect(await page.locator(".ask-summary").isVisible()).toBe(false);
  expect(await page.locator(".contents").isVisible()).toBe(false);
  const heads: string[] = await page.evaluate(
    "[...document.querySelectorAll('.block thead th')].map((one) => one.innerText.trim())",
  );
  expect(heads.length).toBeGreaterThan(0);
  expect(heads.filter((text) => text === "")).toEqual([]);
});
