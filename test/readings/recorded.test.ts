/** Recorded transactions of users, read by the product and judged by the rules of ../shared/data/readings. */
import { describe, expect, test } from "vitest";
import { headlineOf } from "../../src/domain/transaction/headline/headline.ts";
import { netOf, netsOf } from "../../src/domain/transaction/headline/nets.ts";
import { type Headline, KINDS } from "../../src/domain/transaction/headline/types.ts";
import { type ExpectedReading, judge, type ReadingVerdict } from "./judge.ts";
import { readings } from "./readings.ts";
import { expected, is_recorded } from "./recorded.ts";

/** Of 167: a change must not read fewer correctly, nor report more that did not happen. */
const RIGHT_MIN = 160;
const WRONG_MAX = 1;

interface JudgedReading {
  readonly expected: ExpectedReading;
  readonly headline: Headline | null;
  readonly verdict: ReadingVerdict;
}

const judged = (): readonly JudgedReading[] => {
  const wanted = new Map(expected().map((one) => [`${one.network} ${one.tx}`, one]));
  return readings().flatMap(({ network, hash, told }): readonly JudgedReading[] => {
    const want = wanted.get(`${network.id} ${hash}`);
    if (want === undefined) return [];
    const headline = headlineOf(told);
    return [{ expected: want, headline, verdict: judge(want, headline) }];
  });
};

const tableOf = (rows: readonly JudgedReading[]): string => {
  const kinds = [...new Set(rows.map((row) => row.expected.kind))].sort();
  const count = (of: readonly JudgedReading[], verdict: ReadingVerdict["verdict"]) =>
    String(of.filter((row) => row.verdict.verdict === verdict).length).padStart(8);
  const line = (name: string, of: readonly JudgedReading[]): string =>
    name.padEnd(16) + (["right", "partly", "silent", "wrong"] as const).map((verdict) => count(of, verdict)).join("");
  return [
    `${"".padEnd(16)}   right  partly  silent   wrong`,
    ...kinds.map((kind) =>
      line(
        kind,
        rows.filter((row) => row.expected.kind === kind),
      ),
    ),
    line("all", rows),
  ].join("\n");
};

describe.skipIf(!is_recorded)("recorded transactions", () => {
  const rows = is_recorded ? judged() : [];

  test("are read correctly", () => {
    console.info(tableOf(rows));
    const of = (verdict: ReadingVerdict["verdict"]) => rows.filter((row) => row.verdict.verdict === verdict);
    expect(of("right").length).toBeGreaterThanOrEqual(RIGHT_MIN);
    expect(of("wrong").length).toBeLessThanOrEqual(WRONG_MAX);
  });

  /** docs/protocols.md shows it; after an intended change: vitest -u, then node dist/scripts/gen.js. */
  test("are counted by protocol and network for the page of protocols", async () => {
    const counts: Record<string, Record<string, number>> = {};
    for (const { headline, expected: want, verdict } of rows) {
      if (verdict.verdict !== "right" || headline === null || headline.protocol === null) continue;
      const { name } = headline.protocol;
      counts[name] = { ...counts[name], [want.network]: (counts[name]?.[want.network] ?? 0) + 1 };
    }
    const sorted = Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
    await expect(`${JSON.stringify(sorted, null, 2)}\n`).toMatchFileSnapshot("checked.json");
  });

  test("have headlines whose tokens are the actor's nets", () => {
    for (const { told } of readings()) {
      const headline = headlineOf(told);
      if (headline === null) continue;
      const { given, received } = netOf(netsOf(told.movements), headline.actor);
      const sum = (sides: readonly { token: string; amount: bigint }[]) =>
        sides.map(({ token, amount }) => `${token} ${amount}`).sort();
      const { type, debt, fee } = headline;
      expect(sum([...headline.given, ...fee, ...(type === "repay" ? debt : [])])).toEqual(sum(given));
      expect(sum([...headline.received, ...(type === "borrow" ? debt : [])])).toEqual(sum(received));
    }
  });

  test("that hold a trade are never a transfer", () => {
    for (const { told } of readings()) {
      const has_swap = told.actions.some(({ type }) => type === "swap");
      const headline = headlineOf(told);
      if (has_swap && headline !== null) expect(KINDS[headline.type].category).not.toBe("transfer");
    }
  });
});
