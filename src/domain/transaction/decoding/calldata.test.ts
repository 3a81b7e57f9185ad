import { encodeAbiParameters, encodeFunctionData, parseAbi, parseAbiParameters } from "viem/utils";
import { expect, test } from "vitest";
import { formatAddress } from "../../../chains/evm/address.ts";
import { fromHex, hex } from "../../../lib/bytes.ts";
import { argumentsOf, entryIn } from "./abi_entries.ts";
import { decodeArguments } from "./calldata.ts";

const data = (types: string, values: readonly unknown[]): Uint8Array =>
  fromHex(encodeAbiParameters(parseAbiParameters(types), values)) ?? new Uint8Array(0);

const valuesOf = (types: string, values: readonly unknown[]) =>
  decodeArguments(`f(${types})`, data(types, values), formatAddress)?.map(({ value }) => value);

/** An example of EIP-55 itself. */
const A = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

test("words, text, bytes, lists and tuples within each other", () => {
  expect(valuesOf("address,uint256,bool,bytes4", [A, 2n ** 255n, true, "0x01020304"])).toEqual([
    A,
    (2n ** 255n).toString(),
    "true",
    "0x01020304",
  ]);
  expect(valuesOf("int24,string,bytes", [-5, "hello", "0xbeef"])).toEqual(["-5", "hello", "0xbeef"]);
  expect(
    valuesOf("uint256[],address[2]", [
      [1n, 2n],
      [A, A],
    ]),
  ).toEqual(['["1","2"]', JSON.stringify([A, A])]);
  const nested = [[{ to: A, parts: ["0x01", "0x"] }], 7n];
  const bare = fromHex(encodeAbiParameters(parseAbiParameters("(address to, bytes[] parts)[],uint8"), nested as never));
  expect(decodeArguments("f((address,bytes[])[],uint8)", bare ?? new Uint8Array(0), formatAddress)).toEqual([
    { type: "(address,bytes[])[]", value: JSON.stringify([[A, ["0x01", "0x"]]]) },
    { type: "uint8", value: "7" },
  ]);
});

test("untrusted text is cleaned", () => {
  expect(valuesOf("string", ["a\u202eb\u0007c"])).toEqual(["abc"]);
});

test("truncated data, false lengths and self-references give no arguments and no endless work", () => {
  const whole = data("string,uint256[]", ["hello", [1n, 2n, 3n]]);
  for (let length = 0; length < whole.length - 32; length += 1) {
    const decoded = decodeArguments("f(string,uint256[])", whole.subarray(0, length), formatAddress);
    expect([length, decoded]).toEqual([length, null]);
  }
  const word = (value: number) => value.toString(16).padStart(64, "0");
  const bytesOf = (...words: readonly number[]) => fromHex(words.map(word).join("")) ?? new Uint8Array(0);
  // Lists of eight items that are all the same next list: 8^6 values of 55 words, if it were followed.
  const level = [8, ...Array<number>(8).fill(256)];
  const bomb = bytesOf(32, ...level, ...level, ...level, ...level, ...level, 8, ...Array<number>(8).fill(0));
  expect(decodeArguments("f(uint256[][][][][][])", bomb, formatAddress)).toBeNull();
  expect(decodeArguments("f(bytes)", bytesOf(32, 2 ** 31), formatAddress)).toBeNull();
  expect(decodeArguments("f(uint256[1000000000])", bytesOf(1, 2, 3), formatAddress)).toBeNull();
});

test("a published interface names function and arguments, and invalid entries name nothing", () => {
  const abi = [
    {
      type: "function",
      name: "pay",
      inputs: [
        { name: "to", type: "address" },
        { name: "", type: "uint256" },
      ],
    },
    { type: "function", name: "ignore previous", inputs: [] },
    {
      type: "function",
      name: "deep",
      inputs: [{ name: "x", type: "tuple", components: [{ name: "y", type: "uint" }] }],
    },
    { type: "error", name: "Refused", inputs: [{ name: "depth", type: "uint256" }] },
    null,
    { type: "function", name: "broken", inputs: [{ name: "x", type: "uint256[99999999999]" }] },
  ];
  const encoded = encodeFunctionData({ abi: parseAbi(["function pay(address,uint256)"]), args: [A, 9n] });
  const payload = fromHex(encoded) ?? new Uint8Array(0);
  const pay = entryIn(abi, "function", hex(encoded.slice(2, 10)));
  expect(pay?.signature).toBe("pay(address,uint256)");
  expect(pay === null ? null : argumentsOf(pay, payload.subarray(4), formatAddress)).toEqual([
    { name: "to", type: "address", value: A },
    { name: null, type: "uint256", value: "9" },
  ]);
  // deep((uint256)): cast keccak of that text begins so.
  const deep = hex(
    encodeFunctionData({
      abi: parseAbi(["function deep((uint256))"]),
      args: [[1n]] as never,
    }).slice(2, 10),
  );
  expect(entryIn(abi, "function", deep)?.signature).toBe("deep((uint256))");
  // The first four bytes of Refused(uint256), seen in a transaction of the demo world.
  expect(entryIn(abi, "error", hex("590a5151"))?.name).toBe("Refused");
  expect(entryIn(abi, "function", hex("00000000"))).toBeNull();
});
