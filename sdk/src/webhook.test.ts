import { expect, test } from "vitest";
import { verifyWebhook, type WebhookOptions, type WebhookRequest } from "./webhook.ts";

// The example of the reference libraries of Standard Webhooks (standard-webhooks, libraries/python/tests): secret, id, time, body, signature.
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const TIME = "1614265330";
const BODY = '{"test": 2432232314}';
const SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

const EVENT = '{"type":"movement","id":"evt_1","wallet":"0x1"}';
const NOW_MS = 1_614_265_330_000;

const sign = async (body: string, secret = SECRET, time = TIME): Promise<string> => {
  const raw = Uint8Array.from(atob(secret.slice("whsec_".length)), (sign) => sign.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", raw, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const bytes = await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(`${ID}.${time}.${body}`));
  return `v1,${btoa(String.fromCharCode(...new Uint8Array(bytes)))}`;
};

const verify = (change: Partial<Record<string, string>>, options: Partial<WebhookOptions> = {}, body = EVENT) => {
  const headers = { "webhook-id": ID, "webhook-timestamp": TIME, ...change };
  return verifyWebhook({ body, headers }, { secret: SECRET, now_ms: NOW_MS, ...options });
};

test("the signature equals that of the Standard Webhooks example", async () => {
  expect(await sign(BODY)).toBe(SIGNATURE);
  // The signature is valid, but the body has no type.
  await expect(verify({ "webhook-signature": SIGNATURE }, {}, BODY)).rejects.toMatchObject({ fault: "body" });
});

test("reads a signed event as text and as bytes, from Headers and from Node's object", async () => {
  const signature = await sign(EVENT);
  const request: WebhookRequest = {
    body: new TextEncoder().encode(EVENT),
    headers: new Headers({ "Webhook-Id": ID, "Webhook-Timestamp": TIME, "Webhook-Signature": signature }),
  };
  const options = { secret: SECRET, now_ms: NOW_MS };
  const read = { id: ID, sent_at: new Date(NOW_MS), event: { type: "movement", id: "evt_1", wallet: "0x1" } };
  expect(await verifyWebhook(request, options)).toEqual(read);
  expect(await verify({ "webhook-signature": signature })).toEqual(read);
});

test("accepts one valid signature among several, and one valid secret", async () => {
  const signature = await sign(EVENT);
  const other = `whsec_${btoa("another secret of 24 byt")}`;
  await verify({ "webhook-signature": `v1a,xx v1,AAAA ${signature}` });
  await verify({ "webhook-signature": signature }, { secret: [other, SECRET] });
  await expect(verify({ "webhook-signature": signature }, { secret: other })).rejects.toMatchObject({
    fault: "signature",
  });
});

test.each<[string, Partial<Record<string, string>>, string]>([
  ["no id", { "webhook-id": "" }, "headers"],
  ["no time", { "webhook-timestamp": "soon" }, "headers"],
  ["no signature", {}, "headers"],
  ["a signature of another version", { "webhook-signature": SIGNATURE.replace("v1", "v2") }, "signature"],
  ["a signature of another body", { "webhook-signature": SIGNATURE }, "signature"],
  ["a signature that is not base64", { "webhook-signature": "v1,%%%" }, "signature"],
  ["an old time", { "webhook-signature": SIGNATURE, "webhook-timestamp": "1614265029" }, "time"],
  ["a future time", { "webhook-signature": SIGNATURE, "webhook-timestamp": "1614265631" }, "time"],
])("%s is refused", async (_name, headers, fault) => {
  await expect(verify(headers)).rejects.toMatchObject({ name: "WebhookError", fault });
});

test("refuses one changed byte of body, id or time, and a malformed secret", async () => {
  const signature = await sign(EVENT);
  const good = { "webhook-signature": signature };
  await expect(verify(good, {}, EVENT.replace("0x1", "0x2"))).rejects.toMatchObject({ fault: "signature" });
  await expect(verify({ ...good, "webhook-id": `${ID}x` })).rejects.toMatchObject({ fault: "signature" });
  await expect(verify({ ...good, "webhook-timestamp": "1614265331" })).rejects.toMatchObject({ fault: "signature" });
  for (const secret of ["", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_", "whsec_%"])
    await expect(verify(good, { secret })).rejects.toMatchObject({ fault: "secret" });
});
