import { expect, test } from "vitest";
import { hex } from "../../../lib/bytes.ts";
import type { IndexedFacts } from "../../context.ts";
import { readHolderCounts } from "./sums.ts";

const [READ, UNREAD] = ["01", "02"].map((byte) => hex(byte.repeat(20)));
const COUNT = { holders: 3, supply: 10n, below_zero: 0, beyond: 0, doubtful: [] };

const countsOn = async (followed: { readonly tokens: readonly string[] } | undefined) => {
  const asked: string[][] = [];
  const index = {
    facts: {
      holderCounts: async (_: unknown, tokens: readonly string[]) => {
        asked.push([...tokens]);
        return tokens.map(() => COUNT);
      },
    },
    snapshot: { followed, coverage: { complete: true, logs: true } },
    // Of the facts and the snapshot, the function reads only these members.
  } as unknown as IndexedFacts;
  return { counts: await readHolderCounts(index, [READ ?? "", UNREAD ?? ""]), asked };
};

test("counts the holders of the tokens that are read, and of no others", async () => {
  const { counts, asked } = await countsOn({ tokens: [READ ?? ""] });
  expect([...counts]).toEqual([
    [READ, 3],
    [UNREAD, null],
  ]);
  expect(asked).toEqual([[READ]]);
});

test("queries nothing if no token is read, and everything on a network that is indexed whole", async () => {
  expect((await countsOn({ tokens: [] })).asked).toEqual([]);
  const { counts, asked } = await countsOn(undefined);
  expect([...counts.values()]).toEqual([3, 3]);
  expect(asked).toEqual([[READ, UNREAD]]);
});
