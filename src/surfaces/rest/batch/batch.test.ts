import { describe, expect, test } from "vitest";
import { type Bench, bench, benchHere, GOOD } from "../../../../test/contract/bench.ts";
import { assertDescribed } from "../../../../test/openapi.ts";

const service = await bench();

interface AnswerOfItem {
  readonly index: number;
  readonly http_status: number;
  readonly credits_charged: number | null;
  readonly request_id: string;
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each asserted where it is read.
  readonly answer: any;
}

interface BatchReply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: { readonly tool: string; readonly credits_charged: number; readonly items: readonly AnswerOfItem[] };
}

type BatchOptions = { readonly headers?: Record<string, string>; readonly query?: string };

const send = (
  of: Bench,
  tool: string,
  body: unknown,
  { headers = {}, query = "" }: BatchOptions = {},
): Promise<Response> =>
  fetch(`${of.url}/api/tools/${tool}/batch${query}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${of.customer.key.secret}`,
      "content-type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });

const post = async (of: Bench, tool: string, body: unknown, wish: BatchOptions = {}): Promise<BatchReply> => {
  const response = await send(of, tool, body, wish);
  const parsed = (await response.json()) as BatchReply["body"];
  const path = "/api/tools/{tool_name}/batch";
  assertDescribed(of.openapi, { method: "POST", path }, { status: response.status, body: parsed });
  return { status: response.status, headers: response.headers, body: parsed };
};

const usedOf = async (of: Bench): Promise<number> =>
  (await of.store.accounts.show(of.customer.account.id)).credits_used;

const statuses = ({ body }: BatchReply): readonly number[] => body.items.map(({ http_status }) => http_status);

describe("one body", () => {
  test("has the answers of single calls in their order, each charged by itself", async () => {
    const before = await usedOf(service);
    const items = [GOOD, { ...GOOD, address: "0x12" }, { ...GOOD, timeframe: "5m" }, { ...GOOD, nonsense: 1 }];
    const reply = await post(service, "show", { items });
    expect(reply.status).toBe(200);
    expect(statuses(reply)).toEqual([200, 422, 200, 422]);
    expect(reply.body.items.map(({ credits_charged }) => credits_charged)).toEqual([3, 0, 3, 0]);
    expect([reply.body.tool, reply.body.credits_charged]).toEqual(["show", 6]);
    expect(reply.headers.get("x-credits-charged")).toBe("6");
    expect((await usedOf(service)) - before).toBe(6);
    for (const [index, args] of items.entries()) {
      const single = await service.post("show", args);
      expect(reply.body.items[index]).toMatchObject({ http_status: single.status, answer: single.body });
    }
    const ids = reply.body.items.map(({ request_id }) => request_id);
    const id = reply.headers.get("x-request-id");
    expect(ids).toEqual([0, 1, 2, 3].map((index) => `${id}.${index}`));
    expect(await service.store.ledger.verify()).toEqual([]);
  });

  test("keeps no_data charged, errors and failures refunded", async () => {
    const [nothing, soft, broken] = await Promise.all(
      ["find_nothing", "fail_softly", "break_loudly"].map((tool) => post(service, tool, { items: [GOOD, GOOD] })),
    );
    expect(nothing?.body).toMatchObject({ credits_charged: 10, items: [{ answer: { status: "no_data" } }, {}] });
    expect(soft?.body).toMatchObject({ credits_charged: 0, items: [{ answer: { status: "error" } }, {}] });
    expect(broken?.body).toMatchObject({ credits_charged: 0, items: [{ http_status: 500 }, { http_status: 500 }] });
    expect(JSON.stringify(broken?.body)).not.toContain("secret");
  });

  test("has the compact view on request", async () => {
    const reply = await post(service, "show", { items: [GOOD] }, { query: "?view=compact" });
    const single = await service.post("show", GOOD);
    const compact = await service.ask("/api/tools/show?view=compact", {
      method: "POST",
      body: GOOD,
      headers: { "content-type": "application/json" },
    });
    expect(reply.body.items[0]?.answer).toEqual(compact.body);
    expect(compact.body).not.toEqual(single.body);
  });

  test("charges an item once under the key of the batch and its number", async () => {
    const headers = { "idempotency-key": "nightly" };
    const first = await post(service, "show", { items: [GOOD, { ...GOOD, address: "0x12" }] }, { headers });
    expect(statuses(first)).toEqual([200, 422]);
    const before = await usedOf(service);
    const again = await post(service, "show", { items: [GOOD, GOOD, { ...GOOD, timeframe: "1h" }] }, { headers });
    // The first was charged, the second was refused and can be sent again, the third is new.
    expect(statuses(again)).toEqual([409, 200, 200]);
    expect(again.body.items[0]?.answer.detail).toMatchObject({ state: "completed", same_request: true });
    expect((await usedOf(service)) - before).toBe(6);
    const single = await service.post("show", GOOD, { headers: { "idempotency-key": "nightly.1" } });
    expect(single.status).toBe(409);
  });

  test("ends with the request's deadline, and refunds the items that are late", async () => {
    const short = await benchHere({ limits: { deadline_ms: 1_000 } });
    const reply = await post(short, "hang", { items: [GOOD, GOOD, GOOD, GOOD, GOOD] });
    expect(statuses(reply)).toEqual([200, 200, 200, 200, 503]);
    expect(reply.body.items[0]?.answer).toMatchObject({ status: "error", code: "TIMEOUT" });
    expect(await usedOf(short)).toBe(0);
  });

  test("waits for the account's slots instead of refusing items", async () => {
    const narrow = await benchHere({ limits: { calls_max: 2, account_share_percent: 50 } });
    const reply = await post(narrow, "wait", { items: Array.from({ length: 5 }, () => GOOD) });
    expect(statuses(reply)).toEqual([200, 200, 200, 200, 200]);
  });

  test("gives the other items when the accounts fail for one of them: what was charged is answered", async () => {
    let charges = 0;
    const failing = await benchHere({
      wrap: (meter) => ({
        ...meter,
        charge: (request) => {
          charges += 1;
          return charges === 3 ? Promise.reject(new Error("the accounts are away")) : meter.charge(request);
        },
      }),
    });
    const reply = await post(failing, "show", { items: [GOOD, GOOD, GOOD, GOOD, GOOD, GOOD] });
    expect([...statuses(reply)].sort()).toEqual([200, 200, 200, 200, 200, 503]);
    expect(reply.body.credits_charged).toBe(15);
    expect(await usedOf(failing)).toBe(15);
  });

  test("says per item that the plan's credits are used up", async () => {
    const poor = await benchHere({ plan: "free" });
    const items = Array.from({ length: 100 }, () => GOOD);
    expect(statuses(await post(poor, "show", { items }))).toEqual(items.map(() => 200));
    const reply = await post(poor, "show", { items });
    // The plan has 500 credits: 166 calls of 3.
    expect(await usedOf(poor)).toBe(498);
    expect(reply.body.credits_charged).toBe(66 * 3);
    const refused = reply.body.items.filter(({ http_status }) => http_status === 429);
    expect(refused).toHaveLength(34);
    expect(refused[0]?.answer.detail).toMatchObject({ error_code: "PLAN_LIMIT_REACHED" });
    expect(await poor.store.ledger.verify()).toEqual([]);
  });
});

describe("a request that is refused as a whole", () => {
  test.each([
    ["without items", {}, [["body", "items"]]],
    ["with items that are no list", { items: GOOD }, [["body", "items"]]],
    ["with no item", { items: [] }, [["body", "items"]]],
    ["with too many items", { items: Array.from({ length: 101 }, () => ({})) }, [["body", "items"]]],
    [
      "with items that are no objects",
      { items: [GOOD, "x", [1]] },
      [
        ["body", "items", 1],
        ["body", "items", 2],
      ],
    ],
    ["with other members", { items: [GOOD], parallel: 50 }, [["body", "parallel"]]],
  ])("%s", async (_, body, locs) => {
    const before = await usedOf(service);
    const response = await send(service, "show", body);
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: readonly { loc: unknown }[] };
    expect(detail.map(({ loc }) => loc)).toEqual(locs);
    expect(await usedOf(service)).toBe(before);
  });

  test("for its key, its tool, its caller or its method", async () => {
    const long = { headers: { "idempotency-key": "k".repeat(61) } };
    expect((await send(service, "show", { items: [GOOD] }, long)).status).toBe(422);
    expect((await send(service, "nothing_of_this_name", { items: [GOOD] })).status).toBe(404);
    const stranger = { headers: { authorization: "Bearer svc_live_wrong" } };
    expect((await send(service, "show", { items: [GOOD] }, stranger)).status).toBe(401);
    expect((await fetch(`${service.url}/api/tools/show/batch`)).status).toBe(405);
    expect((await send(service, "show", { items: [GOOD] }, { query: "?view=short" })).status).toBe(422);
  });
});

const NDJSON = { accept: "application/x-ndjson" };

describe("lines", () => {
  test("come in order, with a last line that states the sum", async () => {
    const response = await send(service, "show", { items: [GOOD, { address: 1 }, GOOD] }, { headers: NDJSON });
    expect(response.headers.get("content-type")).toBe("application/x-ndjson");
    const lines = (await response.text()).trimEnd().split("\n");
    const parsed = lines.map((line) => JSON.parse(line) as AnswerOfItem);
    expect(parsed.map(({ http_status }) => http_status)).toEqual([200, 422, 200, undefined]);
    expect(parsed.at(-1)).toEqual({ items: 3, credits_charged: 6 });
  });

  test("give each item the time of a single call", async () => {
    const short = await benchHere({ limits: { deadline_ms: 1_000 } });
    const items = Array.from({ length: 20 }, () => GOOD);
    const response = await send(short, "wait", { items }, { headers: NDJSON });
    const lines = (await response.text()).trimEnd().split("\n");
    // Five rounds of 300 ms are more than the second that one call has.
    expect(lines.map((line) => (JSON.parse(line) as AnswerOfItem).http_status)).toEqual([
      ...items.map(() => 200),
      undefined,
    ]);
  });

  test("stop when the client leaves: what it did not get is not charged", async () => {
    const left = await benchHere();
    const stop = new AbortController();
    const response = await fetch(`${left.url}/api/tools/wait/batch`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${left.customer.key.secret}`,
        "content-type": "application/json",
        ...NDJSON,
      },
      body: JSON.stringify({ items: Array.from({ length: 60 }, () => GOOD) }),
      signal: stop.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    stop.abort();
    await reader?.read().catch(() => undefined);
    // Those of the first round were sent; those that ran when the client left are refunded, and no further ones begin.
    await expect.poll(() => usedOf(left), { timeout: 5_000 }).toBeLessThanOrEqual(4 * 25);
    expect(await left.store.ledger.verify()).toEqual([]);
  });
});
