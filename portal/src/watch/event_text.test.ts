import { expect, test } from "vitest";
import { amountOf, deliveryText, eventText } from "./event_text.ts";

test.each<[unknown, unknown, string | null]>([
  ["1000000000000000000", 18, "1"],
  ["1234567890", 6, "1,234.56789"],
  ["1", 18, "0.000000000000000001"],
  ["0", 6, "0"],
  ["1234567", 0, "1,234,567"],
  [
    "115792089237316195423570985008687907853269984665640564039457584007913129639935",
    77,
    "1.15792089237316195423570985008687907853269984665640564039457584007913129639935",
  ],
  [null, 18, null],
  ["-1", 18, null],
])("%s with %s decimals is %s, exactly", (raw, decimals, text) => {
  expect(amountOf(raw, decimals)).toBe(text);
});

test("names payer, payee, amount and value of a movement", () => {
  const movement = {
    token: { address: "native", symbol: "ETH", decimals: 18 },
    ...{ amount_raw: "1500000000000000000", token_id: null, source: "0x01", destination: "0x02" },
  };
  expect(eventText({ type: "movement", direction: "in", movement, usd: 3_000.5 })).toBe(
    "in: 1.5 ETH from 0x01 to 0x02, $3,000.50",
  );
  const nft = { ...movement, amount_raw: null, token_id: "7", token: { address: "0x03", symbol: "PUNK" } };
  expect(eventText({ type: "movement", direction: "out", movement: nft, usd: null })).toBe(
    "out: PUNK 7 from 0x01 to 0x02, no price",
  );
  expect(eventText({ type: "risk", risk: { before: "clear", now: "blocked" } })).toBe(
    "risk changed from clear to blocked",
  );
  expect(eventText({ type: "paused", because: "credits" })).toBe("paused, because: credits");
  expect(eventText({ type: "test" })).toBe("test");
});

test("names the state of a delivery and its last fault", () => {
  const at = "2026-11-20T12:00:00Z";
  expect(deliveryText({ state: "shown", delivery: null })).toBe("listed and streamed");
  expect(deliveryText({ state: "unpaid", delivery: null })).toBe("not paid");
  const waiting = { state: "waiting", attempts: 1, last_status: 503, last_fault: null, next_at: at };
  expect(deliveryText({ delivery: waiting })).toBe(`waiting after 1 attempt, HTTP 503, next at ${at}`);
  const dead = { state: "dead", attempts: 9, last_status: null, last_fault: "timeout", next_at: null };
  expect(deliveryText({ delivery: dead })).toBe("dead after 9 attempts, timeout");
});
