/** Errors of every kind that the equations are there to find, planted into answers that have none. */
import type { TokenAnswers, WalletAnswers } from "./answers.ts";

type Planted<A> = readonly (readonly [what: string, plant: (answers: A) => void, found: RegExp])[];

/** Which answers have everything that is planted into, and what is. */
interface Planting<A> {
  readonly isWhole: (answers: A) => boolean;
  readonly list: Planted<A>;
}

const IN_WALLETS: Planted<WalletAnswers> = [
  [
    "an inflow of its own",
    ({ patterns }) => {
      patterns.flow_patterns.in_usd *= 1.001;
    },
    /inflow of patterns/,
  ],
  [
    "an outflow of its own",
    ({ patterns }) => {
      patterns.flow_patterns.out_usd += 1;
    },
    /outflow of patterns/,
  ],
  [
    "something left out and not named",
    ({ counterparties }) => {
      counterparties[0].summary.total_in_usd -= 1;
    },
    /inflow of get_wallet_counterparties /,
  ],
  [
    "something named that was not left out",
    ({ analysis }) => {
      analysis.summary.left_out.burns_usd += 1;
    },
    /outflow of get_wallet_counterparties_analysis/,
  ],
  [
    "a row counted twice",
    ({ counterparties }) => {
      counterparties[0].data[0].volume_in_usd += 1;
    },
    /all counterparties/,
  ],
  [
    "a row lost",
    ({ transactions }) => {
      transactions[0].data.splice(0, 5);
    },
    /list of transactions/,
  ],
  [
    "spam not counted",
    ({ stats }) => {
      stats.spam_transfers += 1;
    },
    /spam of the list/,
  ],
  [
    "a transaction too many",
    ({ patterns }) => {
      patterns.activity.tx_count += 1;
    },
    /transactions of patterns/,
  ],
  [
    "a day too many",
    ({ patterns }) => {
      patterns.activity.active_days += 1;
    },
    /active days/,
  ],
  [
    "another first day",
    ({ profile }) => {
      profile.activity.first_seen = "2020-01-01T00:00:00Z";
    },
    /first seen/,
  ],
  [
    "another count in the profile",
    ({ profile }) => {
      profile.activity.tx_count -= 1;
    },
    /transactions of the profile/,
  ],
  [
    "a wrap of which one side is named",
    ({ stats }) => {
      stats.of_which.out.wraps_usd += 1;
    },
    /wrapped and unwrapped/,
  ],
  [
    "counterparties that nobody lists",
    (answers) => {
      Object.assign(answers, { counterparties: [] });
    },
    /without counterparties/,
  ],
  [
    "habits of nobody",
    (answers) => {
      Object.assign(answers, { patterns: null });
    },
    /without patterns/,
  ],
];

const IN_HOLDINGS: Planted<WalletAnswers> = [
  [
    "a balance that is one unit off",
    ({ held }) => {
      const [{ holdings }] = held.pnl.data;
      holdings.current_amount_raw = (BigInt(holdings.current_amount_raw) + 1n).toString();
    },
    /in get_wallet_pnl and/,
  ],
  [
    "a row that is missing",
    ({ held }) => {
      held.pnl.data = [];
    },
    /has 0 of .* in get_wallet_pnl/,
  ],
  [
    "a portfolio of its own",
    ({ held }) => {
      held.portfolio.total_value_usd *= 1.001;
    },
    /total_value_usd of the portfolio/,
  ],
  [
    "a profile that forgets positions",
    ({ profile }) => {
      profile.wealth.positions_value_usd += 1;
    },
    /positions_value_usd of the profile/,
  ],
  [
    "a holding counted twice",
    ({ held }) => {
      held.holdings.summary.holdings_value_usd *= 2;
    },
    /sum of what is held/,
  ],
  [
    "a sum that is none",
    ({ held }) => {
      held.holdings.summary.total_value_usd += 1;
    },
    /holdings and positions/,
  ],
  [
    "a gain that no row has",
    ({ held }) => {
      held.pnl.summary.all_tokens.total_realized_pnl_usd += 1;
    },
    /total_realized_pnl_usd/,
  ],
  [
    "another hour's price",
    ({ held }) => {
      held.holdings.holdings[0].price_usd *= 1.001;
    },
    /is .* in portfolio/,
  ],
  [
    "another confidence",
    ({ held }) => {
      held.holdings.holdings[0].price_confidence = "guessed";
    },
    /\(guessed\)/,
  ],
];

const IN_TOKENS: Planted<TokenAnswers> = [
  [
    "one side of a pool for both",
    ({ info }) => {
      info.liquidity_usd /= 2;
    },
    /liquidity_usd is .* in get_token_market/,
  ],
  [
    "doubled liquidity",
    ({ risk }) => {
      risk.liquidity.total_usd *= 2;
    },
    /liquidity_usd is .* in get_token_risk/,
  ],
  [
    "a pool counted twice",
    ({ market }) => {
      market.liquidity.total_usd *= 2;
    },
    /not the sum of its pools/,
  ],
  [
    "a market cap of all coins",
    ({ match }) => {
      match.market_cap_usd *= 1.01;
    },
    /market_cap_usd is .* in resolve/,
  ],
  [
    "a market cap that is no product",
    ({ info }) => {
      info.market_cap_usd *= 1.01;
    },
    /not price x circulating/,
  ],
  [
    "a figure null in one tool",
    ({ market }) => {
      market.supply.circulating = null;
    },
    /circulating_supply is null/,
  ],
  [
    "a price of another hour in one tool",
    ({ holders }) => {
      holders.price_usd *= 1.001;
    },
    /price_usd is .* in get_token_holders/,
  ],
  [
    "more in circulation than there is",
    ({ info }) => {
      info.total_supply = 0;
    },
    /more circulates than there is/,
  ],
  [
    "a rug that the risk does not tell",
    ({ deployed }) => {
      deployed.outcome = "rugged";
    },
    /another|not critical/,
  ],
  [
    "a null without a reason",
    ({ info }) => {
      info.liquidity_usd = null;
    },
    /gives no reason for liquidity_usd/,
  ],
];

export const PLANTED_IN_WALLETS: Planting<WalletAnswers> = {
  list: IN_WALLETS,
  isWhole: ({ stats, patterns, profile, analysis, counterparties, transactions }) =>
    stats.total_in_usd > 0 &&
    stats.total_out_usd > 0 &&
    patterns !== null &&
    profile !== null &&
    analysis !== null &&
    counterparties.length > 0 &&
    transactions.length > 0,
};

export const PLANTED_IN_HOLDINGS: Planting<WalletAnswers> = {
  list: IN_HOLDINGS,
  isWhole: ({ held: { pnl, holdings, portfolio }, profile }) =>
    profile !== null &&
    portfolio?.top_holdings.length > 1 &&
    pnl.data?.length > 1 &&
    pnl.data[0].token_id === null &&
    holdings.holdings[0].price_usd > 0 &&
    portfolio.total_value_usd > 1_000,
};

export const PLANTED_IN_TOKENS: Planting<TokenAnswers> = {
  list: IN_TOKENS,
  isWhole: ({ info, market, risk, match, deployed }) =>
    info.market_cap_usd > 0 &&
    market.liquidity?.total_usd > 0 &&
    market.liquidity.top_pools.length === market.liquidity.pool_count &&
    risk.liquidity?.total_usd > 0 &&
    match !== null &&
    deployed !== null,
};
