/** Errors of every kind that the equations must find, planted into correct answers. */
import type { TokenAnswers, WalletAnswers } from "./answers.ts";

export type PlantedErrors<A> = readonly (readonly [what: string, plant: (answers: A) => void, found: RegExp])[];

/** Selects answers that have every planted figure, and plants an error. */
export interface PlantedChecks<A> {
  readonly isWhole: (answers: A) => boolean;
  readonly list: PlantedErrors<A>;
}

const IN_HOLDINGS: PlantedErrors<WalletAnswers> = [
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
    /sum of holdings/,
  ],
  [
    "a wrong sum",
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

const IN_TOKENS: PlantedErrors<TokenAnswers> = [
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
    "a rug that the risk omits",
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

export const PLANTED_IN_HOLDINGS: PlantedChecks<WalletAnswers> = {
  list: IN_HOLDINGS,
  isWhole: ({ held: { pnl, holdings, portfolio }, profile }) =>
    profile !== null &&
    portfolio?.top_holdings.length > 1 &&
    pnl.data?.length > 1 &&
    pnl.data[0].token_id === null &&
    holdings.holdings[0].price_usd > 0 &&
    portfolio.total_value_usd > 1_000,
};

export const PLANTED_IN_TOKENS: PlantedChecks<TokenAnswers> = {
  list: IN_TOKENS,
  isWhole: ({ info, market, risk, match, deployed }) =>
    info.market_cap_usd > 0 &&
    market.liquidity?.total_usd > 0 &&
    market.liquidity.top_pools.length === market.liquidity.pool_count &&
    risk.liquidity?.total_usd > 0 &&
    match !== null &&
    deployed !== null,
};
