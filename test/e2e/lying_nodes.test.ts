import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FaultKind } from "../../bench/replay/faults.ts";
import type { ReplayOptions, ReplayServer } from "../../bench/replay/server.ts";
import { eachNth } from "../long.ts";
import { COUNT, FINAL, honestBlocks, LAST, openLyingIndex, problemOf, serve, until } from "./lying_index.ts";

const blocks = honestBlocks();
let stage: Awaited<ReturnType<typeof openLyingIndex>>;
let clean: Record<string, string>;
const replays: ReplayServer[] = [];

type FaultLie = readonly [FaultKind, RegExp];

const node = async (options: Partial<ReplayOptions> = {}, of = blocks): Promise<ReplayServer> => {
  const replay = await serve(of, options);
  replays.push(replay);
  return replay;
};

beforeAll(async () => {
  stage = await openLyingIndex();
  const indexing = await stage.index([(await node()).url]);
  await until(indexing, LAST);
  clean = await indexing.hash(FINAL);
  await indexing.stop();
});
afterAll(async () => {
  await stage.close();
  await Promise.all(replays.map((replay) => replay.close()));
});

test("has every block, transaction and transfer of the chain in the clean index", () => {
  // 34 transactions per block, each with one token transfer.
  expect(clean.blocks?.split(" ")[0]).toBe(String(COUNT));
  expect(clean.transactions?.split(" ")[0]).toBe(String(COUNT * 34));
});

/** The operator's message about a node that no longer gives useful answers. */
const SILENCES: readonly FaultLie[] = [
  ["http_500", /HTTP 500/],
  ["html", /a web page/],
  ["garbage", /is not JSON/],
  ["truncated", /is not JSON/],
  ["hang", /no answer within 1000 ms/],
  ["reset", /it closed the connection/],
  ["rpc_error", /something broke inside/],
  ["deep", /nested too deeply/],
  ["null_result", /is not a quantity|no newest block|is not an object|is not there/],
  ["wrong_types", /is not a/],
];

/** The same for a node that is correct except for its blocks. */
const LIES: readonly FaultLie[] = [
  ["http_429", /HTTP 429/],
  ["wrong_block", /another block than asked for/],
  ["wrong_parent", /its header does not give its hash/],
  ["missing_transaction", /receipts/],
  ["missing_receipt", /34 transactions have 33 receipts/],
  ["missing_log", /its receipts do not give its header's root/],
  ["missing_logs_and_filter", /its receipts do not give its header's root/],
  ["swapped_receipts", /a receipt of another transaction/],
  ["receipts_of_another_block", /a receipt of another block/],
  ["wrong_amount", /its receipts do not give its header's root/],
  ["wrong_sender", /a trace has another sender than its transaction/],
  ["wrong_recipient", /transaction 0 does not have the hash that it is given/],
  ["wrong_status", /its receipts do not give its header's root/],
  ["wrong_time", /its header does not give its hash/],
  ["wrong_miner", /its header does not give its hash/],
  ["false_withdrawal", /its withdrawals do not give its header's root/],
  ["missing_trace", /34 transactions have 33 traces/],
  ["foreign_trace", /another transaction/],
];

/** Machines that run many tests are slow: only a hanging node gets a short deadline. */
const deadlineOf = (kind: FaultKind): number | undefined => (kind === "hang" ? 1_000 : undefined);

describe.concurrent("one node", () => {
  test.each(eachNth<FaultLie>([...SILENCES, ["missing_receipt", /34 transactions have 33 receipts/]], 16))(
    "%s from the start: stores no block, names the problem, and reads the clean facts after the node is healed",
    async (kind, problem) => {
      const replay = await node({ faults: [{ kind }] });
      const indexing = await stage.index([replay.url], deadlineOf(kind));
      expect(await problemOf(indexing)).toMatch(problem);
      expect(await indexing.held()).toBe(0);
      replay.faults.splice(0);
      await until(indexing, LAST);
      expect(await indexing.hash(FINAL)).toEqual(clean);
      await indexing.stop();
    },
    60_000,
  );

  test.each(eachNth<FaultLie>([...LIES, ["truncated", /is not JSON/]], 16, 1))(
    "%s while following: adds nothing, names the problem, and reads the clean facts after the node is healed",
    async (kind, problem) => {
      const replay = await node({ head: LAST - 8 });
      const indexing = await stage.index([replay.url]);
      await until(indexing, LAST - 8);
      replay.faults.push({ kind });
      replay.setHead(LAST);
      expect(await problemOf(indexing)).toMatch(problem);
      expect(await indexing.held()).toBe(COUNT - 8);
      replay.faults.splice(0);
      await until(indexing, LAST);
      expect(await indexing.hash(FINAL)).toEqual(clean);
      await indexing.stop();
    },
    60_000,
  );
});

describe.concurrent("two nodes", () => {
  test.each(eachNth([...SILENCES, ...LIES], 16, 2))(
    "%s on the first: queries the second node and stores the clean facts",
    async (kind) => {
      const [bad, good] = [await node(), await node()];
      const indexing = await stage.index([bad.url, good.url], deadlineOf(kind));
      bad.faults.push({ kind });
      await until(indexing, LAST);
      expect(await indexing.hash(FINAL)).toEqual(clean);
      await indexing.stop();
    },
    60_000,
  );
});
