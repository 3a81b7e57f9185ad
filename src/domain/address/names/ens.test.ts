import { describe, expect, test } from "vitest";
import { toHex } from "../../../lib/bytes.ts";
import { addressAt, addressesAt, bytesAt, integerAt, selectorOf } from "../../abi.ts";
import { dnsEncode, isConfusable, namehash, normalizeName } from "./ens_name.ts";

describe("names", () => {
  test("the hashes of ENSIP-1 come out", () => {
    // Vectors of ENSIP-1, section "Namehash algorithm".
    expect(namehash("")).toBe("00".repeat(32));
    expect(namehash("eth")).toBe("93cdeb708b7545dc668eb9280176169d1c33cfd8ed6f04690a0bcc88a93fc4ae");
    expect(namehash("foo.eth")).toBe("de9b09fd7c5f901e23a3f19fecc54828e9c848539801e86591bd9801b019f84f");
  });

  test("case folds, and what cannot be a name is refused", () => {
    expect(normalizeName("Alice.ETH")).toBe("alice.eth");
    for (const bad of ["", "a..eth", ".eth", "al ice.eth", "b\u0430d.eth", "ab_c.eth"])
      expect(normalizeName(bad)).toBeNull();
  });

  test("a name drawn like an ASCII one, or of several scripts, is confusable", () => {
    expect(isConfusable("alice.eth")).toBe(false);
    expect(isConfusable("álice.eth")).toBe(true);
    expect(isConfusable("日本.eth")).toBe(false);
    expect(isConfusable("日本.привет.eth")).toBe(true);
  });

  test("wire format prefixes each label with its length", () => {
    expect(toHex(dnsEncode("foo.eth") ?? new Uint8Array(0))).toBe("03666f6f0365746800");
    expect(dnsEncode(`${"a".repeat(256)}.eth`)).toBeNull();
  });
});

describe("return data", () => {
  const word = (end: string) => Buffer.from(end.padStart(64, "0"), "hex");

  test("short or absurd data reads as nothing instead of throwing", () => {
    for (const data of [
      Buffer.alloc(0),
      Buffer.alloc(31),
      word("ff".repeat(32)),
      Buffer.concat([word("20"), word("ff")]),
    ]) {
      expect(bytesAt(data, 0)).toBeNull();
      expect(addressesAt(data, 0)).toBeNull();
    }
    expect(integerAt(Buffer.alloc(31), 0)).toBeNull();
  });

  test("an address is twenty bytes and not zero", () => {
    expect(addressAt(word("ab".repeat(20)), 0)).toBe("ab".repeat(20));
    expect(addressAt(word(""), 0)).toBeNull();
    expect(addressAt(word(`01${"ab".repeat(20)}`), 0)).toBeNull();
  });

  test("selectors are those of the ABI", () => {
    expect(selectorOf("transfer(address,uint256)")).toBe("a9059cbb"); // EIP-20
    expect(selectorOf("OffchainLookup(address,string[],bytes,bytes4,bytes)")).toBe("556f1830"); // EIP-3668
    expect(selectorOf("resolve(bytes,bytes)")).toBe("9061b923"); // ENSIP-10
  });
});
