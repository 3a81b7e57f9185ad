/** Recorded transactions of users, read by the product and judged by the rules of ../shared/data/readings. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { headlineOf } from "../../src/domain/transaction/headline/headline.ts";
import { netOf, netsOf } from "../../src/domain/transaction/headline/nets.ts";
import { type Headline, KINDS } from "../../src/domain/transaction/headline/types.ts";
import { type ExpectedReading, judge, type ReadingVerdict } from "./judge.ts";
import { readings } from "./readings.ts";
import { expected, is_recorded } from "./recorded.ts";

/**
 * Of 241 open ones and 110 of protocols that the judge alone knows: a change must not read fewer correctly, nor report
 * more that did not happen. Rules are written without a look at the second part.
 */
const LIMITS = {
  open: { right: 233, wrong: 0 },
  blind: { right: 100, wrong: 0 },
} as const;
const BLIND: ReadonlySet<string> = new Set(
  JSON.parse(readFileSync(new URL("blind_protocols.json", import.meta.url), "utf8")),
);

const CLASS_MIN = 20;

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

const PARTS = ["open", "blind"] as const;
type CorpusPart = (typeof PARTS)[number];

const rowsOf = (rows: readonly JudgedReading[], part: CorpusPart): readonly JudgedReading[] =>
  rows.filter(({ expected: { protocol } }) => BLIND.has(protocol?.name ?? "") === (part === "blind"));

const countsOf = (rows: readonly JudgedReading[]) => {
  const count = (of: ReadingVerdict["verdict"]) => rows.filter(({ verdict }) => verdict.verdict === of).length;
  return { right: count("right"), partly: count("partly"), silent: count("silent"), wrong: count("wrong") };
};

describe.skipIf(!is_recorded)("recorded transactions", () => {
  const rows = is_recorded ? judged() : [];

  test.each(PARTS)("are read correctly: %s", (part) => {
    console.info(tableOf(rowsOf(rows, part)));
    const { right, wrong } = countsOf(rowsOf(rows, part));
    expect(right).toBeGreaterThanOrEqual(LIMITS[part].right);
    expect(wrong).toBeLessThanOrEqual(LIMITS[part].wrong);
  });

  test("have as many right types as their confidence says", () => {
    const shares = new Map<number, { right: number; all: number }>();
    for (const { headline, verdict } of rows) {
      if (headline === null || verdict.verdict === "silent") continue;
      const share = shares.get(headline.confidence) ?? { right: 0, all: 0 };
      shares.set(headline.confidence, share);
      share.all += 1;
      if (verdict.verdict !== "wrong") share.right += 1;
    }
    // A class with few members says nothing about its share.
    const large = [...shares].filter(([, { all }]) => all >= CLASS_MIN);
    expect(large.length).toBeGreaterThanOrEqual(3);
    for (const [confidence, { right, all }] of large) expect(right / all).toBeGreaterThanOrEqual(confidence);
  });

  /** docs/protocols.md shows it; after an intended change: vitest -u, then node dist/scripts/gen.js. */
  test("are counted by protocol and network for the page of protocols", async () => {
    const counts: Record<string, Record<string, number>> = {};
    for (const { headline, expected: want, verdict } of rows) {
      if (verdict.verdict !== "right" || headline === null || headline.protocol === null) continue;
      const { name } = headline.protocol;
      counts[name] = { ...counts[name], [want.network]: (counts[name]?.[want.network] ?? 0) + 1 };
    }
    const right = Object.fromEntries(Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)));
    const verdicts = Object.fromEntries(PARTS.map((part) => [part, countsOf(rowsOf(rows, part))]));
    const text = JSON.stringify({ verdicts, right }, null, 2);
    await expect(`${text}\n`).toMatchFileSnapshot("checked.json");
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
