import { expect, test } from "vitest";
import { silentLog } from "../../lib/log.ts";
import type { NetworkStatus, Status } from "../../lib/status.ts";
import { readiness, shared } from "./readiness.ts";

const NETWORK: NetworkStatus = {
  head: 120,
  indexed: 100,
  lag_blocks: 20,
  from_block: 50,
  verified: "receipts",
  gaps: [[10, 49]],
  disagreements: 0,
  state: "backfill",
  blocks_per_second: 5,
  remaining_blocks: 50,
  indexed_by: null,
  trouble: null,
  indexed_at: 1_767_225_600,
  fills: null,
  priced_share: null,
  problem: "http://user:secret@node",
};
const READY: Status = { accounts: true, facts: true, networks: { demo: NETWORK } };
const readinessOf = (status: Status) => readiness(async () => status, silentLog);

test("a network that is still filling is ready once it holds its first batch, and its problem stays inside", async () => {
  const networks = {
    demo: {
      ...{ is_ready: true, state: "backfill", trouble: null, lag_seconds: expect.any(Number) },
      ...{ head: 120, indexed: 100, lag_blocks: 20, verified: "receipts", gaps: [[10, 49]] },
      priced_percent: null,
    },
  };
  expect(await readinessOf(READY)).toEqual({
    status: 200,
    body: { status: "ready", not_ready: [], checks: { accounts: true, facts: true, networks } },
  });
});

test("prices that are being derived appear in whole percent", async () => {
  const status = { ...READY, networks: { demo: { ...NETWORK, priced_share: 0.419 } } };
  expect(await readinessOf(status)).toMatchObject({ body: { checks: { networks: { demo: { priced_percent: 41 } } } } });
});

test("a network without its first batch is named, and the others answer", async () => {
  const status = { ...READY, networks: { demo: NETWORK, other: { ...NETWORK, indexed: null } } };
  expect(await readinessOf(status)).toMatchObject({
    status: 200,
    body: { status: "degraded", not_ready: ["other"], checks: { networks: { other: { is_ready: false } } } },
  });
});

test("a network that is switched off is listed, and readiness does not wait for it", async () => {
  const off = { ...NETWORK, indexed: null, indexed_at: null, state: "absent", trouble: "ABSENT" } as const;
  expect(await readinessOf({ ...READY, networks: { demo: NETWORK, off } })).toMatchObject({
    status: 200,
    body: {
      status: "ready",
      not_ready: [],
      checks: { networks: { off: { state: "absent", trouble: "ABSENT", lag_seconds: null } } },
    },
  });
  // Of none that is wanted nothing is missing.
  expect(await readinessOf({ ...READY, networks: { off } })).toMatchObject({ status: 200, body: { status: "ready" } });
});

test("where no network holds its first batch the service is starting", async () => {
  const status = { ...READY, networks: { other: { ...NETWORK, indexed: null } } };
  expect(await readinessOf(status)).toMatchObject({ status: 503, body: { status: "starting", not_ready: ["other"] } });
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

test("however many ask for the status at one time, it is read once at a time", async () => {
  let [running, most, reads] = [0, 0, 0];
  const read = shared(async () => {
    reads += 1;
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    if (reads === 1) throw new Error("away");
    return reads;
  });
  await expect(Promise.all([read(), read()])).rejects.toThrow("away");
  expect(await Promise.all([read(), read(), read()])).toEqual([2, 2, 2]);
  expect({ most, reads }).toEqual({ most: 1, reads: 2 });
});
