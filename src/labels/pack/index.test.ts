import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { fromBase58Check } from "../../lib/base58.ts";
import { hex, toHex } from "../../lib/bytes.ts";
import { CATEGORIES } from "../categories.ts";
import { labelKey } from "../import/label_targets.ts";
import { packLabel, packLabels, packSources } from "./index.ts";

test("an address is found by its bytes, in any encoding of the pack", () => {
  // A row each in hex, in base58check (TA5gT7kFLTYSgrTQgsCah6jfCz75xX17ce) and in base58
  // (8ZPaybdHeNwpoxmU1ALcbLoE3eK443Jq4emk82VCscag), decoded with Python.
  expect(packLabel("ethereum", hex("000000000000040470635eb91b7ce4d132d616ed"))?.entity).toBe("Zamm");
  expect(packLabel("tron", hex("013968c62f413b627879b634ad2f1670a3067482"))?.entity).toBe("OSL HK");
  expect(packLabel("solana", hex("704deea53d2d0761c68ffd409de9847bad18cfdc68a1ab42d2972fc528269b4d"))?.entity).toBe(
    "Bitget",
  );
  expect(packLabel("tron", "")).toBeNull();
});

test("each row has the data of its list, and a list can be left out", () => {
  const all = packLabels([]);
  expect(all).toHaveLength(14_306);
  // As the CSV files of the pack have them: a row of one list, and one that two lists name.
  const rowOf = (rows: typeof all, network: string, address: string) =>
    rows.find((row) => row.network === network && row.address === address);
  expect(rowOf(all, "bsc", "7f36d9292e7c70a204facc2d255475a861487c60")).toEqual({
    network: "bsc",
    address: "7f36d9292e7c70a204facc2d255475a861487c60",
    entity: "EtherHiding",
    label: "EtherHiding: hidden code",
    category: "scam",
    confidence: 0.8,
    evidence: "https://labs.guard.io/etherhiding-hiding-web2-malicious-code-in-web3-smart-contracts-65ea78efad16",
    licence: "MIT",
    published_on: "2026-05-12",
  });
  const left = packLabels(["DefiLlama/DefiLlama-Adapters"]);
  expect(rowOf(left, "ethereum", "16572dc0f727c7e3012bad8dbe6b2ce1cdc31670")).toBeUndefined();
  expect(rowOf(left, "arbitrum", "1e34a77868e19a6647b1f2f47b51ed72dede95dd")).toMatchObject({
    confidence: 0.89,
    evidence: "tornadocash/tornado-classic-ui: networkConfig.js",
  });
});

test("addresses have the length of their network, and checksums of Tron's are right", () => {
  const bytesOf = (network: string): number => (network === "solana" ? 32 : 20);
  expect(packLabels([]).filter(({ network, address }) => address.length !== 2 * bytesOf(network))).toEqual([]);
  const lines = gunzipSync(readFileSync(join(import.meta.dirname, "rows.tsv.gz")))
    .toString("utf8")
    .split("\n");
  const written = lines.map((line) => line.split("\t")).filter(([network]) => network === "tron");
  expect(written).toHaveLength(388);
  for (const [, address = ""] of written) {
    const checked = fromBase58Check(address);
    expect([address, checked?.length, checked?.[0]]).toEqual([address, 21, 0x41]);
    expect(packLabel("tron", toHex(checked?.subarray(1) ?? new Uint8Array()))).not.toBeNull();
  }
});

test("the notice names every list of the pack", () => {
  const notice = readFileSync(join(import.meta.dirname, "NOTICE.md"), "utf8");
  for (const source of packSources()) expect(notice).toContain(source);
});

test("every category is a word of the taxonomy, no row is repeated, and no address is sanctioned by it", () => {
  const all = packLabels([]);
  expect(all.filter(({ category }) => !CATEGORIES.includes(category) || category === "sanctioned")).toEqual([]);
  expect(new Set(all.map(labelKey)).size).toBe(all.length);
});
