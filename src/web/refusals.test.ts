import { connect as tcp } from "node:net";
import { describe, expect, test } from "vitest";
import { answered, fetchGuarded, ok, PUBLIC, serve, textOf } from "../../test/guarded_site.ts";
import { ownOrigin } from "../../test/local_site.ts";
import { TEST_CERTIFICATE } from "../../test/web_certificate.ts";
import type { Connect } from "./connect.ts";
import type { GuardedOptions } from "./guarded.ts";

describe("refused addresses", () => {
  /** Hosts that are this machine, its network or its cloud, in every spelling; P is the canary's port. */
  const HOSTS = `
    127.0.0.1 127.1 127.0.1 2130706433 0x7f000001 0x7f.1 0x7f.0.0.1 0177.0.0.1 017700000001 127.0.0.1.
    127.255.255.254 0 0.0.0.0 0x0 00 0.0.0.1 %31%32%37.0.0.1 ①②⑦.0.0.1 127。0。0。1 [::1] [::] [0:0:0:0:0:0:0:1]
    [::ffff:127.0.0.1] [::ffff:7f00:1] [0:0:0:0:0:ffff:7f00:0001] [::127.0.0.1] [::7f00:1]
    [::ffff:0:127.0.0.1] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::7f00:1] [2002:7f00:1::]
    [2002:7f00:0001::1] [2002:a9fe:a9fe::] [2001:0:4136:e378:8000:63bf:80ff:fffe] [fe80::1] [fc00::1]
    [fd00:ec2::254] [fec0::1] [ff02::1] [2001:db8::1] [3fff::1] [100::1] [4000::1] [5f00::1] [2001:20::1]
    [::ffff:93.184.215.14] [::93.184.215.14] 10.0.0.1 10.1 172.16.0.1 172.31.255.255 192.168.0.1 192.168.257
    169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 100.64.0.1 100.100.100.200 192.0.0.192
    192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 224.0.0.1 240.0.0.1 255.255.255.255
    168.63.129.16 localhost LOCALHOST localhost. a.localhost printer.local metadata.google.internal
    router.home.arpa
  `
    .trim()
    .split(/\s+/);

  test(`${HOSTS.length} spellings of near hosts reach no canary`, async () => {
    const canaries = await Promise.all([serve(ok), serve(ok, { host: "::1" })]);
    const tried: string[] = [];
    const connect: Connect = async ({ address }) => {
      tried.push(address);
      throw new Error("no connection is wanted");
    };
    const outcomes = await Promise.all(
      canaries.flatMap(({ port }) =>
        HOSTS.flatMap((host) =>
          ["http", "https"].map(async (scheme) => {
            const url = `${scheme}://${host}:${port}/`;
            // Once over the real connector, once over one that would tell an attempt that the network itself refuses.
            const [real, told] = await Promise.all([
              fetchGuarded(url, { ports: [port] }),
              fetchGuarded(url, { ports: [port], connect }),
            ]);
            return [host, real.kind, told.kind];
          }),
        ),
      ),
    );
    expect(HOSTS.length).toBeGreaterThan(60);
    expect(outcomes.filter(([, real, told]) => real !== "refused" || told !== "refused")).toEqual([]);
    expect(tried).toEqual([]);
    expect(canaries.map(({ connections }) => connections())).toEqual([0, 0]);
  });

  test.each([
    ["ftp://site.test/", "only http and https"],
    ["file:///etc/passwd", "only http and https"],
    ["gopher://site.test/", "only http and https"],
    ["data:text/html,x", "only http and https"],
    ["http://user@site.test/", "credentials"],
    ["http://user:word@site.test/", "credentials"],
    ["http://site.test:22/", "ports"],
    ["https://site.test:8443/", "ports"],
    ["http://[fe80::1%25eth0]/", "no absolute URL"],
    ["/relative", "no absolute URL"],
    [`http://site.test/${"a".repeat(2048)}`, "longer than"],
  ])("%.40s is refused for its text", async (url, reason) => {
    const outcome = await fetchGuarded(url);
    expect(outcome).toMatchObject({ kind: "refused", redirects: [] });
    expect(outcome.kind === "refused" && outcome.reason).toContain(reason);
  });

  test("rejects a name with one local address among public ones, with the reason of an unknown name", async () => {
    const unknown = await fetchGuarded("http://name.test/", { resolve: () => Promise.reject(new Error("ENOTFOUND")) });
    const empty = await fetchGuarded("http://name.test/", { resolve: async () => [] });
    expect(empty).toEqual(unknown);
    const canary = await serve(ok);
    for (const near of [
      "127.0.0.1",
      "::1",
      "::ffff:127.0.0.1",
      "10.0.0.1",
      "fd00::1",
      "169.254.169.254",
      "not an address",
    ]) {
      const outcome = await fetchGuarded(`http://name.test:${canary.port}/`, {
        ports: [canary.port],
        resolve: async () => [PUBLIC, near],
      });
      expect([near, outcome]).toEqual([near, unknown]);
    }
    expect(canary.connections()).toBe(0);
  });

  test("resolves a rebinding name once and connects to the checked address", async () => {
    const canary = await serve(ok);
    let lookups = 0;
    const went: string[] = [];
    const outcome = await fetchGuarded(`http://rebind.test:${canary.port}/`, {
      ports: [canary.port],
      resolve: async () => {
        lookups += 1;
        return lookups === 1 ? [PUBLIC] : ["127.0.0.1"];
      },
      // The public internet is not there in a test: the connector tells where it was sent.
      connect: async ({ address, port }) => {
        went.push(`${address}:${port}`);
        throw new Error("no such network");
      },
    });
    expect(outcome.kind).toBe("unreachable");
    expect([lookups, went]).toEqual([1, [`${PUBLIC}:${canary.port}`]]);
    expect(canary.connections()).toBe(0);
  });

  test("closes a connection to another address than the checked one before sending anything", async () => {
    const canary = await serve(ok);
    const outcome = await fetchGuarded(`http://name.test:${canary.port}/`, {
      ports: [canary.port],
      resolve: async () => [PUBLIC],
      connect: () =>
        new Promise((resolve) => {
          const socket = tcp(canary.port, "127.0.0.1", () => resolve(socket));
        }),
    });
    expect(outcome.kind).toBe("refused");
    expect(canary.asked).toEqual([]);
  });

  test("an own origin allows no other port, scheme or name", async () => {
    const site = await serve(ok);
    const own_origins = [ownOrigin(site)];
    expect(textOf(await fetchGuarded("http://site.test/x", { own_origins }))).toBe("secret");
    const others = [
      "https://site.test/",
      "http://site.test:8080/",
      "http://www.site.test/",
      "http://site.test./",
      "http://a@site.test/",
    ];
    for (const url of [...others, `http://127.0.0.1:${site.port}/`]) {
      const { kind } = await fetchGuarded(url, { own_origins, resolve: async () => ["127.0.0.1"] });
      expect(["refused", "unreachable"], url).toContain(kind);
    }
    expect(site.connections()).toBe(1);
  });
});

test("a process limited to its own origins requests no other, directly or by a redirect", async () => {
  const looked: string[] = [];
  const site = await serve((path, response) => {
    if (path === "/own") response.end("secret");
    else response.writeHead(302, { location: "http://name.test/" }).end();
  });
  const rules: GuardedOptions = {
    own_origins: [ownOrigin(site)],
    own_only: true,
    resolve: async (host) => {
      looked.push(host);
      return [PUBLIC];
    },
  };
  expect(textOf(await fetchGuarded("http://site.test/own", rules))).toBe("secret");
  for (const url of ["http://name.test/", "http://site.test/away"]) {
    expect(await fetchGuarded(url, rules)).toMatchObject({
      kind: "disabled",
      reason: "Web requests are disabled on this instance.",
    });
  }
});

describe("redirects", () => {
  const to =
    (location: string): typeof ok =>
    (_path, response) =>
      response.writeHead(302, { location }).end();

  test("checks every redirect: none leads to a canary", async () => {
    const canary = await serve(ok);
    const places = [
      `http://127.0.0.1:${canary.port}/`,
      `//127.1:${canary.port}/`,
      `http://[::ffff:7f00:1]:${canary.port}/`,
    ];
    for (const place of [
      ...places,
      `http://rebind.test:${canary.port}/`,
      "file:///etc/passwd",
      "http://a:b@site.test/",
    ]) {
      const site = await serve(to(place));
      const outcome = await fetchGuarded("http://site.test/", {
        own_origins: [ownOrigin(site)],
        ports: [80, canary.port],
        resolve: async () => ["127.0.0.1"],
      });
      const kind = place.includes("rebind.test") ? "unreachable" : "refused";
      expect(outcome).toMatchObject({ kind, redirects: ["http://site.test/"] });
    }
    expect(canary.connections()).toBe(0);
  });

  test("follows three and not a fourth", async () => {
    const hops = await serve((path, response) => {
      const left = Number(path.slice(1));
      if (left === 0) response.end("there");
      else response.writeHead(301, { location: `/${left - 1}` }).end();
    });
    const three = answered(await fetchGuarded("http://site.test/3", { own_origins: [ownOrigin(hops)] }));
    expect(three).toMatchObject({
      ...{ status: 200, final_url: "http://site.test/0", tls: null },
      redirects: ["http://site.test/3", "http://site.test/2", "http://site.test/1"],
    });
    expect(await fetchGuarded("http://site.test/4", { own_origins: [ownOrigin(hops)] })).toMatchObject({
      ...{ kind: "unreachable", reason: "The site did not answer: it redirects more than 3 times." },
    });
  });

  test("refuses plain http where the caller needs TLS, except at its own origin", async () => {
    const plain = await serve(ok);
    const own_origins = [ownOrigin(plain)];
    expect(await fetchGuarded("http://gateway.test/", { own_origins }, { needs_tls: true })).toMatchObject({
      kind: "refused",
      reason: "Assay may not contact the address: it is not https.",
    });
    expect(textOf(await fetchGuarded("http://site.test/", { own_origins }, { needs_tls: true }))).toBe("secret");
  });

  test("never follows https to http", async () => {
    const secure = await serve(to("http://site.test/"), { secure: true });
    const plain = await serve(ok);
    const own_origins = [ownOrigin(secure, "https://shop.test"), ownOrigin(plain)];
    const outcome = await fetchGuarded("https://shop.test/", { own_origins, authorities: [TEST_CERTIFICATE] });
    expect(outcome).toMatchObject({
      kind: "refused",
      reason: "Assay may not contact the address: it leads from https to http.",
    });
    expect(plain.connections()).toBe(0);
  });

  test("sends the caller's headers to the first origin only and does not redirect a POST", async () => {
    const seen: (string | undefined)[] = [];
    const second = await serve((_path, response, request) => {
      seen.push(request.headers["x-mark"]?.toString());
      response.end();
    });
    const first = await serve(to("http://other.test/"));
    const own_origins = [ownOrigin(first), ownOrigin(second, "http://other.test")];
    await fetchGuarded("http://site.test/", { own_origins }, { headers: { "x-mark": "mine" } });
    await fetchGuarded("http://other.test/", { own_origins }, { headers: { "x-mark": "mine" } });
    expect(seen).toEqual([undefined, "mine"]);
    expect(await fetchGuarded("http://site.test/", { own_origins }, { method: "POST", body: "x" })).toMatchObject({
      ...{ kind: "unreachable", redirects: [] },
    });
  });
});
