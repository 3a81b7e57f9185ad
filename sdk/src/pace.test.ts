import { expect, test } from "vitest";
import { openAssay } from "./assay.ts";
import type { Timing } from "./pace.ts";

/** A clock that jumps to whenever the earliest sleeper wakes. */
const jumping = (): Timing & { readonly slept: number[] } => {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now_ms: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
    },
    random: () => 0,
  };
};

const answer = (status: number, body: unknown) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

/** A service that lets `most` requests in any 60 seconds pass, by the timing's clock. */
const limited = (timing: Timing, most: number) => {
  const passed: number[] = [];
  const refused: number[] = [];
  const fetch = async () => {
    const now = timing.now_ms();
    if (passed.filter((at) => at > now - 60_000).length >= most) {
      refused.push(now);
      return answer(429, { detail: `Rate limit exceeded: ${most} requests per minute for this key` });
    }
    passed.push(now);
    return answer(200, { type: "shown" });
  };
  return { passed, refused, fetch };
};

const OPTIONS = { url: "http://127.0.0.1:1", key: "k" };

test("with the key's rate, no request is refused, and none waits longer than necessary", async () => {
  const timing = jumping();
  const service = limited(timing, 10);
  const assay = openAssay({ ...OPTIONS, calls_per_minute: 10, concurrency: 1, fetch: service.fetch }, timing);
  for (let at = 0; at < 25; at += 1) await assay.call("show", {});
  // 10 at once, 10 after a minute and the margin, 5 after another.
  expect(service.passed).toEqual([...Array(10).fill(0), ...Array(10).fill(60_500), ...Array(5).fill(121_000)]);
  expect(service.refused).toEqual([]);
});

test("without the rate, the client learns it from the first refusals, and every call succeeds", async () => {
  const timing = jumping();
  const service = limited(timing, 10);
  const assay = openAssay({ ...OPTIONS, concurrency: 1, fetch: service.fetch }, timing);
  for (let at = 0; at < 25; at += 1) expect((await assay.call("show", {})).kind).toBe("data");
  expect(service.passed).toHaveLength(25);
  // The eleventh request learns it; it counts as sent, so that one of the next minute waits for it.
  expect(service.refused.length).toBeLessThanOrEqual(2);
});

test("never runs more calls at once than configured", async () => {
  let running = 0;
  let most = 0;
  const fetch = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 2));
    running -= 1;
    return answer(200, {});
  };
  const assay = openAssay({ ...OPTIONS, concurrency: 3, fetch });
  await Promise.all(Array.from({ length: 20 }, () => assay.call("show", {})));
  expect(most).toBe(3);
});

test("throws rate_limited when the refusal lasts longer than a call may take", async () => {
  const timing = jumping();
  const fetch = async () => answer(429, { detail: "Rate limit exceeded" });
  const assay = openAssay({ ...OPTIONS, total_ms: 30_000, fetch }, timing);
  await expect(assay.call("show", {})).rejects.toMatchObject({ code: "rate_limited", is_charged: false });
  // 125, 250, 500 ... half of the doubled pauses, as chance is 0 here; at most 4 seconds.
  expect(timing.slept.slice(0, 7)).toEqual([125, 250, 500, 1_000, 2_000, 4_000, 4_000]);
});
