// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { type OtlpCollector, openCollector } from "../otlp_collector.ts";
import { openDemoWorld, type WorldService } from "./served_world.ts";

let stage: WorldService;
let collector: OtlpCollector;
beforeAll(async () => {
  collector = await openCollector();
  const telemetry = { otlp_url: collector.url, sample_ratio: 1, service_name: "assay" };
  stage = await openDemoWorld({ settings: { telemetry } });
});
afterAll(async () => {
  await stage.close();
  await collector.close();
});

/** Subjects of the examples: no trace may contain them. */
const SUBJECTS = tools.flatMap(({ example }) =>
  Object.values<unknown>(example).filter(
    (value): value is string => typeof value === "string" && (value.length >= 20 || value.includes(".")),
  ),
);

const isStep = (name: string): boolean => /^(facts|node|tool|charge|settle)/.test(name);

test("traces each tool with its queries and reads, and without its arguments", async () => {
  for (const { name, example } of tools) {
    expect((await stage.ask(name, example)).status).toBe(200);
    expect((await stage.askMcp(name, example)).status).toBe(200);
  }
  const names = () => new Set(collector.spans.map(({ name }) => name));
  const missing = () => tools.map(({ name }) => name).filter((name) => !names().has(`tool ${name}`));
  // A step is delivered before its request has ended.
  const orphans = () => {
    const ids = new Set(collector.spans.map(({ spanId }) => spanId));
    return collector.spans.filter(({ name, parentSpanId = "" }) => isStep(name) && !ids.has(parentSpanId));
  };
  await expect.poll(() => [...missing(), ...orphans()], { timeout: 60_000 }).toEqual([]);
  expect([...names()].filter((name) => name.startsWith("facts ")).length).toBeGreaterThan(20);
  const reads = collector.spans.filter(({ name }) => name.startsWith("node "));
  expect(new Set(reads.map(({ attributes }) => attributes["server.address"]))).toEqual(new Set(["127.0.0.1"]));
  expect(SUBJECTS.length).toBeGreaterThan(20);
  const text = collector.text().toLowerCase();
  for (const word of [stage.key, stage.key.slice(9), stage.world.url, ...SUBJECTS])
    expect(text.includes(word.replace(/^0x/, "").toLowerCase()), word).toBe(false);
});
