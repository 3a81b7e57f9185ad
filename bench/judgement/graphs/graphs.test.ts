import { expect, test } from "vitest";
import { frontierOf, splitOf } from "../../../src/domain/compliance/risk/frontier.ts";
import { trace } from "../../../src/domain/compliance/risk/trace.ts";
import { type LedgerTransfer, valueEventsOf } from "../../../src/domain/compliance/risk/value_events_of.ts";
import { named } from "../../../test/named.ts";
import { AMOUNTS } from "./amounts.ts";
import { ASSETS } from "./assets.ts";
import { type PaymentGraph, PRICES } from "./graph.ts";

// The real reading of transfers and the real trace over payment graphs whose answers are worked out by hand.

const ROW = /^(\d+): (\S+) > (\S+) ([\d.]+) (\S+)(?: @ (\d+))?$/;
const UNITS = 1e6;

/** The ledger reads a wrapped coin as the coin. */
const assetOf = (symbol: string): string => (symbol === "WETH" ? "ETH" : symbol);
const who = (name: string) => (name === "void" ? named("") : named(name));

const transferOf = (row: string, position: number): LedgerTransfer => {
  const [, block = "", source = "", destination = "", amount = "", symbol = "", price] = ROW.exec(row) ?? [];
  if (symbol === "") throw new Error(`not a row: ${row}`);
  const bucket = assetOf(symbol);
  const unit = price === undefined ? PRICES[bucket] : Number(price);
  return {
    ...{ block_number: Number(block), tx_index: 0, position, time: Number(block) },
    ...{ source: who(source), destination: who(destination), bucket },
    ...{ token: named(symbol), is_collectible: false },
    amount: BigInt(Math.round(Number(amount) * UNITS)),
    usd: unit === undefined ? null : Number(amount) * unit,
    is_limited: false,
  };
};

const answerOf = ({ rows, flagged, services = [], contracts = [], unread = [], method = "haircut" }: PaymentGraph) => {
  const transfers = rows.map(transferOf);
  const [bad, stops, plain] = [flagged, services, contracts].map((names) => new Set(names.map(named)));
  if (bad === undefined || stops === undefined || plain === undefined) throw new Error("three lists");
  const closed = new Set([...flagged, ...services, ...unread, ""].map(named));
  const met = new Set(transfers.flatMap(({ source, destination }) => [source, destination]));
  const actors = new Set([...met].filter((address) => !closed.has(address)));
  const wallet = named("target");
  const events = valueEventsOf(transfers, {
    actors,
    flagged: bad,
    venueOf: (address) => (stops.has(address) ? "service" : plain.has(address) ? "contract" : null),
  });
  const question = { wallet, flagged: bad, through: new Set([...actors].filter((address) => address !== wallet)) };
  const traced = trace(events, { ...question, method });
  const frontier = frontierOf(events, question);
  return {
    ...traced,
    ...splitOf(frontier, {
      totals: traced.totals,
      flagged: bad,
      isStop: (one) => stops.has(one),
      legParts: () => null,
    }),
  };
};

const exposureOf = ({ trails }: ReturnType<typeof answerOf>): Record<string, number> => {
  const sums: Record<string, number> = {};
  for (const { direction, source, hops, usd } of trails) {
    const key = `${direction} ${hops === 1 ? "direct" : "indirect"} ${source}`;
    sums[key] = (sums[key] ?? 0) + usd;
  }
  return sums;
};

/** Whether each amount is within 1 % of the expected one; the names are the same. */
const near = (found: Readonly<Record<string, number>>, expected: Readonly<Record<string, number>>): void => {
  expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort());
  for (const [key, usd] of Object.entries(expected)) {
    const off = Math.abs((found[key] ?? Number.NaN) - usd);
    expect([key, found[key], off <= 0.01 * usd + 1e-6]).toEqual([key, found[key], true]);
  }
};

const GRAPHS = [...AMOUNTS, ...ASSETS];

test.each(GRAPHS)("$name", (graph) => {
  const { expected } = graph;
  const answer = answerOf(graph);
  near(exposureOf(answer), expected.exposure);
  expect(
    answer.trails
      .filter(({ is_dust }) => is_dust)
      .map(({ source }) => source)
      .sort(),
  ).toEqual([...(expected.dust ?? [])].sort());
  const { followed_usd, stopped_at_services_usd, not_followed_usd } = answer;
  near(
    { followed_usd, stopped_at_services_usd, not_followed_usd },
    {
      followed_usd: expected.followed_usd,
      stopped_at_services_usd: expected.stopped_at_services_usd,
      not_followed_usd: expected.not_followed_usd,
    },
  );
  if (expected.hops !== undefined) expect(Math.min(...answer.trails.map(({ hops }) => hops))).toBe(expected.hops);
});
