import { noPool } from "../../domain/absences.ts";
import type { SnapshotContext, Warning } from "../../domain/context.ts";
import { BALANCES_UNKNOWN } from "../../domain/token/holders/sums.ts";
import { readLiquidity } from "../../domain/token/market/liquidity.ts";
import { isHistoryComplete, readMarketReport } from "../../domain/token/market/market.ts";
import type { PoolsOfToken } from "../../domain/token/market/pools.ts";
import { type MarketToken, readSubject } from "../../domain/token/market/read.ts";
import { formatToken } from "../../domain/token/metadata/metadata.ts";
import { pegWarnings } from "../../domain/valuation/prices/peg_warnings.ts";
import { data, emptyOutcome, failed } from "../../lib/outcome.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { input, output, TIMEFRAMES } from "./shape.ts";

const TYPE = "token_market";
const METHODOLOGY = "token-market@1";
const noMarket = (scope: SnapshotContext, subject: MarketToken, metadata: unknown) =>
  emptyOutcome({ type: TYPE, metadata }, noPool(scope.chain.network.id), isHistoryComplete(scope, subject));

const warningsOf = ({ unverified }: PoolsOfToken): readonly Warning[] =>
  unverified === 0
    ? []
    : [
        {
          code: "UNVERIFIED_POOLS",
          message: `${unverified} pools of unknown factories are excluded, because anyone can forge such a pool.`,
        },
      ];

export const getTokenMarketAnalysis = defineTool({
  name: "get_token_market_analysis",
  title: "Market of a token",
  description:
    "Market of a token on one network, from its verified pools: price and changes, volume and trades, liquidity with exact depth around the price, supply, holders and signals. Use it for the price, market cap, trading volume and liquidity of a token.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { token_address: DEMO_EXAMPLES.token, network: "demo", timeframe: "7d" },
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const token = asked.token_address.hex;
    const snapshot = await context.facts.snapshot(asked.network, asked.as_of_block ?? null);
    const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
    const subject = await readSubject(scope, token);
    const liquidity = subject === null ? undefined : (await readLiquidity(scope, [token])).get(token);
    const found = liquidity?.found ?? { pools: [], unverified: 0, paid_by_hooks: [] };
    const metadata = metadataFor(chain, snapshot, {
      echo: { token_address: formatToken(chain, token), timeframe: asked.timeframe },
      methodology: METHODOLOGY,
      warnings: warningsOf(found),
    });
    if (subject === null || liquidity === undefined) {
      return failed(
        "NOT_A_TOKEN",
        `${asked.token_address.text} does not behave like a token on ${asked.network}, and the index has no transfer of it.`,
        metadata,
      );
    }
    if (found.pools.length === 0 && found.unverified === 0) return noMarket(scope, subject, metadata);
    const { timeframe } = asked;
    const period_s = TIMEFRAMES[timeframe];
    const { report, is_doubtful } = await readMarketReport(scope, subject, { period_s, liquidity });
    const price_usd = liquidity.priceOf(token)?.price_usd ?? null;
    const doubts = [...(is_doubtful ? [BALANCES_UNKNOWN] : []), ...pegWarnings(chain.network, [{ token, price_usd }])];
    const described = { ...metadata, warnings: [...metadata.warnings, ...doubts] };
    return data({ type: TYPE as "token_market", timeframe, ...report, metadata: described });
  },
  view: {
    members:
      "token timeframe signals price volume trades liquidity market_cap_usd fdv_usd supply holders_count holders_change_24h token_age_days quality",
    drawn: { signals: { is: "alerts" }, "price.candles": false },
  },
});
