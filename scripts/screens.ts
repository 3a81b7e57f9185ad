/**
 * Takes the pictures of docs/operating/screens.md from a running demo.
 *   node dist/scripts/screens.js --url http://127.0.0.1:8787 --key KEY [--password PASSWORD]
 * With the password of the user `demo`, pages for people are taken too, signed in.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { chromium, type Page } from "playwright-core";
import { tools } from "../src/tools/index.ts";

const { values } = parseArgs({
  options: { url: { type: "string" }, key: { type: "string" }, password: { type: "string" } },
});
const { url, key, password } = values;
if (url === undefined || key === undefined) throw new Error("name the demo with --url and --key");

const FOLDER = join(import.meta.dirname, "../../docs/pictures/screens");
const BYTES_MAX = 60_000;
const PLACES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

const exampleOf = (name: string): Readonly<Record<string, unknown>> =>
  tools.find((tool) => tool.name === name)?.example ?? {};

interface Screen {
  readonly name: string;
  readonly path: string;
  readonly width: 390 | 1024 | 1600;
  readonly scheme: "light" | "dark" | "print";
  /** Makes the page show something. */
  readonly act?: (page: Page) => Promise<void>;
  /** Needs a person who is signed in. */
  readonly is_personal?: boolean;
}

const WALLET = `/app/wallet/demo/${String(exampleOf("get_wallet_pnl").address)}`;
const TOKEN = `/app/token/demo/${String(exampleOf("get_token_risk_traits").token_address)}`;
const TRANSACTION = `/app/transaction/demo/${String(exampleOf("analyze_transaction").tx_hash)}`;

const settled = (page: Page): Promise<void> => page.waitForLoadState("networkidle");

const askSummary = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: /^Ask the summary/ }).click();
  await page.getByRole("button", { name: /^Refresh the summary/ }).waitFor();
  await settled(page);
};

const askBlock =
  (tool: string) =>
  async (page: Page): Promise<void> => {
    await page.locator(`.block-${tool} button.ask`).click();
    await page.locator(`.block-${tool}[data-state=answered]`).waitFor();
    await page.locator(`.block-${tool}`).scrollIntoViewIfNeeded();
    await page.evaluate(`document.querySelector(".block-${tool}").scrollIntoView()`);
  };

const askSeries = async (page: Page): Promise<void> => {
  await page.locator("button.ask").click();
  await page.getByRole("button", { name: "Every wallet has its answer" }).waitFor();
};

const SCREENS: readonly Screen[] = [
  { name: "search", path: "/", width: 390, scheme: "light" },
  { name: "wallet", path: WALLET, width: 1600, scheme: "light", act: askSummary },
  { name: "wallet", path: WALLET, width: 390, scheme: "dark", act: askSummary },
  { name: "transactions", path: WALLET, width: 1600, scheme: "dark", act: askBlock("get_wallet_transactions") },
  { name: "token", path: TOKEN, width: 1024, scheme: "light", act: askSummary },
  { name: "token", path: TOKEN, width: 390, scheme: "light", act: askSummary },
  { name: "transaction", path: TRANSACTION, width: 1024, scheme: "dark", act: askSummary },
  { name: "transaction", path: TRANSACTION, width: 1024, scheme: "print", act: askSummary },
  {
    name: "profits",
    path: `/app/profits?wallets=demo:${WALLET.split("/").at(-1)}`,
    width: 1024,
    scheme: "light",
    act: askSeries,
  },
  { name: "networks", path: "/app/operator", width: 1600, scheme: "light", is_personal: true },
  { name: "spending", path: "/app/operator?part=spending", width: 1024, scheme: "dark", is_personal: true },
  { name: "audit", path: "/app/operator?part=audit", width: 390, scheme: "dark", is_personal: true },
  { name: "watches", path: "/app/watches", width: 1024, scheme: "light", is_personal: true },
];

/** The sharpest JPEG within the limit. */
const pictureOf = async (page: Page): Promise<Buffer> => {
  for (let quality = 78; quality > 20; quality -= 6) {
    const picture = await page.screenshot({ type: "jpeg", quality });
    if (picture.length < BYTES_MAX) return picture;
  }
  throw new Error("the picture is larger than allowed at every quality");
};

const executablePath = process.env.ASSAY_TEST_CHROMIUM ?? PLACES.find((path) => existsSync(path));
if (executablePath === undefined) throw new Error("no Chromium is here: install the package chromium");
const browser = await chromium.launch({ executablePath, args: ["--headless", "--no-sandbox", "--disable-gpu"] });
mkdirSync(FOLDER, { recursive: true });

/** Wide pages are taken smaller, so that a picture stays within the limit. */
const SCALES = { 390: 1, 1024: 0.8, 1600: 0.65 } as const;

const contextOf = async (width: Screen["width"], is_personal: boolean) => {
  const context = await browser.newContext({
    ...{ reducedMotion: "reduce", deviceScaleFactor: SCALES[width] },
    ...(is_personal && session !== null && { storageState: session }),
  });
  if (!is_personal)
    await context.addInitScript({
      content: `if (sessionStorage.getItem("assay.key") === null) sessionStorage.setItem("assay.key", ${JSON.stringify(JSON.stringify(key))});`,
    });
  return context;
};

const signIn = async (password: string) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${url}/app/sign-in`);
  await page.getByLabel("Name", { exact: true }).fill("demo");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: /^Account of/ }).waitFor();
  const found = await context.storageState();
  await context.close();
  return found;
};

const session = password === undefined ? null : await signIn(password);
let bytes = 0;
for (const { name, path, width, scheme, act, is_personal = false } of SCREENS) {
  if (is_personal && password === undefined) continue;
  const context = await contextOf(width, is_personal);
  const page = await context.newPage();
  await page.setViewportSize({ width, height: width === 390 ? 844 : 800 });
  await page.emulateMedia({ colorScheme: scheme === "dark" ? "dark" : "light" });
  await page.goto(`${url}${path}`);
  await settled(page);
  await act?.(page);
  if (scheme === "print") await page.emulateMedia({ media: "print" });
  const picture = await pictureOf(page);
  bytes += picture.length;
  const file = `${name}-${width}-${scheme}.jpg`;
  writeFileSync(join(FOLDER, file), picture);
  process.stdout.write(`${file}: ${picture.length} bytes\n`);
  await context.close();
}
process.stdout.write(`${bytes} bytes together\n`);
await browser.close();
