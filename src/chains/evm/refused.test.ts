/** One block that fails a check: the error names the block and the check, and the blocks beside it are readable. */
import { afterEach, expect, test } from "vitest";
import { type ReplayBlock, type ReplayServer, startReplay } from "../../../bench/replay/server.ts";
import { syntheticBlocks } from "../../../bench/replay/synthetic.ts";
import { silentLog } from "../../lib/log.ts";
import { ethereum } from "../networks/known.gen.ts";
import { RefusedBlock } from "../node/refused_block.ts";
import { openEvmChain } from "./chain.ts";

const FIRST = 20_000_000;
const BAD = FIRST + 2;
const signal = new AbortController().signal;
const blocks = syntheticBlocks({ shape: "transfers", count: 5, with_traces: true });
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** The blocks, with the third one changed. */
const lyingBlocks = (change: (block: ReplayBlock) => void): ReplayBlock[] =>
  blocks.map((one, i) => {
    const copy = structuredClone(one);
    if (FIRST + i === BAD) change(copy);
    return copy;
  });

const open = async (served: readonly (readonly ReplayBlock[])[]) => {
  const replays: ReplayServer[] = [];
  for (const one of served) replays.push(await startReplay({ blocks: one, chain_id: 1 }));
  const rpc = replays.map(({ url }) => url);
  const chain = await openEvmChain(ethereum, { rpc, log: silentLog, attempts_max: 3 }, signal);
  closing.push(() => chain.close(), ...replays.map((replay) => () => replay.close()));
  return { chain, rpc };
};

// Lists of objects, as syntheticBlocks makes them.
type MadeBlock = { transactions: object[]; receipts: { logs: object[] }[]; traces: object[] };
const madeOf = ({ block, receipts, traces }: ReplayBlock) => ({ ...block, receipts, traces }) as unknown as MadeBlock;

const swapped = lyingBlocks((one) => void madeOf(one).transactions.reverse());
const otherLog = lyingBlocks((one) => {
  Object.assign(madeOf(one).receipts[0]?.logs[0] ?? {}, { data: `0x${"11".repeat(32)}` });
});
const lostTrace = lyingBlocks((one) => void madeOf(one).traces.pop());

test.each([
  ["transactions out of order", swapped, "transaction_order"],
  ["another amount in a log", otherLog, "receipts_root"],
  ["a transaction without a trace", lostTrace, "traces"],
] as const)(
  "%s: the error names the block and the check, and the blocks beside it are read",
  async (_, served, check) => {
    const { chain, rpc } = await open([served]);
    const error = await chain.blocks(FIRST, FIRST + 4, signal).then(
      () => null,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(RefusedBlock);
    expect(error).toMatchObject({ code: "UPSTREAM_UNAVAILABLE", block: BAD, check, endpoints: rpc, unasked: [] });
    expect(await chain.blocks(FIRST, BAD - 1, signal)).toHaveLength(2);
    expect(await chain.blocks(BAD + 1, FIRST + 4, signal)).toHaveLength(2);
  },
);

test("a block that one endpoint serves wrongly comes from the other, and is rejected if both serve it wrongly", async () => {
  const healed = await open([otherLog, blocks]);
  expect(await healed.chain.blocks(FIRST, FIRST + 4, signal)).toHaveLength(5);
  const both = await open([otherLog, otherLog]);
  await expect(both.chain.blocks(BAD, BAD, signal)).rejects.toMatchObject({
    block: BAD,
    check: "receipts_root",
    endpoints: expect.arrayContaining([...both.rpc]),
  });
});
