import { expect, test } from "vitest";
import { testScope } from "../../../test/import_scope.ts";
import { ListFault } from "./parsed_list.ts";
import { parseSanctions } from "./sanctions_generic.ts";

const scope = testScope();
const EVM = "0x9DCCe783B6464611f38631e6C851bf441907c710";
const TRON = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"; // USDT on Tron: 41a614f803b6fd780986a42c78ec9c7f77e6ded13c
/** The mint of USDC on Solana. */
const SOLANA = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const SOLANA_HEX = "c6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61";

test("the format of the address decides the family, not the asset code", () => {
  const rows = [
    { address: EVM, asset_code: "usdt" },
    { address: TRON, asset_code: "USDT" },
    { address: "bc1qxyz", asset_code: "XBT" },
    { address: "So11111111111111111111111111111111111111112", asset_code: "SOL" },
    { address: SOLANA, asset_code: "USDC" },
    { address: SOLANA, asset_code: "USDT" },
    { address: SOLANA },
    { address: EVM.slice(2), asset_code: "SOL" },
  ];
  const { entries, refused } = parseSanctions(JSON.stringify(rows), "json", scope);
  expect(refused.map(({ count }) => count)).toEqual([1]);
  expect(entries.map((entry) => ("family" in entry ? [entry.family, entry.address, entry.asset_code] : []))).toEqual([
    ["evm", EVM.slice(2).toLowerCase(), "USDT"],
    ["tron", "a614f803b6fd780986a42c78ec9c7f77e6ded13c", "USDT"],
    ["xbt", Buffer.from("bc1qxyz").toString("hex"), "XBT"],
    ["solana", "069b8857feab8184fb687f634618c035dac439dc1aeb3b5598a0f00000000001", "SOL"],
    ["solana", SOLANA_HEX, "USDC"],
    ["solana", SOLANA_HEX, "USDT"],
    ["solana", SOLANA_HEX, ""],
  ]);
});

test("an address with a wrong checksum is still listed", () => {
  const wrong = EVM.replace("DCC", "dcC");
  const { entries, refused } = parseSanctions(JSON.stringify([{ address: wrong, family: "evm" }]), "json", scope);
  expect(entries).toHaveLength(1);
  expect(refused).toEqual([]);
});

test("invalid rows are rejected by reason with their first examples, and a repeated row is a duplicate", () => {
  const csv = [
    "Address,Family,Entity,Program,Listed_on,Delisted_on",
    `${EVM},evm,"Trading, House",P1,2024-01-02T00:00:00Z,`,
    `${EVM.toLowerCase()},evm,Again,P2,,`,
    ",evm,,,,",
    "0x12,evm,Short,,,",
    "0x13,evm,Short,,,",
  ].join("\r\n");
  const { entries, refused, duplicates } = parseSanctions(csv, "csv", scope);
  expect(entries).toEqual([
    {
      family: "evm",
      address: EVM.slice(2).toLowerCase(),
      asset_code: "",
      entity: "Trading, House",
      program: "P1",
      listed_on: "2024-01-02",
      delisted_on: "",
    },
  ]);
  expect(duplicates).toBe(1);
  expect(refused.map(({ reason, count }) => [reason, count])).toEqual([
    ["no address", 1],
    ["not an address of the family or asset it names", 2],
  ]);
  expect(refused[1]?.examples[0]).toContain("0x12");
});

test("control and bidi characters of a list do not reach the store", () => {
  const row = { address: EVM, entity: "\u202eevil\u0000 \u200bname", program: ["A", "B\n"] };
  const { entries } = parseSanctions(JSON.stringify([row]), "json", scope);
  expect(entries[0]).toMatchObject({ entity: "evil name", program: "A, B" });
});

test("a file that is not a list is rejected as a whole", () => {
  for (const text of ["{", "{}", '"x"']) expect(() => parseSanctions(text, "json", scope)).toThrow(ListFault);
  for (const text of ["", 'address\n"open']) expect(() => parseSanctions(text, "csv", scope)).toThrow(ListFault);
});

test("a file of labels is not a sanctions list, whatever its name", () => {
  const csv =
    "network,address,entity,label,category\nethereum,0xdD2FD4581271e230360230F9337D5c0430Bf44C0,Bourse,Bourse,exchange\n";
  expect(() => parseSanctions(csv, "csv", testScope())).toThrow("the file contains labels, not sanctions");
});
