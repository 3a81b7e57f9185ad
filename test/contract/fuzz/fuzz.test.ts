import { expect, test } from "vitest";
import { sized } from "../../long.ts";
import { fuzzService } from "./fuzz.ts";

const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);

const COUNTS = sized({
  slice: { bodies: 1_500, header_sets: 500, connections: 250 },
  long: { bodies: 14_000, header_sets: 4_000, connections: 2_000 },
});
/** Answers of each status: fewer, and the draws do not reach it. */
const FEWEST = sized({ slice: { bodies: 3, others: 0 }, long: { bodies: 50, others: 10 } });

test("nothing that a caller sends is a 5xx, no JSON or a wrong charge", async () => {
  const report = await fuzzService({ ...COUNTS, seed: SEED });
  expect(report.wrong).toEqual([]);
  expect(report.violations).toBe(0);
  expect(report.credits_used).toBe(report.credits_told);
  // The draws must reach every side, or they show nothing.
  const { bodies, header_sets, connections } = report.statuses;
  for (const status of [200, 202, 400, 404, 422])
    expect(bodies[status] ?? 0, `${status}`).toBeGreaterThan(FEWEST.bodies);
  for (const status of [200, 400, 401, 409, 422])
    expect(header_sets[status] ?? 0, `${status}`).toBeGreaterThan(FEWEST.others);
  for (const status of [200, 400, 404, 422])
    expect(connections[status] ?? 0, `${status}`).toBeGreaterThan(FEWEST.others);
});
