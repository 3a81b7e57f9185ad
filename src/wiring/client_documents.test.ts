import { describe, expect, test } from "vitest";
import { closedLater, PUBLIC, serve } from "../../test/guarded_site.ts";
import { ownOrigin, serveBytes } from "../../test/local_site.ts";
import { TEST_CERTIFICATE } from "../../test/web_certificate.ts";
import type { Connect } from "../web/connect.ts";
import type { GuardedOptions } from "../web/guarded.ts";
import { clientDocuments } from "./client_documents.ts";

const ORIGIN = "https://shop.test";
const DOCUMENT = '{"client_id":"https://shop.test/client.json"}';

/** Reads with the settings of an operator who opened the web, or did not. */
const reader = (enabled: boolean, options: GuardedOptions = {}) =>
  clientDocuments({ web: { enabled, rdap_server: null, phishing_lists: [], token_sites: [] } }, options);

const read = async (url: string, options: GuardedOptions) => reader(true, options)?.(url) ?? null;

describe("a document of a program", () => {
  test("is read by TLS from a site that shows its certificate", async () => {
    const site = await serve((_path, response) => response.end(DOCUMENT), { secure: true });
    const own_origins = [ownOrigin(site, ORIGIN)];
    expect(await read(`${ORIGIN}/client.json`, { own_origins, authorities: [TEST_CERTIFICATE] })).toBe(DOCUMENT);
    expect(await read(`${ORIGIN}/client.json`, { own_origins })).toBeNull();
    expect(site.asked).toEqual(["GET /client.json"]);
  });

  test("is not one at another address, of another status, or without an end", async () => {
    const site = await serve(
      (path, response) => {
        if (path === "/moved") response.writeHead(302, { location: "/client.json" }).end();
        else if (path === "/missing") response.writeHead(404).end(DOCUMENT);
        else response.end(path === "/long" ? "x".repeat(20_000) : DOCUMENT);
      },
      { secure: true },
    );
    const options = { own_origins: [ownOrigin(site, ORIGIN)], authorities: [TEST_CERTIFICATE] };
    for (const path of ["/moved", "/missing", "/long"])
      expect(await read(`${ORIGIN}${path}`, options), path).toBeNull();
    expect(await read(`${ORIGIN}/client.json`, options)).toBe(DOCUMENT);
  });

  test("is never looked for inside the operator's network, whatever leads there", async () => {
    const connected: string[] = [];
    const connect: Connect = async ({ address }) => {
      connected.push(address);
      throw new Error("a connection was tried");
    };
    const inside = ["127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "::1", "fd00::1", "::ffff:127.0.0.1"];
    for (const address of inside) {
      const host = address.includes(":") ? `[${address}]` : address;
      expect(await read(`https://${host}/client.json`, { connect })).toBeNull();
      // The same by a name, alone or beside a public address.
      for (const found of [[address], [PUBLIC, address]])
        expect(await read("https://name.test/client.json", { connect, resolve: async () => found })).toBeNull();
    }
    for (const host of ["localhost", "metadata.google.internal", "printer.local"])
      expect(await read(`https://${host}/client.json`, { connect, resolve: async () => [PUBLIC] })).toBeNull();
    const plain = { connect, resolve: async () => [PUBLIC] };
    expect(await read("http://name.test/client.json", plain)).toBeNull();
    expect(await read("https://name.test:8443/client.json", plain)).toBeNull();
    expect(connected).toEqual([]);
  });

  test("is not waited for from a host that sends none", async () => {
    const mute = await closedLater(serveBytes(null));
    const started = performance.now();
    expect(await read(`${ORIGIN}/client.json`, { own_origins: [ownOrigin(mute, ORIGIN)] })).toBeNull();
    expect(performance.now() - started).toBeLessThan(15_000);
  }, 20_000);
});

test("where outbound web is off, no document is read, not even at the process's own origins", () => {
  expect(reader(false)).toBeNull();
  expect(reader(false, { own_origins: [ownOrigin({ port: 1 }, ORIGIN)] })).toBeNull();
});
