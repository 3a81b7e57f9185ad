/** Bytes that a browser loads to show each page for the first time, with an empty cache. */
import { gzipSync } from "node:zlib";
import type { Response } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type SharedWorldService, sharedWorld } from "../e2e/served_world.ts";
import { type Browser, sharedBrowser, until, type WatchedPage } from "./browser.ts";

const FIRST_LOAD_BYTES_MAX = 120 * 1024;
/** Larger bodies must be sent compressed, if they are the same for every client. */
const PLAIN_BYTES_MAX = 1_024;
/** An account's own rows are sent as they are: compression would leak secrets beside text of others (BREACH). They stay small. */
const OWN_PATH = "/api/account/";
const OWN_BYTES_MAX = 16 * 1_024;

let stage: SharedWorldService;
let browser: Browser;
const opened: WatchedPage[] = [];
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedWorld(), sharedBrowser()]);
});
afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close();
});

const exampleOf = (name: string): Readonly<Record<string, unknown>> =>
  tools.find((tool) => tool.name === name)?.example ?? {};

const WALLET = `/app/wallet/demo/${String(exampleOf("get_wallet_pnl").address)}`;

const PATHS: readonly string[] = [
  "/",
  WALLET,
  WALLET.replace("/app/", "/app/report/"),
  `/app/token/demo/${String(exampleOf("get_token_info").token_address)}`,
  `/app/transaction/demo/${String(exampleOf("analyze_transaction").tx_hash)}`,
  `/app/contract/demo/${String(exampleOf("get_contract_creation").contract_address)}`,
  ...["/app/name/alice.eth", "/app/graph", "/app/case", "/app/tools", "/app/tools/get_wallet_pnl"],
  ...["/app/sign-in", "/app/account", "/app/operator", "/app/watches", "/app/nowhere"],
  WALLET.replace("/app/wallet/demo/", "/app/profits?wallets=demo:"),
];

interface LoadedFile {
  readonly path: string;
  readonly gzipped: number;
  readonly is_compressed: boolean;
}

const load = async (path: string): Promise<{ watched: WatchedPage; files: () => Promise<readonly LoadedFile[]> }> => {
  const origin = stage.service.url ?? "";
  const watched = await browser.open(origin, { key: stage.key });
  opened.push(watched);
  const responses: Response[] = [];
  watched.page.on("response", (response) => responses.push(response));
  await watched.page.goto(`${origin}${path}`);
  await watched.page.locator("main > :not(.waiting)").first().waitFor();
  await watched.quiet();
  const files = () =>
    Promise.all(
      responses.map(async (response): Promise<LoadedFile> => {
        const body = await response.body();
        const path = new URL(response.url()).pathname;
        const plain_max = path.startsWith(OWN_PATH) ? OWN_BYTES_MAX : PLAIN_BYTES_MAX;
        const is_compressed = body.length < plain_max || response.headers()["content-encoding"] !== undefined;
        return { path, gzipped: gzipSync(body, { level: 9 }).length, is_compressed };
      }),
    );
  return { watched, files };
};

const sumOf = (files: readonly LoadedFile[]): number => files.reduce((sum, { gzipped }) => sum + gzipped, 0);

test("every page takes at most 120 KB at first, and nothing large comes uncompressed", async () => {
  const sizes: [string, number][] = [];
  for (const path of PATHS) {
    const { files } = await load(path);
    const loaded = await files();
    expect([path, loaded.length > 4]).toEqual([path, true]);
    expect(loaded.filter(({ is_compressed }) => !is_compressed).map((one) => one.path)).toEqual([]);
    sizes.push([path.split("/").slice(0, 4).join("/"), sumOf(loaded)]);
  }
  console.log(sizes.map(([path, size]) => `${(size / 1024).toFixed(1)} KB ${path}`).join("\n"));
  expect(sizes.filter(([, size]) => size > FIRST_LOAD_BYTES_MAX)).toEqual([]);
});

test("a wallet with its first picture takes at most 120 KB, answers not counted", async () => {
  const { watched, files } = await load(WALLET);
  await watched.page.getByRole("button", { name: "Ask · 8 credits: Holdings" }).click();
  await watched.page.locator(".picture svg").first().waitFor();
  await watched.quiet();
  const loaded = (await files()).filter(({ path }) => !path.startsWith("/api/tools/"));
  console.log(`${(sumOf(loaded) / 1024).toFixed(1)} KB with a picture`);
  expect(sumOf(loaded)).toBeLessThan(FIRST_LOAD_BYTES_MAX);
});

test("opening a page again transfers the list of tools no second time", async () => {
  const { watched } = await load(WALLET);
  await watched.page.reload();
  await until(watched.page, "performance.getEntriesByType('resource').some(({ name }) => name.includes('/api/tools'))");
  await watched.quiet();
  const sent: number = await watched.page.evaluate(
    "performance.getEntriesByType('resource').find(({ name }) => name.includes('/api/tools')).transferSize",
  );
  // The headers of a 304.
  expect(sent).toBeLessThan(1_000);
});
