import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { serve } from "../../test/guarded_site.ts";
import { ownOrigin } from "../../test/local_site.ts";
import { PUBLISHED_LISTS, type PublishedList } from "../labels/published_lists.ts";
import { currentLists } from "../store/lists.ts";
import { guardedWeb } from "../web/guarded.ts";
import { parseArgs, UsageFault } from "./command.ts";
import { commandNamed } from "./index.ts";
import { type FetchedList, fetchLists, selectedLists } from "./labels_fetch.ts";

/** The shape of bitfinexcom/pub, wallets.txt: made-up addresses in the same formats. */
const WALLETS = [
  "1Kr6QSydW9bFQG1mXiPNNu6WpJGmUa9i1g - BTC hot wallet",
  ...Array.from({ length: 9 }, (_, n) => `0x${(n + 1).toString(16).padStart(40, "0")} - ETH/ERC20 cold wallet`),
  "0x00000000000000000000000000000000000000aa - Polygon (old) hot wallet",
  "0xa08fd235db5de8023721b5f9b6e29c0ee5253982ccdd423a1cd9f682ae745821 - AION hot wallet",
  "no line of the file",
].join("\n");
/** As OFAC writes it (docs of SDN.XML), with one address per entry. */
const sdn = (count: number): string => {
  const entries = Array.from({ length: count }, (_, n) => {
    const id = `<idType>Digital Currency Address - ETH</idType><idNumber>0x${(n + 1).toString(16).padStart(40, "0")}</idNumber>`;
    return `<sdnEntry><uid>${n}</uid><lastName>Nobody ${n}</lastName><sdnType>Individual</sdnType><programList><program>TEST</program></programList><idList><id>${id}</id></idList></sdnEntry>`;
  });
  return `<?xml version="1.0"?><sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML"><publshInformation><Publish_Date>11/20/2026</Publish_Date></publshInformation>${entries.join("")}</sdnList>`;
};

let store: TestFacts;
let folder: string;
beforeAll(async () => {
  store = await openTestFacts();
  folder = mkdtempSync(join(tmpdir(), "assay-fetched-"));
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  for (const table of ["labels", "lists", "sanctions", "listed_domains", "listed_tokens"])
    await store.engine.command(`TRUNCATE TABLE ${table}`);
});

const published = (name: string): PublishedList => {
  const found = PUBLISHED_LISTS.find((list) => list.name === name);
  if (found === undefined) throw new Error(`there is no list ${name}`);
  return found;
};

type ServedList = Parameters<typeof serve>[0];
interface FetchRequest {
  readonly name?: string;
  readonly accepts_smaller?: boolean;
  readonly deadline_ms?: number;
  readonly bytes_max?: number;
}

/** Fetches a list from a site that answers so. */
const fetchFrom = async (answer: ServedList, ask: FetchRequest = {}): Promise<FetchedList | undefined> => {
  const site = await serve(answer);
  const list = published(ask.name ?? "bitfinex-wallets");
  const { deadline_ms = 5_000, bytes_max = list.bytes_max } = ask;
  const [done] = await fetchLists(store, [{ list, from: ["http://site.test/file"] }], {
    ...{ networks: [], accepts_smaller: ask.accepts_smaller ?? false, now_ms: Date.now() },
    signal: AbortSignal.timeout(20_000),
    webFor: () => guardedWeb({ own_origins: [ownOrigin(site)], deadline_ms, bytes_max }),
  });
  return done;
};
const text =
  (body: string, type = "text/plain"): ServedList =>
  (_path, response) =>
    response.writeHead(200, { "content-type": type }).end(body);
const lists = async () => (await currentLists(store)).map(({ list, rows, licence }) => [list, rows, licence]);

test("a published list is taken by the path of every import, with its licence and where it came from", async () => {
  const done = await fetchFrom(text(WALLETS));
  expect(done).toMatchObject({ outcome: "taken", accepted: 10, written: 10 });
  expect(done?.outcome === "taken" && done.refused.map(({ reason, count }) => [reason, count])).toEqual([
    ["of a chain that this project does not index", 2],
    ["not `ADDRESS - what it is`", 1],
  ]);
  expect(await lists()).toEqual([["bitfinex-wallets", 10, "published by Bitfinex; no licence is stated"]]);
  const rows = await store.query("SELECT network, label, category, entity FROM labels WHERE network = 'polygon'");
  expect(rows).toEqual([["polygon", "Bitfinex: Polygon (old) hot wallet", "exchange", "Bitfinex"]]);
});

/** A TagPack as the repository has it, with made-up addresses. */
const tagPack = (from: number, count: number): string => {
  const tag = (n: number) =>
    `  - address: "0x${n.toString(16).padStart(40, "0")}"\n    abuse: phishing\n    label: a site ${n}`;
  return `title: A pack\ncreator: someone\nlastmod: 2022-05-12\ncurrency: ETH\nsource: https://source.test\nconfidence: web_crawl\ntags:\n${Array.from({ length: count }, (_, n) => tag(from + n)).join("\n")}\n`;
};

test("several files of a publisher are one list, and none of them may be missing", async () => {
  const site = await serve((path, response) =>
    path === "/gone" ? response.writeHead(404).end() : response.writeHead(200).end(tagPack(path === "/a" ? 1 : 40, 60)),
  );
  const list = { ...published("graphsense-tagpacks"), rows_min: 90 };
  const fetched = async (paths: readonly string[]) => {
    const [done] = await fetchLists(store, [{ list, from: paths.map((path) => `http://site.test${path}`) }], {
      ...{ networks: [], accepts_smaller: false, now_ms: Date.now(), signal: AbortSignal.timeout(20_000) },
      webFor: () => guardedWeb({ own_origins: [ownOrigin(site)], deadline_ms: 5_000, bytes_max: 100_000 }),
    });
    return done;
  };
  // 1 to 60 and 40 to 99: 21 of both.
  expect(await fetched(["/a", "/b"])).toMatchObject({ outcome: "taken", accepted: 99, duplicates: 21 });
  const sql = "SELECT category, count() AS rows FROM labels WHERE source = 'graphsense-tagpacks' GROUP BY category";
  expect(await store.query(sql)).toEqual([["phishing", "99"]]);
  expect(await fetched(["/a", "/gone"])).toMatchObject({ outcome: "kept", reason: expect.stringContaining("/gone") });
  expect(await lists()).toMatchObject([["graphsense-tagpacks", 99, expect.any(String)]]);
});

test("lists of domains and of tokens are stored, replaced and removed like the others", async () => {
  const domains = (count: number) => JSON.stringify(Array.from({ length: count }, (_, n) => `site${n}.test`));
  const ask = { name: "scamsniffer-domains" };
  expect(await fetchFrom(text(domains(1_200)), ask)).toMatchObject({ outcome: "taken", written: 1_200 });
  expect(await fetchFrom(text(domains(1_100)), ask)).toMatchObject({ written: 0, removed: 100 });
  const left = "SELECT count() AS rows FROM listed_domains FINAL WHERE is_removed = 0";
  expect(await store.query(left)).toEqual([["1100"]]);
  const token = (n: number) => ({ chainId: 1, address: `0x${(n + 1).toString(16).padStart(40, "0")}`, decimals: 18 });
  const tokens = Array.from({ length: 60 }, (_, n) => ({ ...token(n), symbol: `T${n}`, name: `Token ${n}` }));
  const list = JSON.stringify({ name: "L", timestamp: "2026-11-01T00:00:00Z", version: { major: 1 }, tokens });
  expect(await fetchFrom(text(list), { name: "uniswap-tokens" })).toMatchObject({ kind: "tokens", accepted: 60 });
});

const HANG: ServedList = () => undefined;
type ListLie = readonly [what: string, answer: ServedList, reason: string, ask?: FetchRequest];
const LIES: readonly ListLie[] = [
  ["a web page with status 200", text("<!doctype html><title>Gone</title>", "text/html"), "a web page"],
  ["a web page that is called a text", text("\n<HTML><body>Sign in</body></HTML>"), "a web page"],
  ["a status of its own", (_path, response) => response.writeHead(503).end("later"), "status 503"],
  ["nothing at all", text(""), "an empty file"],
  ["no answer", HANG, "took too long", { deadline_ms: 300 }],
  ["more than it should be", text("x".repeat(5_000)), "larger than", { bytes_max: 1_000 }],
  ["two rows", text(WALLETS.split("\n").slice(1, 3).join("\n")), "at least 8 are expected"],
  ["another file", text("coin,amount\nBTC,1\n"), "holds no row"],
  [
    "a way into the machine's own network",
    (_path, response) => response.writeHead(302, { location: "http://169.254.169.254/latest" }).end(),
    "public internet",
  ],
  [
    "a way to this machine",
    (_path, response) => response.writeHead(302, { location: "http://127.0.0.1/file" }).end(),
    "public internet",
  ],
];

test.each(LIES.map((lie) => ({ what: lie[0], lie })))(
  "of a site that sends $what the old list stays",
  async ({ lie }) => {
    const [, answer, reason, ask = {}] = lie;
    await fetchFrom(text(WALLETS));
    const before = await lists();
    const done = await fetchFrom(answer, ask);
    expect(done).toMatchObject({ outcome: "kept", reason: expect.stringContaining(reason) });
    expect(await lists()).toEqual(before);
  },
);

test("imports a list that lost a fifth of its entries only with --accept-smaller, labels and sanctions alike", async () => {
  const shorter = WALLETS.split("\n").toSpliced(1, 2).join("\n");
  await fetchFrom(text(WALLETS));
  // Ten rows and eight: a fifth less is allowed.
  expect(await fetchFrom(text(shorter))).toMatchObject({ outcome: "taken", accepted: 8, removed: 2 });
  await fetchFrom(text(WALLETS.replace("no line", "0x00000000000000000000000000000000000000bb - ETH/ERC20 no line")));
  const shrunk = await fetchFrom(text(shorter));
  expect(shrunk).toMatchObject({ outcome: "kept", reason: expect.stringContaining("--accept-smaller") });
  expect(await fetchFrom(text(shorter), { accepts_smaller: true })).toMatchObject({ outcome: "taken", accepted: 8 });
  const ofac = { name: "ofac-sdn" };
  expect(await fetchFrom(text(sdn(700)), ofac)).toMatchObject({ outcome: "taken", kind: "sanctions", accepted: 700 });
  expect(await fetchFrom(text(sdn(500)), ofac)).toMatchObject({
    outcome: "kept",
    reason: expect.stringContaining("20 %"),
  });
  expect(await fetchFrom(text(sdn(499)), ofac)).toMatchObject({
    outcome: "kept",
    reason: expect.stringContaining("500"),
  });
  expect(await fetchFrom(text(sdn(500)), { ...ofac, accepts_smaller: true })).toMatchObject({ outcome: "taken" });
});

test("keeps fetching after a failed list, reads a file instead of a site, and skips a list without an address", async () => {
  const path = join(folder, "okx.csv");
  const row = (n: number, more = "I am an OKX address") =>
    `ETH,ETH,1,0x${(n + 1).toString(16).padStart(40, "0")},1.5,${more},0xsigned,,,,`;
  const rows = [
    ...Array.from({ length: 60 }, (_, n) => row(n)),
    row(90, ""),
    "TON,TON,1,UQB1,1,I am an OKX address,0x,,,,",
  ];
  const sums = "coin,snapshot height,amount\nETH,1,5\n";
  writeFileSync(path, `${sums}\ncoin,Network,Snapshot Height,address,amount,message,signature1\n${rows.join("\n")}\n`);
  const how = {
    ...{ networks: [], accepts_smaller: false, now_ms: Date.now(), signal: AbortSignal.timeout(20_000) },
    webFor: () => guardedWeb({ resolve: async () => [], deadline_ms: 500 }),
  };
  const wanted = [
    { list: published("ofac-sdn"), from: ["https://nowhere.test/sdn.xml"] },
    { list: published("okx-reserves"), from: [path] },
    { list: published("okx-reserves"), from: [] },
    { list: published("bitfinex-wallets"), from: [join(folder, "not_there.txt")] },
  ];
  const done = await fetchLists(store, wanted, how);
  expect(done.map(({ outcome, list }) => [list, outcome])).toEqual([
    ["ofac-sdn", "kept"],
    ["okx-reserves", "taken"],
    ["okx-reserves", "skipped"],
    ["bitfinex-wallets", "kept"],
  ]);
  expect(done[1]).toMatchObject({ accepted: 60, refused: [{ count: 1 }, { count: 1 }] });
});

test("nothing is fetched that was not named", () => {
  const wanted = (line: string) => selectedLists(parseArgs(commandNamed("labels"), line.split(" ")));
  expect(() => wanted("fetch")).toThrow(UsageFault);
  expect(() => wanted("fetch nonsense")).toThrow("ofac-sdn");
  expect(() => wanted("fetch --all --from x.xml")).toThrow("name that list alone");
  expect(wanted("fetch ofac-sdn --from x.xml").map(({ list, from }) => [list.name, from])).toEqual([
    ["ofac-sdn", ["x.xml"]],
  ]);
  expect(wanted("fetch --all").map(({ list }) => list.name)).toEqual(PUBLISHED_LISTS.map(({ name }) => name));
  for (const url of PUBLISHED_LISTS.flatMap(({ urls }) => urls)) expect(url).toMatch(/^https:\/\//);
});
