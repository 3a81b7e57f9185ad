import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openWorldStage, type WorldStage } from "../e2e/stage.ts";
import { type Browser, fitsWidth, LOOKS, openBrowser, violationsOn } from "./browser.ts";

const PORTAL = join(import.meta.dirname, "../../dist/portal");

let stage: WorldStage;
let browser: Browser;
let origin: string;
beforeAll(async () => {
  [stage, browser] = await Promise.all([openWorldStage({ portal: PORTAL }), openBrowser()]);
  origin = stage.service.url ?? "";
});
afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

describe("the page", () => {
  test.each(LOOKS)("opens at $width px in $scheme without an error, a foreign request or a barrier", async (look) => {
    const { page, errors, foreign } = await browser.open(origin, { look });
    await page.goto(`${origin}/`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect(await violationsOn(page)).toEqual([]);
    expect([errors, foreign, await fitsWidth(page)]).toEqual([[], [], true]);
  });

  test("a place that is none says so, and the way back is a link", async () => {
    const { page, errors } = await browser.open(origin);
    await page.goto(`${origin}/app/nowhere`);
    await page.getByText("There is no such page").waitFor();
    await page.getByRole("link", { name: /Search for an address/ }).click();
    await page.getByRole("heading", { level: 1 }).waitFor();
    expect([new URL(page.url()).pathname, errors]).toEqual(["/", []]);
  });
});

describe("what is sent", () => {
  test("names with a hash are kept for ever, the index is asked for again, and nothing inline or foreign is allowed", async () => {
    const index = await fetch(`${origin}/app/tools`, { headers: { "accept-encoding": "br" } });
    const text = await index.text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? "";
    const file = await fetch(`${origin}${script}`, { headers: { "accept-encoding": "gzip" } });
    const policy = index.headers.get("content-security-policy") ?? "";
    expect(index.headers.get("cache-control")).toBe("no-cache");
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(file.headers.get("cache-control")).toContain("immutable");
    expect(file.headers.get("content-encoding")).toBe("gzip");
    expect([
      (await fetch(`${origin}/assets/none.js`)).status,
      (await fetch(`${origin}/assets/..%2findex.html`)).status,
    ]).toEqual([404, 404]);
    expect((await fetch(`${origin}/`, { method: "POST" })).headers.get("allow")).toBe("GET");
  });
});
