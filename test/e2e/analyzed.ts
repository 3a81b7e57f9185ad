import { on } from "../../src/demo/evm/act.ts";
import { type SharedWorldService, T0 } from "./served_world.ts";
import type { Truth } from "./truth.ts";

/** Transactions of the story by sender and time, and the service's analysis of them. */

interface AnalyzedChange {
  readonly address: string;
  readonly token: string;
  readonly amount_raw: string;
}

export const codesOf = (body: { risk_flags: readonly { code: string }[] }): readonly string[] =>
  body.risk_flags.map(({ code }) => code);

export const analyst = (stage: SharedWorldService, truth: Truth) => {
  const analyze = (tx_hash: string, more: Readonly<Record<string, unknown>> = {}) =>
    stage.ask("analyze_transaction", { tx_hash, network: "demo", ...more });
  return {
    analyze,
    told: async (hash: string) => (await analyze(hash)).body,
    /** The n-th transaction of a sender, counted from 0. */
    hashOf: (who: string, n: number): string => {
      const sent = truth.sentBy(who).at(n);
      if (sent === undefined) throw new Error(`${who} did not send ${n} transactions`);
      return sent.hash;
    },
    /** The n-th transaction of a sender on a day of the story. */
    onDay: (who: string, day: number, n = 0): string => {
      const [from, until] = [T0 + on(day, 0), T0 + on(day + 1, 0)];
      const sent = truth.sentBy(who).filter(({ time }) => time >= from && time < until)[n];
      if (sent === undefined) throw new Error(`${who} sent no transaction ${n} on day ${day}`);
      return sent.hash;
    },
    /** Gains and losses of one address, by token. */
    changesOf: (body: { asset_changes: readonly AnalyzedChange[] }, who: string): Record<string, string> =>
      Object.fromEntries(
        body.asset_changes
          .filter(({ address }) => address === truth.addressOf(who))
          .map(({ token, amount_raw }) => [token, amount_raw]),
      ),
  };
};

export type Analyst = ReturnType<typeof analyst>;
