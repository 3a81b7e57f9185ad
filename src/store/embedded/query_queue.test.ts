import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { QueryQueue } from "./query_queue.ts";

/** Names in the order in which they got their place. */
const lineOf = (places: { readonly all_max: number; readonly heavy_max: number }) => {
  const line = new QueryQueue(places);
  const begun: string[] = [];
  return {
    line,
    begun,
    come: async (...names: readonly string[]): Promise<void> => {
      for (const name of names) void line.enter(name.startsWith("h")).then(() => begun.push(name));
      await nextTurn();
    },
    go: async (name: string): Promise<void> => {
      line.leave(name.startsWith("h"));
      await nextTurn();
    },
  };
};

test("heavy questions leave places free for quick ones", async () => {
  const { begun, come, line } = lineOf({ all_max: 4, heavy_max: 2 });
  await come("h1", "h2", "h3", "q1");
  expect(begun).toEqual(["h1", "h2", "q1"]);
  expect(line.running).toBe(3);
});

test("of those that wait the quick ones go first, each kind in its order", async () => {
  const { begun, come, go } = lineOf({ all_max: 2, heavy_max: 2 });
  await come("h1", "h2", "h3", "q1", "q2");
  expect(begun).toEqual(["h1", "h2"]);
  await go("h1");
  await go("q1");
  await go("q2");
  expect(begun).toEqual(["h1", "h2", "q1", "q2", "h3"]);
});

test("a heavy one begins when another has left, though places were free all the time", async () => {
  const { begun, come, go, line } = lineOf({ all_max: 4, heavy_max: 1 });
  await come("h1", "h2");
  expect(begun).toEqual(["h1"]);
  await go("h1");
  expect(begun).toEqual(["h1", "h2"]);
  await go("h2");
  expect(line.running).toBe(0);
});

test("however many quick ones come, a heavy one has its turn after sixteen of them", async () => {
  const { begun, come, go } = lineOf({ all_max: 1, heavy_max: 1 });
  const quick = Array.from({ length: 40 }, (_, nth) => `q${nth}`);
  await come("first", "h", ...quick);
  for (let nth = 0; nth < 20; nth += 1) await go(begun.at(-1) ?? "");
  expect(begun.indexOf("h")).toBe(17);
});
