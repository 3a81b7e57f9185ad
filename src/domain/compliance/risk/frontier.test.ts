import fc from "fast-check";
import { expect, test } from "vitest";
import { named } from "../../../../test/named.ts";
import { frontierOf, splitOf } from "./frontier.ts";
import { trace } from "./trace.ts";
import type { AssetMovement, AssetTrade, ValueEvent } from "./value_events.ts";

const W = named("wallet");
const [MIXER, THIEF, P, Q, R] = ["mixer", "thief", "p", "q", "r"].map(named);
if (!MIXER || !THIEF || !P || !Q || !R) throw new Error("five names");
const flagged = new Set([MIXER, THIEF]);
const question = { wallet: W, flagged, through: new Set([P, Q, R]) };
const tx = { block_number: 1, tx_index: 0 };

const move = (source = W, destination = W, amount = 1, asset = "usdc"): AssetMovement => ({
  ...{ source, destination, asset, amount, usd: amount, is_limited: false, time: 0, tx },
});

const events: fc.Arbitrary<readonly ValueEvent[]> = fc.array(
  fc.oneof(
    fc
      .record({
        source: fc.constantFrom(W, MIXER, THIEF, P, Q, R),
        destination: fc.constantFrom(W, MIXER, THIEF, P, Q, R),
        asset: fc.constantFrom("usdc", "ether"),
        amount: fc.integer({ min: 1, max: 1_000 }),
      })
      .filter(({ source, destination }) => source !== destination)
      .map(({ source, destination, amount, asset }) => move(source, destination, amount, asset)),
    fc.record({ actor: fc.constantFrom(P, Q, R), gave: fc.integer({ min: 1, max: 1_000 }), is_back: fc.boolean() }).map(
      ({ actor, gave, is_back }): AssetTrade => ({
        ...{ actor, time: 0, tx },
        gave: [{ asset: is_back ? "ether" : "usdc", amount: gave, part: 1 }],
        got: [{ asset: is_back ? "usdc" : "ether", amount: gave, part: 1 }],
      }),
    ),
  ),
  { maxLength: 60 },
);

test("backwards from the wallet gives each source what forwards from the source gives the wallet", () => {
  fc.assert(
    fc.property(events, (list) => {
      const { trails } = trace(list, { ...question, method: "haircut" });
      const { ends } = frontierOf(list, question);
      for (const source of flagged) {
        const usd = trails.filter((trail) => trail.source === source).reduce((total, one) => total + one.usd, 0);
        expect(ends.get(source) ?? 0).toBeCloseTo(usd, 6);
      }
    }),
  );
});

test("the parts of a split are all that the wallet received and paid", () => {
  fc.assert(
    fc.property(events, (list) => {
      const { totals } = trace(list, { ...question, method: "haircut" });
      const through = new Set([P, Q]);
      const frontier = frontierOf(list, { ...question, through });
      const split = splitOf(frontier, { totals, flagged, isStop: () => false, legParts: () => null });
      expect(split.stopped_at_services_usd).toBe(0);
      expect(split.followed_usd + split.not_followed_usd).toBeCloseTo(totals.in + totals.out, 6);
      expect(frontier.ends.has(P) || frontier.ends.has(Q)).toBe(false);
    }),
  );
});
