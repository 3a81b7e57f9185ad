import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { demoClock, parseDemoClock, updateDemoClock } from "./clock.ts";

// 2026-11-20T15:00:00Z is 1795186800; that midnight is 1795132800; 90 days earlier 1795132800 - 7776000 = 1787356800.
const NOW = 1_795_186_800;
const T0 = 1_787_356_800;

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-clock-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("the first start begins the scenario at the midnight 90 days ago", () => {
  expect(demoClock(NOW, null)).toEqual({ clock: { t0: T0, chosen_at: NOW }, moved: true });
});

test("a restart within 24 hours keeps T0, even after midnight", () => {
  const saved = { t0: T0, chosen_at: NOW };
  expect(demoClock(NOW + 86_399, saved)).toEqual({ clock: saved, moved: false });
});

test("a restart after 24 hours moves T0 to the next midnight", () => {
  const later = NOW + 86_400;
  expect(demoClock(later, { t0: T0, chosen_at: NOW })).toEqual({
    clock: { t0: T0 + 86_400, chosen_at: later },
    moved: true,
  });
});

test("a clock that was set back chooses a new T0", () => {
  expect(demoClock(NOW - 1, { t0: T0, chosen_at: NOW }).moved).toBe(true);
});

test("invalid text is not a clock", () => {
  for (const text of ["", "{", "null", "[]", '{"t0":1}', '{"t0":"1","chosen_at":2}', '{"t0":1.5,"chosen_at":2}']) {
    expect(parseDemoClock(text)).toBeNull();
  }
  expect(parseDemoClock('{"t0":1,"chosen_at":2}')).toEqual({ t0: 1, chosen_at: 2 });
});

test("the file survives restarts and is replaced when it is damaged", () => {
  const path = join(folder, "deep", "demo.json");
  expect(updateDemoClock(path, NOW).moved).toBe(true);
  expect(updateDemoClock(path, NOW + 60)).toEqual({ clock: { t0: T0, chosen_at: NOW }, moved: false });
  writeFileSync(path, "damaged");
  expect(updateDemoClock(path, NOW + 120)).toEqual({ clock: { t0: T0, chosen_at: NOW + 120 }, moved: true });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ t0: T0, chosen_at: NOW + 120 });
});
