import { noRecentTransfers } from "../../domain/absences.ts";
import {
  AVERAGE_DAYS,
  COHORT_RULES,
  COHORTS,
  type Cohort,
  FRESH,
  LABEL_COHORTS,
  RULES,
  SMART_TRADER,
  TOP_PNL,
  WHALE,
} from "../../domain/address/cohorts/definitions.ts";
import { labelsOf, type Party } from "../../domain/address/identity/parties.ts";
import type { SnapshotContext, Warning } from "../../domain/context.ts";
import { smartListDay } from "../../domain/token/holders/groups.ts";
import { changePercent } from "../../domain/token/market/signals.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import { readTokenMetadata } from "../../domain/token/metadata/subject.ts";
import { type CohortFlows, readFlows, TIMEFRAMES } from "../../domain/wallet/flows/groups/read.ts";
import { sumsOf } from "../../domain/wallet/flows/groups/sums.ts";
import { basisIn, gapsOf } from "../../domain/window/gaps.ts";
import { toAmount } from "../../lib/money.ts";
import { data, emptyOutcome, failed } from "../../lib/outcome.ts";
import { DAY_S, hourOf, iso, isoDay } from "../../lib/time.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { type CohortFlow, type IntelligenceOutput, input, output } from "./shape.ts";

const TYPE = "token_flow_intelligence";
const METHODOLOGY = `token-flow-intelligence@1 ${COHORT_RULES}`;
const UNCLASSIFIED = "All addresses outside the cohorts, with pools, without zero and burn addresses.";

type PartiesByAddress = ReadonlyMap<string, Party>;

const flowOf = (
  scope: SnapshotContext,
  found: CohortFlows,
  [cohort, parties]: readonly [string, PartiesByAddress],
): CohortFlow => {
  const { decimals } = found.valuation;
  const shown = (raw: bigint): number | null => (decimals === null ? null : toAmount(raw, decimals));
  const of = (rows: CohortFlows["now"]) =>
    sumsOf(
      rows.filter((row) => row.cohort === cohort),
      found.valuation,
    );
  const sums = of(found.now);
  const before = of(found.before);
  const wallets = found.wallets.filter((row) => row.cohort === cohort);
  return {
    net_flow_usd: sums.net_usd,
    net_flow_amount: shown(sums.net_raw),
    net_flow_raw: sums.net_raw.toString(),
    inflow_usd: sums.in_usd,
    outflow_usd: sums.out_usd,
    avg_flow_usd:
      found.average_windows === 0 || before.net_usd === null ? null : before.net_usd / found.average_windows,
    wallet_count: wallets[0]?.wallets ?? 0,
    top_wallets: wallets.map(({ address, raw_in, raw_out, in_usd, out_usd, unpriced }) => ({
      address: scope.chain.formatAddress(address),
      label: parties.get(address)?.label ?? null,
      net_flow_usd: unpriced > 0 ? null : in_usd - out_usd,
      net_flow_amount: shown(raw_in - raw_out),
      net_flow_raw: (raw_in - raw_out).toString(),
    })),
  };
};

const THRESHOLDS: { readonly [C in Cohort]?: Readonly<Record<string, number>> } = {
  smart_trader: SMART_TRADER,
  top_pnl: TOP_PNL,
  whale: WHALE,
  fresh_wallets: { age_days_max: FRESH.age_days_max },
};

const CATEGORIES: { readonly [C in Cohort]?: readonly string[] } = LABEL_COHORTS;

const rules = (): IntelligenceOutput["definitions"]["rules"] => [
  ...COHORTS.map((cohort) => ({
    cohort,
    rule: RULES[cohort],
    categories: [...(CATEGORIES[cohort] ?? [])],
    thresholds: Object.entries(THRESHOLDS[cohort] ?? {}).map(([name, value]) => ({ name, value })),
  })),
  { cohort: "unclassified" as const, rule: UNCLASSIFIED, categories: [], thresholds: [] },
];

const unavailableOf = (found: CohortFlows, answer: Pick<IntelligenceOutput, "price_usd" | "price_change_percent">) => {
  const missing = [...found.membership.unknown].map(([cohort, reason]) => ({ field: `flows.${cohort}`, reason }));
  if (answer.price_usd === null) missing.push({ field: "price_usd", reason: "no market is deep enough" });
  if (answer.price_change_percent === null)
    missing.push({ field: "price_change_percent", reason: "no price at one end of the window" });
  if (found.average_windows === 0)
    missing.push({ field: "flows.*.avg_flow_usd", reason: "the token is younger than one earlier window" });
  return missing;
};

const answerOf = async (scope: SnapshotContext, found: CohortFlows, list_day: number) => {
  const { facts, snapshot } = scope;
  const parties = await labelsOf(
    facts,
    snapshot,
    found.wallets.map(({ address }) => address),
  );
  const flow = (cohort: Cohort): CohortFlow | null =>
    found.membership.unknown.has(cohort) ? null : flowOf(scope, found, [cohort, parties]);
  const priceAt = (time: number) => found.valuation.priceAt(hourOf(time))?.price_usd ?? null;
  const price_usd = priceAt(found.window.to);
  const price_change_percent = changePercent(price_usd, priceAt(found.window.from));
  return {
    type: TYPE as "token_flow_intelligence",
    flows: {
      exchange: flow("exchange"),
      public_figure: flow("public_figure"),
      fund: flow("fund"),
      smart_trader: flow("smart_trader"),
      top_pnl: flow("top_pnl"),
      whale: flow("whale"),
      fresh_wallets: flow("fresh_wallets"),
    },
    overlap_wallet_count: found.wallets[0]?.overlap ?? 0,
    unclassified: flowOf(scope, found, ["unclassified", parties]),
    price_usd,
    price_change_percent,
    definitions: {
      version: COHORT_RULES,
      smart_traders_of: isoDay(list_day * DAY_S),
      average_days: AVERAGE_DAYS,
      average_windows: found.average_windows,
      rules: rules(),
    },
    window: { from: iso(found.window.from), to: iso(found.window.to) },
    unavailable: unavailableOf(found, { price_usd, price_change_percent }),
  };
};

const coveredOf = async (scope: SnapshotContext, token: string, from: number) => {
  const { facts, snapshot } = scope;
  const [found, basis, [first]] = await Promise.all([
    gapsOf(scope, { from }),
    basisIn(scope, { from }),
    facts.ask(snapshot, "block_times", { blocks: [snapshot.from_block] }),
  ]);
  const gaps = found.filter(({ code }) => token === "" || code !== "INTERNAL_TRANSFERS_MISSING");
  return { gaps, basis, since: first?.time ?? from };
};

export const getTokenFlowIntelligence = defineTool({
  name: "get_token_flow_intelligence",
  title: "Token flows by group of wallets",
  description:
    "Net flow of a token for exchanges, public figures, funds, smart traders, its most successful traders, whales and fresh wallets in a window that ends now, next to the mean of the preceding windows. The answer states the rule and thresholds of each cohort. Use it to see whether whales, smart money or exchanges accumulate or sell a token now; get_token_flows gives the series by day.",
  credits: 15,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { token_address: "0xe1Df301147f2B83496ff44e0c053d073Fb4185cA", network: "demo" },
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
    const token = asked.token_address.hex;
    const from = snapshot.block.time - TIMEFRAMES[asked.timeframe];
    const { gaps, since, basis } = await coveredOf(scope, token, from);
    const described = (list_day: number | null, warnings: readonly Warning[]) =>
      metadataFor(chain, basis, {
        echo: { token_address: formatToken(chain, token), timeframe: asked.timeframe },
        methodology: METHODOLOGY,
        sources:
          list_day === null
            ? []
            : [{ id: "cohorts_daily", version: COHORT_RULES, updated_at: iso((list_day + 1) * DAY_S) }],
        warnings: [...gaps, ...warnings],
      });
    const [face, list_day] = await Promise.all([readTokenMetadata(scope, token), smartListDay(scope)]);
    if (face === null) {
      const message = `${asked.token_address.text} does not behave like a token on ${asked.network}, and the index has no transfer of it.`;
      return failed("NOT_A_TOKEN", message, described(list_day, []));
    }
    if (list_day === null) {
      const message = "The cohort tables are not built for this block yet. Try again later.";
      return failed("COVERAGE_INCOMPLETE", message, described(null, []));
    }
    const { decimals } = face;
    const found = await readFlows(scope, context, { token, decimals, list_day, since, asked });
    if (found.wallets.length === 0) {
      const words = noRecentTransfers(asked, snapshot.block.number);
      return emptyOutcome({ type: TYPE, metadata: described(list_day, []) }, words, gaps.length === 0);
    }
    const answer = await answerOf(scope, found, list_day);
    return data<IntelligenceOutput>({ ...answer, metadata: described(list_day, found.membership.warnings) });
  },
  view: {
    members: "flows unclassified overlap_wallet_count price_usd price_change_percent window definitions",
    drawn: {
      flows: {
        key: "cohort",
        is: "page",
        columns:
          "net_flow_usd inflow_usd outflow_usd avg_flow_usd wallet_count net_flow_amount top_wallets[address,label,net_flow_usd]",
      },
      definitions: "version smart_traders_of average_days",
    },
  },
});
