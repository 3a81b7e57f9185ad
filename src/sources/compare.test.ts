import { describe, expect, test } from "vitest";
import type { Bytes } from "../lib/bytes.ts";
import { compiledCode, matchCreation, matchRuntime } from "./compare.ts";
import { splitCode, tailFacts } from "./metadata_tail.ts";

const bytes = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, "hex"));
const hash = (digit: string): string => digit.repeat(64);
/** solc's map {ipfs: 0x1220 + 32 bytes, solc: 0.8.37}: 51 = 0x33 bytes. */
const tail = (digest: string): string => `a2646970667358221220${digest}64736f6c63430008250033`;
const CODE = "6001600255fe";

const compiled = (
  object: string,
  references: { immutables?: Record<string, unknown>; links?: Record<string, unknown> } = {},
) => {
  const made = compiledCode(object, { immutables: {}, links: {}, ...references });
  if (made === null) throw new Error("no code");
  return made;
};

describe("metadata at the end of code", () => {
  test("is split off and yields compiler and hash", () => {
    // SHA-256 of nothing; its base58 multihash is well known.
    const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
    const { code, tail: found } = splitCode(bytes(CODE + tail(empty)));
    expect(Buffer.from(code).toString("hex")).toBe(CODE);
    expect(tailFacts(found ?? new Uint8Array(0))).toEqual({
      metadata_hash: "ipfs://QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n",
      solc_version: "0.8.37",
    });
  });

  test("of older compilers is a Swarm hash without a version", () => {
    // a1, text(5) bzzr0, bytes(32): 1 + 6 + 2 + 32 = 41 = 0x29.
    const old = bytes(`${CODE}a165627a7a72305820${"ab".repeat(32)}0029`);
    const { tail: found } = splitCode(old);
    expect(tailFacts(found ?? new Uint8Array(0))).toEqual({
      metadata_hash: `bzz-raw://${"ab".repeat(32)}`,
      solc_version: null,
    });
  });

  test.each(["", "00", "6001600255fe", `${CODE}ffff`, `${CODE}a2640033`])("is not found in %s", (hex) => {
    expect(splitCode(bytes(hex)).tail).toBeNull();
  });

  test("that is malformed yields nothing and throws nothing", () => {
    expect(tailFacts(bytes("a26469706673ff"))).toEqual({ metadata_hash: null, solc_version: null });
  });
});

describe("runtime code", () => {
  const ours = compiled(CODE + tail(hash("1")));

  test("with the same metadata is an exact match", () => {
    expect(matchRuntime(bytes(CODE + tail(hash("1"))), ours)).toBe("exact_match");
  });

  test("with other metadata is a match", () => {
    expect(matchRuntime(bytes(CODE + tail(hash("2"))), ours)).toBe("match");
  });

  test("without metadata is never exact", () => {
    expect(matchRuntime(bytes(CODE), compiled(CODE))).toBe("match");
    expect(matchRuntime(bytes(CODE), ours)).toBe("match");
  });

  test.each(["6001600355fe", "6001600255", `${CODE}00`, ""])("%s is different code", (hex) => {
    expect(matchRuntime(bytes(hex), compiled(CODE))).toBeNull();
    expect(matchRuntime(bytes(hex + tail(hash("1"))), ours)).toBeNull();
  });

  test("may differ only where an immutable is written", () => {
    const made = compiled(`7f${"00".repeat(32)}5b${tail(hash("1"))}`, {
      immutables: { "7": [{ start: 1, length: 32 }] },
    });
    expect(matchRuntime(bytes(`7f${"ee".repeat(32)}5b${tail(hash("1"))}`), made)).toBe("exact_match");
    expect(matchRuntime(bytes(`7f${"ee".repeat(32)}5c${tail(hash("1"))}`), made)).toBeNull();
  });

  test("may have any address where a library is linked", () => {
    const made = compiled(`73__$${"a".repeat(34)}$__5b`, { links: { "L.sol": { L: [{ start: 1, length: 20 }] } } });
    expect(matchRuntime(bytes(`73${"ee".repeat(20)}5b`), made)).toBe("match");
    expect(matchRuntime(bytes(`73${"ee".repeat(20)}5c`), made)).toBeNull();
  });

  test("of a library contains its own address", () => {
    const made = compiled(`73${"00".repeat(20)}3014${CODE}`);
    expect(matchRuntime(bytes(`73${"ee".repeat(20)}3014${CODE}`), made)).toBe("match");
  });

  test("may contain other metadata of contracts that it creates, and is then not an exact match", () => {
    const factory = (inner: string) => `${CODE}${tail(hash(inner))}00${tail(hash("1"))}`;
    expect(matchRuntime(bytes(factory("2")), compiled(factory("3")))).toBe("match");
    expect(matchRuntime(bytes(factory("2")), compiled(factory("2")))).toBe("exact_match");
  });
});

describe("creation code", () => {
  const ours = compiled(CODE + tail(hash("1")));
  const ARGS = `${"00".repeat(31)}07`;

  test("is followed by the constructor's arguments", () => {
    const matched = matchCreation(bytes(CODE + tail(hash("1")) + ARGS), ours);
    expect(matched?.match).toBe("exact_match");
    expect(Buffer.from(matched?.constructor_args ?? []).toString("hex")).toBe(ARGS);
  });

  test("with other metadata is a match, and different code is not", () => {
    expect(matchCreation(bytes(CODE + tail(hash("2")) + ARGS), ours)?.match).toBe("match");
    expect(matchCreation(bytes(`6001600355fe${tail(hash("1"))}`), ours)).toBeNull();
    expect(matchCreation(bytes(CODE), ours)).toBeNull();
  });
});
