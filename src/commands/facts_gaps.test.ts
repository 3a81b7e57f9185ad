import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { finishSegment } from "../../test/segment_rows.ts";
import { loadSettings } from "../config/settings.ts";
import { readGapRecords, writeGapRecord } from "../store/gaps.ts";
import type { FactsStore } from "../store/open.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { type CommandIo, parseArgs, UsageFault } from "./command.ts";
import * as facts from "./facts.ts";
import { commandNamed } from "./index.ts";

let folder: string;
let store: FactsStore;

const io = (out: string[]): CommandIo => ({
  out: (text) => void out.push(text),
  err: () => undefined,
  json: true,
  tty: false,
  env: {},
  checkout: folder,
  settings: () => loadSettings({ config: join(folder, "assay.config.json"), cwd: folder, home: folder, env: {} }),
  signal: new AbortController().signal,
});

const run = async (...words: string[]) => {
  const out: string[] = [];
  const code = await facts.run(parseArgs(commandNamed("facts"), words), io(out));
  return { code, answer: JSON.parse(out.join("")) };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-gaps-"));
  await writeFile(join(folder, "assay.config.json"), JSON.stringify({ data_dir: "data", networks: {} }));
  const { settings, data_dir } = io([]).settings();
  store = await openFactsOnly(settings, data_dir);
  await store.writer.insert("networks", [
    { network: "demo", chain_id: 1, from_block: 0, from_hash: Buffer.alloc(32), is_opened: 1, written_at: 1 },
  ]);
  await finishSegment(store.writer, { network: "demo", from: 0, to: 9 });
  await writeGapRecord(store.writer, "demo", {
    ...{ kind: "refused", from_block: 10, to_block: 10, state: "open", check_name: "log_filter", reason: "a sentence" },
    ...{ block_hash: "", endpoints: 1, attempts: 4, first_asked_ms: 1_000, last_asked_ms: 61_000, ask_ms: 121_000 },
  });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

test("a refused block is listed with its check, given up, and asked for again", async () => {
  const { code, answer } = await run("gaps");
  expect([code, answer]).toEqual([
    0,
    {
      networks: [
        {
          network: "demo",
          gaps: [
            {
              ...{ kind: "refused", from_block: 10, to_block: 10, state: "open", check_name: "log_filter" },
              ...{ reason: "a sentence", endpoints: 1, attempts: 4 },
              first_asked_at: "1970-01-01T00:00:01.000Z",
              last_asked_at: "1970-01-01T00:01:01.000Z",
            },
          ],
        },
      ],
    },
  ]);
  expect((await run("skip", "demo", "10")).answer).toMatchObject({
    network: "demo",
    from_block: 10,
    state: "accepted",
  });
  expect(await readGapRecords(store.engine, "demo")).toMatchObject([{ state: "accepted", attempts: 4 }]);
  expect((await run("gaps", "--network", "demo")).answer).toMatchObject({
    networks: [{ gaps: [{ state: "accepted" }] }],
  });
  expect((await run("retry", "demo", "10")).answer).toMatchObject({ state: "open" });
  expect(await readGapRecords(store.engine, "demo")).toMatchObject([{ state: "open", ask_ms: 0 }]);
});

test.each([
  [["skip", "demo", "11"], "block 11 of 'demo' is not a refused block"],
  [["skip", "demo", "1e3"], "a block is a whole number, not '1e3'"],
  [["skip", "demo"], "the block is missing"],
  [["retry", "other", "10"], "block 10 of 'other' is not a refused block"],
  [["gaps", "--network", "other"], "nothing of network 'other' is stored"],
  [["skpi", "demo", "10"], "did you mean 'skip'"],
])("%j is refused in words", async (words, sentence) => {
  const refused = run(...words);
  await expect(refused).rejects.toBeInstanceOf(UsageFault);
  await expect(refused).rejects.toThrow(sentence);
});
