import { beforeAll, describe, expect, test } from "vitest";
import { tools } from "../../src/tools/index.ts";
import { connectClient } from "../contract/mcp_client.ts";
import { eachNth } from "../long.ts";
import { type SharedWorldService, sharedWorld } from "./served_world.ts";

let stage: SharedWorldService;
beforeAll(async () => {
  stage = await sharedWorld();
});

const LISTED = tools.map(({ name, credits }) => [name, credits] as const);

const exampleOf = (name: string): Record<string, unknown> => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`${name} is not in the list`);
  return { ...tool.example };
};

/** The answer without the fields that its card declares live (`a.b[].c`). */
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

test("lists the tools at their prices, in their order", async () => {
  const response = await fetch(`${stage.service.url}/api/tools`, { headers: { authorization: `Bearer ${stage.key}` } });
  // Discovery answers { tools: [{ name, credits, … }] }.
  const { tools: listed } = (await response.json()) as { tools: { name: string; credits: number }[] };
  expect(listed.map(({ name, credits }) => [name, credits])).toEqual(LISTED);
  expect(listed.map(({ credits }) => credits)).toEqual(listed.map(({ credits }) => credits).sort((a, b) => b - a));
});

interface AnswerEvidence {
  readonly kind: string;
  readonly ref: string;
  readonly observed_at: string;
}

const evidenceIn = (value: unknown): readonly AnswerEvidence[] => {
  if (Array.isArray(value)) return value.flatMap(evidenceIn);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    // The output schemas of the cards describe `evidence`.
    name === "evidence" ? (inner as AnswerEvidence[]) : evidenceIn(inner),
  );
};

const LISTS = ["demo-sanctions", "demo-labels", "demo-tokens", "pack"];

const expectResolvable = async ({ kind, ref, observed_at }: AnswerEvidence): Promise<void> => {
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

const PAGED = tools.filter(({ input }) => "page" in input.shape).map(({ name }) => name);

test("has some tools with pages", () => {
  expect(PAGED.length).toBeGreaterThan(4);
});

test.each(eachNth(PAGED, 8))("%s has no data on a page beyond the last, for its price", async (name) => {
  const { status, body, headers } = await stage.ask(name, { ...exampleOf(name), page: 90 });
  expect([status, body.status]).toEqual([200, "no_data"]);
  expect(Number(headers.get("x-credits-charged"))).toBe(LISTED.find(([listed]) => listed === name)?.[1]);
});

test.each(LISTED)("%s rejects an unknown argument without a charge, over MCP with the same message", async (name) => {
  const args = { ...exampleOf(name), colour: "red" };
  const answer = await stage.ask(name, args);
  expect([answer.status, Number(answer.headers.get("x-credits-charged"))]).toEqual([422, 0]);
  expect(answer.body.detail).toContain("'colour'");
  const { result } = await stage.askMcp(name, args);
  expect([result.isError, result._meta?.["assay/credits_charged"]]).toEqual([true, 0]);
  expect(result.structuredContent).toEqual(answer.body);
});

/** Tools called in full over both surfaces, which takes long. */
const ASKED = eachNth(LISTED, 4);

/** A separate account, with a key that admits `limit` calls in a window. */
const customerOf = async (limit: number) => {
  const { accounts, keys } = stage.service.accounts;
  const { id } = await accounts.create({ name: "both surfaces", plan: "wide" });
  const { secret } = await keys.create({ account_id: id, scopes: ["api:call", "mcp:call"], limit });
  const used = async () => {
    const { credits_used, credits_used_api, credits_used_mcp } = await accounts.show(id);
    return { all: credits_used, api: credits_used_api, mcp: credits_used_mcp };
  };
  return { secret, used };
};

describe("over MCP and REST", () => {
  let both: Awaited<ReturnType<typeof customerOf>>;
  // Each surface calls each tool once with one key: in one shared window they would find it full after half of them.
  beforeAll(async () => {
    both = await customerOf(ASKED.length);
  });

  test.each(ASKED)(
    "%s returns the same data twice for %d credits of one pool, on two meters, on evidence that exists",
    async (name, credits) => {
      const before = await both.used();
      const rest = await stage.ask(name, exampleOf(name), both.secret);
      const { status, headers, result } = await stage.askMcp(name, { ...exampleOf(name), detail: "full" }, both.secret);
      expect([rest.status, status, result.isError, rest.body.error]).toEqual([200, 200, false, undefined]);
      expect(["no_data", "error"]).not.toContain(rest.body.status);
      for (const one of evidenceIn(rest.body)) await expectResolvable(one);
      expect(stillOf(name, result.structuredContent)).toEqual(stillOf(name, rest.body));
      if (!tools.some((tool) => tool.name === name && tool.live_fields !== undefined))
        expect(JSON.stringify(result.structuredContent)).toBe(rest.text);

      const charged = [rest.headers, headers].map((of) => Number(of.get("x-credits-charged")));
      expect([...charged, result._meta?.["assay/credits_charged"]]).toEqual([credits, credits, credits]);
      expect(await both.used()).toEqual({
        all: before.all + 2 * credits,
        api: before.api + credits,
        mcp: before.mcp + credits,
      });
      // The rest after the second call is less by its price than after the first.
      const left = [rest.headers, headers].map((of) => Number(of.get("x-credits-remaining")));
      expect(left[0]).toBe((left[1] ?? 0) + credits);
      expect(headers.get("x-credit-catalog-version")).toBe(rest.headers.get("x-credit-catalog-version"));
    },
  );

  test("charges the same on both meters, and the ledger is consistent", async () => {
    const sum = ASKED.reduce((total, [, credits]) => total + credits, 0);
    expect(await both.used()).toEqual({ all: 2 * sum, api: sum, mcp: sum });
    expect(await stage.service.accounts.ledger.verify()).toEqual([]);
  });

  test("leaves the other surface's window empty when one is full", async () => {
    const { secret } = await customerOf(1);
    const args = exampleOf("resolve_ens");
    expect((await stage.ask("resolve_ens", args, secret)).status).toBe(200);
    const refused = await stage.ask("resolve_ens", args, secret);
    expect(refused.status).toBe(429);
    expect((await stage.askMcp("resolve_ens", args, secret)).result.isError).toBe(false);
    const { result } = await stage.askMcp("resolve_ens", args, secret);
    expect([result.isError, result.structuredContent]).toEqual([true, refused.body]);
  });

  test("returns answers that the protocol's own client accepts by its list", async () => {
    const client = await connectClient(stage.service.url ?? "", stage.key);
    const { tools: listed } = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    // It throws if structuredContent does not match the tool's outputSchema.
    for (const [name] of eachNth(LISTED, 10, 9))
      expect((await client.callTool({ name, arguments: exampleOf(name) })).isError, name).toBe(false);
  });
});
