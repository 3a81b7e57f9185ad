import { expect, test } from "vitest";
import { fixedFacts } from "../../test/fixed_facts.ts";
import { overriding } from "../lib/overriding.ts";
import type { Facts } from "../store/facts.ts";
import { readAtNewest } from "./read_networks.ts";

const changing = (times: number): Facts => {
  let left = times;
  return overriding(fixedFacts(), {
    isCurrent: async () => {
      left -= 1;
      return left < 0;
    },
  });
};

test("a read whose blocks changed meanwhile is repeated, and its answer is the last one", async () => {
  let reads = 0;
  const read = async () => {
    reads += 1;
    return reads;
  };
  expect(await readAtNewest(changing(2), "demo", read)).toBe(3);
  await expect(readAtNewest(changing(3), "demo", read)).rejects.toMatchObject({ code: "COVERAGE_INCOMPLETE" });
});
