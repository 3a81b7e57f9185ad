import { expect, test } from "vitest";
import { silentLog } from "../lib/log.ts";
import type { NetworkStatus, Status } from "../lib/status.ts";
import { openMetrics, readiness } from "./ops.ts";

const NETWORK: NetworkStatus = {
  head: 120,
  indexed: 100,
  lag_blocks: 20,
  from_block: 50,
  verified: "receipts",
  disagreements: 0,
  state: "backfill",
  blocks_per_second: 5,
  remaining_blocks: 50,
  problem: "http://user:secret@node",
};
const READY: Status = { accounts: true, facts: true, networks: { demo: NETWORK } };
const readinessOf = (status: Status) => readiness(async () => status, silentLog);

test("a network that is still filling is ready once it holds its first batch, and its problem stays inside", async () => {
  const networks = { demo: { head: 120, indexed: 100, lag_blocks: 20, verified: "receipts" } };
  expect(await readinessOf(READY)).toEqual({
    status: 200,
    body: { status: "ready", checks: { accounts: true, facts: true, networks } },
  });
});

test("a network without its first batch is starting", async () => {
  const status = { ...READY, networks: { demo: NETWORK, other: { ...NETWORK, indexed: null } } };
  expect(await readinessOf(status)).toMatchObject({ status: 503, body: { status: "starting" } });
});

test("a store that is away is degraded, whatever the networks say", async () => {
  for (const store of ["accounts", "facts"])
    expect(await readinessOf({ ...READY, [store]: false })).toMatchObject({
      status: 503,
      body: { status: "degraded" },
    });
});

test("a status that throws or never comes is degraded", async () => {
  const thrown = await readiness(() => Promise.reject(new Error("no")), silentLog);
  expect(thrown).toMatchObject({
    status: 503,
    body: { status: "degraded", checks: { accounts: false, facts: false } },
  });
  const hung = await readiness(() => new Promise(() => undefined), silentLog);
  expect(hung).toMatchObject({ status: 503, body: { status: "degraded" } });
});

test("what was verified of a network is a number that can be watched, and none where nothing is indexed", async () => {
  const networks = { demo: NETWORK, empty: { ...NETWORK, verified: null } };
  const text = await openMetrics(async () => ({ ...READY, networks }), silentLog).text();
  expect(text).toContain('assay_network_verified{network="demo"} 1');
  expect(text).not.toContain('assay_network_verified{network="empty"}');
});

test("a network that is gone leaves the metrics", async () => {
  let status = READY;
  const metrics = openMetrics(async () => status, silentLog);
  expect(await metrics.text()).toContain('assay_network_head_block{network="demo"} 120');
  status = { ...READY, networks: {} };
  expect(await metrics.text()).not.toContain("demo");
});
