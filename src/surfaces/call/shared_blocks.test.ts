import { expect, test } from "vitest";
import { fixedFacts } from "../../../test/fixed_facts.ts";
import type { CallContext } from "../../domain/context.ts";
import { overriding } from "../../lib/overriding.ts";
import type { PinnedBlock } from "../../lib/parsed.ts";
import type { Facts, Snapshot } from "../../store/facts.ts";
import { SharedBlocks } from "./shared_blocks.ts";

/** Facts whose newest block grows with each snapshot, and the snapshots that were opened. */
const growing = async (more: Partial<Snapshot> = {}) => {
  const facts = fixedFacts();
  const model = await facts.snapshot("demo", null);
  const opened: PinnedBlock[] = [];
  let [newest, is_current, fails] = [100, true, 0];
  const own: Partial<Facts> = {
    snapshot: async (network, as_of_block) => {
      if (fails-- > 0) throw new Error("away");
      opened.push(as_of_block ?? newest);
      const number = typeof as_of_block === "number" ? as_of_block : newest++;
      return { ...model, ...more, network, block: { ...model.block, number } };
    },
    isCurrent: async () => is_current,
    withSignal: () => overriding(facts, own),
  };
  return {
    context: { facts: overriding(facts, own) } as CallContext,
    opened,
    cut: () => {
      is_current = false;
    },
    fail: (times: number) => {
      fails = times;
    },
  };
};

const blockOf = async (facts: Facts, network = "demo", as_of: PinnedBlock | null = null): Promise<number> =>
  (await facts.snapshot(network, as_of)).block.number;

test("calls of one batch end at the block of the first, per network", async () => {
  const { context, opened } = await growing();
  const blocks = new SharedBlocks();
  const [a, b] = [blocks.share(context).facts, blocks.share(context).facts];
  expect(await Promise.all([blockOf(a), blockOf(b), blockOf(b.withSignal(new AbortController().signal))])).toEqual([
    100, 100, 100,
  ]);
  expect(await blockOf(b, "other")).toBe(101);
  expect(await blockOf(a, "other")).toBe(101);
  expect(await blockOf(a, "demo", 7)).toBe(7);
  expect(opened).toEqual([100, 101, 7]);
});

test("a block that was written again is opened by its number", async () => {
  const { context, opened, cut } = await growing();
  const { facts } = new SharedBlocks().share(context);
  expect(await blockOf(facts)).toBe(100);
  cut();
  expect(await blockOf(facts)).toBe(100);
  expect(opened).toEqual([100, 100]);
});

test("a failure of the first call is not the failure of the others", async () => {
  const { context, fail } = await growing();
  const { facts } = new SharedBlocks().share(context);
  fail(1);
  const [first, second] = await Promise.allSettled([facts.snapshot("demo", null), facts.snapshot("demo", null)]);
  expect([first.status, second.status]).toEqual(["rejected", "fulfilled"]);
  expect(await blockOf(facts)).toBe(100);
});

test("snapshots of addresses on demand are not shared", async () => {
  const { context } = await growing({ followed: { is_plain: true, addresses: [] } });
  const { facts } = new SharedBlocks().share(context);
  expect([await blockOf(facts), await blockOf(facts)]).toEqual([100, 101]);
});
