import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import { digestsOf, displayPrefix, isWellFormed, makeSecret } from "./secret.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

test("makes a key of the prefix, 32 random base62 characters and 6 of checksum", () => {
  const secret = makeSecret("svc_live_", (count) => randomBytes(count));
  // 9 + 32 + 6
  expect(secret).toHaveLength(47);
  expect(secret).toMatch(/^svc_live_[0-9A-Za-z]{38}$/);
  expect(isWellFormed(secret)).toBe(true);
  expect(displayPrefix(secret)).toBe(secret.slice(0, 13));
});

test("computes the checksum as the CRC-32 of everything before it, in base62", () => {
  // Bytes of 0 give the digit 0. CRC-32("svc_live_" + 32 times "0") worked out with `python3 -c 'import zlib; …'`:
  // 3585111259 = 3*62^5 + 56*62^4 + 38*62^3 + 47*62^2 + 13*62^1 + 9 -> digits 3, u, c, l, D, 9.
  const secret = makeSecret("svc_live_", (count) => new Uint8Array(count));
  expect(secret).toBe(`svc_live_${"0".repeat(32)}3uclD9`);
});

test("skips bytes from 248, so that every digit is equally likely", () => {
  // 61 is the digit z; 255 would be 255 % 62 = 7.
  const bytes = new Uint8Array(32).map((_, index) => (index % 2 === 0 ? 61 : 255));
  expect(makeSecret("k_", () => bytes).slice(2, 34)).toBe("z".repeat(32));
});

test("rejects a key with any changed or swapped character as malformed", () => {
  const secret = makeSecret("svc_live_", (count) => randomBytes(count));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 46 }), fc.constantFrom(...DIGITS), (place, digit) => {
      fc.pre(secret[place] !== digit);
      expect(isWellFormed(secret.slice(0, place) + digit + secret.slice(place + 1))).toBe(false);
    }),
  );
  fc.assert(
    fc.property(fc.integer({ min: 9, max: 45 }), (place) => {
      fc.pre(secret[place] !== secret[place + 1]);
      const swapped = [...secret];
      swapped.splice(place, 2, secret.charAt(place + 1), secret.charAt(place));
      expect(isWellFormed(swapped.join(""))).toBe(false);
    }),
  );
});

test("accepts no arbitrary text as a key", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => !isWellFormed(text)));
  expect(isWellFormed(`svc_live_${"0".repeat(38)}`)).toBe(false);
});

test("uses the pepper for the first digest, and still accepts the plain digest of older keys", () => {
  const house = new Secret("salt of the house");
  const other = new Secret("another");
  const plain = digestsOf("svc_live_x", { current: null, previous: [] });
  const peppered = digestsOf("svc_live_x", { current: house, previous: [] });
  const after = digestsOf("svc_live_x", { current: other, previous: [house] });
  expect(plain).toHaveLength(1);
  expect(peppered[1]).toBe(plain[0]);
  expect(peppered[0]).not.toBe(plain[0]);
  expect(after.slice(1)).toEqual(peppered);
  expect(new Set(after).size).toBe(3);
});

describe("the gitleaks rule", () => {
  const rules = readFileSync(join(import.meta.dirname, "../../docs/operating/gitleaks.toml"), "utf8");
  // gitleaks uses RE2; this expression means the same in both engines.
  const rule = new RegExp(/^regex = '''(.+)'''$/m.exec(rules)?.[1] ?? "(?!)");
  const key = makeSecret("svc_live_", (count) => randomBytes(count));

  test("finds a key wherever it is written", () => {
    for (const text of [key, `"${key}"`, `KEY=${key}`, `Authorization: Bearer ${key}\n`, `https://x/?key=${key}&b=1`])
      expect(rule.exec(text)?.[0], text).toBe(key);
  });

  test("ignores display prefixes, placeholders and longer words", () => {
    for (const text of [displayPrefix(key), "svc_live_<secret>", "svc_live_", `${key}0`, `my${key}`, key.slice(0, -1)])
      expect(rule.test(text), text).toBe(false);
  });

  test("filters by the keyword that every key starts with", () => {
    expect(/^keywords = \["(.+)"\]$/m.exec(rules)?.[1]).toBe("svc_live_");
  });
});
