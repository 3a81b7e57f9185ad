// @long: alone
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoNetwork } from "../../src/commands/demo.ts";
import { demoSolanaNetwork, demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { settings } from "../../src/config/settings.ts";
import { CHARACTERS } from "../../src/demo/evm/characters.ts";
import { heartbeat } from "../../src/demo/evm/live.ts";
import { startSite } from "../../src/demo/evm/site.ts";
import { startSolanaWorld } from "../../src/demo/solana/world.ts";
import { startTronDemo } from "../../src/demo/tron/world.ts";
import { tools } from "../../src/tools/index.ts";
import { startDemoWorld } from "../demo_world.ts";
import { caughtUp, openTestService, T0 } from "../e2e/served_world.ts";
import { solanaQuestions } from "../fixtures/solana_questions.ts";
import { tronQuestions } from "../fixtures/tron_questions.ts";
import { type Browser, openBrowser, type WatchedPage } from "./browser.ts";

// Five tasks of analysts, traders and operators on the three demo worlds, with their clicks, credits and seconds.
const PORTAL = join(import.meta.dirname, "../../dist/portal");
const CLICKS_MAX = 12;

interface TaskService {
  readonly origin: string;
  readonly key: string;
  /** Wallets with trades on the networks beside `demo`. */
  readonly wallets: readonly { readonly network: string; readonly address: string }[];
  /** Has a payment of nina in a new block. */
  readonly pay: () => Promise<void>;
  /** Credits that the key has used. */
  readonly used: () => Promise<number>;
  readonly close: () => Promise<void>;
}

const openStage = async (): Promise<TaskService> => {
  const [world, solana, tron, site] = await Promise.all([
    startDemoWorld({ placement: "demo", t0: T0 }),
    startSolanaWorld(T0),
    startTronDemo(T0),
    startSite(),
  ]);
  const networks = [demoNetwork(world), demoSolanaNetwork(solana), demoTronNetwork(tron)].map((one) => ({
    ...one,
    poll_ms: 200,
  }));
  const { watch } = settings.parse({ watch: { enabled: true, webhooks: false, credits: 0 } });
  const stage = await openTestService({
    ...{ networks, listed: networks.map(({ network }) => network), own_origins: site.own_origins },
    ...{ portal: PORTAL, settings: { watch } },
  });
  await caughtUp(stage.service);
  const { accounts } = stage.service;
  const [account] = await accounts.accounts.list();
  if (account === undefined) throw new Error("the service has an account");
  const scopes = ["api:call", "watch:manage"];
  const { secret } = await accounts.keys.create({ account_id: account.id, scopes });
  const walletOn = (questions: Readonly<Record<string, Readonly<Record<string, unknown>>>>) =>
    String(questions.get_wallet_pnl?.address);
  return {
    origin: stage.service.url ?? "",
    key: secret,
    wallets: [
      { network: "demo-solana", address: walletOn(solanaQuestions(solana)) },
      { network: "demo-tron", address: walletOn(tronQuestions(tron.stage)) },
    ],
    async pay() {
      const end = new AbortController();
      setTimeout(() => end.abort(), 400);
      await heartbeat({ rpc: world.rpc, interval_ms: 250, signal: end.signal });
    },
    used: async () => (await accounts.accounts.show(account.id)).credits_used,
    async close() {
      await stage.close();
      await Promise.all([world.stop(), solana.stop(), tron.stop(), site.close()]);
    },
  };
};

let stage: TaskService;
let browser: Browser;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openStage(), openBrowser()]);
}, 900_000);
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

/** Counts each click, each field that a person clicks into, and each choice. */
class Hand {
  clicks = 0;

  async click(target: Locator): Promise<void> {
    this.clicks += 1;
    await target.click();
  }

  async write(field: Locator, text: string): Promise<void> {
    this.clicks += 1;
    await field.fill(text);
  }

  async choose(field: Locator, option: string): Promise<void> {
    this.clicks += 1;
    await field.selectOption(option);
  }
}

/** Does a task from the first page on, and prints what it took. */
const doTask = async (name: string, task: (page: Page, hand: Hand) => Promise<void>): Promise<void> => {
  const watched: WatchedPage = await browser.open(stage.origin, {
    key: stage.key,
    look: { width: 1600, scheme: "light" },
  });
  const { page } = watched;
  const [hand, before, start] = [new Hand(), await stage.used(), performance.now()];
  await page.goto(`${stage.origin}/`);
  await task(page, hand);
  const seconds = ((performance.now() - start) / 1_000).toFixed(1);
  const credits = (await stage.used()) - before;
  console.log(`${name}: ${hand.clicks} clicks, ${credits} credits, ${seconds} s`);
  expect(hand.clicks).toBeLessThanOrEqual(CLICKS_MAX);
  expect([watched.errors, watched.foreign]).toEqual([[], []]);
  await page.context().close();
};

/** Opens the page of an address or hash from the first page. */
const find = async (page: Page, hand: Hand, text: string): Promise<void> => {
  await hand.write(page.getByRole("combobox").first(), text);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Ask the summary/ }).waitFor();
};

const exampleOf = (name: string): Readonly<Record<string, unknown>> =>
  tools.find((tool) => tool.name === name)?.example ?? {};

test("the source of funds, three steps back, with a report", async () => {
  await doTask("source of funds", async (page, hand) => {
    await find(page, hand, CHARACTERS.uma.address);
    await hand.click(page.getByRole("link", { name: "Graph", exact: true }).last());
    await hand.click(page.getByRole("button", { name: /^Start/ }));
    const addresses = page.getByRole("region", { name: "Addresses" });
    const panel = page.getByRole("region", { name: "Chosen address" });
    // Ted paid her, the mixer paid ted, and others paid the mixer.
    for (const payer of [new RegExp(CHARACTERS.ted.address.slice(0, 6), "i"), /Demo Mixer/]) {
      await hand.click(addresses.getByRole("row", { name: payer }).getByRole("button").first());
      await hand.click(panel.getByRole("button", { name: /^Expand/ }));
      await panel.getByText("All its counterparties are here.").waitFor();
    }
    await hand.click(page.getByRole("button", { name: "Save in the case" }));
    await hand.click(page.getByRole("link", { name: "Open the case" }));
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      hand.click(page.getByRole("button", { name: "Export as one page" })),
    ]);
    const report = await readFile(await file.path(), "utf8");
    expect(report).toContain("Demo Mixer");
    expect(report.toLowerCase()).toContain(CHARACTERS.ted.address.toLowerCase());
  });
});

test("is it safe to buy this token?", async () => {
  await doTask("safe to buy", async (page, hand) => {
    await hand.write(page.getByRole("combobox").first(), "levy");
    await hand.click(page.getByRole("option").first());
    await hand.click(page.getByRole("button", { name: /^Ask the summary/ }));
    // A fee token of the world: 5 % on purchases, 10 % on sales, and its owner can change them.
    await page.getByText("5 % on purchases, 10 % on sales, 0 % on transfers").waitFor();
    await page.getByText("Yes. A simulated sale succeeded", { exact: false }).waitFor();
    await page.getByText("An account can change the tax.").waitFor();
  });
});

test("what did this transaction do?", async () => {
  await doTask("explain a transaction", async (page, hand) => {
    await find(page, hand, String(exampleOf("analyze_transaction").tx_hash));
    await hand.click(page.getByRole("button", { name: /^Ask the summary/ }));
    await page
      .getByText(/swapped 1 ETH for 23,884\.6 HRB/)
      .first()
      .waitFor();
    await page.getByText("Victim of a sandwich attack").first().waitFor();
  });
});

test("profit by week over three networks, as CSV", async () => {
  await doTask("weekly profit over three networks", async (page, hand) => {
    const alice = String(exampleOf("get_wallet_pnl").address);
    await find(page, hand, alice);
    await hand.click(page.getByRole("link", { name: "Profit", exact: true }));
    for (const { network, address } of stage.wallets) {
      await hand.choose(page.getByLabel("Network"), network);
      await hand.write(page.getByLabel("Wallet", { exact: true }), address);
      // Enter adds it.
      await page.keyboard.press("Enter");
      await page.getByRole("link", { name: new RegExp(`^${network} `) }).waitFor();
    }
    await hand.click(page.getByRole("button", { name: /^Ask 3/ }));
    await page.getByRole("button", { name: "Every wallet has its answer" }).waitFor({ timeout: 120_000 });
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      hand.click(page.getByRole("button", { name: "Profit by week as CSV" })),
    ]);
    const [heads = "", ...rows] = (await readFile(await file.path(), "utf8")).trimEnd().split("\r\n");
    expect(heads).toBe("From,Network,Wallet,Profit of the week,Since the start,Realized,Unrealized,Fees,Why unknown");
    const networks = ["all", "demo", ...stage.wallets.map(({ network }) => network)];
    for (const network of networks) expect(rows.some((row) => row.split(",")[1] === network)).toBe(true);
    const cells = rows.map((row) => row.split(","));
    const of = (network: string) => cells.filter((row) => row[1] === network);
    // A week is the difference of two totals; the newest week is first.
    const [newest = [], before = []] = of("demo");
    expect(Number(newest[3])).toBeCloseTo(Number(newest[4]) - Number(before[4]), 6);
    // Assay has no profits on Tron, so no sum either: the file says so instead of a number.
    expect(of("all").every((row) => row[3] === "" && row.slice(8).join(",").includes("demo-tron"))).toBe(true);
    expect(
      of("demo-tron").every((row) => row[3] === "" && row.slice(8).join(",").includes("not available on Tron")),
    ).toBe(true);
  });
});

test("watch a wallet, and see its next payment", async () => {
  await doTask("watch and receive", async (page, hand) => {
    await find(page, hand, CHARACTERS.nina.address);
    await hand.click(page.getByRole("link", { name: "Watch", exact: true }));
    await hand.click(page.getByRole("button", { name: "Watch it" }));
    await page.getByRole("region", { name: "Watch rules" }).waitFor();
    await stage.pay();
    const events = page.getByRole("region", { name: "Table of events" });
    await events
      .getByRole("row", { name: /0\.001/ })
      .first()
      .waitFor({ timeout: 120_000 });
  });
});
