import { expect, test } from "vitest";
import { testScope } from "../../../test/import_scope.ts";
import { parseLabels } from "./label_rows.ts";
import { ListFault } from "./parsed_list.ts";
import { parseTagPack } from "./tagpack.ts";
import { parseTokenList } from "./token_list.ts";

const HOT = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";
const HEX = HOT.slice(2).toLowerCase();
const reasons = (parsed: { refused: readonly { reason: string; count: number }[] }) =>
  Object.fromEntries(parsed.refused.map(({ reason, count }) => [reason, count]));

test("a label belongs to its own network, to every EVM network, or to those of the import", () => {
  const said = { address: HOT, label: "Bourse", category: "exchange", entity: "Bourse", confidence: 0.9 };
  const listed = { licence: "MIT", published_on: "2026-05-12" };
  const rows = [
    { ...said, ...listed },
    { ...said, network: "bsc" },
    { ...said, network: "evm", label: "Everywhere" },
  ];
  const { entries } = parseLabels(JSON.stringify({ version: "7", labels: rows }), "json", testScope(["ethereum"]));
  expect(entries.map((entry) => ("label" in entry ? `${entry.network} ${entry.label}` : ""))).toEqual([
    "ethereum Bourse",
    "bsc Bourse",
    // Copied to each of them, also to networks that are enabled later.
    "evm Everywhere",
  ]);
  expect(entries[0]).toEqual({
    network: "ethereum",
    address: HEX,
    label: "Bourse",
    category: "exchange",
    entity: "Bourse",
    confidence: 0.9,
    evidence: "",
    licence: "MIT",
    published_on: "2026-05-12",
  });
});

test("rows without a network, a word of the taxonomy, a label or a confidence are rejected, each with its reason", () => {
  const csv = [
    "address,network,label,category,confidence,source",
    `${HOT},,Bourse,exchange,,https://bourse.test`,
    `${HOT},nowhere,Bourse,exchange,,`,
    `${HOT.replace("dD", "Dd")},demo,Bourse,exchange,,`,
    `${HOT},demo,Bourse,cex,,`,
    `${HOT},demo,,exchange,,`,
    `${HOT},demo,Bourse,exchange,1.5,`,
    `${HOT},demo,Bourse,exchange,0,`,
    ",demo,Bourse,exchange,,",
  ].join("\n");
  const parsed = parseLabels(csv, "csv", testScope());
  expect(parsed.entries).toMatchObject([{ network: "demo", confidence: 0.8, evidence: "https://bourse.test" }]);
  expect(reasons(parsed)).toEqual({
    "network nowhere is not known": 1,
    "not an address of its network, or its checksum is wrong": 1,
    "the category is not a word of the taxonomy": 1,
    "no label": 1,
    "confidence is not a number above 0 and up to 1": 2,
    "no address": 1,
  });
});

test("a row without any network is rejected", () => {
  const row = { address: HOT, label: "Bourse", category: "exchange" };
  expect(reasons(parseLabels(JSON.stringify([row]), "json", testScope([])))).toEqual({
    "no network: name one in the row or with --network": 1,
  });
});

const PACK = `
title: Bourse tags
creator: Bourse editors
lastmod: 2024-05-06
currency: ETH
confidence: service_data
category: exchange
source: https://bourse.test/reserves
tags:
  - address: "${HOT}"
    label: Bourse hot wallet
    actor: bourse
  - address: "${HOT.toLowerCase()}"
    label: Bourse hot wallet
  - address: "0x1111111111111111111111111111111111111111"
    label: Thief
    currency: BSC
    category: user
    abuse: service_hack
    confidence: forensic
  - address: "0x2222222222222222222222222222222222222222"
    label: New style
    concepts: [mixing_service]
    confidence: hearsay
  - address: 1BoatSLRHtKNngkdXEeobR76b53LETtpyT
    label: Bitcoin
    currency: BTC
  - just text
`;

test("a TagPack's tags inherit the fields of the pack, and an abuse outweighs a service", () => {
  const parsed = parseTagPack(PACK, testScope([]));
  expect(parsed.published_on).toBe("2024-05-06");
  expect(parsed.duplicates).toBe(1);
  expect(parsed.entries).toEqual([
    {
      network: "ethereum",
      address: HEX,
      label: "Bourse hot wallet",
      category: "exchange",
      entity: "bourse",
      confidence: 0.8,
      evidence: "https://bourse.test/reserves 2024-05-06",
      licence: "",
      published_on: "2024-05-06",
    },
    {
      network: "bsc",
      address: "11".repeat(20),
      label: "Thief",
      category: "exploit",
      entity: "",
      confidence: 0.7,
      evidence: "https://bourse.test/reserves 2024-05-06",
      licence: "",
      published_on: "2024-05-06",
    },
    {
      network: "ethereum",
      address: "22".repeat(20),
      label: "New style",
      // The concept is mixer and the pack's category is exchange: the tag's own category comes first.
      category: "exchange",
      entity: "",
      confidence: 0.5,
      evidence: "https://bourse.test/reserves 2024-05-06",
      licence: "",
      published_on: "2024-05-06",
    },
  ]);
  expect(reasons(parsed)).toEqual({ "network btc is not known": 1, "not an object": 1 });
});

test("an alias bomb and text that is not a TagPack are rejected as a whole", () => {
  const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\ntags: [*c,*c,*c]\n`;
  for (const text of [bomb, "tags: {", "title: x", "- 1"])
    expect(() => parseTagPack(text, testScope())).toThrow(ListFault);
});

test("a token list gives tokens of known chains, with its version and day", () => {
  const token = { chainId: 1, address: `0x${"33".repeat(20)}`, symbol: "USDX", name: "Dollar\u202e X", decimals: 6 };
  const list = {
    name: "Test",
    timestamp: "2026-07-01T10:00:00+00:00",
    version: { major: 3, minor: 1, patch: 4 },
    tokens: [
      { ...token, logoURI: "ipfs://logo" },
      token,
      { ...token, chainId: 999_999_999 },
      { ...token, chainId: 56, decimals: 300 },
      { ...token, chainId: 56, symbol: "" },
      { ...token, chainId: 56, address: "0x33" },
    ],
  };
  const parsed = parseTokenList(JSON.stringify(list), testScope());
  expect(parsed).toMatchObject({ kind: "tokens", version: "3.1.4", published_on: "2026-07-01", duplicates: 1 });
  expect(parsed.entries).toEqual([
    {
      network: "ethereum",
      token: "33".repeat(20),
      symbol: "USDX",
      name: "Dollar X",
      decimals: 6,
      logo_uri: "ipfs://logo",
    },
  ]);
  expect(Object.values(reasons(parsed))).toEqual([1, 1, 1, 1]);
});

test("a file with unlimited nesting is rejected with a clear message, in every format, before it is parsed", () => {
  const deep = (open: string, end: string) => open.repeat(1_000_000) + end.repeat(1_000_000);
  const files: readonly (readonly [string, () => unknown])[] = [
    ["labels", () => parseLabels(deep("[", "]"), "json", testScope())],
    ["labels of one row", () => parseLabels(`[{"address":${deep('{"a":', "}")}}]`, "json", testScope())],
    ["tokens", () => parseTokenList(`{"tokens":${deep("[", "]")}}`, testScope())],
    ["brackets in YAML", () => parseTagPack(`tags: ${deep("[", "]")}`, testScope())],
    ["lists in one line of YAML", () => parseTagPack(`tags: \n${"- ".repeat(1_000_000)}a`, testScope())],
    [
      "indentation of YAML",
      () => parseTagPack(Array.from({ length: 2_000 }, (_, i) => `${" ".repeat(i)}a:`).join("\n"), testScope()),
    ],
  ];
  for (const [name, parse] of files) {
    const started = performance.now();
    expect(parse, name).toThrow(ListFault);
    expect(parse, name).toThrow("nested deeper");
    expect(performance.now() - started, name).toBeLessThan(2_000);
  }
});

test("a row of a million cells is rejected", () => {
  expect(() => parseLabels(`address${",".repeat(1_000_000)}`, "csv", testScope())).toThrow("more than 1000 cells");
});
