import { noPatterns } from "../../domain/absences.ts";
import type { SnapshotContext, Warning } from "../../domain/context.ts";
import { readActs } from "../../domain/wallet/history/acts/act.ts";
import { EXCHANGE_CATEGORIES, openFlows, peersLabelled } from "../../domain/wallet/history/flows.ts";
import { hashesOf, readHistory, type ValuedHistory } from "../../domain/wallet/history/history.ts";
import { automationScore, findPatterns, type PatternMatch } from "../../domain/wallet/history/pattern_matches.ts";
import {
  activityOf,
  cadenceOf,
  holdingOf,
  isRound,
  median,
  type PassThrough,
} from "../../domain/wallet/history/patterns.ts";
import { countsOf } from "../../domain/wallet/history/stats/counts.ts";
import { transactionsOf, type WalletTransaction } from "../../domain/wallet/history/transactions.ts";
import { knownUsd, volumesOf } from "../../domain/wallet/history/volumes.ts";
import { checkDates, dateWindow } from "../../domain/window/dates.ts";
import { basisIn, gapsOf } from "../../domain/window/gaps.ts";
import { indexedSince } from "../../domain/window/indexed_since.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { iso } from "../../lib/time.ts";
import { inTurns } from "../../lib/turns.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { readTop } from "./read.ts";
import { input, output, type PatternsOutput } from "./shape.ts";

const METHODOLOGY = "patterns/ledger@1";
const DAYS_BACK = 179;

const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole);

const knownOf = (transactions: readonly WalletTransaction[], side: "in_usd" | "out_usd"): readonly number[] =>
  transactions.map((transaction) => transaction[side]).filter((usd) => usd !== null);

/** The amount of a receipt or payment of one token; null for everything else. */
const singleAmount = ({ type, gained, lost }: WalletTransaction): bigint | null => {
  const moved = type === "receive" ? gained : type === "send" ? lost : null;
  const [raw] = moved?.values() ?? [];
  return moved?.size === 1 && raw !== undefined ? raw : null;
};

interface FlowSums {
  readonly in_usd: number | null;
  readonly out_usd: number | null;
}

const flowPatterns = (
  transactions: readonly WalletTransaction[],
  held: PassThrough,
  { in_usd, out_usd }: FlowSums,
): PatternsOutput["flow_patterns"] => {
  const of = (type: string) => transactions.filter((transaction) => transaction.type === type);
  const received = knownOf(
    transactions.filter(({ lost }) => lost.size === 0),
    "in_usd",
  ).reduce((sum, usd) => sum + usd, 0);
  const amounts = transactions.map(singleAmount).filter((raw) => raw !== null);
  const is_known = in_usd !== null && out_usd !== null;
  return {
    in_usd,
    out_usd,
    net_usd: is_known ? in_usd - out_usd : null,
    median_in_usd: median(knownOf(of("receive"), "in_usd")),
    median_out_usd: median(knownOf(of("send"), "out_usd")),
    median_hold_hours: held.median_hold_hours,
    pass_through_percent: percent(held.passed_usd, received),
    round_amount_percent: percent(amounts.filter(isRound).length, amounts.length),
    in_out_symmetry: is_known ? ratio(Math.min(in_usd, out_usd), Math.max(in_usd, out_usd)) : null,
  };
};

const typeMix = (transactions: readonly WalletTransaction[]): PatternsOutput["type_mix"] => {
  const counts = new Map<string, number>();
  for (const { type } of transactions) counts.set(type, (counts.get(type) ?? 0) + 1);
  return [...counts]
    .map(([type, count]) => ({ type, count, percent: (100 * count) / transactions.length }))
    .sort((a, b) => b.count - a.count || (a.type < b.type ? -1 : 1));
};

const shown = async (history: ValuedHistory, found: readonly PatternMatch[]): Promise<PatternsOutput["detected"]> => {
  const { chain } = history.scope;
  const hashOf = await hashesOf(
    history,
    found.flatMap(({ transactions }) => transactions.map(({ row }) => row)),
  );
  return found.map(({ pattern, confidence, transactions }) => ({
    pattern,
    confidence,
    evidence: transactions.map(({ row, time }) => ({
      kind: "tx" as const,
      ref: chain.formatHash(hashOf(row)),
      observed_at: iso(time),
    })),
  }));
};

const UNAVAILABLE: PatternsOutput["unavailable"] = [
  { field: "detected[].sniper", reason: "purchases are not compared with pool creations" },
  { field: "detected[].airdrop_farmer", reason: "no source lists airdrop contracts" },
  { field: "detected[].peel_chain", reason: "payments are not traced beyond the next wallet" },
];

const onlySpam = (hidden: number): Warning => ({
  code: "ONLY_SPAM",
  message: `${hidden} transactions are flagged as spam and hidden. Set include_spam to show them.`,
});

const patternsOf = (
  transactions: readonly WalletTransaction[],
  window: { from: number; until: number },
  flowed: FlowSums,
) => {
  const own = transactions.filter(({ is_own }) => is_own);
  const held = holdingOf(transactions);
  return {
    own,
    held,
    said: {
      activity: activityOf(transactions, window),
      cadence: cadenceOf(own),
      flow_patterns: flowPatterns(transactions, held, flowed),
      type_mix: typeMix(transactions),
      automation_score: automationScore(own),
    },
  };
};

export const getWalletTransactionPatterns = defineTool({
  name: "get_wallet_transaction_patterns",
  title: "Transaction patterns of a wallet",
  description:
    "Behaviour of a wallet in a window: activity and trend, hours and intervals, sizes and holding times of its flows, kinds of transactions, protocols and tokens, and detected patterns (regular purchases or payments, pass-through, fan-out, wash trading, deposits to exchanges, automation), each with its transactions. Use it to tell whether a wallet is a bot, at which hours it is active, what it pays regularly.",
  credits: 15,
  families: ["evm", "solana", "tron"],
  subjects: ["address"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.trader, network: "demo" },
  check: (asked, { today }) => checkDates(asked, today),
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const wallet = asked.address.hex;
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
    const window = dateWindow(asked, snapshot.block.time, DAYS_BACK);
    const [history, gaps, existing] = await Promise.all([
      readHistory(scope, wallet, window),
      gapsOf(scope, window),
      indexedSince(scope),
    ]);
    const { include_spam } = asked;
    const division = { acts: await readActs(history), include_spam };
    const { list: transactions, hidden_spam } = await inTurns(transactionsOf(history, division), context.signal);
    const range = { from: window.from_date, to: window.to_date };
    const described = metadataFor(chain, await basisIn(scope, window), {
      echo: { address: asked.address.text, date_range: range },
      methodology: METHODOLOGY,
      warnings: [
        ...window.warnings,
        ...gaps,
        ...history.warnings,
        ...(transactions.length === 0 && hidden_spam > 0 ? [onlySpam(hidden_spam)] : []),
      ],
    });
    const counts = countsOf(history);
    // As in get_wallet_stats: rewards and the coins of a genesis are movements without a transaction.
    const times = [counts.first_time, counts.last_time, transactions[0]?.time, transactions.at(-1)?.time];
    const known = times.flatMap((time) => time ?? []);
    const seen = known.length === 0 ? null : { first: Math.min(...known), last: Math.max(...known) };
    if (seen === null) {
      const words = noPatterns(asked.network, range, hidden_spam);
      return emptyOutcome({ type: "transaction_patterns", metadata: described }, words, gaps.length === 0);
    }
    const span = { from: Math.max(window.from, existing), until: Math.min(window.until, snapshot.block.time + 1) };
    const volumes = volumesOf(history, { include_spam });
    const flowed = { in_usd: knownUsd(volumes.in), out_usd: knownUsd(volumes.out) };
    const { own, held, said } = patternsOf(transactions, span, flowed);
    const flows = await openFlows(history, division.acts);
    const exchanges = await peersLabelled(flows, EXCHANGE_CATEGORIES);
    return data({
      type: "transaction_patterns" as const,
      ...said,
      activity: { ...said.activity, first_seen: iso(seen.first), last_seen: iso(seen.last) },
      ...(await readTop(scope, flows, include_spam)),
      detected: await shown(history, findPatterns({ transactions, held, exchanges })),
      summary: {
        own_tx_count: own.length,
        unpriced_tx_count: transactions.filter(({ in_usd, out_usd }) => in_usd === null || out_usd === null).length,
        hidden_spam,
      },
      unavailable: [...UNAVAILABLE],
      metadata: described,
    });
  },
  view: {
    members: "detected activity flow_patterns type_mix automation_score cadence top_protocols top_tokens summary",
    drawn: {
      detected: { is: "alerts" },
      "cadence.hour_of_week_utc": false,
      top_protocols: "label address category tx_count volume_usd",
      top_tokens: "symbol address transfer_count volume_usd",
    },
  },
});
