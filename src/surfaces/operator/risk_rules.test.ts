import { afterAll, expect, test } from "vitest";
import { assertDescribed } from "../../../test/openapi.ts";
import { OPERATOR_STATE as state } from "../../../test/operator_state.ts";
import { openTemporary } from "../../accounts/testing/temporary.ts";
import { Secret, silentLog } from "../../lib/log.ts";
import { operatorOpenapi } from "./openapi.ts";
import { openOperatorServer } from "./server.ts";

const [ALICE, BOB, READER] = [
  "alices-token-for-the-tests",
  "bobs-own-token-for-the-tests",
  "reading-token-for-the-tests",
];

const store = await openTemporary();
const tokens = [
  { name: "alice", secret: new Secret(ALICE), may_change: true },
  { name: "bob", secret: new Secret(BOB), may_change: true },
  { name: "operator_read", secret: new Secret(READER), may_change: false },
];
const server = openOperatorServer({ store, state, tokens, log: silentLog });
const url = await server.listen({ host: "127.0.0.1", port: 0 });
const document = operatorOpenapi();
afterAll(async () => {
  await server.close();
  await store.remove();
});

const PATH = "/operator/risk/rules";

/** A request whose answer must be as the document describes it. */
const send = async (method: string, path: string, body?: unknown, token = ALICE) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${url}${PATH}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: text }),
  });
  const answer = { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
  const template = path.replace(/^\/[^/]+/, "/{id}");
  assertDescribed(document, { method, path: `${PATH}${template}` }, answer);
  return answer;
};

const MIXERS = { id: "mixers", category: "mixer", percent: 5 };
const list = async () => (await send("GET", "", undefined, READER)).body.rules;

test("rules of the configuration are listed first and cannot be changed; those made here can", async () => {
  const of_file = {
    ...{ id: "sanctions", category: "sanctioned", exposure: "any", direction: "any", usd: 1, percent: null },
    ...{ source: "file", applies: true, version: null, changed_at: null, changed_by: null },
  };
  expect(await list()).toEqual([of_file]);
  const made = await send("POST", "", MIXERS);
  expect(made).toMatchObject({
    status: 200,
    body: {
      ...{ ...MIXERS, exposure: "any", direction: "any", usd: null, source: "portal", applies: true },
      ...{ changed_by: "alice", changed_at: "2026-11-20T12:00:00Z" },
    },
  });
  expect(await list()).toEqual([of_file, made.body]);
  const { version } = made.body;
  const changed = await send("PUT", "/mixers", { category: "scam", usd: 10, version }, BOB);
  expect(changed.body).toMatchObject({ category: "scam", usd: 10, percent: null, changed_by: "bob" });
  for (const change of [
    await send("PUT", "/sanctions", { category: "scam", usd: 10, version: 1 }),
    await send("POST", "/sanctions/remove", { version: 1 }),
  ])
    expect(change).toMatchObject({ status: 404 });
  expect(await send("POST", "/mixers/remove", { version: changed.body.version })).toMatchObject({ status: 200 });
  expect(await list()).toEqual([of_file]);
});

test("a malformed rule is refused with its reason, and nothing is stored", async () => {
  for (const change of [
    { id: "Mixers" },
    { id: "a".repeat(65) },
    { id: "../etc" },
    { id: 5 },
    { percent: undefined },
    { percent: 100.5 },
    { percent: -1 },
    { percent: "5" },
    { usd: -0.01 },
    { exposure: "both" },
    { direction: "sideways" },
    { surprise: 1 },
    { category: "x".repeat(65) },
    { category: undefined },
  ])
    expect([change, (await send("POST", "", { ...MIXERS, ...change })).status]).toEqual([change, 422]);
  // Beyond every number.
  expect((await send("POST", "", '{"id":"mixers","category":"mixer","usd":1e999}')).status).toBe(422);
  expect(await send("POST", "", { ...MIXERS, category: "mixr" })).toMatchObject({
    status: 422,
    body: { detail: "Unknown risk category. Available categories: sanctioned, mixer, scam." },
  });
  expect(await send("POST", "", { ...MIXERS, id: "sanctions" })).toMatchObject({
    status: 409,
    body: { detail: "Risk rule 'sanctions' exists already in the configuration. Choose another name." },
  });
  expect(await list()).toHaveLength(1);
});

test("the largest number that JSON has is a limit like any other", async () => {
  const { body } = await send("POST", "", { ...MIXERS, id: "huge", usd: Number.MAX_VALUE });
  expect((await list())[1]).toMatchObject({ usd: Number.MAX_VALUE });
  await send("POST", "/huge/remove", { version: body.version });
});

test("a change of a rule that another operator changed in the meantime is refused", async () => {
  const { version } = (await send("POST", "", MIXERS)).body;
  await send("PUT", "/mixers", { category: "mixer", usd: 1, version }, BOB);
  for (const late of [
    await send("PUT", "/mixers", { category: "mixer", usd: 2, version }),
    await send("POST", "/mixers/remove", { version }),
  ])
    expect(late).toMatchObject({
      status: 409,
      body: { detail: "Risk rule 'mixers' was changed by bob in the meantime. Read it again." },
    });
  expect((await list())[1]).toMatchObject({ usd: 1 });
  for (const bad of [undefined, 0, 1.5, "1", null])
    expect((await send("PUT", "/mixers", { category: "mixer", usd: 2, version: bad })).status).toBe(422);
});

test("a token that may only read changes no rule", async () => {
  const { version } = (await list())[1];
  for (const late of [
    await send("POST", "", { ...MIXERS, id: "more" }, READER),
    await send("PUT", "/mixers", { category: "mixer", usd: 2, version }, READER),
    await send("POST", "/mixers/remove", { version }, READER),
  ])
    expect(late.status).toBe(403);
  expect((await list())[1]).toMatchObject({ usd: 1, version });
});
