import { expect, test } from "vitest";
import { fuzzService } from "./fuzz.ts";

const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);

test("nothing that a caller sends is a 5xx, no JSON or a wrong charge (20,000 inputs)", async () => {
  const report = await fuzzService({ bodies: 14_000, header_sets: 4_000, connections: 2_000, seed: SEED });
  expect(report.wrong).toEqual([]);
  expect(report.violations).toBe(0);
  expect(report.credits_used).toBe(report.credits_told);
  // The draws must reach every side, or they show nothing.
  const { bodies, header_sets, connections } = report.statuses;
  for (const status of [200, 202, 400, 404, 422]) expect(bodies[status] ?? 0, `${status}`).toBeGreaterThan(50);
  for (const status of [200, 400, 401, 409, 422]) expect(header_sets[status] ?? 0, `${status}`).toBeGreaterThan(10);
  for (const status of [200, 400, 404, 422]) expect(connections[status] ?? 0, `${status}`).toBeGreaterThan(10);
});
