import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serveBytes, serveSite } from "../../test/local_site.ts";
import { openCustomer } from "../accounts/testing/store.ts";
import { openTemporary, type TemporaryStore } from "../accounts/testing/temporary.ts";
import { Secret, silentLog } from "../lib/log.ts";
import { webhookWeb } from "../wiring/watching.ts";
import { Sender, type SenderOptions } from "./send.ts";
import { signatureHeaders } from "./sign.ts";

// Webhooks over real connections to good and bad receivers.

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Verification by the Standard Webhooks specification, written independently of the implementation: base64 of HMAC-SHA256 over
 * `id.timestamp.body` under the bytes behind `whsec_`, one of several `v1,` signatures, a timestamp of at most five minutes.
 */
const isSigned = (headers: Headers, body: string, secret: string, now_s: number): boolean => {
  const [id, time, signatures] = ["id", "timestamp", "signature"].map((name) => String(headers[`webhook-${name}`]));
  if (Math.abs(now_s - Number(time)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${time}.${body}`, "utf8").digest();
  return (signatures ?? "").split(" ").some((signature) => {
    const [version, text = ""] = signature.split(",");
    const given = Buffer.from(text, "base64");
    return version === "v1" && given.length === expected.length && timingSafeEqual(given, expected);
  });
};

test("signs the example of the standard's own libraries", () => {
  const headers = signatureHeaders({
    ...{ id: "msg_p5jXN8AQM9LWM0D4loKWxJek", time: 1_614_265_330, body: '{"test": 2432232314}' },
    secrets: [new Secret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")],
  });
  expect(headers).toMatchObject({
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  });
});

let store: TemporaryStore;
let by: { account_id: string; key_id: string };
const closers: (() => Promise<void>)[] = [];
beforeEach(async () => {
  store = await openTemporary({ watch: { rules_per_account: 50, is_priced: false } });
  const { account, key } = await openCustomer(store);
  by = { account_id: account.id, key_id: key.id };
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  await store.remove();
});

interface ReceivedDelivery {
  readonly headers: Headers;
  readonly body: string;
}

/** A receiver that records requests and answers with a given response. */
const receiver = async (answer: (response: ServerResponse, request: IncomingMessage) => void) => {
  const taken: ReceivedDelivery[] = [];
  const site = await serveSite((_path, response, request) => {
    let body = "";
    request.on("data", (bytes) => {
      body += bytes;
    });
    request.on("end", () => {
      taken.push({ headers: request.headers, body });
      answer(response, request);
    });
  });
  closers.push(site.close);
  return { ...site, taken, origin: `http://127.0.0.1:${site.port}` };
};
const ok = (response: ServerResponse) => response.writeHead(204).end();

/** A rule that sends to `url`, with a due event. */
const made = async (url: string, events = 1) => {
  const rule = await store.watch.rules("test").create(by, {
    ...{ network: "demo", subject_kind: "address", subject: "aa", events: ["movement"], direction: "both" },
    ...{ min_usd_micros: null, include_unpriced: false, categories: [], note: null, url },
  });
  for (let event = 0; event < events; event += 1)
    await store.watch.events.test(rule, { id: store.watch.newId("event"), body: `{"type":"test","number":${event}}` });
  return rule;
};

const sender = (local_origins: readonly string[], changes: Partial<SenderOptions> = {}) =>
  new Sender({
    ...{
      deliveries: store.watch.deliveries,
      web: webhookWeb(local_origins),
      now_ms: () => store.clock.at,
      random: () => 0.5,
    },
    ...{ per_minute: 1_000, retry_first_ms: 1_000, retry_most_ms: 60_000, horizon_ms: 10_000, log: silentLog },
    ...{ count: () => undefined },
    ...changes,
  });

const signal = new AbortController().signal;
const round = async (one: Sender) => {
  const begun = await one.round(signal);
  await one.settled();
  return begun;
};

const deliveries = async () =>
  (
    await store.watch.events.list({
      account_id: by.account_id,
      rule_id: null,
      is_dead: false,
      before: null,
      limit: 100,
    })
  ).map(({ delivery }) => delivery);

test("signs with the rule's secret, and with the previous secret until its grace period ends", async () => {
  const site = await receiver(ok);
  const rule = await made(`${site.origin}/hook?a=1`);
  const { secret } = await store.watch.rules("test").rotate(by.account_id, rule.id, 60);
  await round(sender([site.origin]));
  const [taken] = site.taken;
  if (taken === undefined) throw new Error("nothing was sent");
  const now_s = Math.floor(store.clock.at / 1000);
  expect(taken.body).toBe('{"type":"test","number":0}');
  expect(site.asked).toEqual(["POST /hook?a=1"]);
  for (const one of [secret, rule.secret]) expect(isSigned(taken.headers, taken.body, one ?? "", now_s)).toBe(true);
  expect(isSigned(taken.headers, `${taken.body} `, secret ?? "", now_s)).toBe(false);
  expect(isSigned(taken.headers, taken.body, `whsec_${"A".repeat(43)}=`, now_s)).toBe(false);
  expect(await deliveries()).toMatchObject([{ state: "delivered", attempts: 1, last_status: 204 }]);
});

test("retries a failing receiver with growing pauses, the same id and the same bytes, until the horizon", async () => {
  const site = await receiver((response) => response.writeHead(500).end());
  await made(site.origin);
  const one = sender([site.origin]);
  const pauses: number[] = [];
  for (let at = 0; at <= 20_000; at += 500) {
    if ((await round(one)) > 0) pauses.push(at);
    store.clock.at += 500;
  }
  // 1, 2, 4 s after one another; the next would be due 15 s after the first, beyond 10 s.
  expect(pauses).toEqual([0, 1_000, 3_000, 7_000]);
  expect(new Set(site.taken.map(({ headers, body }) => `${headers["webhook-id"]} ${body}`)).size).toBe(1);
  expect(new Set(site.taken.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(4);
  expect(await deliveries()).toMatchObject([{ state: "dead", attempts: 4, last_status: 500 }]);
});

describe("a receiver", () => {
  test("that answers 410 ends its rule", async () => {
    const site = await receiver((response) => response.writeHead(410).end());
    const rule = await made(site.origin, 3);
    await round(sender([site.origin]));
    expect(await store.watch.rules("test").show(by.account_id, rule.id)).toMatchObject({ state: "ended" });
    expect((await deliveries()).map((one) => one?.state)).toEqual(["dead", "dead", "dead"]);
    expect(site.taken.length).toBe(1);
  });

  test("that redirects to this machine is not followed", async () => {
    const canary = await receiver(ok);
    const site = await receiver((response) => response.writeHead(307, { location: canary.origin }).end());
    await made(site.origin);
    await round(sender([site.origin, canary.origin]));
    expect([canary.connections(), (await deliveries())[0]]).toMatchObject([0, { state: "waiting", attempts: 1 }]);
  });

  test("that is local, or uses plain http, is not reached unless the operator configures it", async () => {
    const site = await receiver(ok);
    for (const url of [
      site.origin,
      `https://127.0.0.1:${site.port}`,
      `http://localhost:${site.port}`,
      "https://169.254.169.254/",
    ])
      await made(url);
    await round(sender([]));
    await round(sender([`http://127.0.0.1:${site.port + 1}`]));
    expect([site.connections(), (await deliveries()).map((one) => one?.state)]).toEqual([
      0,
      ["waiting", "waiting", "waiting", "waiting"],
    ]);
  });

  test("that answers with 10 MB is read no further than its status", async () => {
    const site = await receiver((response) => response.writeHead(200).end(Buffer.alloc(10_000_000)));
    await made(site.origin);
    await round(sender([site.origin]));
    expect(await deliveries()).toMatchObject([{ state: "delivered", last_status: 200 }]);
  });

  test("that closes the connection, or speaks no HTTP, gets a retry", async () => {
    const [closes, babbles] = [
      await receiver((_response, request) => request.socket.destroy()),
      await serveBytes("what?\r\n\r\n"),
    ];
    closers.push(babbles.close);
    const origins = [closes.origin, `http://127.0.0.1:${babbles.port}`];
    for (const origin of origins) await made(origin);
    await round(sender(origins));
    expect(await deliveries()).toMatchObject([
      { state: "waiting", attempts: 1, last_status: null },
      { state: "waiting", attempts: 1, last_status: null },
    ]);
  });

  test("that hangs delays no other receiver", async () => {
    const hangs = await receiver(() => undefined);
    const site = await receiver(ok);
    await made(hangs.origin, 40);
    const one = sender([hangs.origin, site.origin]);
    const stop = new AbortController();
    await one.round(stop.signal);
    await made(site.origin, 2);
    await one.round(stop.signal);
    await expect.poll(() => site.taken.length).toBe(1);
    await expect.poll(async () => (await one.round(stop.signal)) >= 0 && site.taken.length).toBe(2);
    expect(hangs.taken.length).toBe(1);
    stop.abort();
    await one.settled();
  });
});

test("sends at most the limit of an account per minute, and the rest later", async () => {
  const site = await receiver(ok);
  await made(site.origin, 5);
  const one = sender([site.origin], { per_minute: 3 });
  for (let times = 0; times < 8; times += 1) await round(one);
  expect(site.taken.length).toBe(3);
  store.clock.at += 60_000;
  for (let times = 0; times < 8; times += 1) await round(one);
  expect(site.taken.length).toBe(5);
});

test("sends again under the same id after a kill before storing the outcome, and stores it once", async () => {
  const site = await receiver(ok);
  await made(site.origin);
  const dies = sender([site.origin], {
    step: (name) => {
      if (name === "sent") throw new Error("killed");
    },
  });
  await round(dies);
  await round(sender([site.origin]));
  await round(sender([site.origin]));
  expect(site.taken.map(({ headers }) => headers["webhook-id"])).toEqual([
    site.taken[0]?.headers["webhook-id"],
    site.taken[0]?.headers["webhook-id"],
  ]);
  expect(await deliveries()).toMatchObject([{ state: "delivered", attempts: 1 }]);
});
