import { afterAll, beforeAll, expect, test } from "vitest";
import { sized } from "../../../../test/long.ts";
import { type MutableWorld, openWorld, WALLET } from "../../../../test/moving_world.ts";
import { diceOf } from "../../../../test/random.ts";
import { bytesOf } from "../../../../test/value_rows.ts";
import type { Hex } from "../../../lib/bytes.ts";
import { readMovements } from "./read_movements.ts";
import { readTokenSums } from "./token_sums.ts";

const SEED = Number(process.env.ASSAY_TEST_SEED ?? 1);
const STEPS = sized({ slice: 12, long: 120 });

let world: MutableWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const inOrder = <T extends { readonly token: Hex }>(rows: readonly T[]) =>
  [...rows].sort((a, b) => (a.token < b.token ? -1 : 1));

test("what movements at hand add up to is what the store says, whatever happens between two calls", async () => {
  const dice = diceOf(SEED);
  const { facts, writer } = world.store;
  const opening = { network: "demo", holder: bytesOf(WALLET), token: "", amount: 9n, block_number: 0 };
  for (let n = 0; n < STEPS; n += 1) {
    const steps = [
      () => world.grow(4, n),
      () => world.grow(4, n),
      () => world.finalize(5),
      () => world.reorganise(2, n),
    ];
    await steps[dice(steps.length)]?.();
    if (n === STEPS / 2) await writer.insert("openings", [opening]);
    const { block, from_block } = await facts.snapshot("demo", null);
    for (const as_of of [null, Math.max(from_block, block.number - dice(9))]) {
      const snapshot = await facts.snapshot("demo", as_of);
      const end = snapshot.block.time;
      const read = await readMovements({ facts, snapshot }, WALLET, { since: 0, until: end + 1 });
      const asked: string[] = [];
      const listening = {
        ...facts,
        walletBalances: (...about: Parameters<typeof facts.walletBalances>) => {
          asked.push("store");
          return facts.walletBalances(...about);
        },
      };
      const sums = await readTokenSums({ facts: listening, snapshot }, { wallet: WALLET, read });
      const right = await facts.walletBalances(snapshot, WALLET);
      expect(inOrder(sums)).toEqual(
        inOrder(right).map(({ token, amount, last_block }) => ({ token, amount, last_block })),
      );
      expect(asked).toEqual([]);
      // Not all is at hand.
      await readTokenSums({ facts: listening, snapshot }, { wallet: WALLET, read: { ...read, since: null } });
      expect(asked).toEqual(["store"]);
    }
  }
});
