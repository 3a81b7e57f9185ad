import { expect, test } from "vitest";
import { bench, creditsOf, GOOD } from "../../../../test/contract/bench.ts";

const service = await bench();
const UNREADABLE = { detail: "There was an error parsing the body" };

const nested = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

test.each([
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ["a surrogate in UTF-8", Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
  ["UTF-16", Buffer.from(JSON.stringify(GOOD), "utf16le")],
  ["UTF-16 with a mark", Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(JSON.stringify(GOOD), "utf16le")])],
  ["UTF-32", Buffer.from([...JSON.stringify(GOOD)].flatMap((letter) => [0, 0, 0, letter.charCodeAt(0)]))],
  ["33 levels", nested(33)],
  ["20,000 levels that never close", "[".repeat(20_000)],
  ["an integer of 5,000 digits", `{"page":${"9".repeat(5000)}}`],
])("%s cannot be parsed", async (_, body) => {
  const reply = await service.post("show", body);
  expect({ status: reply.status, body: reply.body }).toEqual({ status: 400, body: UNREADABLE });
  expect(creditsOf(reply)).toMatchObject({ charged: 0, remaining: 500_000 });
});

test("a body that cannot be parsed wins over a faulty header", async () => {
  const reply = await service.post("show", "[".repeat(40), { headers: { "idempotency-key": "" } });
  expect(reply.body).toEqual(UNREADABLE);
});

test("it consumes no Idempotency-Key", async () => {
  const headers = { "idempotency-key": "once-400" };
  expect((await service.post("show", nested(40), { headers })).status).toBe(400);
  expect((await service.post("show", GOOD, { headers })).status).toBe(200);
});
