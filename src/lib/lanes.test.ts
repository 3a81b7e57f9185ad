import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { inLanes } from "./lanes.ts";

test("runs at most one element per lane, and all elements in order", async () => {
  const begun: number[] = [];
  let [now, most] = [0, 0];
  await inLanes(2, [5, 1, 4, 2, 3], async (thing) => {
    begun.push(thing);
    now += 1;
    most = Math.max(most, now);
    await sleep(thing);
    now -= 1;
  });
  expect(begun).toEqual([5, 1, 4, 2, 3]);
  expect([now, most]).toEqual([0, 2]);
});

test("starts nothing after a failure, and throws once all started work has ended", async () => {
  const said: string[] = [];
  const work = async (thing: string): Promise<void> => {
    said.push(thing);
    if (thing === "ill") throw new Error("no");
    await sleep(20);
    said.push(`${thing} ended`);
  };
  await expect(inLanes(2, ["long", "ill", "next"], work)).rejects.toThrow("no");
  expect(said).toEqual(["long", "ill", "long ended"]);
});
