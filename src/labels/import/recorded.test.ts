import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { importScope } from "../../wiring/import_list.ts";
import { parseSanctions } from "./sanctions_generic.ts";
import { parseTagPackCsv } from "./tagpack.ts";

const FOLDER = join(import.meta.dirname, "../../../../shared/data/labels");
const TAGS = join(FOLDER, "graphsense_tagpacks_eth_trx.csv.gz");
const OFAC = join(FOLDER, "ofac");

const unheard = !existsSync(TAGS) || !existsSync(OFAC);
if (unheard) process.stderr.write(`Recorded labels are not tested: ${FOLDER} is not there.\n`);

const evmOnly = () => {
  const scope = importScope([], []);
  const networks = new Map([...scope.networks].filter(([, { family }]) => family === "evm"));
  return { ...scope, networks };
};

describe.skipIf(unheard)("recorded lists", () => {
  test("every well-formed EVM tag of the TagPacks is imported once, every other row is rejected for a reason", () => {
    const text = gunzipSync(readFileSync(TAGS)).toString("utf8");
    const parsed = parseTagPackCsv(text, evmOnly());
    const refused = Object.fromEntries(parsed.refused.map(({ reason, count }) => [reason, count]));
    // 23,733 rows: 36 of Tron and 5 of Solana have no network here; 23,686 + 4 + 2 are of EVM networks.
    expect(refused["network tron is not known"]).toBe(36);
    expect(refused["network solana is not known"]).toBe(5);
    const wrong = Object.entries(refused)
      .filter(([reason]) => !reason.startsWith("network"))
      .reduce((sum, [, count]) => sum + count, 0);
    expect(parsed.entries.length + parsed.duplicates + wrong).toBe(23_692);
    expect(wrong).toBeLessThan(24);
    const categories = new Set(parsed.entries.map((entry) => ("category" in entry ? entry.category : "")));
    expect([...categories].sort()).toEqual(
      "dex exchange exploit gambling lending miner_validator mixer phishing ponzi sanctioned scam unknown_service".split(
        " ",
      ),
    );
  });

  test("addresses of each risk category, by the abuse, the category or the label of their tags", () => {
    const { kind, entries } = parseTagPackCsv(gunzipSync(readFileSync(TAGS)).toString("utf8"), evmOnly());
    if (kind !== "labels") throw new Error(kind);
    const addresses = (category: string) =>
      new Set(entries.filter((entry) => entry.category === category).map(({ address }) => address)).size;
    // Distinct addresses by a count of the file's columns and labels outside of this program. Fewer than 24 rows have a
    // wrong checksum.
    const said: Readonly<Record<string, number>> = {
      phishing: 5_289,
      gambling: 2_633,
      scam: 1_965,
      exploit: 990,
      ponzi: 62,
    };
    for (const [category, count] of Object.entries(said)) {
      expect(addresses(category), category).toBeGreaterThan(count - 24);
      expect(addresses(category), category).toBeLessThanOrEqual(count);
    }
  });

  test("every address of the OFAC files is imported, in the family that its format shows", () => {
    const rows = readdirSync(OFAC).flatMap((name) =>
      readFileSync(join(OFAC, name), "utf8")
        .split("\n")
        .filter((line) => line.trim() !== "")
        .map((line) => `${line.trim()},${/_([A-Z]+)\.txt$/.exec(name)?.[1]}`),
    );
    const parsed = parseSanctions(["address,asset_code", ...rows].join("\n"), "csv", importScope([], []));
    expect(parsed.refused).toEqual([]);
    const families = new Map<string, number>();
    for (const entry of parsed.entries) {
      if (!("family" in entry)) continue;
      families.set(entry.family, (families.get(entry.family) ?? 0) + 1);
    }
    // ETH 152, USDC 2, ARB 1, BSC 1, ETC 1 are EVM addresses if they begin with 0x; TRX 6 and part of USDT 26 Tron.
    const evm = rows.filter((row) => row.startsWith("0x")).length;
    const tron = rows.filter((row) => row.startsWith("T")).length;
    expect(families.get("evm")).toBe(evm);
    expect(families.get("tron")).toBe(tron);
    // 435 lines under XBT, and one of them is an address of Tron.
    expect(families.get("xbt")).toBe(434);
    expect(parsed.entries.length + parsed.duplicates).toBe(rows.length);
    expect(rows.length).toBeGreaterThanOrEqual(654);
  });
});
