import { HOUR_S } from "../../../lib/time.ts";
import type { QueryRow } from "../../../store/facts.ts";

/** Movements of one hour or interval, in base units. */
export type IntervalFlow = Omit<QueryRow<"flows/token_flows">, "part">;
/** The flow of the hour or interval with this number, counted from the window's first second. */
export type PartFlow = QueryRow<"flows/token_flows">;

/** Numbers of distinct senders and receivers. */
export interface PartyCounts {
  readonly senders: number;
  readonly receivers: number;
}

/** Movements of an interval with the numbers of its senders and receivers. */
export type TokenFlow = PartFlow & PartyCounts;

const together = (a: IntervalFlow, b: IntervalFlow): IntervalFlow => ({
  movements: a.movements + b.movements,
  transfers: a.transfers + b.transfers,
  volume: a.volume + b.volume,
  inflows: a.inflows + b.inflows,
  outflows: a.outflows + b.outflows,
  inflow: a.inflow + b.inflow,
  outflow: a.outflow + b.outflow,
  minted: a.minted + b.minted,
  burned: a.burned + b.burned,
});

/** Sums hours into intervals of `interval_s` seconds, a multiple of an hour. Pure. */
export const intervalsOf = (hours: readonly PartFlow[], interval_s: number): readonly PartFlow[] => {
  const found = new Map<number, PartFlow>();
  for (const hour of hours) {
    const part = Math.floor((hour.part * HOUR_S) / interval_s);
    const known = found.get(part);
    found.set(part, { ...(known === undefined ? hour : together(known, hour)), part });
  }
  return [...found.values()];
};

type PartiesRow = QueryRow<"flows/parties">;

/** Adds senders and receivers, found in several shards of the addresses. Pure. */
export const withParties = (
  flows: readonly PartFlow[],
  interval_s: number,
  answers: readonly (readonly PartiesRow[])[],
): readonly TokenFlow[] =>
  flows.map((flow) => {
    const rows = answers.flat().filter(({ length_s, part }) => length_s === interval_s && part === flow.part);
    const sum = (of: (row: PartiesRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
    return { ...flow, senders: sum(({ senders }) => senders), receivers: sum(({ receivers }) => receivers) };
  });
