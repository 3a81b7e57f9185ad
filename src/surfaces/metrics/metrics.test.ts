import { expect, test } from "vitest";
import { readExposition } from "../../../test/exposition.ts";
import { METRICS_NETWORK, metricsParts, metricsStatus } from "../../../test/metrics_parts.ts";
import { openMetrics } from "./metrics.ts";

/** Values of one metric by its labels, as `label=value,…`. */
const valuesOf = async (metrics: ReturnType<typeof openMetrics>, name: string) => {
  const samples = readExposition(await metrics.text()).get(name)?.samples ?? [];
  return Object.fromEntries(
    samples.map(({ name: sample, labels, value }) => {
      const of = Object.entries(labels).map(([label, text]) => `${label}=${text}`);
      return [sample === name ? of.join() : `${sample.slice(name.length)} ${of.join()}`.trim(), value];
    }),
  );
};
const values = (name: string) => valuesOf(openMetrics(metricsParts()), name);

test("counters have the type and the name of a counter, gauges do not, and names carry units", async () => {
  const metrics = openMetrics(metricsParts());
  metrics.request({ route: "/api/tools/:tool_name", status: 200, tool: "get_token_info", seconds: 0.1 });
  metrics.call({ tool: "get_token_info", ending: "refunded:timeout", seconds: 1, charged: 2, refunded: 2 });
  metrics.shed("slots");
  const all = [...readExposition(await metrics.text()).values()];
  expect(all.length).toBeGreaterThan(60);
  const faults = all.flatMap(({ name, type, help, samples }) => [
    ...(/^(assay|process|nodejs)_[a-z0-9_]+$/.test(name) ? [] : [`${name}: name`]),
    ...((type === "counter") === name.endsWith("_total") ? [] : [`${name}: a ${type}`]),
    ...(["counter", "gauge", "histogram"].includes(type) ? [] : [`${name}: type ${type}`]),
    ...(type === "histogram" && !/_(seconds|bytes)$/.test(name) ? [`${name}: unit`] : []),
    ...(/_(ms|milliseconds|minutes|hours|kb|mb|percent)(_|$)/.test(name) ? [`${name}: unit`] : []),
    ...(/^[A-Z1].{15,}[^.]$/.test(help) ? [] : [`${name}: help "${help}"`]),
    ...(name.startsWith("assay_") && samples.length === 0 ? [`${name}: no value`] : []),
  ]);
  expect(faults.filter((fault) => !/^(process|nodejs)_.*: help/.test(fault))).toEqual([]);
});

test("labels are of a few known kinds: none holds an account, a key or an address", async () => {
  const metrics = openMetrics(metricsParts());
  metrics.request({ route: "/mcp", status: 200, tool: "", seconds: 0.1 });
  metrics.call({ tool: "get_token_info", ending: "done", seconds: 1, charged: 2, refunded: 0 });
  const own = [...readExposition(await metrics.text()).values()].filter(({ name }) => name.startsWith("assay_"));
  const labels = new Set(own.flatMap(({ samples }) => samples.flatMap((one) => Object.keys(one.labels))));
  const known = ["cause", "ending", "endpoint", "kind", "le", "list", "network", "node", "of", "route", "state"];
  expect([...labels].sort()).toEqual([...known, "status", "store", "tool", "version"].filter((one) => labels.has(one)));
});

test("a network shows its lag in blocks and in seconds, and its gaps by kind", async () => {
  expect(await values("assay_network_lag_blocks")).toEqual({ "network=demo": 20 });
  expect(await values("assay_network_lag_seconds")).toEqual({ "network=demo": 90 });
  // 10..19 and 30..49
  expect(await values("assay_network_gap_blocks")).toEqual({
    "network=demo,kind=blocks": 30,
    "network=demo,kind=traces": 7,
  });
  expect(await values("assay_network_gaps")).toEqual({
    "network=demo,kind=blocks": 2,
    "network=demo,kind=traces": 2,
  });
  expect(await values("assay_network_verified")).toEqual({ "network=demo": 1 });
});

test("counts an indexer's work, and omits it where another process indexes", async () => {
  expect(await values("assay_network_blocks_indexed_total")).toEqual({ "network=demo": 51 });
  expect(await values("assay_network_reorganisations_total")).toEqual({ "network=demo": 2 });
  expect(await values("assay_network_lease_losses_total")).toEqual({ "network=demo": 1 });
  expect(await values("assay_network_disagreements_total")).toEqual({ "network=demo": 3 });
  const figures = { demo: { counts: null, gaps: {} } };
  const reader = openMetrics(metricsParts({ networks: async () => figures }));
  expect(await valuesOf(reader, "assay_network_blocks_indexed_total")).toEqual({});
});

test("a network without a block has no lag, and its age is not 0", async () => {
  const empty = { ...METRICS_NETWORK, indexed: null, indexed_at: null, lag_blocks: null };
  const metrics = openMetrics(metricsParts({ status: async () => metricsStatus({ demo: empty }) }));
  expect(await valuesOf(metrics, "assay_network_lag_seconds")).toEqual({});
  expect(await valuesOf(metrics, "assay_network_lag_blocks")).toEqual({});
});

test("a node that does not answer is 0, and so is a store", async () => {
  expect(await values("assay_network_up")).toEqual({ "network=demo": 1 });
  const away = { ...METRICS_NETWORK, problem: "no endpoint answers at http://user:secret@node" };
  const status = async () => ({ ...metricsStatus({ demo: away, new: { ...away, head: null } }), facts: false });
  const metrics = openMetrics(metricsParts({ status }));
  expect(await valuesOf(metrics, "assay_network_up")).toEqual({ "network=demo": 0, "network=new": 0 });
  expect(await valuesOf(metrics, "assay_store_up")).toEqual({ "store=accounts": 1, "store=facts": 0 });
  expect(await metrics.text()).not.toContain("secret");
});

test("a removed network leaves the metrics", async () => {
  let status = metricsStatus();
  const metrics = openMetrics(metricsParts({ status: async () => status }));
  expect(await valuesOf(metrics, "assay_network_head_block")).toEqual({ "network=demo": 120 });
  status = metricsStatus({});
  expect(await valuesOf(metrics, "assay_network_head_block")).toEqual({});
});

test("omits values that cannot be read, and shows the rest", async () => {
  const broken = () => Promise.reject(new Error("no"));
  const stores = { disk: broken, lists: broken };
  const metrics = openMetrics(metricsParts({ networks: broken, stores }));
  expect(await valuesOf(metrics, "assay_network_lag_blocks")).toEqual({ "network=demo": 20 });
  expect(await valuesOf(metrics, "assay_network_blocks_indexed_total")).toEqual({});
  expect(await valuesOf(metrics, "assay_disk_free_bytes")).toEqual({});
  expect(await valuesOf(metrics, "assay_list_age_seconds")).toEqual({});
});

test("shows for each node its requests, its failures, and the time spent waiting for its rate limit", async () => {
  const first = "network=demo,endpoint=https://node.example/…";
  expect((await values("assay_endpoint_requests_total"))[first]).toBe(3);
  expect((await values("assay_endpoint_calls_total"))[first]).toBe(26);
  const errors = await values("assay_endpoint_errors_total");
  expect([errors[`${first},kind=timeout`], errors[`${first},kind=rate`]]).toEqual([1, 0]);
  expect((await values("assay_endpoint_rate_waits_total"))[first]).toBe(1);
  expect((await values("assay_endpoint_rate_wait_seconds_total"))[first]).toBe(0.25);
  expect((await values("assay_endpoint_rate_limit"))[first]).toBe(5);
  const latency = await values("assay_endpoint_latency_seconds");
  // 40 ms and 3 s: none up to 25 ms, one up to 50 ms, both up to 5 s.
  expect(latency[`_bucket ${first},le=0.025`]).toBe(0);
  expect(latency[`_bucket ${first},le=0.05`]).toBe(1);
  expect(latency[`_bucket ${first},le=5`]).toBe(2);
  expect(latency[`_bucket ${first},le=+Inf`]).toBe(2);
  expect(latency[`_sum ${first}`]).toBeCloseTo(3.04, 9);
  expect(Object.keys(latency)).toContain("_count network=demo,endpoint=https://node.example/… #2");
});

test("counts charged and refunded credits by tool", async () => {
  const metrics = openMetrics(metricsParts());
  const tool = "get_token_info";
  metrics.call({ tool, ending: "done", seconds: 1, charged: 3, refunded: 0 });
  metrics.call({ tool, ending: "retracted", seconds: 1, charged: 0, refunded: 3 });
  metrics.call({ tool, ending: "refunded:timeout", seconds: 1, charged: 3, refunded: 3 });
  expect(await valuesOf(metrics, "assay_credits_charged_total")).toEqual({ "tool=get_token_info": 6 });
  expect(await valuesOf(metrics, "assay_credits_refunded_total")).toEqual({ "tool=get_token_info": 6 });
});

test("shows the slots, memory, connections, watching, lists, disk and versions", async () => {
  const metrics = openMetrics(metricsParts());
  for (const why of ["slots", "share", "share", "memory", "deadline"] as const) metrics.shed(why);
  expect((await metrics.text()).split("\n")).toEqual(
    expect.arrayContaining([
      "assay_slots 8",
      "assay_slots_used 3",
      "assay_waiting_bytes 70",
      "assay_connections 5",
      "assay_connections_dropped_total 2",
      'assay_shed_total{cause="share"} 2',
      "assay_book_hits_total 90",
      'assay_kept_misses_total{of="movements"} 3',
      'assay_kept_bytes{of="movements"} 520',
      'assay_watch_events_total{network="demo"} 4',
      'assay_watch_held{state="waiting"} 6',
      "assay_disk_free_bytes 25",
      'assay_list_age_seconds{list="ofac",kind="sanctions"} 3600',
      `assay_build_info{version="9.8.7",node="${process.versions.node}"} 1`,
    ]),
  );
});

test("values of a later scrape replace those of an earlier one: nothing is added up twice", async () => {
  const metrics = openMetrics(metricsParts());
  await metrics.text();
  expect(await valuesOf(metrics, "assay_network_disagreements_total")).toEqual({ "network=demo": 3 });
});
