/**
 * Bytes and largest contentful paint of every page of the portal on a running service, such as the demo: each in a new browser without a cache.
 *   node dist/bench/pages.js --url http://127.0.0.1:8787 --key KEY [--rounds 5]
 * A busy machine only slows a page down, so the table has the shortest time of the rounds.
 */
import { existsSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { type BrowserContext, chromium } from "playwright-core";
import { tools } from "../src/tools/index.ts";
import { printLine } from "./figures.ts";

const { values } = parseArgs({
  options: { url: { type: "string" }, key: { type: "string" }, rounds: { type: "string", default: "5" } },
});
const { url, key } = values;
if (url === undefined || key === undefined) throw new Error("name the service with --url and --key");
const rounds = Number(values.rounds);

const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const exampleOf = (name: string): Readonly<Record<string, unknown>> =>
  tools.find((tool) => tool.name === name)?.example ?? {};

const WALLET = String(exampleOf("get_wallet_pnl").address);

/** Names and paths of the pages. */
const PAGES: readonly (readonly [string, string])[] = [
  ["search", "/"],
  ["wallet", `/app/wallet/demo/${WALLET}`],
  ["token", `/app/token/demo/${String(exampleOf("get_token_info").token_address)}`],
  ["transaction", `/app/transaction/demo/${String(exampleOf("analyze_transaction").tx_hash)}`],
  ["contract", `/app/contract/demo/${String(exampleOf("get_contract_creation").contract_address)}`],
  ["name", "/app/name/alice.eth"],
  ["report", `/app/report/wallet/demo/${WALLET}`],
  ["graph", `/app/graph?network=demo&address=${WALLET}`],
  ["profits", `/app/profits?wallets=demo:${WALLET}`],
  ["cases", "/app/case"],
  ["watches", "/app/watches"],
  ["tools", "/app/tools"],
  ["a tool", "/app/tools/get_wallet_pnl"],
  ["sign in", "/app/sign-in"],
  ["account", "/app/account"],
  ["operator", "/app/operator"],
];

/** The newest largest paint so far, in milliseconds; 0 before the first one. In the page's own language. */
const LARGEST = `new Promise((resolve) => {
  let at = 0;
  const seen = new PerformanceObserver((list) => { for (const { startTime } of list.getEntries()) at = startTime; });
  seen.observe({ type: "largest-contentful-paint", buffered: true });
  setTimeout(() => { seen.disconnect(); resolve(at); }, 300);
})`;

const pasting = `if (sessionStorage.getItem("assay.key") === null) sessionStorage.setItem("assay.key", ${JSON.stringify(JSON.stringify(key))});`;

interface PageLoad {
  readonly kilobytes: number;
  readonly requests: number;
  readonly paint_ms: number;
}

const load = async (context: BrowserContext, path: string): Promise<PageLoad> => {
  const page = await context.newPage();
  const bodies: Promise<number>[] = [];
  page.on("response", (response) =>
    bodies.push(
      response.body().then(
        (body) => gzipSync(body, { level: 9 }).length,
        () => 0, // a redirect has no body
      ),
    ),
  );
  await page.goto(`${url}${path}`, { waitUntil: "networkidle" });
  const paint_ms: number = await page.evaluate(LARGEST);
  const sizes = await Promise.all(bodies);
  return { kilobytes: sizes.reduce((sum, size) => sum + size, 0) / 1_024, requests: sizes.length, paint_ms };
};

const executablePath = process.env.ASSAY_TEST_CHROMIUM ?? PLACES.find((path) => existsSync(path));
if (executablePath === undefined) throw new Error("no Chromium is here: install the package chromium");
const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
printLine(`load ${loadavg()[0]?.toFixed(1)}, ${rounds} rounds`);
printLine("| page | first load, KB gzip | requests | largest contentful paint, ms |");
printLine("|---|---|---|---|");
for (const [name, path] of PAGES) {
  const loads: PageLoad[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({ viewport: { width: 1600, height: 900 } });
    await context.addInitScript({ content: pasting });
    loads.push(await load(context, path));
    await context.close();
  }
  const size = Math.max(...loads.map(({ kilobytes }) => kilobytes));
  const paint = Math.min(...loads.map(({ paint_ms }) => paint_ms));
  printLine(`| ${name} | ${size.toFixed(0)} | ${loads[0]?.requests} | ${paint.toFixed(0)} |`);
}
await browser.close();
