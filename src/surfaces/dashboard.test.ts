import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { silentLog } from "../lib/log.ts";
import { NO_BOOK, openMetrics } from "./ops.ts";

const FOLDER = join(import.meta.dirname, "../../docs/operating");

/** Names that the registry of a service knows, those of a histogram's parts too. */
const known = async (): Promise<ReadonlySet<string>> => {
  const metrics = openMetrics(async () => ({ accounts: true, facts: true, networks: {} }), silentLog, {
    gate: { slots: 0, used: 0 },
    held: { bytes: 0 },
    connections: { open: 0, dropped: 0 },
    book: NO_BOOK,
    kept: { movements: NO_BOOK },
  });
  const types = [...(await metrics.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Set(types.flatMap(([, name = "", type]) => (type === "histogram" ? [name, `${name}_bucket`] : [name])));
};

const NAME = /\b(?:assay|process|nodejs)_[a-z0-9_]+\b/g;

test("the dashboard asks only for metrics that the service has", async () => {
  const names = await known();
  const dashboard = JSON.parse(readFileSync(join(FOLDER, "grafana_dashboard.json"), "utf8"));
  const asked: string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.flatMap(({ expr }) => expr.match(NAME) ?? []),
  );
  expect(asked.length).toBeGreaterThan(10);
  expect(asked.filter((name) => !names.has(name))).toEqual([]);
});

test("the page names every metric of ours", async () => {
  const page = readFileSync(join(FOLDER, "metrics.md"), "utf8");
  const own = [...(await known())].filter((name) => name.startsWith("assay_") && !name.endsWith("_bucket"));
  expect(own.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});
