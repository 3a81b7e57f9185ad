import { get as httpGet, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bench, benchHere } from "./bench.ts";

const service = await bench();

const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const authorization = `Bearer ${service.customer.key.secret}`;
  const response = await fetch(`${service.url}${path}`, { headers: { authorization, ...headers } });
  return { status: response.status, headers: response.headers, body: await response.text() };
};

interface EncodedReply {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** As it comes over the wire: fetch would decode it. */
const getCoded = (path: string, coding: string): Promise<EncodedReply> =>
  new Promise((resolve, reject) => {
    const authorization = `Bearer ${service.customer.key.secret}`;
    httpGet(`${service.url}${path}`, { headers: { authorization, "accept-encoding": coding } }, (response) => {
      const { statusCode: status, headers } = response;
      buffer(response).then((bytes) => resolve({ status, headers, bytes }), reject);
    }).on("error", reject);
  });

test.each(["/api/tools", "/api/tools?view=compact", "/api/tools/openapi.json", "/api/account/openapi.json"])(
  "%s has a tag, and is not sent again to a client that has it",
  async (path) => {
    const first = await get(path, { "accept-encoding": "identity" });
    const tag = first.headers.get("etag") ?? "";
    expect([first.status, first.headers.get("cache-control")]).toEqual([200, "private, no-cache"]);
    expect(tag).toMatch(/^"[\w-]{27}"$/);
    const again = await get(path, { "accept-encoding": "identity", "if-none-match": `"other", ${tag}` });
    expect([again.status, again.body, again.headers.get("content-length")]).toEqual([304, "", null]);
    expect((await get(path, { "accept-encoding": "identity", "if-none-match": '"other"' })).status).toBe(200);
  },
);

test("the list of tools is compressed as the client takes it, the tag of each coding is its own", async () => {
  const plain = await get("/api/tools", { "accept-encoding": "identity" });
  expect(plain.headers.get("content-encoding")).toBeNull();
  for (const [coding, decoded] of [
    ["br", brotliDecompressSync],
    ["gzip", gunzipSync],
  ] as const) {
    const { status, headers, bytes } = await getCoded("/api/tools", `${coding}, identity;q=0`);
    expect([status, headers["content-encoding"], headers.vary]).toEqual([200, coding, "accept-encoding"]);
    expect(headers.etag).toBe(plain.headers.get("etag")?.replace(/"$/, `-${coding}"`));
    expect(bytes.length).toBeLessThan(plain.body.length / 2);
    expect(decoded(bytes).toString()).toBe(plain.body);
  }
});

test("the compact list is the full one without output schemas, and another view is an error", async () => {
  const [full, compact] = [await service.ask("/api/tools"), await service.ask("/api/tools?view=compact")];
  const tools = full.body.tools.map(({ output_schema: _, ...tool }: Record<string, unknown>) => tool);
  expect(compact.body).toEqual({ ...full.body, tools, calls: [] });
  expect(compact.headers.get("etag")).not.toBe(full.headers.get("etag"));
  const wrong = await service.ask("/api/tools?view=tiny");
  expect([wrong.status, wrong.body.detail[0].loc]).toEqual([422, ["query", "view"]]);
});

test("other prices have another tag", async () => {
  const own = await benchHere();
  const before = (await own.ask("/api/tools")).headers.get("etag") ?? "";
  await own.store.prices.set("show", 4);
  const after = await own.ask("/api/tools", { headers: { "if-none-match": before } });
  expect([after.status, after.headers.get("etag") === before]).toEqual([200, false]);
});

test("a refusal has no tag and is never kept", async () => {
  const response = await fetch(`${service.url}/api/tools`);
  await response.arrayBuffer();
  expect([response.status, response.headers.get("etag"), response.headers.get("cache-control")]).toEqual([
    401,
    null,
    "no-store",
  ]);
});
