import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { answered, closedLater, closers, fetchGuarded, ok, PUBLIC, serve, textOf } from "../../test/guarded_site.ts";
import { ownOrigin, serveBytes } from "../../test/local_site.ts";
import { TEST_CERTIFICATE } from "../../test/web_certificate.ts";

describe("limits", () => {
  test("decodes no more of a decompression bomb than the cap", async () => {
    const MEGABYTE = 1_048_576;
    const wire = gzipSync(Buffer.alloc(200 * MEGABYTE));
    expect(wire.length).toBeLessThan(300_000);
    const site = await serve((_path, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(wire));
    const before = process.memoryUsage().rss;
    const answer = answered(await fetchGuarded("http://site.test/", { own_origins: [ownOrigin(site)] }));
    expect([answer.body.length, answer.is_cut]).toEqual([MEGABYTE, true]);
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * MEGABYTE);
  });

  test("returns a body of exactly the cap whole and truncates one byte more", async () => {
    const site = await serve((path, response) => response.end("x".repeat(Number(path.slice(1)))));
    const options = { own_origins: [ownOrigin(site)], bytes_max: 10 };
    expect(answered(await fetchGuarded("http://site.test/10", options))).toMatchObject({ is_cut: false });
    const cut = await fetchGuarded("http://site.test/11", options);
    expect([textOf(cut).length, answered(cut).is_cut]).toEqual([10, true]);
  });

  test("the deadline ends a slow drip and a silent host", async () => {
    const drip = await serve((_path, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    });
    const mute = await closedLater(serveBytes(null));
    for (const site of [drip, mute]) {
      const started = performance.now();
      const own_origins = [ownOrigin(site)];
      const outcome = await fetchGuarded("http://site.test/", { own_origins, deadline_ms: 300 });
      expect(outcome).toMatchObject({ kind: "unreachable", reason: "The site did not answer: it took too long." });
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });

  test("the deadline ends a resolver that never answers", async () => {
    const outcome = await fetchGuarded("http://name.test/", {
      deadline_ms: 100,
      resolve: () => new Promise(() => undefined),
    });
    expect(outcome).toMatchObject({ kind: "unreachable", reason: "The site did not answer: it took too long." });
  });

  test("throws the caller's own abort", async () => {
    const stop = new AbortController();
    const site = await serve(() => stop.abort(new Error("enough")));
    await expect(
      fetchGuarded("http://site.test/", { own_origins: [ownOrigin(site)] }, { signal: stop.signal }),
    ).rejects.toThrow("enough");
  });

  test.each([
    ["a header of 60 kB", `HTTP/1.1 200 OK\r\nx: ${"a".repeat(60_000)}\r\n\r\n`],
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n"],
    ["a body that breaks off", "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf"],
    ["broken gzip", "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 4\r\n\r\nhalf"],
    ["an unknown encoding", "HTTP/1.1 200 OK\r\ncontent-encoding: zstd\r\ncontent-length: 4\r\n\r\nhalf"],
    ["a change of protocol", "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"],
    ["nothing", ""],
  ])("%s is no answer", async (_what, wire) => {
    const own_origins = [ownOrigin(await closedLater(serveBytes(wire)))];
    expect(await fetchGuarded("http://site.test/", { own_origins, deadline_ms: 3_000 })).toMatchObject({
      kind: "unreachable",
    });
  });
});

describe("answers", () => {
  test("decodes bodies and returns lower-case header names", async () => {
    const encode = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync } as const;
    for (const [name, pack] of Object.entries(encode)) {
      const site = await serve((_path, response) =>
        response.writeHead(200, { "Content-Encoding": name, "X-Mark": "1" }).end(pack(Buffer.from("plain words"))),
      );
      const answer = await fetchGuarded("http://site.test/", { own_origins: [ownOrigin(site)] });
      expect([name, textOf(answer), answered(answer).headers["x-mark"]]).toEqual([name, "plain words", "1"]);
    }
  });

  test("returns an error of the site as an answer with its status", async () => {
    const site = await serve((_path, response) => response.writeHead(503).end("later"));
    expect(answered(await fetchGuarded("http://site.test/", { own_origins: [ownOrigin(site)] }))).toMatchObject({
      status: 503,
    });
  });

  test("a POST sends its body once", async () => {
    const bodies: string[] = [];
    const site = await serve((_path, response, request) => {
      let text = "";
      request.on("data", (chunk) => {
        text += chunk;
      });
      request.on("end", () => {
        bodies.push(`${request.method} ${request.headers["content-type"]} ${text}`);
        response.end("{}");
      });
    });
    const own_origins = [ownOrigin(site)];
    const headers = { "content-type": "application/json" };
    await fetchGuarded("http://site.test/", { own_origins }, { method: "POST", body: '{"a":"é"}', headers });
    expect(bodies).toEqual(['POST application/json {"a":"é"}']);
  });

  test("a name without address, a closed port and a failing resolver are unreachable", async () => {
    const closed = await serve(ok);
    await Promise.all(closers.splice(0).map((close) => close()));
    const reasons = await Promise.all([
      fetchGuarded("http://name.test/", { resolve: async () => [] }),
      fetchGuarded("http://name.test/"),
      fetchGuarded("http://site.test/", { own_origins: [ownOrigin(closed)] }),
    ]);
    expect(reasons.map(({ kind }) => kind)).toEqual(["unreachable", "unreachable", "unreachable"]);
    expect(JSON.stringify(reasons)).not.toContain("the test does not know");
  });

  test("tries the next address when one does not answer", async () => {
    const went: string[] = [];
    const outcome = await fetchGuarded("http://name.test/", {
      resolve: async () => [PUBLIC, "93.184.215.15", "93.184.215.16", "93.184.215.17"],
      connect: async ({ address }) => {
        went.push(address);
        throw new Error("no such network");
      },
    });
    expect(outcome.kind).toBe("unreachable");
    expect(went).toEqual([PUBLIC, "93.184.215.15", "93.184.215.16"]);
  });
});

describe("certificates", () => {
  // The certificate of test/web_certificate.ts.
  const facts = {
    issuer: "Assay tests",
    valid_from: "2020-01-01T00:00:00Z",
    valid_to: "2099-12-31T23:59:59Z",
    san_count: 2,
  };

  test("reports a trusted certificate as valid, with its facts", async () => {
    const site = await serve(ok, { secure: true });
    const own_origins = [ownOrigin(site, "https://shop.test")];
    const answer = answered(await fetchGuarded("https://shop.test/", { own_origins, authorities: [TEST_CERTIFICATE] }));
    expect(answer.tls).toEqual({ is_valid: true, ...facts });
  });

  test("accepts an untrusted certificate, or one for another name, only on request", async () => {
    const site = await serve(ok, { secure: true });
    const own_origins = [ownOrigin(site, "https://shop.test"), ownOrigin(site, "https://other.test")];
    const cases = [
      ["https://shop.test/", []],
      ["https://other.test/", [TEST_CERTIFICATE]],
    ] as const;
    for (const [url, authorities] of cases) {
      expect(await fetchGuarded(url, { own_origins, authorities })).toMatchObject({
        ...{ kind: "unreachable", reason: "The site did not answer: its certificate is not valid." },
      });
      expect(site.asked).toEqual([]);
    }
    const answer = await fetchGuarded("https://shop.test/", { own_origins }, { takes_any_certificate: true });
    expect(answered(answer).tls).toEqual({ is_valid: false, ...facts });
  });
});

test("ignores proxies from the environment", async () => {
  const proxy = await serve(ok);
  const site = await serve(ok);
  const before = { ...process.env };
  const url = `http://127.0.0.1:${proxy.port}`;
  Object.assign(process.env, { HTTP_PROXY: url, http_proxy: url, ALL_PROXY: url, NODE_USE_ENV_PROXY: "1" });
  try {
    expect(textOf(await fetchGuarded("http://site.test/", { own_origins: [ownOrigin(site)] }))).toBe("secret");
  } finally {
    process.env = before;
  }
  expect([proxy.connections(), site.connections()]).toEqual([0, 1]);
});
