import { noTransfers } from "../../domain/absences.ts";
import type { CallContext, SnapshotContext, Warning } from "../../domain/context.ts";
import { smartListDay } from "../../domain/token/holders/groups.ts";
import { BALANCES_UNKNOWN, SUMS_REASON } from "../../domain/token/holders/sums.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import { readTokenMetadata } from "../../domain/token/metadata/subject.ts";
import { coveredOf, readSeries, type Series } from "../../domain/wallet/flows/read_series.ts";
import { DEFINITIONS, type FlowGroup, readGroup } from "../../domain/wallet/flows/segment.ts";
import { seriesOf, summaryOf } from "../../domain/wallet/flows/series.ts";
import { spanOf } from "../../domain/window/blocks.ts";
import { checkDates, dateWindow } from "../../domain/window/dates.ts";
import { data, emptyOutcome, failed } from "../../lib/outcome.ts";
import { isBeyond, ROW_DEEPEST } from "../../lib/page.ts";
import { DAY_S, dayStart } from "../../lib/time.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { type FlowsOutput, INTERVALS, input, output, type TokenFlowsArguments, type TokenFlowsInput } from "./shape.ts";

const TYPE = "token_flows";
const METHODOLOGY = "token-flows@1";
const DAYS_DEFAULT = 30;
const DAYS_MAX = 365;
const HOURLY_DAYS_MAX = 14;

const missingOf = (
  asked: TokenFlowsInput,
  { facts, is_doubtful }: Series,
  rows: FlowsOutput["data"],
): FlowsOutput["unavailable"] => {
  const no_balances = is_doubtful ? SUMS_REASON : "the index does not cover the whole history";
  const unlabelled = `no address is labelled as ${asked.segment} on ${asked.network}`;
  const reasons: readonly (readonly [string, boolean, string])[] = [
    ["data[].transfer_count and all that is counted of the segment", !facts.is_known, unlabelled],
    [
      "data[].price_usd",
      rows.some(({ price_usd }) => price_usd === null),
      "no market is deep enough in the row's last hour",
    ],
    ["data[].segment_balance", facts.end === null && facts.is_known, no_balances],
    ["data[].holders_count", facts.end === null && facts.is_known, no_balances],
    ["data[].transfer_volume", facts.decimals === null, "the token's decimals are unknown"],
    ["data[].dex_buy_usd", facts.dex === null, "the network has no wrapped native coin that pools could hold"],
  ];
  return reasons.filter(([, is_missing]) => is_missing).map(([field, , reason]) => ({ field, reason }));
};

const checkLength = ({ from_date, to_date, interval }: TokenFlowsArguments, today: string): string | null => {
  const last = dayStart(to_date ?? today) ?? 0;
  const first = from_date === undefined ? last - (DAYS_DEFAULT - 1) * DAY_S : (dayStart(from_date) ?? 0);
  const days = (last - first) / DAY_S + 1;
  if (days > DAYS_MAX) return `from_date and to_date span ${days} days; the limit is ${DAYS_MAX}.`;
  return interval === "1h" && days > HOURLY_DAYS_MAX
    ? `interval 1h is limited to ${HOURLY_DAYS_MAX} days, and the range has ${days}: set from_date, or use 1d.`
    : null;
};

const contextOf = async (asked: TokenFlowsInput, context: CallContext): Promise<SnapshotContext> => ({
  facts: context.facts,
  chain: context.chain(asked.network),
  snapshot: await context.facts.snapshot(asked.network, asked.as_of_block ?? null),
  signal: context.signal,
});

const answerOf = (asked: TokenFlowsInput, found: Series, group: FlowGroup | null) => {
  const rows = seriesOf(found.facts);
  const first = (asked.page - 1) * asked.records_per_page;
  const shown = rows.slice(first, first + asked.records_per_page);
  const has_more_data = rows.length > first + asked.records_per_page;
  return {
    type: TYPE as "token_flows",
    data: shown,
    largest_transfers: found.largest,
    summary: summaryOf(found.facts, rows),
    segment: {
      name: asked.segment,
      definition: DEFINITIONS[asked.segment],
      member_count: group === null || group.is_all ? null : group.members.length,
    },
    unavailable: missingOf(asked, found, shown),
    pagination: {
      page: asked.page,
      per_page: asked.records_per_page,
      returned_count: shown.length,
      has_more_data,
      is_complete: !has_more_data,
      network: asked.network,
    },
  };
};

export const getTokenFlows = defineTool({
  name: "get_token_flows",
  title: "Token flows over time",
  description:
    "Time series of a token: transfers, inflow and outflow of a segment of its holders, supply, balances and trades, with the largest transfers of the window. Use it for day-by-day history of a token's volume, inflow and outflow; get_token_flow_intelligence compares groups of holders at one time.",
  credits: 15,
  families: ["evm", "solana", "tron"],
  subjects: ["token_address"],
  are_tokens: true,
  input,
  output,
  example: { token_address: DEMO_EXAMPLES.token, network: "demo" },
  check: (asked, { today }) =>
    asked.page * asked.records_per_page > ROW_DEEPEST
      ? `page * records_per_page must not exceed ${ROW_DEEPEST}.`
      : (checkDates(asked, today) ?? checkLength(asked, today)),
  run: async (asked, context) => {
    const scope = await contextOf(asked, context);
    const { chain, snapshot } = scope;
    const token = asked.token_address.hex;
    const window = dateWindow(asked, snapshot.block.time, DAYS_DEFAULT - 1);
    const { since, gaps, basis } = await coveredOf(scope, token, window);
    const described = (warnings: readonly Warning[]) =>
      metadataFor(chain, basis, {
        echo: {
          token_address: formatToken(chain, token),
          date_range: { from: window.from_date, to: window.to_date },
          interval: asked.interval,
        },
        methodology: METHODOLOGY,
        warnings: [...window.warnings, ...gaps, ...warnings],
      });
    const incomplete = (message: string) => failed("COVERAGE_INCOMPLETE", message, described([]));
    const face = await readTokenMetadata(scope, token);
    if (face === null) {
      const message = `${asked.token_address.text} does not behave like a token on ${asked.network}, and the index has no transfer of it.`;
      return failed("NOT_A_TOKEN", message, described([]));
    }
    const list_day = asked.segment === "smart_trader" ? await smartListDay(scope) : null;
    if (asked.segment === "smart_trader" && list_day === null) {
      return incomplete("The smart-trader list is not built for this block yet. Try again later.");
    }
    if (asked.segment === "whale" && (!snapshot.coverage.complete || gaps.length > 0)) {
      return incomplete("The whale segment needs balances at the start of the window, which the index does not have.");
    }
    const span = await spanOf(scope, window);
    const { decimals } = face;
    const group = await readGroup(
      scope,
      { segment: asked.segment, token },
      { block: span.first_block - 1, decimals, list_day },
    );
    const interval_s = INTERVALS[asked.interval];
    const found = await readSeries(scope, { token, decimals, group }, { interval_s, span, since });
    const answer = found === null ? null : answerOf(asked, found, group);
    if (found === null || answer === null || isBeyond(asked, answer.data)) {
      const words = noTransfers(asked, { from: window.from_date, to: window.to_date }, answer === null);
      return emptyOutcome({ type: TYPE, metadata: described([]) }, words, gaps.length === 0);
    }
    const pagination = { ...answer.pagination, is_complete: answer.pagination.is_complete && gaps.length === 0 };
    return data<FlowsOutput>({
      ...answer,
      pagination,
      metadata: described([...(group?.warnings ?? []), ...(found.is_doubtful ? [BALANCES_UNKNOWN] : [])]),
    });
  },
  view: {
    members: "segment summary data largest_transfers",
    drawn: {
      data: {
        is: "page",
        columns:
          "date price_usd net_flow_amount net_flow_usd transfer_count transfer_volume_usd holders_count segment_value_usd dex_buy_usd dex_sell_usd inflow_amount outflow_amount minted burned",
      },
      largest_transfers: { rows_max: 5, columns: "timestamp amount usd_value from to from_label to_label tx_hash" },
    },
  },
});
