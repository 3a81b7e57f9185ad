import fc from "fast-check";
import { expect, test } from "vitest";
import { historyOf, type MovementRow, OWNER, WRAPPED } from "../../../../test/movements.ts";
import { addressOf } from "../../../../test/value_rows.ts";
import { hex } from "../../../lib/bytes.ts";
import { atOnce } from "../../../lib/turns.ts";
import type { MovementKind } from "../../address/movements/movements.ts";
import { groupRows } from "./group_rows.ts";
import { volumesOf } from "./volumes.ts";

/** Sums of a history compared with exact sums made one row at a time, over the kinds of movements of three families. */

const TOKENS = ["", WRAPPED, hex("aa".repeat(20)), hex("bb".repeat(20)), hex("cc".repeat(32))] as const;
/** Nanodollars of a base unit: whole, so that nothing rounds. The third token has no price. */
const NANO: Readonly<Record<string, bigint>> = { [TOKENS[0]]: 3n, [TOKENS[1]]: 3n, [TOKENS[3]]: 1n, [TOKENS[4]]: 7n };
const PEERS = ["", OWNER, WRAPPED, addressOf(5), addressOf(6), hex("dd".repeat(32))] as const;
const KINDS: readonly MovementKind[] = [
  "native",
  "internal",
  "erc20",
  "erc721",
  "wrap",
  "fee",
  "tip",
  "reward",
  "withdrawal",
  "spl",
  "trc20",
  "trc10",
  "rent",
];
const COSTS: readonly (MovementKind | undefined)[] = ["fee", "tip", "rent"];
const prices = Object.fromEntries(Object.entries(NANO).map(([token, nano]) => [token, Number(nano) / 1e9]));

const row = fc.record({
  gap: fc.nat({ max: 2 }),
  tx: fc.nat({ max: 1 }),
  direction: fc.constantFrom(1 as const, -1 as const),
  kind: fc.constantFrom(...KINDS),
  token: fc.constantFrom(...TOKENS),
  peer: fc.constantFrom(...PEERS),
  amount: fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 2 ** 31 - 1 })).map(BigInt),
  is_own: fc.boolean(),
});

/** Rows in their order; all rows of a transaction share its sender. */
const rows = fc.array(row, { maxLength: 60 }).map((drawn): MovementRow[] => {
  let block = 1;
  const placed = drawn.map(({ gap, ...rest }, position) => {
    block += gap;
    return { ...rest, block, position, time: block * 12 };
  });
  placed.sort((a, b) => a.block - b.block || a.tx - b.tx || a.position - b.position);
  const owners = new Map(placed.map((one) => [`${one.block}:${one.tx}`, one.is_own]));
  return placed.map((one) => ({ ...one, is_own: owners.get(`${one.block}:${one.tx}`) ?? false }));
});

const nanoOf = ({ token = "", kind, amount = 0n }: MovementRow): bigint | null => {
  const nano = NANO[token];
  return nano === undefined || kind === "erc721" ? null : nano * amount;
};

const isCounted = (one: MovementRow): boolean => !COSTS.includes(one.kind) && one.peer !== OWNER;

interface ReferenceSums {
  interactions: number;
  unpriced: number;
  nano_in: bigint;
  nano_out: bigint;
  places: Set<string>;
}

test("groups are the sums of their rows by peer, token or direction, with and without spam", () => {
  fc.assert(
    fc.property(
      rows,
      fc.boolean(),
      fc.constantFrom("peer", "token", "peer_and_token", "direction", "none"),
      (list, include_spam, by) => {
        const history = historyOf(list, { prices });
        const { movements, spam } = history;
        const expected = new Map<string, ReferenceSums>();
        for (const [i, one] of list.entries()) {
          if (!isCounted(one) || one.peer === "" || (!include_spam && spam[i] !== 0)) continue;
          const parts = [
            by.startsWith("peer") ? one.peer : "-",
            by.endsWith("token") ? one.token : "-",
            by === "direction" ? one.direction : 0,
          ];
          const key = parts.join(" ");
          const known = expected.get(key) ?? {
            interactions: 0,
            unpriced: 0,
            nano_in: 0n,
            nano_out: 0n,
            places: new Set(),
          };
          expected.set(key, known);
          const nano = nanoOf(one);
          known.interactions += 1;
          known.unpriced += nano === null ? 1 : 0;
          known[one.direction === 1 ? "nano_in" : "nano_out"] += nano ?? 0n;
          known.places.add(`${one.block}:${one.tx}`);
        }
        const found = atOnce(
          groupRows(
            history,
            { party: movements.peer, peer: movements.peer, wanted: null },
            {
              by_peer: by.startsWith("peer"),
              by_token: by.endsWith("token"),
              by_direction: by === "direction",
              direction: 0,
              token: null,
              include_spam,
              with_void: false,
            },
          ),
        ).filter(({ interactions }) => interactions > 0);
        const told = found.map((group) => {
          const parts = [
            group.peer < 0 ? "-" : movements.peers.textOf(group.peer),
            group.token < 0 ? "-" : movements.tokens.textOf(group.token),
            group.direction,
          ];
          const { interactions, unpriced, transactions } = group;
          return [parts.join(" "), interactions, unpriced, group.nano_in.nano, group.nano_out.nano, transactions];
        });
        expect(new Set(told.map(String))).toEqual(
          new Set(
            [...expected].map(([key, one]) =>
              String([key, one.interactions, one.unpriced, one.nano_in, one.nano_out, one.places.size]),
            ),
          ),
        );
      },
    ),
    { numRuns: 300 },
  );
});

/**
 * Coins that went to or came from one address in a transaction and equal the amount that the wallet wrapped or
 * unwrapped in it.
 */
const accountSides = (list: readonly MovementRow[]): ReadonlySet<MovementRow> => {
  const found = new Set<MovementRow>();
  for (const scope of new Set(list.map(({ block, tx }) => `${block}:${tx}`))) {
    const of = [...list.entries()].filter(([, { block, tx }]) => `${block}:${tx}` === scope);
    for (const way of [1, -1]) {
      const wraps = of.filter(([, { kind, direction }]) => kind === "wrap" && direction === way);
      const coins = of.filter(([, one]) => one.token === "" && one.direction === -way && !COSTS.includes(one.kind));
      const is_answered = coins.some(([, { peer, kind }]) => peer === WRAPPED || kind === "wrap");
      const [last] = wraps.at(-1) ?? [];
      if (last === undefined || is_answered) continue;
      const total = wraps.reduce((sum, [, { amount = 0n }]) => sum + amount, 0n);
      const sides = [...new Set(coins.map(([, { peer }]) => peer))].flatMap((peer) => {
        const rows = coins.filter(([, one]) => one.peer === peer);
        const amount = rows.reduce((sum, [, one]) => sum + (one.amount ?? 0n), 0n);
        if (peer === "" || peer === OWNER || amount !== total) return [];
        return [{ rows, gap: Math.min(...rows.map(([i]) => Math.abs(i - last))) }];
      });
      const [nearest] = sides.sort((a, b) => a.gap - b.gap);
      for (const [, one] of nearest?.rows ?? []) found.add(one);
    }
  }
  return found;
};

test("inflow and outflow are every priced movement, and their parts count once", () => {
  fc.assert(
    fc.property(rows, (list) => {
      const history = historyOf(list, { prices });
      const volumes = volumesOf(history);
      const voids = volumesOf(history, { is_void: true });
      const sides = accountSides(list);
      const sums = { all: [0n, 0n], voided: [0n, 0n], wraps: [0n, 0n], rewards: [0n, 0n], hidden: [0n, 0n] };
      for (const [i, one] of list.entries()) {
        const nano = nanoOf(one);
        if (!isCounted(one) || history.spam[i] !== 0 || nano === null) continue;
        const side = one.direction === 1 ? 0 : 1;
        sums.all[side] = (sums.all[side] ?? 0n) + nano;
        const is_wrapping = one.token === WRAPPED && one.peer === "";
        const is_paid = one.token === "" && (one.peer === WRAPPED || sides.has(one));
        const is_wrap = is_wrapping || one.kind === "wrap" || is_paid;
        const is_reward = one.kind === "reward" || one.kind === "withdrawal";
        const part = is_wrap ? "wraps" : is_reward ? "rewards" : one.peer === "" ? "voided" : null;
        if (part !== null) sums[part][side] = (sums[part][side] ?? 0n) + nano;
        if (one.peer === "" && !is_wrap) sums.hidden[side] = (sums.hidden[side] ?? 0n) + nano;
      }
      const usd = (nano: bigint | undefined): number => Number(nano) / 1e9;
      for (const [side, name] of [
        [0, "in"],
        [1, "out"],
      ] as const) {
        expect(volumes[name]).toMatchObject({
          usd: usd(sums.all[side]),
          voided_usd: usd(sums.voided[side]),
          wraps_usd: usd(sums.wraps[side]),
          rewards_usd: usd(sums.rewards[side]),
        });
        expect(voids[name].usd).toBe(usd(sums.hidden[side]));
      }
    }),
    { numRuns: 300 },
  );
});
