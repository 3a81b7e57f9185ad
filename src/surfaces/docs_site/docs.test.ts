import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openService } from "../../../test/contract/service.ts";

// The documentation over HTTP needs no key, loads nothing of another origin, and serves no file outside its folder.
let service: Awaited<ReturnType<typeof openService>>;
beforeAll(async () => {
  service = await openService({ docs: join(import.meta.dirname, "../../../docs") });
});
afterAll(() => service.close());

const get = async (path: string) => {
  const response = await fetch(`${service.url}${path}`, { redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test.each([
  ["/docs/index.html", "text/html; charset=utf-8", '<h1 id="start">'],
  ["/docs/tools/resolve_ens.html", "text/html; charset=utf-8", '<h1 id="resolve_ens">'],
  ["/docs/tools/resolve_ens", "text/html; charset=utf-8", '<h1 id="resolve_ens">'],
  ["/docs/tools/resolve_ens.md", "text/markdown; charset=utf-8", "# resolve_ens\n"],
  ["/docs/site/docs.css", "text/css; charset=utf-8", ":root"],
  ["/docs/site/icon.svg", "image/svg+xml", "<svg"],
  ["/docs/site/docs.js", "text/javascript; charset=utf-8", "startSearch"],
  ["/docs/site/pages.js", "text/javascript; charset=utf-8", "globalThis.assay_pages = ["],
  ["/docs/examples/resolve_ens.json", "application/json", '"ens_resolution"'],
  ["/llms.txt", "text/plain; charset=utf-8", "# Assay\n\n> "],
  ["/llms-full.txt", "text/plain; charset=utf-8", "# resolve_ens\n"],
])("%s needs no key, and its page may load nothing of another origin", async (path, type, part) => {
  const { status, headers, text } = await get(path);
  expect([status, headers.get("content-type")]).toEqual([200, type]);
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/);
  expect(headers.get("content-security-policy")).not.toContain("unsafe");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(text).toContain(part);
});

test("/docs leads to the first page", async () => {
  const { status, headers, text } = await get("/docs");
  expect([status, headers.get("location"), text]).toEqual([308, "/docs/index.html", ""]);
});

test.each([
  "/docs/none.html",
  "/docs/../package.json",
  "/docs/..%2fpackage.json",
  "/docs/%2e%2e/package.json",
  "/docs//etc/passwd",
  "/docs/%zz",
  "/docs/constructor",
  "/llms.txt/",
])("%s is no path", async (path) => {
  const { status, text } = await get(path);
  expect([status, text]).toEqual([404, '{"detail":"Not Found"}']);
});

test("without a folder of documentation every page is 404", async () => {
  const bare = await openService();
  try {
    for (const path of ["/docs", "/docs/index.html", "/llms.txt"])
      expect((await fetch(`${bare.url}${path}`, { redirect: "manual" })).status, path).toBe(404);
  } finally {
    await bare.close();
  }
});
