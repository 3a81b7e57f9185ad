import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { noData } from "../../src/lib/outcome.ts";
import { tools } from "../../src/tools/index.ts";
import type { AnyTool } from "../../src/tools/tool.ts";
import { eachNth } from "../long.ts";
import { responseHeaders } from "../openapi.ts";
import { bench, creditsOf, type ServiceReply } from "./bench.ts";
import { benchTools } from "./bench_tools.ts";
import { rawRequest } from "./raw.ts";
import { changedArguments, publishedInput, rightValues, wrongValues } from "./schema_values.ts";

// The checks that property testers of HTTP interfaces make, over every operation of the document that the service itself
// serves. The tools have their real cards; their runs find nothing, because only the surface is under test.
const silenced = tools.map((tool) => ({
  ...tool,
  run: async () => noData({ type: tool.name, message: "Nothing.", metadata: null }),
}));
// Two of the bench's tools only take time, and one deliberately returns an answer that no card describes.
const LEFT_OUT = ["hang", "wait", "answer_with_error"];
const cards = [...silenced, ...benchTools.filter(({ name }) => !LEFT_OUT.includes(name))];
const service = await bench({
  tools: cards,
  accounts: { plans: { business: { monthly_credits: 1e9, keys_max: 9, calls_per_minute: 1e6 } } },
});
const { id: account_id } = service.customer.account;
const mcp_only = await service.store.keys.create({ account_id, scopes: ["mcp:call"] });
const revoked = await service.store.keys.create({ account_id, scopes: ["api:call"] });
await service.store.keys.revoke(revoked.id);

interface CheckedOperation {
  readonly operationId: string;
  readonly security?: readonly unknown[];
  readonly "x-credits"?: number;
}

const OPERATIONS = Object.entries(service.openapi.paths as Record<string, Record<string, CheckedOperation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);
const CALLS = cards.map((tool) => ({ ...publishedInput(tool), path: `/api/tools/${tool.name}` }));

/** Checks the headers that the document lists for this status, in addition to the checks of the bench. */
const described = (method: string, path: string, reply: ServiceReply): ServiceReply => {
  for (const name of responseHeaders(service.openapi, { method, path, status: reply.status }))
    if (name !== "Retry-After")
      expect(reply.headers.get(name), `${method} ${path} ${reply.status} ${name}`).not.toBeNull();
  return reply;
};

const send = async (
  path: string,
  args: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<ServiceReply> => {
  const sent = { method: "POST", body: args, headers: { "content-type": "application/json", ...headers } };
  return described("POST", path, await service.ask(path, sent));
};

const expectRefused = (reply: ServiceReply, what: string): void => {
  expect(reply.status, what).toBe(422);
  expect(creditsOf(reply).charged, what).toBe(0);
};

test("the document has an operation for every tool, two for discovery, one for batches and one for pictures", () => {
  expect(OPERATIONS).toHaveLength(cards.length + 4);
});

describe.each(eachNth(OPERATIONS, 4))("$method $path", ({ path, method, operation }) => {
  test("asks for a key unless the document says that it needs none", async () => {
    const refused = [
      "",
      "Basic YTpi",
      "Bearer",
      "Bearer svc_live_nothing",
      `Bearer ${mcp_only.secret}`,
      revoked.secret,
    ];
    for (const authorization of [...refused, `Bearer ${revoked.secret}`]) {
      const headers = { ...(authorization === "" ? {} : { authorization }), "content-type": "application/json" };
      const body = method === "POST" ? { body: {} } : {};
      const reply = described(method, path, await service.ask(path, { method, headers, key: null, ...body }));
      expect(reply.status, authorization).toBe(operation.security?.length === 0 ? 200 : 401);
    }
  });

  test("answers every other method with 405 and the one that it takes", async () => {
    const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "QUERY"];
    for (const other of others.filter((one) => one !== method)) {
      const text = `${other} ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`;
      const reply = await rawRequest(service.port, text);
      expect([reply.status, reply.headers.allow, reply.headers["content-type"]], other).toEqual([
        405,
        method,
        "application/json",
      ]);
    }
  });
});

// Pictures need a recent answer: charts.test.ts.
test.each(OPERATIONS.filter(({ method, path }) => method === "GET" && !path.includes("{")))(
  "GET $path is as described and free",
  async ({ path }) => {
    const reply = described("GET", path, await service.ask(path));
    expect([reply.status, creditsOf(reply).charged ?? 0]).toEqual([200, 0]);
  },
);

describe.each(eachNth(CALLS, 4))("$path", ({ path, input_schema, properties, required, example }) => {
  const ends_in_5xx = ["break_loudly", "lose_facts", "meet_own_bug"].includes(path.split("/").at(-1) ?? "");

  test("accepts every value that its schema allows, field by field", async () => {
    for (const [field, schema] of Object.entries(properties)) {
      const values = rightValues(field, schema) ?? fc.constant(example[field]);
      for (const value of new Set(fc.sample(values, { numRuns: 3, seed: 11 }))) {
        const reply = await send(path, { ...example, [field]: value });
        if (ends_in_5xx) expect([500, 503]).toContain(reply.status);
        else expect(reply.status, `${field}=${value} ${reply.text}`).toBe(200);
      }
    }
  });

  test("refuses, free of charge, every invalid value, missing field and unknown field", async () => {
    for (const [field, schema] of Object.entries(properties))
      for (const value of wrongValues(schema))
        expectRefused(await send(path, { ...example, [field]: value }), `${field}=${JSON.stringify(value)}`);
    for (const field of required) {
      const { [field]: _, ...rest } = example;
      expectRefused(await send(path, rest), `without ${field}`);
    }
    expectRefused(await send(path, { ...example, colour: "red" }), "a further field");
  });

  test("refuses a body that is not a JSON object, or has no JSON content type", async () => {
    for (const body of ["", "null", "[]", '"x"', "7", "{", "a=b"]) expectRefused(await send(path, body), body);
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/xml",
    ];
    for (const type of types) expectRefused(await send(path, JSON.stringify(example), { "content-type": type }), type);
  });

  test("refuses all drawn arguments that the schema refuses", async () => {
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(input_schema);
    await fc.assert(
      fc.asyncProperty(changedArguments(example, Object.keys(properties)), async (args) => {
        const { status } = await send(path, args);
        if (!validate(args)) expect(status, JSON.stringify(args)).toBe(422);
        else if (!ends_in_5xx) expect([200, 422]).toContain(status);
      }),
      { numRuns: 20 },
    );
  });
});

describe("headers of a call", () => {
  const right = publishedInput(benchTools[0] as AnyTool);
  const path = `/api/tools/${right.name}`;

  test("an Idempotency-Key that its schema allows is taken once", async () => {
    let number = 0;
    const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: visible, maxLength: 58 }), async (text) => {
        number += 1;
        const headers = { "idempotency-key": `${number}:${text}` };
        expect((await send(path, right.example, headers)).status).toBe(200);
        expect((await send(path, right.example, headers)).status).toBe(409);
      }),
      { numRuns: 30 },
    );
  });

  test.each(["", "x".repeat(65), "a b", "ü"])("the Idempotency-Key %j is refused", async (key) => {
    expectRefused(await send(path, right.example, { "idempotency-key": key }), key);
  });

  test("a catalog version is the one in force or refused", async () => {
    const version = creditsOf(await service.ask("/api/tools")).version ?? "";
    expect((await send(path, right.example, { "x-credit-catalog-version": version })).status).toBe(200);
    for (const other of ["", "0", version.slice(1)])
      expect((await send(path, right.example, { "x-credit-catalog-version": other })).status, other).toBe(409);
  });

  test("headers that the document does not name change nothing", async () => {
    const headers = {
      "x-forwarded-for": "10.0.0.1",
      "x-http-method-override": "DELETE",
      cookie: "a=b",
      "x-credits": "0",
    };
    const plain = await send(path, right.example);
    const reply = await send(path, right.example, headers);
    expect([reply.status, reply.text, creditsOf(reply).charged]).toEqual([200, plain.text, creditsOf(plain).charged]);
  });
});

test("the ledger verifies afterwards", async () => {
  expect(await service.store.ledger.verify()).toEqual([]);
});
