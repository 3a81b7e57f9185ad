/** Hops of routes, and trades at exchanges whose pools are unknown. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type MadeBalance,
  type MadeInstruction,
  madeKey,
  madeTransaction,
  packed,
  TOKEN,
} from "../../demo/solana/made_transaction.ts";
import { fromBase58, toBase58 } from "../../lib/base58.ts";
import { type Bytes, fromHex } from "../../lib/bytes.ts";
import { fieldsOf } from "../node/answer.ts";
import { parseLossless } from "../node/lossless_json.ts";
import { poolActsOf } from "./pool_acts.ts";
import { programActsOf } from "./program_acts.ts";
import { routeLegsOf } from "./route_events.ts";
import { readRawTransaction } from "./transaction.ts";
import { Keys } from "./wire.ts";

const JUPITER = "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4";
const HUMIDIFI = "9H6tua7jkLhdm3w8BvgpTn5LZNU7g4ZynDmCiNN3q6Rp";
const short = (bytes: Bytes | null): string => (bytes === null ? "-" : toBase58(bytes).slice(0, 4));

const read = (json: unknown) => {
  const raw = readRawTransaction(json, new Keys());
  return { raw, hops: poolActsOf(raw), acts: programActsOf(raw) };
};

/** Venue, pool, and the amounts that the trader gave and received. */
const hopsOf = (json: unknown): unknown[] =>
  read(json).hops.map(({ name, pool, token0, token1, swap }) => {
    const [paid, got] = (swap?.amount0 ?? 0n) > 0n ? [token0, token1] : [token1, token0];
    return [name, short(pool), `${swap?.given} ${short(paid)} for ${swap?.received} ${short(got)}`];
  });

const actsOf = (json: unknown): unknown[] =>
  read(json).acts.map(({ name, kind, account, given, received }) => [
    `${name} ${kind}`,
    short(account),
    given.map(({ token, amount }) => `${amount} ${token.length === 0 ? "coins" : short(token)}`),
    received.map(({ token, amount }) => `${amount} ${token.length === 0 ? "coins" : short(token)}`),
  ]);

const RECORDED = join(import.meta.dirname, "../../../../shared/data/readings/solana.jsonl.gz");

describe.skipIf(!existsSync(RECORDED))("recorded routes of Jupiter", () => {
  const lines = existsSync(RECORDED) ? gunzipSync(readFileSync(RECORDED)).toString("utf8").split("\n") : [];
  const transactions = lines
    .filter((line) => line !== "")
    .map((line) => fieldsOf(parseLossless(line), "line").transaction);

  test("finds every hop, those of venues without published code too", () => {
    // From the token program's transfers in the recordings, read by hand.
    expect(transactions.map(hopsOf)).toEqual([
      [["ZeroFi", "-", "1090650 EPjF for 2143812 JUPy"]],
      [["Orca Whirlpool", "3ndj", "1984309890 KMNo for 171477013 EPjF"]],
      [["Raydium AMM v4", "8hqM", "106347883 EqtN for 29137025 So11"]],
      [
        ["HumidiFi", "-", "1718280 EPjF for 9015764 So11"],
        ["Meteora DLMM", "79Qj", "279720 EPjF for 1867189866 DezX"],
        ["Orca Whirlpool", "5zpy", "1867189866 DezX for 1458716 So11"],
        // 10,345,617 for the pool; 96,195 and 31,031 for the protocol and the coin's creator.
        ["PumpSwap", "DQcn", "10472843 So11 for 66980582126 CFJx"],
      ],
      [
        ["Byreal", "23Xo", "27853252 EPjF for 27859855 Es9v"],
        ["Raydium CLMM", "3nMF", "27859855 Es9v for 179601400 So11"],
        ["Raydium CLMM", "BdYa", "179601400 So11 for 10000000000 5Tfq"],
      ],
    ]);
  });

  test("a route is one act of its signer: its net, with the fee beside it", () => {
    expect(transactions.map(actsOf)).toEqual([
      [["Jupiter v6 swap", "DtMU", ["1100000 EPjF"], ["2143812 JUPy"]]],
      [["Jupiter v6 swap", "AV6V", ["1984309890 KMNo"], ["171305536 EPjF"]]],
      [["Jupiter v6 swap", "DYH6", ["106347883 EqtN"], ["29137025 So11"]]],
      [["Jupiter v6 swap", "HQd6", ["2000000 EPjF"], ["1637 So11", "66980582126 CFJx"]]],
      [["Jupiter v6 swap", "AS25", ["27853252 EPjF"], ["10000000000 5Tfq"]]],
    ]);
  });

  test("an amount that a program took from the trader is not in its pool", () => {
    const { hops } = read(transactions[3]);
    expect(hops[3]?.swap).toMatchObject({ amount0: 10_345_617n, given: 10_472_843n });
  });
});

const ALICE = madeKey(1);
const VENUES = [HUMIDIFI, madeKey(201), madeKey(202)] as const;
const MINTS = [11, 12, 13, 14, 15, 16].map(madeKey);
const mintAt = (i: number): string => MINTS[i] ?? "";
const own = (i: number): string => madeKey(30 + i);
const vault = (hop: number, i: number): string => madeKey(60 + 10 * hop + i);
const AUTHORITY = madeKey(99);
const key = (text: string): Uint8Array => fromBase58(text) ?? new Uint8Array(0);

const send = (from: string, to: string, amount: bigint): MadeInstruction => ({
  program: TOKEN,
  accounts: [from, to, ALICE],
  data: packed(["u8", 3], ["u64", amount]),
});

interface Hop {
  readonly venue: string;
  readonly paid: number;
  readonly got: number;
  readonly amount_in: bigint;
  readonly amount_out: bigint;
}

const ROUTE_TAG = "bb64facc31c4af14";
const MANY_TAG = "e445a52e51cb9a1d982f4eebc0606e6a";
const bytesOf = (hex: string): Uint8Array => fromHex(hex) ?? new Uint8Array(0);

const eventOf = (hops: readonly Hop[]): Uint8Array =>
  packed(
    bytesOf(MANY_TAG),
    ["u32", hops.length],
    ...hops.flatMap(({ paid, got, amount_in, amount_out }) => [
      key(mintAt(paid)),
      packed(["u64", amount_in]),
      key(mintAt(got)),
      packed(["u64", amount_out]),
    ]),
  );

const venueOf = ({ venue, paid, got, amount_in, amount_out }: Hop, hop: number): MadeInstruction => ({
  program: venue,
  accounts: [],
  data: Uint8Array.of(hop, 7, 7),
  inner: [send(vault(hop, got), own(got), amount_out), send(own(paid), vault(hop, paid), amount_in)],
});

const routed = (hops: readonly Hop[], event: Uint8Array = eventOf(hops)) => {
  const held = (mint: string, owner: string, amount: bigint): MadeBalance => ({ mint, owner, amount });
  const tokens: [string, MadeBalance | null, MadeBalance | null][] = MINTS.slice(0, hops.length + 1).map((mint, i) => {
    const net = hops.reduce(
      (sum, { paid, got, amount_in, amount_out }) =>
        sum + (got === i ? amount_out : 0n) - (paid === i ? amount_in : 0n),
      0n,
    );
    return [own(i), held(mint, ALICE, 10n ** 12n), held(mint, ALICE, 10n ** 12n + net)];
  });
  for (const [i, { paid, got, amount_in, amount_out }] of hops.entries()) {
    tokens.push([vault(i, paid), held(mintAt(paid), AUTHORITY, 0n), held(mintAt(paid), AUTHORITY, amount_in)]);
    tokens.push([vault(i, got), held(mintAt(got), AUTHORITY, amount_out), null]);
  }
  const told: MadeInstruction = { program: JUPITER, accounts: [AUTHORITY], data: event };
  const route = { program: JUPITER, accounts: [ALICE], data: bytesOf(ROUTE_TAG), inner: [...hops.map(venueOf), told] };
  return madeTransaction({ lamports: [[ALICE, 10n ** 9n, 10n ** 9n - 5_000n]], tokens, instructions: [route] });
};

const amounts = fc.bigInt({ min: 1n, max: 10n ** 9n });
/** Each hop pays with the output of the one before, or begins again; venues and mints are arbitrary. */
const hops = fc
  .array(fc.record({ venue: fc.constantFrom(...VENUES), amount_in: amounts, amount_out: amounts }), {
    minLength: 1,
    maxLength: 3,
  })
  .map((list): readonly Hop[] => list.map((one, i) => ({ ...one, paid: i, got: i + 1 })));

describe("made routes", () => {
  test("hops add up to what the trader gave and got, whatever the venues", () => {
    fc.assert(
      fc.property(hops, (route) => {
        const { hops: told, acts } = read(routed(route));
        expect(told).toHaveLength(route.length);
        const nets = new Map<string, bigint>();
        const add = (token: Bytes, amount: bigint) =>
          nets.set(toBase58(token), (nets.get(toBase58(token)) ?? 0n) + amount);
        for (const { swap, token0, token1 } of told) {
          const [paid, got] = (swap?.amount0 ?? 0n) > 0n ? [token0, token1] : [token1, token0];
          add(paid, -(swap?.given ?? 0n));
          add(got, swap?.received ?? 0n);
        }
        const [act] = acts;
        for (const { token, amount } of act?.given ?? []) add(token, amount);
        for (const { token, amount } of act?.received ?? []) add(token, -amount);
        expect([...nets.values()].every((net) => net === 0n)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test("an unknown venue is named by its program, and only if the router reports the hop", () => {
    const hop = { venue: VENUES[1], paid: 0, got: 1, amount_in: 70n, amount_out: 30n };
    const json = routed([hop]);
    expect(hopsOf(json)).toEqual([[null, "-", `70 ${mintAt(0).slice(0, 4)} for 30 ${mintAt(1).slice(0, 4)}`]]);
    expect(toBase58(read(json).hops[0]?.program ?? new Uint8Array(0))).toBe(VENUES[1]);
    // The event reports another trade than the movements: the event then counts, under the router's name.
    const other = eventOf([{ ...hop, amount_in: 71n, amount_out: 31n }]);
    expect(hopsOf(routed([hop], other))).toMatchObject([["Jupiter v6", "-", expect.stringContaining("71")]]);
    expect(hopsOf(routed([hop], new Uint8Array(8)))).toEqual([]);
    // Ignores an event of another program.
    expect(routeLegsOf([{ depth: 2, program: 5, call: { accounts: [1], data: other } }], 4)).toEqual([]);
  });

  test("two venues of one route may appear in any order of transfers, and a known one needs no event", () => {
    const hop = { venue: HUMIDIFI, paid: 0, got: 1, amount_in: 70n, amount_out: 30n };
    expect(hopsOf(routed([hop], new Uint8Array(8)))).toMatchObject([["HumidiFi", "-", expect.any(String)]]);
  });

  test("an exchange without an exchange beneath it has no trade", () => {
    const deposit = {
      program: HUMIDIFI,
      accounts: [],
      data: new Uint8Array(1),
      inner: [send(own(0), vault(0, 0), 5n)],
    };
    const balance = (amount: bigint): MadeBalance => ({ mint: mintAt(0), owner: ALICE, amount });
    const json = madeTransaction({
      lamports: [[ALICE, 10_000n, 5_000n]],
      tokens: [
        [own(0), balance(9n), balance(4n)],
        [vault(0, 0), null, { ...balance(5n), owner: AUTHORITY }],
      ],
      instructions: [deposit],
    });
    expect(hopsOf(json)).toEqual([]);
  });

  test("no bytes of an event make the reader throw", () => {
    const event = fc
      .tuple(
        fc.constantFrom(MANY_TAG, "e445a52e51cb9a1d40c6cde8260871e2", "e445a52e51cb9a1d"),
        fc.uint8Array({ maxLength: 200 }),
      )
      .map(([tag, rest]) => Buffer.concat([bytesOf(tag), rest]));
    fc.assert(
      fc.property(hops, event, (route, data) => {
        for (const { swap } of read(routed(route, data)).hops) expect(swap?.given).toBeGreaterThanOrEqual(0n);
      }),
      { numRuns: 60 },
    );
  });
});
