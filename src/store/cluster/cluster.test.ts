import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ClickHouseCluster, type ClusterNode, startCluster } from "../../../test/clickhouse/server.ts";
import { openTestFacts, type TestFacts, testAddress } from "../../../test/facts_store.ts";
import { is_long } from "../../../test/long.ts";
import {
  finishSegment,
  fundersOf,
  recordOf,
  SEGMENT_TABLES,
  type SegmentPosition,
  segmentContents,
  writeSegmentRows,
} from "../../../test/segment_rows.ts";
import { AssayError } from "../../lib/errors.ts";
import { fenceEngine } from "../fence.ts";
import { type FactsStore, openFacts } from "../open.ts";
import { LAYOUT, layoutOf, shardingKey } from "../schema/layout.ts";
import { BLOCK_TABLES } from "../tables.gen.ts";
import { mendBalances } from "../verify/balances.ts";
import { isSound, verifyNetwork } from "../verify/index.ts";
import { openWriter } from "../writer.ts";

// Two servers that share the rows of a store out, and the embedded engine, whose rows are the measure.
let cluster: ClickHouseCluster;
let store: FactsStore;
let embedded: TestFacts;
beforeAll(async () => {
  [cluster, embedded] = await Promise.all([startCluster(2), openTestFacts()]);
  store = await openFacts(cluster.settings);
});
afterAll(async () => {
  await Promise.all([store?.close(), embedded?.close()]);
  await cluster?.stop();
});

let made = 0;
let segment: SegmentPosition;
beforeEach(async () => {
  made += 1;
  // A network whose blocks below and above 1,024 belong to different shards.
  const shard = (run: number): string => `cityHash64(name, toUInt64(${run})) % 2`;
  const rows = await store.engine.query(
    `SELECT concat('net', toString(${made}), '_', toString(number)) AS name FROM numbers(100) WHERE ${shard(7)} != ${shard(8)} LIMIT 1`,
  );
  segment = { network: String(rows[0]?.[0]), from: 1_000, to: 1_047 };
});

const nodes = () => cluster.nodes;
const second = (): ClusterNode => {
  const node = nodes()[1];
  if (node === undefined) throw new Error("no second server");
  return node;
};
const askBoth = (sql: string) => Promise.all(nodes().map((node) => node.ask(sql)));

/** The same segment in the embedded engine, under the same name. */
const wanted = async () => {
  await writeSegmentRows(embedded.writer, segment);
  return segmentContents(embedded.engine, [segment.network]);
};

/** Each server's answers about the segment: both see the same distributed tables, each has its own sums. */
const held = () =>
  Promise.all((store.engine.cluster?.nodes ?? []).map((node) => segmentContents(node, [segment.network])));

const shareOf = (table: string): Promise<readonly string[]> =>
  askBoth(`SELECT count() FROM assay_shard.${table} WHERE network = '${segment.network}'`);

test("a segment equals that of the embedded engine, and each row is on the shard of its key's hash", async () => {
  await writeSegmentRows(store.writer, segment, { is_fresh: true });
  const one = await wanted();
  expect(await held()).toEqual([one, one]);
  const [here, there] = await Promise.all([embedded.engine, store.engine].map((engine) => fundersOf(engine, segment)));
  expect([here?.length, there]).toEqual([3, here]);
  for (const table of BLOCK_TABLES) {
    const key = shardingKey(LAYOUT[table]);
    for (const [at, node] of nodes().entries())
      expect(await node.ask(`SELECT count() FROM assay_shard.${table} WHERE ${key} % 2 != ${at}`), table).toBe("0");
  }
  for (const table of ["blocks", "transfers", "ledger", "token_ledger"])
    expect(await shareOf(table), table).not.toContain("0");
  // Written twice it is there once, and its sums are on each server once.
  await writeSegmentRows(store.writer, segment);
  expect(await held()).toEqual([one, one]);
});

test("sums that entered on one server only enter on the other one, and those that entered twice count once", async () => {
  await store.writer.finals.writeRecord(segment, recordOf(store.writer, segment));
  await store.writer.finals.writeLayouts(segment);
  const [first, other] = store.engine.cluster?.nodes ?? [];
  if (first === undefined || other === undefined) throw new Error("no nodes");
  await openWriter(other).finals.writeBalances(segment, { is_fresh: true });
  await openWriter(other).finals.writeBalances(segment, { is_fresh: true });
  await store.writer.finals.writeBalances(segment);
  const one = await wanted();
  expect(await held()).toEqual([one, one]);
});

test("a network is verified on all shards, and wrong sums of one server are found and mended", async () => {
  await finishSegment(store.writer, { ...segment, rows: 1 });
  const { network } = segment;
  const verify = () => verifyNetwork(store.engine, network, { signal: new AbortController().signal });
  expect(isSound(await verify())).toBe(true);
  const before = await held();
  await second().ask(
    `INSERT INTO assay.balances SELECT * FROM assay.balances WHERE network = '${network}' AND holder != '' LIMIT 3`,
  );
  expect((await verify()).balances?.wrong).toMatchObject([{ table: "balances", pairs: 3 }]);
  expect(await mendBalances(store, network)).toBe(3);
  expect(isSound(await verify())).toBe(true);
  expect(await held()).toEqual(before);
});

test("rows that are too many, or missing, on one shard alone are mended by a repetition", async () => {
  await writeSegmentRows(store.writer, segment, { is_fresh: true });
  const own = `network = '${segment.network}'`;
  await second().ask(`INSERT INTO assay_shard.ledger SELECT * FROM assay_shard.ledger WHERE ${own}`);
  await second().ask(`DELETE FROM assay_shard.transfers WHERE ${own}`);
  await writeSegmentRows(store.writer, segment);
  const one = await wanted();
  expect(await held()).toEqual([one, one]);
});

/** As an indexer does it: what may be tried again is. Connections that were kept to a server are found dead one by one. */
const repeatedly = async <T>(work: () => Promise<T>): Promise<T> => {
  for (let left = 10; ; left -= 1) {
    await cluster.ready();
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AssayError && error.retryable) || left === 0) throw error;
    }
  }
};

test.skipIf(!is_long)("a server that is killed in the middle of a segment loses and doubles nothing", async () => {
  const one = await wanted();
  for (let times = 0; times < 20; times += 1) {
    const victim = nodes()[(times + 1) % 2];
    if (victim === undefined) throw new Error("no server");
    let is_killed = false;
    const writing = writeSegmentRows(store.writer, segment).then(
      () => null,
      (error: unknown) => error,
    );
    const killing = new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 900)).then(async () => {
      await victim.kill();
      is_killed = true;
    });
    const error = await writing;
    if (error !== null) expect(error).toMatchObject({ code: "FACTS_UNAVAILABLE", retryable: true });
    await killing;
    expect(is_killed).toBe(true);
    await victim.restart();
    await repeatedly(() => writeSegmentRows(store.writer, segment));
    expect(await repeatedly(held), `kill ${times}`).toEqual([one, one]);
  }
});

const tailRows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => ({
    ...{ network: segment.network, block_number: from + at, tx_index: 0, position: 1, time: 1_700_000_000 },
    ...{ kind: "erc20" as const, token: testAddress(1 + (at % 12)), token_id: 0n },
    ...{
      source: testAddress(10 + (at % 5)),
      destination: testAddress(20 + (at % 7)),
      amount: 5n,
      sender: testAddress(9),
    },
  }));

test("feeds the tail into its other orders on the right shard and drops it on every shard", async () => {
  const { network } = segment;
  await store.writer.insert("transfers", tailRows(1_000, 1_063), { is_tail: true, network });
  const count = async (table: string) => Number((await shareOf(table)).reduce((sum, one) => sum + Number(one), 0));
  expect([await count("transfers"), await count("ledger"), await count("token_ledger")]).toEqual([64, 128, 64]);
  for (const table of ["ledger", "token_ledger", "transfers"] as const) {
    const key = shardingKey(LAYOUT[table]);
    expect(await shareOf(table), table).not.toContain("0");
    for (const [at, node] of nodes().entries())
      expect(await node.ask(`SELECT count() FROM assay_shard.${table} WHERE ${key} % 2 != ${at}`), table).toBe("0");
  }
  // Whole runs of 32 blocks: those of 1,024 to 1,055 and 1,056 to 1,087.
  expect(await store.writer.dropHead(network, 1_030)).toBe(1_024);
  for (const table of ["transfers", "ledger", "token_ledger"])
    expect(
      await askBoth(`SELECT countIf(block_number >= 1024) FROM assay_shard.${table} WHERE network = '${network}'`),
    ).toEqual(["0", "0"]);
  expect([await count("transfers"), await count("ledger")]).toEqual([24, 48]);
  await store.writer.dropPromoted(network, 1_023);
  expect([await count("transfers"), await count("ledger"), await count("token_ledger")]).toEqual([0, 0, 0]);
});

/** Addresses of the network by the shard of their rows. */
const walletsByShard = async (): Promise<readonly [string, string]> => {
  const rows = await store.engine.query(
    `SELECT cityHash64('${segment.network}', address) % 2 AS shard, lower(hex(any(address))) FROM ledger
     WHERE network = '${segment.network}' GROUP BY shard ORDER BY shard`,
  );
  return [String(rows[0]?.[1]), String(rows[1]?.[1])];
};

const LAST = `SELECT block_number, tx_index, position FROM ledger AS l
WHERE l.network = {network:String} AND l.address = unhex({wallet:String})
ORDER BY block_number DESC, tx_index DESC, position DESC LIMIT 20`;

test("reads the last rows of a wallet from its shard alone", async () => {
  await writeSegmentRows(store.writer, segment);
  const wallets = await walletsByShard();
  const asked = async () =>
    Number(await second().ask("SELECT sum(value) FROM system.events WHERE event = 'SelectQuery'"));
  const last = (wallet: string) => store.engine.query(LAST, { params: { network: segment.network, wallet } });
  const costs: number[] = [];
  for (const wallet of wallets) {
    const before = await asked();
    expect(await last(wallet)).toHaveLength(20);
    // The look at the counter counts too.
    costs.push((await asked()) - before - 1);
  }
  expect(costs[0]).toBe(0);
  expect(costs[1]).toBeGreaterThan(0);

  await second().kill();
  expect(await last(wallets[0])).toHaveLength(20);
  await expect(last(wallets[1])).rejects.toMatchObject({ code: "FACTS_UNAVAILABLE", retryable: true });
  await second().restart();
  expect(await repeatedly(() => last(wallets[1]))).toHaveLength(20);
});

const label = (address: Uint8Array) => ({
  ...{ network: segment.network, address, label: "A name", source: "list", category: "exchange", entity: "" },
  ...{ confidence: 1, evidence: "", valid_from: 0, licence: "", published_on: "", written_at: 1_700_000_000 },
});

test("writes replicated tables on every server, never on the first alone", async () => {
  const count = `SELECT count() FROM assay.labels WHERE network = '${segment.network}'`;
  await store.writer.insert("labels", [label(testAddress(1))]);
  expect(await askBoth(count)).toEqual(["1", "1"]);
  await second().kill();
  await expect(store.writer.insert("labels", [label(testAddress(2))])).rejects.toMatchObject({ retryable: true });
  await second().restart();
  await cluster.ready();
  expect(await askBoth(count)).toEqual(["1", "1"]);
  await store.writer.insert("labels", [label(testAddress(2))]);
  expect(await askBoth(count)).toEqual(["2", "2"]);
});

test("a writer that is superseded changes no shard", async () => {
  await writeSegmentRows(store.writer, segment);
  const { network } = segment;
  const enter = (epoch: number) =>
    store.engine.command(
      `INSERT INTO index_epochs (network, epoch, holder, host, pid, written_at) SELECT '${network}', ${epoch}, 'h${epoch}', '', 0, now64(3)`,
    );
  const never = new AbortController().signal;
  const engineOf = (epoch: number) =>
    fenceEngine(
      store.engine,
      { subject: network, epoch, holder: `h${epoch}` },
      { confirm: async () => undefined, signal: never },
    );
  await enter(1);
  const before = await held();
  await enter(2);
  const lost = expect.objectContaining({ code: "LEASE_LOST" });
  const old = engineOf(1);
  await expect(old.command(`DELETE FROM ledger WHERE network = '${network}'`)).rejects.toEqual(lost);
  await expect(openWriter(old).insert("transfers", tailRows(1, 3))).rejects.toEqual(lost);
  await expect(openWriter(old).insert("labels", [label(testAddress(3))])).rejects.toEqual(lost);
  await expect(old.cluster?.shards[1]?.command("ALTER TABLE ledger DROP PART 'none'")).rejects.toEqual(lost);
  expect(await held()).toEqual(before);
  await engineOf(2).command(`DELETE FROM ledger WHERE network = '${network}'`);
  expect(await shareOf("ledger")).toEqual(["0", "0"]);
});

test("what another process writes to any server is seen by a look", async () => {
  const marks = async (table: string) => (await store.engine.writes()).of([table], null);
  for (const [table, statement] of [
    ["labels", "INSERT INTO assay.labels (network, address, label) VALUES ('look', 'a', 'b')"],
    ["swaps", "INSERT INTO assay_shard.swaps (network, pool) VALUES ('look', 'a')"],
  ] as const) {
    const before = await marks(table);
    expect(await marks(table)).toBe(before);
    await second().ask(statement);
    expect(await marks(table)).not.toBe(before);
  }
});

test("every table that a segment is written into has a layout", () => {
  for (const table of [...BLOCK_TABLES, ...SEGMENT_TABLES]) expect(layoutOf(table), table).not.toBeNull();
  expect(layoutOf("stage_00_transfers")).toBeNull();
});
