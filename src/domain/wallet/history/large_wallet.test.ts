import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { fixedChain } from "../../../../test/fixed_chain.ts";
import { sized } from "../../../../test/long.ts";
import { COIN, DOLLAR, type MutableWorld, openWorld, WALLET } from "../../../../test/moving_world.ts";
import type { SnapshotContext } from "../../context.ts";
import { counterpartyCount, openFlows } from "./flows.ts";
import { readHistory, rowUsd, type ValuedHistory } from "./history.ts";

const chain = fixedChain({
  network: { wrapped_native: COIN, stablecoins: [{ symbol: "USDC", address: DOLLAR, peg: "USD" }] },
});
const ALWAYS = { from: 0, until: 4_294_967_295 };

let world: MutableWorld;
let scope: SnapshotContext;
beforeAll(async () => {
  world = await openWorld();
  await world.grow(30, 5);
  await world.finalize(20);
  await world.price();
  const { facts } = world.store;
  scope = { facts, chain, snapshot: await facts.snapshot("demo", null), signal: AbortSignal.timeout(300_000) };
}, 120_000);
afterAll(() => world.close());

/** Every row from a block on, with its value and flags. */
const rowsFrom = (history: ValuedHistory, block: number): readonly string[] => {
  const { movements, spam, first, end } = history;
  const rows: string[] = [];
  for (let row = first; row < end; row += 1) {
    if ((movements.block_number[row] ?? 0) < block) continue;
    const place = [movements.block_number[row], movements.tx_index[row], movements.position[row]].join(":");
    rows.push(`${place} ${movements.tokenAt(row)} ${movements.amountAt(row)} ${rowUsd(history, row)} ${spam[row]}`);
  }
  return rows;
};

const sumsOf = async (history: ValuedHistory): Promise<unknown> => {
  const flows = await openFlows(history);
  const { totals } = await flows.ask({ by: "peer", with_void: true });
  return { counterparties: await counterpartyCount(flows), totals };
};

test("covers the days from the named block on above the limit, and all days up to the limit", async () => {
  const whole = await readHistory(scope, WALLET, ALWAYS);
  const rows = whole.end;
  expect(rows).toBeGreaterThan(40);
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 6, max: rows + 2 }), async (rows_max) => {
      const cut = await readHistory(scope, WALLET, { ...ALWAYS, rows_max });
      expect(cut.is_whole).toBe(rows <= rows_max);
      const codes = cut.warnings.map(({ code }) => code);
      expect(codes).toEqual(cut.is_whole ? [] : ["LARGE_WALLET"]);
      // The block after the one in which the answer ended; it need not contain a movement.
      const from = Number(/from block (\d+) on/.exec(cut.warnings[0]?.message ?? "")?.[1] ?? 0);
      expect(from).toBeLessThanOrEqual(cut.movements.block_number[cut.first] ?? 0);
      expect(rowsFrom(cut, 0)).toEqual(rowsFrom(whole, from));
      const window = { from: cut.is_whole ? 0 : (cut.movements.time[cut.first] ?? 0), until: ALWAYS.until };
      expect(await sumsOf(cut)).toEqual(await sumsOf(await readHistory(scope, WALLET, window)));
      if (cut.is_whole) return;
      const summed = cut.end - cut.first;
      expect(summed).toBeLessThanOrEqual(rows_max);
      expect(cut.warnings[0]?.message).toContain(
        `newest ${summed} movements, from block ${from} on, and not of the ${rows - summed} before`,
      );
    }),
    { numRuns: sized({ slice: 8, long: 80 }), endOnFailure: true },
  );
}, 300_000);
