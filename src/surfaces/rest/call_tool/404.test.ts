import { expect, test } from "vitest";
import { bench, creditsOf } from "../../../../test/contract/bench.ts";

const service = await bench({ hidden: ["hang"] });

test.each([
  "/",
  "/api",
  "/api/",
  "/api/tools/",
  "/api/tools/show/",
  "/api/tools/show/x",
  "/API/tools",
  "/api//tools",
  "/tools",
])("%s is no path, whatever the method, and is never redirected", async (path) => {
  for (const method of ["GET", "POST", "DELETE", "OPTIONS"]) {
    const { status, body } = await service.ask(path, { method });
    expect({ status, body }).toEqual({ status: 404, body: { detail: "Not Found" } });
  }
});

test("a path that cannot be decoded is no path", async () => {
  const { status, body } = await service.post("%zz");
  expect({ status, body }).toEqual({ status: 404, body: { detail: "Not Found" } });
});

test("the refusals of an unknown and a hidden tool differ only in the name", async () => {
  const unknown = await service.post("hung");
  const hidden = await service.post("hang");
  expect(unknown.status).toBe(404);
  expect(unknown.body).toEqual({ detail: "Tool 'hung' not found" });
  expect(hidden.status).toBe(404);
  expect(hidden.body).toEqual({ detail: "Tool 'hang' not found" });
  expect([...hidden.headers.keys()]).toEqual([...unknown.headers.keys()]);
  const { body } = await service.ask("/api/tools");
  expect(body.tools.map(({ name }: { name: string }) => name)).not.toContain("hang");
  expect(Object.keys((await service.ask("/api/tools/openapi.json")).body.paths)).not.toContain("/api/tools/hang");
});

test("an unknown tool comes before body and envelope", async () => {
  const reply = await service.post("nothing", "{", { headers: { "idempotency-key": "" } });
  expect(reply.status).toBe(404);
});

test("the name is shown without control characters and cut to 64 characters", async () => {
  const detail = async (name: string) => (await service.post(name)).body.detail;
  expect(await detail("a%00b%0D%0Ac%7F")).toBe("Tool 'abc' not found");
  expect(await detail("x".repeat(5000))).toBe(`Tool '${"x".repeat(64)}' not found`);
  expect(await detail("%F0%9F%98%80".repeat(70))).toBe(`Tool '${"😀".repeat(64)}' not found`);
  expect(await detail("a%2Fb")).toBe("Tool 'a/b' not found");
  expect(await detail("__proto__")).toBe("Tool '__proto__' not found");
  expect(await detail("constructor")).toBe("Tool 'constructor' not found");
});

test("a query changes neither path nor tool", async () => {
  expect((await service.ask("/healthz?x=1")).status).toBe(200);
  expect((await service.ask("/api/tools/nothing?x=/y", { method: "POST" })).body).toEqual({
    detail: "Tool 'nothing' not found",
  });
});

test("nothing is charged and the headers state the credits", async () => {
  const reply = await service.post("nothing");
  expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: 500_000 });
  expect(creditsOf(reply).version).not.toBeNull();
});
