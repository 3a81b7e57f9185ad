import { expect, test } from "vitest";
import { plainLine, silentLog } from "./log.ts";
import { UnreachableLog } from "./unreachable_log.ts";

const notes = () => {
  const lines: string[] = [];
  const clock = { ms: 0 };
  const log = { ...silentLog, warn: (_: object, message: string) => void lines.push(`${clock.ms} ${message}`) };
  return { lines, clock, notes: new UnreachableLog({ network: "n", log, now: () => clock.ms }) };
};

test("logs a node that fails every second for three minutes three times", () => {
  const { lines, clock, notes: away } = notes();
  for (clock.ms = 0; clock.ms < 180_000; clock.ms += 1_000) away.away({}, "away");
  expect(lines).toEqual(["0 away", "60000 away", "120000 away"]);
});

test("logs an intermittent node once a minute, and each recovery once", () => {
  const { lines, clock, notes: away } = notes();
  for (clock.ms = 0; clock.ms < 61_000; clock.ms += 1_000) {
    away.away({}, "away");
    away.back("back");
  }
  expect(lines).toEqual(["0 away", "0 back", "60000 away", "60000 back"]);
});

test("names the network once in a plain line, shows an error's message and removes control sequences", () => {
  const when = new Date("2026-01-02T03:04:05.678Z");
  const err = new Error("tron: a\nb\u001b[2J\u202e");
  expect(plainLine(when, "warn", { facts: { network: "tron", err }, message: "indexing waits" })).toBe(
    "2026-01-02T03:04:05Z warn  tron: indexing waits: ab[2J",
  );
});

test("shows facts in a plain line, without secrets and stacks", () => {
  const facts = { rest_ms: 5, headers: { authorization: "Bearer x" }, deep: { authorization: "y", n: 1n }, stack: "s" };
  expect(plainLine(new Date(0), "error", { facts, message: "m" })).toBe(
    '1970-01-01T00:00:00Z error m (rest ms 5, headers [secret], deep {"authorization":"[secret]","n":"1"})',
  );
});
