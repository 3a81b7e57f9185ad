import { expect, test } from "vitest";
import { testScope } from "../../../test/import_scope.ts";
import { parseDomains } from "./domains.ts";
import { parseForta } from "./forta.ts";
import { joinParsed } from "./join_parsed.ts";
import { ListFault, type ParsedList } from "./parsed_list.ts";
import { parseSanctionsLines } from "./sanctions_lines.ts";
import { parseScamSniffer } from "./scam_sniffer.ts";

/** Made-up addresses; the columns and the form are those of the repositories. */
const address = (n: number): string => `0x${n.toString(16).padStart(40, "0")}`;
const bare = (n: number): string => address(n).slice(2);
const short = ({ kind, entries }: ParsedList) =>
  kind === "labels" ? entries.map((entry) => [entry.network, entry.address, entry.category, entry.label]) : kind;
const reasons = ({ refused }: ParsedList) => Object.fromEntries(refused.map(({ reason, count }) => [reason, count]));

test("Forta's phishing file: every row is phishing, whatever the letters' case, and each address once", () => {
  const parsed = parseForta(
    [
      "address,etherscan_tag,etherscan_labels,is_contract",
      `${address(0xabc)},Fake_Phishing3901,phish-hack,False`,
      `${address(0xabc).toUpperCase().replace("0X", "0x")},Fake_Phishing3901,phish-hack,False`,
      `${address(2)},Wrapped Ether (Gas Optimized) (WETH),phish-hack,True`,
      "not-an-address,Fake_Phishing1,phish-hack,False",
    ].join("\n"),
    testScope(["ethereum"]),
  );
  expect(short(parsed)).toEqual([
    ["ethereum", bare(0xabc), "phishing", "Fake_Phishing3901"],
    ["ethereum", bare(2), "phishing", "Wrapped Ether (Gas Optimized) (WETH)"],
  ]);
  expect([parsed.duplicates, reasons(parsed)]).toEqual([
    1,
    { "not an address of its network, or its checksum is wrong": 1 },
  ]);
});

test("Forta's contract file: the creator's label or the tag says what the contract did", () => {
  const head =
    "contract_address,contract_tag,contract_creator,contract_creation_tx,contract_creator_tag,source,notes,contract_creator_etherscan_label";
  const parsed = parseForta(
    [
      head,
      `${address(1)},Bridge Exploiter 10,${address(9)},0xe9,,a table,,exploit`,
      `${address(2)},,${address(9)},0xae,Token Exploiter,a table,,heist`,
      `${address(3)},MultiSig Exploit 4,${address(9)},0xa0,,a table,,`,
      `${address(4)},,${address(9)},0xa0,,a table,,`,
    ].join("\n"),
    testScope(["ethereum"]),
  );
  expect(short(parsed)).toEqual([
    ["ethereum", bare(1), "exploit", "Bridge Exploiter 10"],
    ["ethereum", bare(2), "theft", "Token Exploiter"],
    ["ethereum", bare(3), "exploit", "MultiSig Exploit 4"],
    ["ethereum", bare(4), "scam", "Forta: scam"],
  ]);
});

test("Forta's list of an explorer's labels names the kind in the source", () => {
  const rows = [
    `${address(1)},Fake_Phishing1772,etherscan-phish-hack-list`,
    `${address(2)},Some Hacker,etherscan-heist-list`,
    `${address(3)},Some Exploiter,etherscan-exploit-list`,
  ];
  const parsed = parseForta(["banned_address,wallet_tag,data_source", ...rows].join("\n"), testScope());
  const categories = parsed.kind === "labels" ? parsed.entries.map(({ category }) => category) : [];
  expect(categories).toEqual(["phishing", "theft", "exploit"]);
  expect(() => parseForta("coin,amount\nBTC,1", testScope())).toThrow(ListFault);
});

test("ScamSniffer's addresses, alone or beside its domains; other rows are refused", () => {
  const rows = [address(1), address(1), `${address(2)}m`, "null", 7];
  for (const file of [rows, { address: rows, domains: ["bad.test"] }]) {
    const parsed = parseScamSniffer(JSON.stringify(file), testScope(["evm"]));
    expect(short(parsed)).toEqual([["evm", bare(1), "phishing", "ScamSniffer: phishing"]]);
    expect(parsed.duplicates).toBe(1);
    expect(reasons(parsed)).toEqual({
      "not an address of its network, or its checksum is wrong": 2,
      "not an address": 1,
    });
  }
  expect(() => parseScamSniffer('{"domains":[]}', testScope())).toThrow(ListFault);
});

test("domains: a page of a host does not condemn the host", () => {
  const list = { version: 2, tolerance: 2, fuzzylist: ["wallet.test"], whitelist: ["good.pages.test"] };
  const names = ["Bad.test", "pages.test", "host.test/drop", "https://x.test", "localhost", "xn--bttrex-3va.test"];
  const parsed = parseDomains(JSON.stringify({ ...list, blacklist: names }));
  expect(parsed.kind === "domains" ? parsed.entries : []).toEqual([
    { domain: "bad.test", is_allowed: 0 },
    { domain: "pages.test", is_allowed: 0 },
    { domain: "xn--bttrex-3va.test", is_allowed: 0 },
    { domain: "good.pages.test", is_allowed: 1 },
  ]);
  expect(reasons(parsed)).toEqual({ "a page of a site, not a domain": 2, "not a domain": 1 });
  for (const text of ["[]", "{}", "# nothing\n"]) expect(() => parseDomains(text)).toThrow(ListFault);
  expect(() => parseDomains(`[${"[".repeat(500)}`)).toThrow(ListFault);
});

test("lines of sanctioned addresses: the form tells the family, other chains are refused", () => {
  // The addresses of the zero bytes of each family, and an example of Bitcoin's developer guide.
  const tron = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
  const solana = "11111111111111111111111111111111";
  const bitcoin = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
  const parsed = parseSanctionsLines(`${address(0xabc)}\n${tron}\n${solana}\n\n${bitcoin}\n`, testScope());
  const entries = parsed.kind === "sanctions" ? parsed.entries : [];
  expect(entries.map(({ family, address: hex }) => [family, hex])).toEqual([
    ["evm", bare(0xabc)],
    ["tron", bare(0)],
    ["solana", "0".repeat(64)],
  ]);
  expect(reasons(parsed)).toEqual({ "not an address of a family that this project indexes": 1 });
  expect(() => parseSanctionsLines('["0x00"]', testScope())).toThrow(ListFault);
});

test("files of one list count an address once, and their refusals together", () => {
  const scope = testScope(["evm"]);
  const file = (...rows: readonly string[]) => parseScamSniffer(JSON.stringify(rows), scope);
  const both = joinParsed(file(address(1), address(2), "x"), file(address(2), address(3), "y"));
  expect(short(both)).toEqual([1, 2, 3].map((n) => ["evm", bare(n), "phishing", "ScamSniffer: phishing"]));
  expect([both.duplicates, both.refused.map(({ count }) => count)]).toEqual([1, [2]]);
});
