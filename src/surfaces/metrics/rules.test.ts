import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readExposition } from "../../../test/exposition.ts";
import { metricsParts } from "../../../test/metrics_parts.ts";
import { openMetrics } from "./metrics.ts";

const FOLDER = join(import.meta.dirname, "../../../docs/operating");

/** Type and labels of every sample name that a service shows. */
const shown = async () => {
  const metrics = openMetrics(metricsParts());
  metrics.request({ route: "/api/tools/:tool_name", status: 200, tool: "get_token_info", seconds: 0.1 });
  metrics.call({ tool: "get_token_info", ending: "retracted", seconds: 1, charged: 2, refunded: 2 });
  metrics.shed("slots");
  const all = [...readExposition(await metrics.text()).values()];
  return new Map(
    all.flatMap(({ type, samples }) =>
      samples.map(({ name, labels }) => [name, { type, labels: [...Object.keys(labels), "job", "instance"] }] as const),
    ),
  );
};

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string };
}

const rules = (): readonly Rule[] => {
  const { groups } = parse(readFileSync(join(FOLDER, "alert_rules.yaml"), "utf8"));
  return groups.flatMap((group: { rules: Rule[] }) => group.rules);
};

const panels = (): readonly { readonly title: string; readonly expr: string; readonly legend: string }[] =>
  JSON.parse(readFileSync(join(FOLDER, "grafana_dashboard.json"), "utf8")).panels.flatMap(
    ({ title, targets }: { title: string; targets: { expr: string; legendFormat: string }[] }) =>
      targets.map(({ expr, legendFormat }) => ({ title, expr, legend: legendFormat })),
  );

const USE = /\b((?:assay|process|nodejs)_[a-z0-9_]+)(?:\{([^}]*)\})?(\[[0-9a-z]+\])?/g;
/** Functions that read a counter, and functions that read a gauge. */
const COUNTING = /\b(rate|irate|increase)\($/;
const MEASURING = /\b(deriv|delta|predict_linear|changes)\($/;

const faultsOf = (expr: string, known: Awaited<ReturnType<typeof shown>>): string[] =>
  [...expr.matchAll(USE)].flatMap(({ 0: use, 1: name = "", 2: matchers = "", 3: window, index }) => {
    const metric = known.get(name);
    if (metric === undefined) return [`${name}: no such metric`];
    const before = expr.slice(0, index);
    const counts = metric.type === "counter" || (metric.type === "histogram" && name.endsWith("_bucket"));
    const strange = [...matchers.matchAll(/([a-z_]+)\s*(?:=~|!=|!~|=)/g)].filter(
      ([, label = ""]) => !metric.labels.includes(label),
    );
    return [
      ...(counts && !COUNTING.test(before) ? [`${use}: a ${metric.type} outside of rate or increase`] : []),
      ...(!counts && window !== undefined && !MEASURING.test(before)
        ? [`${use}: a ${metric.type} inside of rate`]
        : []),
      ...strange.map(([, label]) => `${use}: no label ${label}`),
    ];
  });

/** `by (…)` and `{{…}}` name labels that some metric of the expression has. */
const labelFaults = (text: string, expr: string, known: Awaited<ReturnType<typeof shown>>): string[] => {
  const labels = [...expr.matchAll(USE)].flatMap(([, name = ""]) => known.get(name)?.labels ?? []);
  const grouped = [...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const written = [...text.matchAll(/\{\{\s*(?:\$labels\.)?([a-z_]+)\s*\}\}/g)].map(([, label = ""]) => label);
  return [...grouped, ...written]
    .filter((label) => !labels.includes(label))
    .map((label) => `${expr}: no label ${label}`);
};

test("every alert rule uses metrics that the service has, with their types and labels", async () => {
  const known = await shown();
  const all = rules();
  expect(all.length).toBeGreaterThan(15);
  expect(new Set(all.map(({ alert }) => alert)).size).toBe(all.length);
  for (const { alert, expr, labels, annotations } of all) {
    expect({ alert, uses: [...expr.matchAll(USE)].length > 0 }).toEqual({ alert, uses: true });
    expect(["warning", "critical"]).toContain(labels.severity);
    expect({ alert, faults: faultsOf(expr, known) }).toEqual({ alert, faults: [] });
    expect({ alert, faults: labelFaults(annotations.summary, expr, known) }).toEqual({ alert, faults: [] });
  }
});

test("the checks find a missing metric, a gauge read as a counter, a counter read as a gauge, and a missing label", async () => {
  const known = await shown();
  expect(faultsOf("assay_nothing_total > 0", known)).toEqual(["assay_nothing_total: no such metric"]);
  expect(faultsOf("rate(assay_network_lag_blocks[5m])", known)).toHaveLength(1);
  expect(faultsOf("assay_network_reorganisations_total > 3", known)).toHaveLength(1);
  expect(faultsOf('assay_network_up{account="a"} == 0', known)).toEqual([
    'assay_network_up{account="a"}: no label account',
  ]);
  expect(labelFaults("{{ $labels.tool }}", "assay_network_up == 0", known)).toHaveLength(1);
});

test("the dashboard uses only metrics that the service has, with their types and labels", async () => {
  const known = await shown();
  expect(panels().length).toBeGreaterThan(20);
  for (const { title, expr, legend } of panels()) {
    expect({ title, faults: faultsOf(expr, known) }).toEqual({ title, faults: [] });
    expect({ title, faults: labelFaults(legend, expr, known) }).toEqual({ title, faults: [] });
  }
});

test("the documentation describes every metric of Assay and no other one", async () => {
  const page = readFileSync(join(FOLDER, "metrics.md"), "utf8");
  const names = [...readExposition(await openMetrics(metricsParts()).text()).keys()];
  const own = names.filter((name) => name.startsWith("assay_"));
  const described = [...page.matchAll(/`(assay_[a-z_]+)/g)].map(([, name]) => name);
  expect(own.filter((name) => !described.includes(name))).toEqual([]);
  expect(described.filter((name) => !own.includes(name ?? ""))).toEqual([]);
});
