import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { formatAddress, parseAddress } from "./address.ts";

/** Examples of EIP-55. */
const CHECKSUMMED = [
  "0x52908400098527886E0F7030069857D2E4169EE7",
  "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  "0xde709f2102306220921060314715629080e2fb77",
  "0x27b1fdb04752bbc536007a920d24acb045561c26",
  "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
  "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
  "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
  "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
];

test("addresses are printed as EIP-55 requires and parsed in either case", () => {
  for (const text of CHECKSUMMED) {
    const bytes = hex(text.slice(2).toLowerCase());
    expect(formatAddress(bytes)).toBe(text);
    expect(parseAddress(text)).toBe(bytes);
    expect(parseAddress(text.toLowerCase())).toBe(bytes);
    expect(parseAddress(`0x${text.slice(2).toUpperCase()}`)).toBe(bytes);
  }
});

test("rejects an address with one letter in the wrong case", () => {
  expect(parseAddress("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD")).toBeNull();
  expect(parseAddress("0x5aaeb6053F3E94C9b9A09f33669435E7Ef1BeAed")).toBeNull();
});

test("rejects anything but 0x and 40 digits", () => {
  const digits = "de709f2102306220921060314715629080e2fb77";
  for (const text of [
    "",
    "0x",
    digits,
    `0X${digits}`,
    `0x${digits.slice(1)}`,
    `0x${digits}0`,
    ` 0x${digits}`,
    `0x${digits}\n`,
    `0x${digits.slice(1)}g`,
    "vitalik.eth",
  ])
    expect(parseAddress(text), JSON.stringify(text)).toBeNull();
});
