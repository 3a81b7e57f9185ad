import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { PRICES } from "../price_list.ts";
import { openWorldStage, type WorldStage } from "./stage.ts";

let stage: WorldStage;
beforeAll(async () => {
  stage = await openWorldStage();
});
afterAll(() => stage.close());

const LISTED = Object.entries(PRICES).flatMap(([credits, names]) =>
  names.map((name) => [name, Number(credits)] as const),
);

const exampleOf = (name: string): Record<string, unknown> => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`${name} is not in the list`);
  return { ...tool.example };
};

/** The answer without what its card calls live (`a.b[].c`). */
const stillOf = (name: string, body: unknown): unknown => {
  const copy: unknown = structuredClone(body);
  const cut = (value: unknown, [step, ...rest]: readonly string[]): void => {
    if (step === undefined || typeof value !== "object" || value === null) return;
    const key = step.replace(/\[\]$/, "");
    const holder = value as Record<string, unknown>; // an object, walked by name
    const inner = holder[key];
    if (rest.length === 0) delete holder[key];
    else for (const one of Array.isArray(inner) ? inner : [inner]) cut(one, rest);
  };
  for (const path of tools.find((tool) => tool.name === name)?.live_fields ?? []) cut(copy, path.split("."));
  return copy;
};

test("discovery lists the thirty tools of the specification at its prices, in their order", async () => {
  const response = await fetch(`${stage.service.url}/api/tools`, { headers: { authorization: `Bearer ${stage.key}` } });
  // Discovery answers { tools: [{ name, credits, … }] }.
  const { tools: listed } = (await response.json()) as { tools: { name: string; credits: number }[] };
  expect(listed).toHaveLength(30);
  expect(new Map(listed.map(({ name, credits }) => [name, credits]))).toEqual(new Map(LISTED));
  expect(listed.map(({ credits }) => credits)).toEqual(listed.map(({ credits }) => credits).sort((a, b) => b - a));
});

interface Evidence {
  readonly kind: string;
  readonly ref: string;
  readonly observed_at: string;
}

const evidenceIn = (value: unknown): readonly Evidence[] => {
  if (Array.isArray(value)) return value.flatMap(evidenceIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    // The output schemas of the cards say what stands in `evidence`.
    name === "evidence" ? (inner as Evidence[]) : evidenceIn(inner),
  );
};

const LISTS = ["demo-sanctions", "demo-labels", "demo-tokens"];

const expectResolvable = async ({ kind, ref, observed_at }: Evidence): Promise<void> => {
  expect(Date.parse(observed_at)).toBeGreaterThan(0);
  if (kind === "tx") {
    expect([ref, await stage.world.rpc.call("eth_getTransactionReceipt", ref)]).not.toEqual([ref, null]);
    return;
  }
  if (kind === "list") {
    expect(LISTS.some((list) => ref.startsWith(`${list}@`))).toBe(true);
    return;
  }
  const block = /block (\d+)/.exec(ref)?.[1];
  if (kind === "call" || kind === "simulation") {
    expect(block === undefined ? ref : Number(block) <= stage.world.head.number).toBe(true);
    return;
  }
  expect(ref).toMatch(kind === "label" ? /^[\w -]+: ?.+/ : /^(https?:\/\/|.+:\d+)/);
};

test.each(LISTED)(
  "%s answers its example with data for %d credits, twice the same, on evidence that exists",
  async (name, credits) => {
    const first = await stage.ask(name, exampleOf(name));
    const second = await stage.ask(name, exampleOf(name));
    expect([first.status, first.body.error]).toEqual([200, undefined]);
    expect(["no_data", "error"]).not.toContain(first.body.status);
    for (const { headers } of [first, second]) expect(Number(headers.get("x-credits-charged"))).toBe(credits);
    expect(stillOf(name, second.body)).toEqual(stillOf(name, first.body));
    if (!tools.some((tool) => tool.name === name && tool.live_fields !== undefined))
      expect(second.text).toBe(first.text);
    for (const one of evidenceIn(first.body)) await expectResolvable(one);
  },
);

test.each(LISTED)("%s refuses an unknown argument without a charge", async (name) => {
  const answer = await stage.ask(name, { ...exampleOf(name), colour: "red" });
  expect([answer.status, Number(answer.headers.get("x-credits-charged"))]).toEqual([422, 0]);
  expect(answer.body.detail).toContain("'colour'");
});
