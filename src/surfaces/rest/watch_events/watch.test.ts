import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openService } from "../../../../test/contract/service.ts";
import { assertDescribed } from "../../../../test/openapi.ts";
import { AssayError } from "../../../lib/errors.ts";

// Watch rules and the stream of their events, over HTTP.
let service: Awaited<ReturnType<typeof openService>>;
let off: Awaited<ReturnType<typeof openService>>;
let document: { readonly paths: Record<string, unknown> };
let manage: string;
let read: string;
beforeAll(async () => {
  service = await openService({
    accounts: { watch: { rules_per_account: 4, is_priced: false } },
    watch: { webhooks: true, local_origins: ["http://127.0.0.1:9"], streams_per_account: 2 },
  });
  off = await openService();
  document = (await (await fetch(`${service.url}/api/account/openapi.json`)).json()) as typeof document;
  const keyFor = async (scope: string) =>
    (await service.store.keys.create({ account_id: service.customer.account.id, scopes: [scope] })).secret;
  [manage, read] = [await keyFor("watch:manage"), await keyFor("watch:read")];
});
afterAll(async () => {
  await service.close();
  await off.close();
});

const WATCHED = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";

const ask = async (secret: string, method: string, path: string, body?: unknown) => {
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = { status: response.status, headers: response.headers, body: (await response.json()) as never };
  const template = (path.split("?")[0] ?? "")
    .replace(/rules\/[^/]+/, "rules/{rule_id}")
    .replace(/history\/[^/]+/, "history/{event_id}");
  assertDescribed(document, { method, path: template }, answer);
  return answer as { status: number; headers: Headers; body: Record<string, unknown> };
};

const WISH = { network: "demo", address: WATCHED };
const made = async (wish: object = {}) => (await ask(manage, "POST", "/api/watch/rules", { ...WISH, ...wish })).body;
const removeAll = async () => {
  const { rules } = (await ask(read, "GET", "/api/watch/rules")).body as { rules: { id: string }[] };
  for (const { id } of rules) await ask(manage, "POST", `/api/watch/rules/${id}/remove`);
};

interface StreamedEvent {
  readonly id?: string;
  readonly data?: string;
}

/** Reads a stream until `enough` says so; the events that came. */
const stream = async (
  secret: string,
  headers: Record<string, string>,
  enough: (said: readonly StreamedEvent[]) => boolean,
) => {
  const stop = new AbortController();
  const response = await fetch(`${service.url}/api/watch/events`, {
    headers: { authorization: `Bearer ${secret}`, ...headers },
    signal: stop.signal,
  });
  const said: StreamedEvent[] = [];
  const ended = (async () => {
    let text = "";
    for await (const bytes of response.body ?? []) {
      text += Buffer.from(bytes).toString();
      const parts = text.split("\n\n");
      text = parts.pop() ?? "";
      for (const part of parts.filter((one) => !one.startsWith(":")))
        said.push(Object.fromEntries(part.split("\n").map((line) => line.split(/: (.*)/s).slice(0, 2))));
      if (enough(said)) break;
    }
    stop.abort();
  })().catch(() => undefined);
  return { response, said, ended, close: () => stop.abort() };
};

describe("rules", () => {
  test("are made, listed, paused, renewed and removed by a caller with the right", async () => {
    const { secret, ...rule } = await made({ min_usd: 12.5, url: "https://hooks.test/a", categories: ["mixer"] });
    expect(secret).toMatch(/^whsec_/);
    expect(rule).toMatchObject({ subject_kind: "address", subject: WATCHED, min_usd: 12.5, state: "active" });
    expect((await ask(read, "GET", "/api/watch/rules")).body).toMatchObject({
      rules: [rule],
      standing: { paused_because: null },
    });
    expect((await ask(read, "GET", `/api/watch/rules/${rule.id}`)).body).toEqual(rule);
    for (const [act, state] of [
      ["pause", "paused"],
      ["resume", "active"],
      ["rotate", "active"],
      ["remove", "removed"],
    ])
      expect((await ask(manage, "POST", `/api/watch/rules/${rule.id}/${act}`)).body).toMatchObject({ state });
    expect((await ask(read, "GET", `/api/watch/rules/${rule.id}`)).status).toBe(404);
  });

  test("screen one transfer again, with its changed verdict as the only event", async () => {
    const tx_hash = `0x${"1d".repeat(32)}`;
    const transfer = { tx_hash, asset: "native", direction: "in" };
    const { secret: _none, ...rule } = await made({ address: undefined, transfer, events: ["movement"] });
    expect(rule).toMatchObject({
      ...{ subject_kind: "screening", subject: `${tx_hash} native in haircut`, events: ["risk"], direction: "in" },
    });
    const of = (change: object) => made({ address: undefined, transfer: { ...transfer, ...change } });
    expect(await of({ asset: WATCHED, direction: "out" })).toMatchObject({
      subject: `${tx_hash} ${WATCHED} out haircut`,
    });
    expect(await of({ method: "poison" })).toMatchObject({ subject: `${tx_hash} native in poison` });
    for (const wish of [{ tx_hash: "0x12" }, { asset: "0x12" }, { direction: "both" }, { method: "lifo" }])
      expect([wish, (await of(wish)).id]).toEqual([wish, undefined]);
    expect((await made({ transfer })).id).toBe(undefined);
    await removeAll();
  });

  test("are refused where they say nothing that can be watched or sent", async () => {
    for (const wish of [
      { network: "nowhere" },
      { token: WATCHED },
      { address: undefined },
      { address: "0x12" },
      { address: `${WATCHED.slice(0, -1)}z` },
      { categories: ["nonsense"] },
      { url: "http://hooks.test/" },
      { url: "https://me:secret@hooks.test/" },
      { url: "ftp://hooks.test/" },
      { events: [] },
      { events: ["weather"] },
      { min_usd: -1 },
      { surprise: 1 },
    ])
      expect([wish, (await ask(manage, "POST", "/api/watch/rules", { ...WISH, ...wish })).status]).toEqual([wish, 422]);
    expect((await ask(manage, "POST", "/api/watch/rules", { ...WISH, url: "http://127.0.0.1:9/in" })).status).toBe(200);
    await removeAll();
  });

  test("want their scope, belong to their account, and are as many as the operator allows", async () => {
    const api = service.customer.key.secret;
    expect((await ask(api, "GET", "/api/watch/rules")).status).toBe(403);
    expect((await ask(read, "POST", "/api/watch/rules", WISH)).status).toBe(403);
    for (let count = 0; count < 4; count += 1) await made();
    expect((await ask(manage, "POST", "/api/watch/rules", WISH)).status).toBe(409);
    const other = await service.store.accounts.create({ name: "Other", plan: "pro" });
    const { secret } = await service.store.keys.create({ account_id: other.id, scopes: ["watch:manage"] });
    const { rules } = (await ask(read, "GET", "/api/watch/rules")).body as { rules: { id: string }[] };
    for (const path of [`/api/watch/rules/${rules[0]?.id}`, "/api/watch/rules/rule_none"])
      expect((await ask(secret, "GET", path)).status).toBe(404);
    expect((await ask(secret, "GET", "/api/watch/rules")).body).toMatchObject({ rules: [] });
    await removeAll();
  });

  test("are not made on a network on demand whose address the account may not follow", async () => {
    const message = "This account has 10 addresses followed.";
    const refuse = () => Promise.reject(new AssayError({ code: "SUBJECT_LIMIT", message, public: message }));
    const other = await openService({
      watch: { webhooks: false, local_origins: [], streams_per_account: 2 },
      followed: {
        networks: () => ["demo"],
        list: async () => [],
        limits: () => refuse(),
        follow: refuse,
        leave: async () => undefined,
      },
    });
    try {
      const { secret } = await other.store.keys.create({
        account_id: other.customer.account.id,
        scopes: ["watch:manage"],
      });
      const headers = { authorization: `Bearer ${secret}`, "content-type": "application/json" };
      const made = await fetch(`${other.url}/api/watch/rules`, { method: "POST", headers, body: JSON.stringify(WISH) });
      expect([made.status, await made.json()]).toEqual([409, { detail: message }]);
      const listed = await (await fetch(`${other.url}/api/watch/rules`, { headers })).json();
      expect(listed).toMatchObject({ rules: [] });
    } finally {
      await other.close();
    }
  });

  test("do not exist where the operator has not enabled them", async () => {
    const { secret } = await off.store.keys.create({ account_id: off.customer.account.id, scopes: ["watch:manage"] });
    const headers = { authorization: `Bearer ${secret}` };
    for (const path of ["/api/watch/rules", "/api/watch/events", "/api/watch/history"]) {
      const response = await fetch(`${off.url}${path}`, { headers });
      expect([path, response.status, await response.json()]).toEqual([
        path,
        404,
        { detail: "Watch rules are disabled on this service. The operator can enable them." },
      ]);
    }
  });
});

describe("the stream", () => {
  const tell = async (rule_id: unknown, count: number) => {
    for (let event = 0; event < count; event += 1) {
      // The clock of the store does not move, and events of one moment have only the order of the stream.
      service.store.clock.at += 1;
      await ask(manage, "POST", `/api/watch/rules/${rule_id}/test`);
    }
  };

  test("brings what is shown, resumes behind what was received, and loses and doubles nothing", async () => {
    const { id } = await made();
    const first = await stream(read, {}, (said) => said.length >= 2);
    expect(first.response.headers.get("content-type")).toContain("text/event-stream");
    await tell(id, 2);
    await first.ended;
    // Closed: what comes meanwhile is not lost.
    await tell(id, 3);
    const last = first.said[1]?.id ?? "";
    const second = await stream(read, { "last-event-id": last }, (said) => said.length >= 3);
    await second.ended;
    const ids = [...first.said, ...second.said].map((said) => Number(said.id));
    expect(ids).toEqual([1, 2, 3, 4, 5].map((step) => (ids[0] ?? 0) + step - 1));
    expect(JSON.parse(second.said[0]?.data ?? "{}")).toMatchObject({ type: "test", rule_id: id, network: "demo" });
    const { events } = (await ask(read, "GET", "/api/watch/history?limit=5")).body as { events: { seq: number }[] };
    expect(events.map(({ seq }) => seq)).toEqual([...ids].reverse());
    await removeAll();
  });

  test("ends with its key within two seconds", async () => {
    const { account } = service.customer;
    const key = await service.store.keys.create({ account_id: account.id, scopes: ["watch:read"] });
    const open = await stream(key.secret, {}, () => false);
    expect(open.response.status).toBe(200);
    const began = performance.now();
    await service.store.keys.revoke(key.id);
    await open.ended;
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await stream(key.secret, {}, () => true)).response.status).toBe(401);
  });

  test("is bounded per account, and refuses an event number that is invalid", async () => {
    const open = [await stream(read, {}, () => false), await stream(read, {}, () => false)];
    const third = await stream(read, {}, () => true);
    expect(third.response.status).toBe(429);
    for (const { close } of open) close();
    await expect
      .poll(async () => {
        const again = await stream(read, {}, () => false);
        again.close();
        return again.response.status;
      })
      .toBe(200);
    for (const last of ["-1", "now", "1e3", "9".repeat(40)])
      expect((await stream(read, { "last-event-id": last }, () => true)).response.status).toBe(422);
    expect((await fetch(`${service.url}/api/watch/events`)).status).toBe(401);
    expect((await stream(service.customer.key.secret, {}, () => true)).response.status).toBe(403);
  });

  test("ends when the service stops, which does not wait for it", async () => {
    const other = await openService({ watch: { webhooks: false, local_origins: [], streams_per_account: 2 } });
    const { secret } = await other.store.keys.create({ account_id: other.customer.account.id, scopes: ["watch:read"] });
    const response = await fetch(`${other.url}/api/watch/events`, { headers: { authorization: `Bearer ${secret}` } });
    const read_all = response.text();
    const began = performance.now();
    await other.close();
    await read_all;
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test("a dead letter is listed and sent again", async () => {
  const { id } = await made({ url: "https://hooks.test/a" });
  const { body } = await ask(manage, "POST", `/api/watch/rules/${id}/test`);
  const { deliveries } = service.store.watch;
  const [due] = await deliveries.due({ account_id: service.customer.account.id, busy_rules: [], limit: 1 });
  if (due === undefined) throw new Error("nothing is due");
  await deliveries.note(due, { kind: "dead", status: 500, fault: "The receiver answered 500." });
  const dead = async () => (await ask(read, "GET", `/api/watch/dead_letters?rule_id=${id}`)).body.events;
  expect(await dead()).toMatchObject([{ id: body.id, delivery: { state: "dead", last_status: 500 } }]);
  expect((await ask(read, "POST", `/api/watch/history/${body.id}/replay`)).status).toBe(403);
  const replayed = await ask(manage, "POST", `/api/watch/history/${body.id}/replay`);
  expect(replayed.body).toMatchObject({ id: body.id, delivery: { state: "waiting", attempts: 0 } });
  expect(await dead()).toEqual([]);
  await removeAll();
  expect((await ask(manage, "POST", `/api/watch/history/${body.id}/replay`)).status).toBe(409);
  expect((await ask(manage, "POST", "/api/watch/history/event_none/replay")).status).toBe(404);
});
