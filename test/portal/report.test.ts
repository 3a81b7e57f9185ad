import { afterEach, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type SharedWorldService, sharedWorld } from "../e2e/served_world.ts";
import { type Browser, fitsWidth, sharedBrowser, violationsOn, type WatchedPage } from "./browser.ts";
import { printedText } from "./pdf_text.ts";

const WALLET = String(tools.find(({ name }) => name === "get_wallet_risk_overview")?.example.address);
const MIXER = "Demo Mixer";

let stage: SharedWorldService;
let browser: Browser;
const opened: WatchedPage[] = [];
beforeAll(async () => {
  [stage, browser] = await Promise.all([sharedWorld(), sharedBrowser()]);
});
afterEach(async () => {
  for (const { page } of opened.splice(0)) await page.context().close();
});

const openAt = async (path: string): Promise<WatchedPage> => {
  const origin = stage.service.url ?? "";
  const watched = await browser.open(origin, { key: stage.key, look: { width: 1024, scheme: "dark" } });
  opened.push(watched);
  await watched.page.goto(`${origin}${path}`);
  await watched.page.getByRole("heading", { level: 1 }).waitFor();
  return watched;
};

const ask = async (tool: string, args: object): Promise<Record<string, never>> => {
  const response = await fetch(`${stage.service.url}/api/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.key}`, "content-type": "application/json" },
    body: JSON.stringify(args),
  });
  return (await response.json()) as Record<string, never>;
};

test("a wallet's report prints its result, paths, lists and unknowns as a PDF", async () => {
  const { page, errors } = await openAt(`/app/report/wallet/demo/${WALLET}`);
  await page.getByRole("button", { name: /^Make the report/ }).click();
  await page.getByRole("heading", { name: "Categories without a list" }).waitFor();
  expect(await violationsOn(page, "all")).toEqual([]);
  await page.setViewportSize({ width: 390, height: 900 });
  expect(await fitsWidth(page)).toBe(true);
  const answer = await ask("get_wallet_risk_overview", { address: WALLET, network: "demo" });
  const { categories, metadata, risk_level } = answer as never as {
    categories: { category: string; sources: { path: { tx_hash: string }[] }[] }[];
    metadata: { as_of: { block_hash: string }; sources: { id: string; version: string }[]; methodology: string };
    risk_level: string;
  };
  const text = (await printedText(page)).replaceAll(/\s+/g, "");
  const wanted = [
    ...[WALLET, metadata.as_of.block_hash, metadata.methodology, risk_level, MIXER, "Ruleschecked:"],
    ...categories.flatMap(({ category, sources }) => [
      category,
      ...sources.flatMap(({ path }) => path.map(({ tx_hash }) => tx_hash)),
    ]),
    ...metadata.sources.flatMap(({ id, version }) => [id, version]),
    "nolistnamesaddressesondemoof",
  ];
  expect(categories.length).toBeGreaterThan(0);
  expect(wanted.filter((one) => !text.includes(one.replaceAll(/\s+/g, "")))).toEqual([]);
  // Paper has no buttons.
  expect(text).not.toContain("PrintorsaveasPDF");
  expect(errors).toEqual([]);
});

test("a transfer's report takes its asset and direction, and shows the verdict of the answer", async () => {
  const overview = (await ask("get_wallet_risk_overview", { address: WALLET, network: "demo" })) as never as {
    categories: { sources: { path: { tx_hash: string }[] }[] }[];
  };
  const hash = overview.categories[0]?.sources[0]?.path.at(-1)?.tx_hash ?? "";
  const { transfers } = (await ask("analyze_transaction", { tx_hash: hash, network: "demo" })) as never as {
    transfers: { token: string }[];
  };
  const asset = transfers[0]?.token ?? "";
  const { screening } = (await ask("analyze_transaction", {
    ...{ tx_hash: hash, network: "demo", asset, direction: "in" },
  })) as never as { screening: { verdict: string | null; exposure: { category: string }[] } };
  expect(screening.exposure[0]?.category).toBe("mixer");
  const { page } = await openAt(`/app/report/transaction/demo/${hash}`);
  await page.getByLabel("Asset").fill(asset);
  await page.getByRole("button", { name: "Choose" }).click();
  await page.getByRole("button", { name: /^Make the report/ }).click();
  await page.getByRole("heading", { name: "Categories without a list" }).waitFor();
  expect(await page.locator(".report").textContent()).toContain(screening.verdict ?? "not determined");
  expect((await printedText(page)).replaceAll(/\s+/g, "")).toContain(hash);
});
