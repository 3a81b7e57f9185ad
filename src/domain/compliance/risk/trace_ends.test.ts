import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { TraceMethod } from "../../../lib/trace_method.ts";
import { frontierOf } from "./frontier.ts";
import { traceEnds } from "./trace_ends.ts";
import type { AssetMovement } from "./value_events.ts";

const [W, MIXER, EXCHANGE, P, Q, SHOP] = ["wallet", "mixer", "exchange", "p", "q", "shop"].map(named) as [
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
  Hex,
]; // six names are six addresses

/** `[source, destination, usd]` in a coin of one dollar, each in a block of its own. */
const story = (...steps: readonly (readonly [Hex, Hex, number])[]): readonly AssetMovement[] =>
  steps.map(([source, destination, usd], time) => ({
    ...{ source, destination, asset: "usdc", amount: usd * 1e6, usd, is_limited: false, time },
    tx: { block_number: time, tx_index: 0 },
  }));

const endsOf = (events: readonly AssetMovement[], method: TraceMethod = "haircut") => {
  const question = { wallet: W, flagged: new Set([MIXER]), through: new Set([P, Q]), method };
  return traceEnds(events, question, frontierOf(events, question)).map(
    ({ direction, source, is_followed, path, txs, hops, usd }) => [
      ...[direction, source, is_followed ? "followed" : "stopped", usd, hops],
      path.join(" "),
      txs.map(({ block_number }) => block_number).join(" "),
    ],
  );
};

test("money is traced back to the services that it came from, pro rata, over each neighbour apart", () => {
  // p holds 300 of the exchange and 100 of the shop: its 200 to the wallet are 150 and 50. The shop pays 30 directly.
  expect(endsOf(story([EXCHANGE, P, 300], [SHOP, P, 100], [P, W, 200], [SHOP, W, 30]))).toEqual([
    ["in", EXCHANGE, "stopped", 150, 2, "exchange p wallet", "0 2"],
    ["in", SHOP, "stopped", 50, 2, "shop p wallet", "1 2"],
    ["in", SHOP, "stopped", 30, 1, "shop wallet", "3"],
  ]);
});

test("a flagged source is no end: it is a source of risk", () => {
  expect(endsOf(story([MIXER, P, 300], [EXCHANGE, P, 100], [P, W, 400]))).toEqual([
    ["in", EXCHANGE, "stopped", 100, 2, "exchange p wallet", "1 2"],
  ]);
});

test("money without a known receipt begins at the address that had it", () => {
  // q received 40 of the exchange and pays 100: 60 of them are its own.
  expect(endsOf(story([EXCHANGE, Q, 40], [Q, P, 100], [P, W, 100]))).toEqual([
    ["in", Q, "followed", 60, 2, "q p wallet", "1 2"],
    ["in", EXCHANGE, "stopped", 40, 3, "exchange q p wallet", "0 1 2"],
  ]);
});

test("money that went out is with the services that got it, and with the addresses that still hold it", () => {
  // p has 100 of the shop and 300 of the wallet: of 240 to the exchange 180 are the wallet's, and 120 are left.
  const events = story([SHOP, P, 100], [W, P, 300], [P, EXCHANGE, 240], [W, SHOP, 5]);
  expect(endsOf(events)).toEqual([
    ["out", EXCHANGE, "stopped", 180, 2, "wallet p exchange", "1 2"],
    ["out", P, "followed", 120, 1, "wallet p", "1"],
    ["out", SHOP, "stopped", 5, 1, "wallet shop", "3"],
  ]);
  // First in, first out: the 100 of the shop left first.
  expect(endsOf(events, "fifo")).toEqual([
    ["out", P, "followed", 160, 1, "wallet p", "1"],
    ["out", EXCHANGE, "stopped", 140, 2, "wallet p exchange", "1 2"],
    ["out", SHOP, "stopped", 5, 1, "wallet shop", "3"],
  ]);
});

test("what came from the wallet itself and returned is at no end, and less than a dollar is not shown", () => {
  expect(endsOf(story([W, P, 100], [P, W, 100], [SHOP, W, 0.5]))).toEqual([]);
});
