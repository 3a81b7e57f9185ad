import { expect, test } from "vitest";
import { benchHere, creditsOf } from "../../../../test/contract/bench.ts";

test("the eleventh request of a minute is refused in words, without Retry-After, and costs nothing", async () => {
  const service = await benchHere({ plan: "pro" });
  const statuses: number[] = [];
  // Discovery counts like any other request, and so do refused arguments and unknown tools.
  for (let round = 0; round < 3; round += 1) {
    statuses.push((await service.ask("/api/tools")).status);
    statuses.push((await service.post("nothing")).status);
    statuses.push((await service.post("show", { page: 0 })).status);
  }
  statuses.push((await service.post("show")).status);
  expect(statuses).toEqual([200, 404, 422, 200, 404, 422, 200, 404, 422, 200]);
  for (const tool of ["show", "nothing"]) {
    const reply = await service.post(tool, "{");
    expect(reply.status).toBe(429);
    expect(reply.body.detail).toBe("Rate limit exceeded: 10 requests per minute for this key");
    expect(reply.headers.get("retry-after")).toBeNull();
    expect([...reply.headers.keys()].filter((name) => name.startsWith("ratelimit"))).toEqual([]);
    // One call of 3 was made.
    expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: 20_000 - 3 });
    expect(creditsOf(reply).version).not.toBeNull();
  }
});

test("401s, the OpenAPI document and operations do not count", async () => {
  const service = await benchHere({ plan: "pro" });
  for (let round = 0; round < 12; round += 1) {
    await service.ask("/api/tools", { key: "wrong" });
    await service.ask("/api/tools/openapi.json");
    await service.ask("/healthz");
  }
  expect((await service.ask("/api/tools")).status).toBe(200);
});

test("a refused request does not enter the window", async () => {
  let now = 0;
  const service = await benchHere({ plan: "pro", accounts: { monotonic: () => now } });
  for (let call = 0; call < 10; call += 1) expect((await service.ask("/api/tools")).status).toBe(200);
  now = 59_999;
  for (let call = 0; call < 10; call += 1) expect((await service.ask("/api/tools")).status).toBe(429);
  now = 60_001;
  expect((await service.ask("/api/tools")).status).toBe(200);
});
