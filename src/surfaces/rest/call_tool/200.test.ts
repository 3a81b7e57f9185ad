import { describe, expect, test } from "vitest";
import { bench, benchHere, creditsOf, GOOD } from "../../../../test/contract/bench.ts";

/** Credits of a month on the business plan. */
const FULL = 500_000;

const service = await bench();

describe("what a run costs", () => {
  test("data is charged at the card's price", async () => {
    const before = creditsOf(await service.ask("/api/tools")).remaining ?? 0;
    const reply = await service.post("show");
    expect(reply.status).toBe(200);
    expect(reply.body.type).toBe("shown");
    expect(creditsOf(reply)).toMatchObject({ charged: 3, remaining: before - 3 });
  });

  test("no_data is charged and has a type, a message on the search, and metadata", async () => {
    const reply = await service.post("find_nothing");
    expect(reply.text).toBe(
      '{"status":"no_data","type":"shown","message":"Nothing has it.","metadata":{"address":"0x00000000219ab540356cBB839Cbe05303d7705Fa"}}',
    );
    expect(creditsOf(reply).charged).toBe(5);
  });

  test("an error is refunded, keeps its marker and gives the partial findings", async () => {
    const before = creditsOf(await service.ask("/api/tools")).remaining;
    const reply = await service.post("fail_softly");
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({
      status: "error",
      code: "CHECK_INCOMPLETE",
      message: "One list is too old.",
      frozen: true,
    });
    expect(Object.keys(reply.body)).toEqual(["status", "code", "message", "metadata", "frozen"]);
    expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: before });
  });

  test("an answer with a top-level error field is refunded", async () => {
    // Its shape is not the tool's own, so the request bypasses the check against the OpenAPI document.
    const response = await fetch(`${service.url}/api/tools/answer_with_error`, {
      method: "POST",
      headers: { authorization: `Bearer ${service.customer.key.secret}`, "content-type": "application/json" },
      body: JSON.stringify(GOOD),
    });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ error: "odd" });
    expect(response.headers.get("x-credits-charged")).toBe("0");
  });

  test("a node that is away is an error marker with its public text only", async () => {
    const reply = await service.post("lose_node");
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ status: "error", code: "UPSTREAM_UNAVAILABLE", message: "The node is away." });
    expect(reply.body.metadata).toMatchObject({
      address: GOOD.address,
      chain: "demo",
      chain_id: "eip155:31337",
      as_of: null,
    });
    expect(reply.text).not.toContain("secret");
    expect(creditsOf(reply).charged).toBe(0);
  });

  test("what the ledger says adds up after all of it", async () => {
    expect(await service.store.ledger.verify()).toEqual([]);
    // 3 for show, 5 for find_nothing; everything else was refunded.
    expect(creditsOf(await service.ask("/api/tools")).remaining).toBe(FULL - 3 - 5);
  });
});

describe("a deadline", async () => {
  const short = await bench({ limits: { deadline_ms: 1_000 } });

  test("that passes is a refunded TIMEOUT, even when the tool never listens", async () => {
    const reply = await short.post("hang");
    expect(reply.body).toMatchObject({ status: "error", code: "TIMEOUT" });
    expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: FULL });
  });
});

describe("moving ground", async () => {
  test("a run whose snapshot was reorganised away is repeated", async () => {
    let asked = 0;
    const moving = await benchHere({ isCurrent: async () => ++asked > 2 });
    const reply = await moving.post("show");
    expect(reply.body.type).toBe("shown");
    expect(asked).toBe(3);
  });

  test("three such runs are COVERAGE_INCOMPLETE, refunded", async () => {
    const moving = await benchHere({ isCurrent: async () => false });
    const reply = await moving.post("show");
    expect(reply.body).toMatchObject({ status: "error", code: "COVERAGE_INCOMPLETE" });
    expect(creditsOf(reply).charged).toBe(0);
  });
});

describe("discovery", () => {
  test("lists the tools in the order of the registry with price, schemas, networks and example", async () => {
    const { body, headers } = await service.ask("/api/tools");
    expect(body.catalog_version).toBe(headers.get("x-credit-catalog-version"));
    expect(body.tools.map(({ name }: { name: string }) => name).slice(0, 3)).toEqual([
      "show",
      "find_nothing",
      "fail_softly",
    ]);
    const [show] = body.tools;
    expect(Object.keys(show)).toEqual([
      "name",
      "title",
      "description",
      "credits",
      "input_schema",
      "output_schema",
      "networks",
      "example",
    ]);
    expect(show).toMatchObject({ credits: 3, networks: ["demo", "ethereum"], example: GOOD });
    expect(show.input_schema).toMatchObject({
      type: "object",
      additionalProperties: false,
      required: ["address", "network"],
      properties: {
        network: { type: "string", enum: ["demo", "ethereum", "evm", "all"] },
        page: { type: "integer", minimum: 1, default: 1 },
      },
    });
    expect(show.input_schema.properties.page).not.toHaveProperty("maximum");
    expect(JSON.stringify(show.input_schema)).not.toContain('"kind"');
    expect(show.output_schema.additionalProperties).toBe(true);
  });

  test("a price that is unavailable is listed as null", async () => {
    const other = await benchHere();
    await other.store.prices.set("show", null);
    const { body } = await other.ask("/api/tools");
    expect(body.tools[0]).toMatchObject({ name: "show", credits: null });
    expect(other.openapi.info).toMatchObject({ version: "1.0.0" });
  });

  test("the OpenAPI document needs no key and names one path for each tool", async () => {
    const { status, body } = await service.ask("/api/tools/openapi.json", { key: null });
    expect(status).toBe(200);
    expect(body.openapi).toBe("3.1.0");
    expect(Object.keys(body.paths)).toEqual([
      "/api/tools",
      "/api/tools/openapi.json",
      "/api/charts/{tool_name}",
      "/api/tools/{tool_name}/batch",
      ...[
        "show",
        "find_nothing",
        "fail_softly",
        "answer_with_error",
        "break_loudly",
        "lose_facts",
        "lose_node",
        "meet_own_bug",
        "hang",
        "wait",
      ].map((name) => `/api/tools/${name}`),
    ]);
    expect(body.paths["/api/tools/show"].post["x-credits"]).toBe(3);
  });
});

test("a client that hangs up changes nothing: the call runs on and is charged", async () => {
  const other = await benchHere();
  const gone = new AbortController();
  const call = fetch(`${other.url}/api/tools/wait`, {
    method: "POST",
    headers: { authorization: `Bearer ${other.customer.key.secret}`, "content-type": "application/json" },
    body: JSON.stringify(GOOD),
    signal: gone.signal,
  });
  setTimeout(() => gone.abort(), 100);
  await expect(call).rejects.toThrow();
  await expect.poll(async () => creditsOf(await other.ask("/api/tools")).remaining, { timeout: 3000 }).toBe(FULL - 25);
  await new Promise((resolve) => setTimeout(resolve, 400));
  const [violations, after] = [await other.store.ledger.verify(), creditsOf(await other.ask("/api/tools"))];
  expect(violations).toEqual([]);
  expect(after.remaining).toBe(FULL - 25);
});

test("thirty calls at once leave no warning behind", async () => {
  const other = await benchHere();
  const warnings: Error[] = [];
  const onWarning = (warning: Error): number => warnings.push(warning);
  process.on("warning", onWarning);
  const replies = await Promise.all(Array.from({ length: 30 }, () => other.post("wait")));
  // Node emits warnings in the next turn.
  await new Promise((done) => setImmediate(done));
  process.off("warning", onWarning);
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200));
  expect(warnings).toEqual([]);
});
