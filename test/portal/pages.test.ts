import type { Page } from "playwright-core";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import {
  type SharedFamiliesService,
  type SharedWorldService,
  sharedFamilies,
  sharedWorld,
} from "../e2e/served_world.ts";
import { solanaQuestions } from "../fixtures/solana_questions.ts";
import { tronQuestions } from "../fixtures/tron_questions.ts";
import { eachNth, is_long, sized } from "../long.ts";
import { type Browser, fitsWidth, SCREENS, sharedBrowser, until, violationsOn, type WatchedPage } from "./browser.ts";

let stage: SharedWorldService;
let families: SharedFamiliesService;
let browser: Browser;
let origin: string;
const opened: WatchedPage[] = [];
beforeAll(async () => {
  [stage, families, browser] = await Promise.all([sharedWorld(), sharedFamilies(), sharedBrowser()]);
  origin = stage.service.url ?? "";
});
afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close();
});

const openAt = async (
  path: string,
  at: { readonly origin: string; readonly key: string } = { origin, key: stage.key },
) => {
  const watched = await browser.open(at.origin, { key: at.key });
  opened.push(watched);
  await watched.page.goto(`${at.origin}${path}`);
  await watched.page.getByRole("heading", { level: 1 }).waitFor();
  return watched;
};

const exampleOf = (name: string): Readonly<Record<string, unknown>> =>
  tools.find((tool) => tool.name === name)?.example ?? {};

/** Clicks every button that makes a call and waits for the last answer. Series are apart: their price is that of several calls. */
const callAll = async (page: Page): Promise<void> => {
  const all = page.locator(".ask-all");
  const first = page.locator("button.ask").first();
  await first.waitFor();
  if ((await all.count()) > 0) await all.click();
  else await first.click();
  await until(
    page,
    "!document.querySelector('.ask-all') && [...document.querySelectorAll('.block:not([id^=series])')].every((block) => block.dataset.state === 'answered')",
  );
};

/** In a slice the other families' pages have one answer each. */
const callOthers = async (page: Page): Promise<void> => {
  if (is_long) return callAll(page);
  await page.locator("button.ask").first().click();
  await page.locator("[data-state=answered]").first().waitFor();
};

/** Of the looks at the other families' pages. */
const LOOKS_MAX = sized({ slice: 2, long: SCREENS.length });

/** Faults of the page in its current state, at every width, light and dark; a slice has the narrowest and the widest. */
const faultsOf = async (
  { page, errors, foreign }: WatchedPage,
  looks = eachNth(SCREENS, 5),
): Promise<readonly unknown[]> => {
  const faults: unknown[] = [];
  for (const { width, scheme } of looks) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme: scheme === "dark" ? "dark" : "light" });
    for (const fault of await violationsOn(page, scheme === "dark" ? "colours" : "all"))
      faults.push([width, scheme, fault]);
    if (!(await fitsWidth(page))) faults.push([width, scheme, "wider than its window"]);
  }
  return [...faults, ...errors, ...foreign];
};

const wallet = () => String(exampleOf("get_wallet_portfolio_breakdown").wallet_address);

describe("no page has an error, a foreign request or a barrier at any width, light and dark", () => {
  test("on the search, the tools and an unknown address", async () => {
    const search = await openAt(`/?q=${wallet()}`);
    await search.page.getByRole("link", { name: "Wallet on Demo" }).waitFor();
    expect(await faultsOf(search)).toEqual([]);
    const list = await openAt("/app/tools");
    await list.page.getByRole("link", { name: "Wallet profit and loss" }).waitFor();
    expect(await list.page.locator(".tool-list li").count()).toBe(tools.length);
    expect(await faultsOf(list)).toEqual([]);
    const none = await browser.open(origin);
    opened.push(none);
    await none.page.goto(`${origin}/app/nowhere`);
    await none.page.getByText("Page not found").waitFor();
    expect(await faultsOf(none)).toEqual([]);
  });

  test("a wallet, with all its answers", async () => {
    const watched = await openAt(`/app/wallet/demo/${wallet()}`);
    await callAll(watched.page);
    expect(await watched.page.locator(".block .notice-bad").count()).toBe(0);
    expect(await watched.page.locator(".picture svg").count()).toBeGreaterThan(4);
    expect(await faultsOf(watched)).toEqual([]);
  });

  test("a token, a transaction, a contract and a name", async () => {
    const [token, tx] = [exampleOf("get_token_market_analysis"), exampleOf("analyze_transaction")];
    const paths = [
      `/app/token/demo/${String(token.token_address)}`,
      `/app/transaction/demo/${String(tx.tx_hash)}`,
      `/app/contract/demo/${String(exampleOf("get_contract_source_code").contract_address)}`,
      "/app/name/alice.eth",
    ];
    for (const path of paths) {
      const watched = await openAt(path);
      await callAll(watched.page);
      expect([path, await faultsOf(watched)]).toEqual([path, []]);
    }
  });

  test("the playground, asked and not", async () => {
    const watched = await openAt("/app/tools/get_wallet_pnl");
    await watched.page.getByRole("button", { name: "Fill in the example" }).click();
    await callAll(watched.page);
    await watched.page.getByText("curl", { exact: true }).click();
    expect(await watched.page.locator(".raw pre").textContent()).toContain(`/api/tools/get_wallet_pnl`);
    expect(new URL(watched.page.url()).searchParams.get("address")).toBe(exampleOf("get_wallet_pnl").address);
    expect(await faultsOf(watched)).toEqual([]);
  });

  test("Solana and Tron", async () => {
    const at = { origin: families.service.url ?? "", key: families.key };
    const looks = SCREENS.filter(({ width, scheme }) => (width === 390) === (scheme === "dark"));
    // In a slice the wallet of one and the token of the other.
    for (const [network, questions, in_slice] of [
      ["demo-solana", solanaQuestions(families.solana), "wallet"],
      ["demo-tron", tronQuestions(families.tron.stage), "token"],
    ] as const) {
      const found = await openAt(`/?q=${String(questions.get_wallet_stats?.address)}`, at);
      await found.page.getByRole("link", { name: /^Wallet on/ }).click();
      await found.page.waitForURL(`**/app/wallet/${network}/*`);
      const pages = {
        wallet: async () => found,
        token: () => openAt(`/app/token/${network}/${String(questions.get_token_info?.token_address)}`, at),
      };
      for (const kind of sized({ slice: [in_slice], long: ["wallet", "token"] as const })) {
        const watched = await pages[kind]();
        await callOthers(watched.page);
        expect([network, kind, await faultsOf(watched, looks.slice(0, LOOKS_MAX))]).toEqual([network, kind, []]);
      }
    }
  });
});

describe("calls and answers", () => {
  test("calls nothing on opening, shows the price on the button, and repeats no paid call", async () => {
    const { page } = await openAt(`/app/wallet/demo/${wallet()}`);
    const asked: string[] = [];
    page.on("request", (request) => request.url().includes("/api/tools/") && asked.push(request.method()));
    const button = page.getByRole("button", { name: "Ask · 15 credits: Risk" });
    await button.click();
    await page.getByRole("button", { name: "Ask again · 15 credits: Risk" }).waitFor();
    await page.getByRole("link", { name: "Token", exact: true }).click();
    await page.getByRole("link", { name: "Wallet", exact: true }).click();
    await page.getByRole("button", { name: "Ask again · 15 credits: Risk" }).waitFor();
    expect(asked).toEqual(["POST"]);
    expect(await page.locator(".block-get_wallet_risk_overview .covered").textContent()).toMatch(
      /as of block \d+.*complete/,
    );
  });

  test("has the block in the page's address: another block is another call", async () => {
    const { page } = await openAt(`/app/wallet/demo/${wallet()}?as_of=400`);
    await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
    await page.getByText("as of block 400").waitFor();
    await page.getByLabel("As of block").fill("500");
    await page.getByLabel("As of block").press("Enter");
    await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).waitFor();
    expect(new URL(page.url()).searchParams.get("as_of")).toBe("500");
  });

  test("works by keyboard alone: to the content, to a button, and the answer", async () => {
    const { page } = await openAt(`/app/wallet/demo/${wallet()}`);
    await page.locator("button.ask").first().waitFor();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("To the content");
    await page.keyboard.press("Enter");
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate("document.activeElement.classList.contains('ask-summary')")) break;
    }
    await page.keyboard.press("Enter");
    await until(page, "document.querySelectorAll('.block[data-state=answered]').length === 2");
    await page.locator(".covered").first().waitFor();
  });

  test("shows names by strangers as text: no markup, no change of direction, no invisible characters, no excess width", async () => {
    const watched = await browser.open(origin, { key: stage.key });
    opened.push(watched);
    const hostile = `<img src=x onerror=alert(1)>\u202e\u200b${"x".repeat(10_000)}`;
    // The demo has no such name; the answer is the service's own, with another symbol in it.
    await watched.page.route("**/api/tools/get_wallet_portfolio_breakdown", async (route) => {
      const response = await route.fetch();
      const text = (await response.text()).replaceAll('"symbol":"ETH"', `"symbol":${JSON.stringify(hostile)}`);
      await route.fulfill({ response, body: text });
    });
    await watched.page.goto(`${origin}/app/wallet/demo/${wallet()}`);
    await watched.page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
    const name = watched.page.locator("td bdi.strange").first();
    expect(await name.textContent()).toBe(`<img src=x onerror=alert(1)>U+202EU+200B${"x".repeat(10)}…`);
    expect(await name.getAttribute("title")).toContain("strangers");
    expect([await watched.page.locator("td img").count(), await watched.page.getByText("\u202e").count()]).toEqual([
      0, 0,
    ]);
    expect(await faultsOf(watched, SCREENS.slice(0, 1))).toEqual([]);
  });

  test("shows unknown figures with the reason, and not as zero", async () => {
    const { page } = await openAt(`/app/wallet/demo/${wallet()}`);
    await page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
    // MOON has no price: its pools were emptied.
    const row = page.locator("tr", { hasText: "MOON" });
    await row.waitFor();
    expect(await row.locator(".unknown").allTextContents()).toEqual(["unknown", "unknown", "unknown"]);
    expect(await row.textContent()).not.toContain("$0");
  });

  test("lists recently viewed and pinned subjects again, and can clear the list", async () => {
    const { page } = await openAt(`/app/wallet/demo/${wallet()}`);
    await page.getByRole("button", { name: "☆ Pin" }).click();
    await page.getByRole("link", { name: "Search" }).click();
    await page.getByRole("heading", { name: "Pinned" }).waitFor();
    expect(await page.locator(".visits a").count()).toBe(2);
    await page.getByRole("button", { name: "Clear history" }).click();
    expect(await page.locator(".visits a").count()).toBe(1);
  });
});

describe("transfers", () => {
  test("cache names with a hash for ever, revalidate the index, and allow nothing inline or foreign", async () => {
    const index = await fetch(`${origin}/app/tools`, { headers: { "accept-encoding": "br" } });
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(await index.text())?.[1] ?? "";
    const file = await fetch(`${origin}${script}`, { headers: { "accept-encoding": "gzip" } });
    const policy = index.headers.get("content-security-policy") ?? "";
    expect(index.headers.get("cache-control")).toBe("no-cache");
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(file.headers.get("cache-control")).toContain("immutable");
    expect(file.headers.get("content-encoding")).toBe("gzip");
    const away = await Promise.all(["/assets/none.js", "/assets/..%2findex.html"].map((path) => fetch(origin + path)));
    expect(away.map(({ status }) => status)).toEqual([404, 404]);
    expect((await fetch(`${origin}/`, { method: "POST" })).headers.get("allow")).toBe("GET");
  });

  test("list the networks without a key, and nothing else", async () => {
    const { networks } = (await (await fetch(`${origin}/app/networks.json`)).json()) as { networks: unknown[] };
    expect(networks).toEqual([
      { id: "demo", name: expect.any(String), family: "evm", chain_id: "eip155:31337", native_symbol: "ETH" },
    ]);
  });
});
