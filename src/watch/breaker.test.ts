import { expect, test } from "vitest";
import { Breakers } from "./breaker.ts";

test("opens after consecutive failures, admits one probe at a time, and closes with the first answer", () => {
  const breakers = new Breakers({ failures: 3, first_ms: 1_000, most_ms: 5_000 });
  const kind = (now: number) => breakers.look("a", now).kind;
  breakers.fail("a", 0);
  breakers.fail("a", 0);
  expect(kind(0)).toBe("closed");
  breakers.fail("a", 0);
  // 1 s doubled twice.
  expect(breakers.look("a", 3_999)).toEqual({ kind: "open", until: 4_000 });
  expect(kind(4_000)).toBe("half_open");
  breakers.probe("a");
  expect(breakers.look("a", 4_000)).toEqual({ kind: "open", until: 5_000 });
  breakers.fail("a", 4_000);
  // 8 s is more than the longest pause.
  expect(breakers.look("a", 4_000)).toEqual({ kind: "open", until: 9_000 });
  expect(breakers.look("other", 4_000).kind).toBe("closed");
  breakers.probe("a");
  breakers.abandon("a");
  expect(kind(9_000)).toBe("half_open");
  breakers.succeed("a");
  breakers.fail("a", 9_000);
  expect(kind(9_000)).toBe("closed");
});
