import { expect, test } from "vitest";
import { bench, creditsOf, GOOD } from "../../../../test/contract/bench.ts";
import { has_envelope_vectors, readEnvelopeVectors } from "../../../../test/contract/envelope_vectors.ts";
import { rawRequest } from "../../../../test/contract/raw.ts";

const service = await bench();
/** fetch adds a Content-Type of its own where the request has none, so these are sent by hand. */
const send = (headers: Readonly<Record<string, string>>, body: Buffer) => {
  const all = { host: "a", connection: "close", authorization: `Bearer ${service.customer.key.secret}`, ...headers };
  const lines = Object.entries({ ...all, "content-length": String(body.length) }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return rawRequest(
    service.port,
    Buffer.concat([Buffer.from(`POST /api/tools/show HTTP/1.1\r\n${lines.join("")}\r\n`), body]),
  );
};

test.skipIf(!has_envelope_vectors)(
  "recorded answers hold over the wire, every seventh of them (needs ../shared/data)",
  async () => {
    const vectors = readEnvelopeVectors();
    const some = vectors.filter((vector, at) => at % 7 === 0 || !/^(cut|deleted|inserted)/.test(vector.why));
    expect(some.length).toBeGreaterThan(50);
    for (const vector of some) {
      const type: Record<string, string> = vector.content_type === null ? {} : { "content-type": vector.content_type };
      const reply = await send({ ...type, ...vector.headers }, Buffer.from(vector.body_base64, "base64"));
      const body: unknown = JSON.parse(reply.body);
      const { detail } = body as { detail?: unknown };
      if (vector.expect.status === 200) {
        // The envelope passed: what these bodies say is judged as arguments.
        expect(detail, vector.why).toMatch(/^Invalid arguments for tool 'show': /);
        continue;
      }
      expect(reply.status, vector.why).toBe(vector.expect.status);
      if (Array.isArray(detail))
        expect(
          detail.map(({ msg: _, input: __, ...rest }) => rest),
          vector.why,
        ).toEqual(vector.expect.detail);
      else expect(typeof detail).toBe(vector.expect.detail);
    }
  },
);

test("malformed JSON names the place in code points", async () => {
  const { status, body, headers } = await service.post("show", '{"😀": x}');
  expect(status).toBe(422);
  expect(body.detail).toEqual([
    { type: "json_invalid", loc: ["body", 6], msg: "JSON decode error", input: {}, ctx: { error: "Expecting value" } },
  ]);
  expect(headers.get("x-credits-charged")).toBe("0");
});

test("header and body items are in one array, and no key is consumed", async () => {
  const reply = await service.post("show", "[]", { headers: { "idempotency-key": "y".repeat(65) } });
  expect(reply.body.detail).toEqual([
    {
      type: "string_too_long",
      loc: ["header", "idempotency-key"],
      msg: "String should have at most 64 characters",
      input: "y".repeat(65),
      ctx: { max_length: 64 },
    },
    { type: "dict_type", loc: ["body"], msg: "Input should be a valid dictionary", input: [] },
  ]);
  expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: 500_000 });
});

test("a key sent twice is refused once", async () => {
  const body = JSON.stringify(GOOD);
  const reply = await rawRequest(
    service.port,
    `POST /api/tools/show HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.customer.key.secret}\r\nContent-Type: application/json\r\n` +
      `Idempotency-Key: a\r\nidempotency-key: a\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
  );
  expect(reply.status).toBe(422);
  expect(JSON.parse(reply.body).detail).toEqual([
    { type: "multiple", loc: ["header", "idempotency-key"], msg: "Header should be sent once" },
  ]);
});

test("faults of the envelope come before faults of the arguments", async () => {
  const reply = await service.post("show", { nonsense: 1 }, { headers: { "idempotency-key": "a b" } });
  expect(reply.body.detail[0]).toMatchObject({ type: "string_pattern_mismatch" });
});
