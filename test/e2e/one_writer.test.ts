import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  NETWORK,
  readContent,
  type StaticChain,
  type StoreContent,
  startChain,
  type WriterStore,
} from "../../bench/writers/setup.ts";
import { is_long, sized } from "../long.ts";
import { openStore, run, until } from "./processes.ts";

// Real processes on one store. The lease is short to keep the test fast; nothing here depends on timing.
const LEASE_MS = 1_500;
const BLOCKS = sized({ slice: 96, long: 400 });
const STOP_WITHIN_MS = 10_000;

let chain: StaticChain;
let clean: StoreContent;
const open = (url = chain.url, more: Readonly<Record<string, unknown>> = {}): Promise<WriterStore> =>
  openStore({ url, first: chain.first }, { index_lease_ms: LEASE_MS, ...more });

beforeAll(async () => {
  chain = await startChain({ blocks: BLOCKS, latency_ms: 4 });
  const store = await open();
  expect(await run(store, "index", "--once").ended).toBe(0);
  clean = await readContent(store);
  expect(clean).toMatchObject({ doubled: [], blocks: BLOCKS });
});
afterAll(() => chain.close());

/** Waits until a query of the store counts more than zero. */
const untilAny = async (store: WriterStore, question: string): Promise<void> => {
  const facts = await store.open();
  await until(async () => Number((await facts.engine.query(question))[0]?.[0]) > 0);
  await facts.close();
};

const firstDone = (store: WriterStore): Promise<void> =>
  untilAny(store, `SELECT count() FROM segments WHERE network = '${NETWORK}' AND state = 'done'`);

const untilLeased = (store: WriterStore, pid: number | undefined): Promise<void> =>
  untilAny(store, `SELECT count() FROM index_epochs WHERE network = '${NETWORK}' AND pid = ${pid}`);

const same = async (store: WriterStore): Promise<void> => {
  const content = await readContent(store);
  expect(content).toMatchObject({ doubled: [], blocks: BLOCKS });
  expect(content.hash).toEqual(clean.hash);
};

const indexerLine = (pid: number | undefined): RegExp =>
  new RegExp(`network ${NETWORK} is indexed by ${hostname()} pid ${pid} since \\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z`);

test.skipIf(!is_long)(
  "adds nothing from an indexer that slept while another one finished, and both exit cleanly",
  async () => {
    const store = await open();
    const first = run(store, "index", "--once");
    await firstDone(store);
    first.child.kill("SIGSTOP");
    expect(await run(store, "index", "--once").ended).toBe(0);
    first.child.kill("SIGCONT");
    expect(await first.ended).toBe(0);
    await same(store);
  },
);

test("waits in a second indexer, names the holder, and takes over when that one is stopped or killed", async () => {
  const store = await open(chain.url, { index_lease_ms: 60_000 });
  const first = run(store, "index");
  await until(() => first.said().includes("index"));
  await firstDone(store);
  const impatient = run(store, "index", "--once", "--wait", "0");
  expect(await impatient.ended).toBe(1);
  expect(impatient.said()).toMatch(indexerLine(first.child.pid));
  const second = run(store, "index");
  await until(() => indexerLine(first.child.pid).test(second.said()));
  const status = run(store, "status");
  await status.ended;
  expect(status.said()).toMatch(indexerLine(first.child.pid));
  // The end of the holder is detected, so the minute of its lease does not pass. The first to ask gets the lease, so the third one starts when the second has it.
  first.child.kill("SIGKILL");
  await untilLeased(store, second.child.pid);
  const third = run(store, "index", "--once");
  await until(() => indexerLine(second.child.pid).test(third.said()));
  second.child.kill("SIGTERM");
  expect(await second.ended).toBe(0);
  expect(await third.ended).toBe(0);
  await same(store);
});

test.skipIf(!is_long)(
  "ends a `--once` run at the first signal, whatever it waits for, with an exit code for unfinished work",
  async () => {
    // It answers nothing.
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    if (address === null || typeof address === "string") throw new Error("the node has no port");
    // It answers, and its answers are rejected.
    const wrong = await startChain({ blocks: 64, faults: [{ kind: "receipts_of_another_block" }] });
    try {
      const ends = [`http://127.0.0.1:${address.port}`, wrong.url, chain.url].map(async (url) => {
        const one = run(await open(url, { rpc_timeout_ms: 60_000 }), "index", "--once");
        await until(() => one.said().includes("index"));
        const asked_at = performance.now();
        one.child.kill("SIGTERM");
        expect(await one.ended).toBe(1);
        expect(one.said()).toContain("stopped before everything was written");
        return performance.now() - asked_at;
      });
      for (const took_ms of await Promise.all(ends)) expect(took_ms).toBeLessThan(STOP_WITHIN_MS);
    } finally {
      silent.closeAllConnections();
      silent.close();
      await wrong.close();
    }
  },
);

test.skipIf(!is_long)(
  "ends a `--once` run at a block that is rejected repeatedly, and reports the block and the reason",
  async () => {
    const liar = await startChain({ blocks: 64, faults: [{ kind: "receipts_of_another_block" }] });
    try {
      const one = run(await open(liar.url), "index", "--once");
      expect(await one.ended).toBe(1);
      expect(one.said()).toMatch(
        /assay: ethereum: .*block \d{8} is refused by the check block_reference: a receipt of another block \(asked: http/,
      );
    } finally {
      await liar.close();
    }
  },
);

test("rejects a second service on one data directory in one line, and commands still find the first one", async () => {
  const store = await open();
  const url = (): string => readFileSync(join(store.data_dir, "url"), "utf8");
  const first = run(store, "up");
  await until(() => existsSync(join(store.data_dir, "url")));
  const before = url();
  const second = run(store, "up");
  expect(await second.ended).toBe(1);
  expect(second.said().trim().split("\n")).toEqual([
    expect.stringMatching(new RegExp(`^assay: .*data is served by process ${first.child.pid} on ${hostname()} since `)),
  ]);
  expect(url()).toBe(before);
  expect((await fetch(`${before.trim()}/healthz`)).status).toBe(200);
  // A killed process holds nothing.
  first.child.kill("SIGKILL");
  await first.ended;
  const next = run(store, "up");
  await until(() => existsSync(join(store.data_dir, "url")) && url() !== before);
  next.child.kill("SIGTERM");
  expect(await next.ended).toBe(0);
  expect(existsSync(join(store.data_dir, "url"))).toBe(false);
});

test.skipIf(!is_long)("accepts another data directory, and an indexer beside the service", async () => {
  const [store, other] = [await open(), await open()];
  const first = run(store, "up");
  await until(() => existsSync(join(store.data_dir, "url")));
  const beside = run(other, "up");
  await until(() => existsSync(join(other.data_dir, "url")));
  const indexer = run(store, "index");
  await until(() => indexerLine(first.child.pid).test(indexer.said()));
  for (const { child, ended } of [beside, first]) {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
});
