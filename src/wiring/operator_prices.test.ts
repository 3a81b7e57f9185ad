import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { settings as schema } from "../config/settings.ts";
import { OperatorPrices } from "../domain/valuation/prices/operator_prices.ts";
import { silentLog } from "../lib/log.ts";
import { guardedWeb } from "../web/guarded.ts";
import { enabledNetwork } from "./enabled_network.ts";
import { type OperatorPriceOptions, runOperatorPrices } from "./operator_prices.ts";

const HOUR = 1_800_000_000;
const { networks, prices: _ } = schema.parse({
  networks: { own: { chain_id: 9000, native: { symbol: "ETH", decimals: 18 }, rpc: ["http://127.0.0.1:1"] } },
});
const own = Object.entries(networks).map(([id, entry]) => enabledNetwork(id, entry));

let folder: string;
let stop: AbortController;
let server: Server | null = null;
const ends: Promise<void>[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-prices-"));
  stop = new AbortController();
});

afterEach(async () => {
  stop.abort();
  await Promise.all(ends.splice(0));
  await new Promise((resolve) => (server === null ? resolve(null) : server.close(resolve)));
  server = null;
  await rm(folder, { recursive: true, force: true });
});

/** Opens prices with a configuration; `at` is the native coin's price of an hour. */
const openPrices = async (prices: readonly object[], more: Partial<OperatorPriceOptions> = {}) => {
  const book = new OperatorPrices();
  const lines: string[] = [];
  const log = {
    ...silentLog,
    warn: (facts: object, message: string) => void lines.push(`${JSON.stringify(facts)} ${message}`),
  };
  const parts = {
    networks: own,
    web: null,
    data_dir: folder,
    prices: book,
    log,
    now_ms: () => HOUR * 1_000,
    stop: stop.signal,
  };
  const kept = await runOperatorPrices({
    ...parts,
    settings: schema.parse({ prices }).prices,
    look_every_ms: 20,
    ...more,
  });
  ends.push(kept.done);
  return { book, lines, at: (hour: number) => book.at({ network: "own" }, [""], hour)?.price_usd ?? null };
};

test("a changed table applies at once, and an invalid one leaves its earlier prices in force", async () => {
  const file = join(folder, "p.csv");
  const write = (rows: string) => writeFile(file, `network,token,price_usd,time\n${rows}\n`);
  await write(`own,native,10,${HOUR}\nelsewhere,native,99,${HOUR}`);
  const { at, lines } = await openPrices([{ kind: "file", id: "book", file }]);
  expect(at(HOUR)).toBe(10);
  await write(`own,native,2000,${HOUR}`);
  await expect.poll(() => at(HOUR), { timeout: 30_000 }).toBe(2000);
  await write("own,native,nothing,1");
  await expect
    .poll(() => lines.join("\n"), { timeout: 30_000 })
    .toContain("its earlier prices stay in force: row 1: price_usd");
  expect(at(HOUR)).toBe(2000);
});

test("a source that cannot be used ends the start with its name", async () => {
  const missing = openPrices([{ kind: "file", id: "book", file: join(folder, "none.csv") }]);
  await expect(missing).rejects.toMatchObject({ code: "CONFIG", message: expect.stringContaining("prices: book:") });
  const coins = [{ network: "own", coin: "ethereum" }];
  const shut = openPrices([{ kind: "feed", id: "gecko", url: "https://prices.example/x", shape: "coingecko", coins }]);
  await expect(shut).rejects.toThrow("set web.enabled to true");
  const odd = openPrices([{ kind: "fixed", id: "one", network: "own", token: "nobody", price_usd: 1 }]);
  await expect(odd).rejects.toThrow("is no address");
});

/** A local price service with CoinGecko's response shape, and the setting that queries it. */
const priceService = async (answer: () => unknown) => {
  server = createServer((_request, response) => response.end(JSON.stringify(answer())));
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  // A listening server has an address of this form.
  const { port } = server.address() as AddressInfo;
  const origin = `http://127.0.0.1:${port}`;
  const coins = [{ network: "own", coin: "ethereum" }];
  return {
    origin,
    port,
    setting: { kind: "feed", id: "gecko", url: `${origin}/simple/price`, shape: "coingecko", coins },
  };
};

test("a price service is queried through the guarded web access, and its prices survive a restart", async () => {
  let usd = 1900;
  const { origin, port, setting } = await priceService(() => ({ ethereum: { usd, last_updated_at: HOUR + 5 } }));
  const web = guardedWeb({ own_origins: [{ origin, address: "127.0.0.1", port }] });
  const first = await openPrices([setting], { web });
  await expect.poll(() => first.at(HOUR), { timeout: 30_000 }).toBe(1900);
  expect(await readFile(join(folder, "prices", "gecko.csv"), "utf8")).toBe(
    `network,token,price_usd,time\nown,native,1900,${HOUR + 5}\n`,
  );
  // The hour has its price: another one of the same hour changes nothing, before and after a restart.
  usd = 2500;
  const second = await openPrices([setting], { web });
  expect(second.at(HOUR)).toBe(1900);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(second.at(HOUR)).toBe(1900);
  // Without the exception for this test's server its address is not public.
  const refused = await openPrices([{ ...setting, id: "other" }], { web: guardedWeb() });
  await expect
    .poll(() => refused.lines.join("\n"), { timeout: 30_000 })
    .toContain("gives no prices: Assay may not contact the address");
  expect(refused.at(HOUR)).toBe(null);
});

test("a row that a crash cut is removed before the next is written, and a file that cannot be read ends the start", async () => {
  const { origin, port, setting } = await priceService(() => ({ ethereum: { usd: 1900, last_updated_at: HOUR + 5 } }));
  const web = guardedWeb({ own_origins: [{ origin, address: "127.0.0.1", port }] });
  await mkdir(join(folder, "prices"));
  const kept = join(folder, "prices", "gecko.csv");
  await writeFile(kept, `network,token,price_usd,time\nown,native,1800,${HOUR - 3600}\nown,native,19`);
  const { at } = await openPrices([setting], { web });
  await expect.poll(() => at(HOUR), { timeout: 30_000 }).toBe(1900);
  expect(await readFile(kept, "utf8")).toBe(
    `network,token,price_usd,time\nown,native,1800,${HOUR - 3600}\nown,native,1900,${HOUR + 5}\n`,
  );
  await mkdir(join(folder, "prices", "folder.csv"));
  await expect(openPrices([{ ...setting, id: "folder" }], { web })).rejects.toThrow("with the stored prices: EISDIR");
});
