import { describe, expect, test } from "vitest";
import { readDomainList } from "../lib/domain_list.ts";
import { readDomain } from "./domain.ts";
import { isBlocked } from "./phishing.ts";
import { fetchRegistration, readRdap } from "./rdap.ts";
import type { Web } from "./web.ts";

describe("domains", () => {
  test("separates the registered domain from its subdomains", () => {
    expect(readDomain("www.shop.example.co.uk")).toEqual({
      ...{ registrable: "example.co.uk", label: "example", is_punycode: false, tld_risk: "low" },
    });
    // On a host of many tenants each name is a registration of its own.
    expect(readDomain("a.b.github.io").registrable).toBe("b.github.io");
    expect(readDomain("93.184.215.14")).toMatchObject({ registrable: null, label: null });
    expect(readDomain("co.uk").registrable).toBeNull();
  });

  test("reports punycode, decodes it, and rates cheap suffixes", () => {
    expect(readDomain("xn--mnchen-3ya.de")).toMatchObject({ is_punycode: true, label: "münchen" });
    expect([readDomain("a.xyz").tld_risk, readDomain("a.tk").tld_risk, readDomain("a.org").tld_risk]).toEqual([
      ...["medium", "high", "low"],
    ]);
  });
});

describe("phishing lists", () => {
  test("reads the same list from lines, a JSON array and eth-phishing-detect's format", () => {
    const want = new Set(["bad.test", "worse.test"]);
    const blocked = (text: string) => readDomainList(text)?.blocked;
    expect(blocked("# remark\nBad.test\n\nworse.test # why\n")).toEqual(want);
    expect(blocked('["bad.test","worse.test"]')).toEqual(want);
    expect(blocked('{"version":2,"blacklist":["bad.test","worse.test"],"whitelist":["x.test"]}')).toEqual(want);
    expect(blocked('{"address":["0x00"],"domains":["bad.test","worse.test"]}')).toEqual(want);
  });

  test("rejects an empty or unrecognised file", () => {
    for (const text of ["", "# only remarks\n", "[]", "[1]", "{}", '{"blacklist":7}'])
      expect(readDomainList(text)).toBeNull();
  });

  test("a listed domain covers its subdomains only", () => {
    const list = { blocked: new Set(["bad.test", "a.shared.test"]), allowed: new Set<string>() };
    const named = (host: string) => isBlocked(host, list);
    expect([named("bad.test"), named("www.BAD.test"), named("a.shared.test")]).toEqual([true, true, true]);
    expect([named("notbad.test"), named("shared.test"), named("test")]).toEqual([false, false, false]);
  });

  test("an exception of the list holds for its own subdomains, and is kept only below a listed domain", () => {
    const list = readDomainList(
      '{"blacklist":["pages.test","bad.ok.pages.test"],"whitelist":["ok.pages.test","x.test"]}',
    );
    if (list === null) throw new Error("no list");
    expect(list.allowed).toEqual(new Set(["ok.pages.test"]));
    const hosts = ["pages.test", "any.pages.test", "ok.pages.test", "www.ok.pages.test", "bad.ok.pages.test"];
    expect(hosts.map((host) => isBlocked(host, list))).toEqual([true, true, false, false, true]);
  });
});

describe("registries", () => {
  // The members that RFC 9083, 5.3 shows for a domain object.
  const answer = {
    objectClassName: "domain",
    events: [
      { eventAction: "registration", eventDate: "2026-07-20T10:11:12.5Z" },
      { eventAction: "expiration", eventDate: "2027-07-20T10:11:12Z" },
    ],
    entities: [
      { roles: ["abuse"], vcardArray: ["vcard", [["fn", {}, "text", "Nobody"]]] },
      {
        roles: ["registrar"],
        vcardArray: [
          "vcard",
          [
            ["version", {}, "text", "4.0"],
            ["fn", {}, "text", "Names \u202eInc"],
          ],
        ],
      },
    ],
  };

  test("reads registration, expiry and registrar, and cleans them", () => {
    expect(readRdap(JSON.stringify(answer))).toEqual({
      ...{ registered_at: "2026-07-20T10:11:12Z", expires_at: "2027-07-20T10:11:12Z", registrar: "Names Inc" },
    });
  });

  test("what is missing or malformed is null, never a guess", () => {
    for (const text of ["", "[]", "null", '{"objectClassName":"entity"}']) expect(readRdap(text)).toBeNull();
    const odd = {
      objectClassName: "domain",
      events: [{ eventAction: "registration", eventDate: "soon" }, 7],
      entities: {},
    };
    expect(readRdap(JSON.stringify(odd))).toEqual({ registered_at: null, expires_at: null, registrar: null });
  });

  test("appends the domain to the server's address and returns null for a status other than 200", async () => {
    const asked: string[] = [];
    const web: Web = {
      fetch: async ({ url }) => {
        asked.push(url);
        const body = Buffer.from(JSON.stringify(answer));
        const status = asked.length === 1 ? 200 : 404;
        return {
          kind: "answer",
          status,
          body,
          final_url: url,
          redirects: [],
          headers: {},
          is_cut: false,
          tls: null,
          elapsed_ms: 1,
        };
      },
    };
    const where = { server: "https://rdap.test/domain/", domain: "a.test" };
    expect(await fetchRegistration(web, where, AbortSignal.timeout(1_000))).toMatchObject({ registrar: "Names Inc" });
    expect(await fetchRegistration(web, where, AbortSignal.timeout(1_000))).toBeNull();
    expect(asked[0]).toBe("https://rdap.test/domain/a.test");
  });
});
