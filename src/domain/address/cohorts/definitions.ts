/**
 * The rules of the cohorts with their thresholds, defined only here. Every answer that uses them contains them. A
 * changed number needs a new version: lists of another version are not read.
 */
export const COHORT_RULES = "cohorts@1";

/** Cohorts in the order of answers. */
export const COHORTS = [
  "exchange",
  "public_figure",
  "fund",
  "smart_trader",
  "top_pnl",
  "whale",
  "fresh_wallets",
] as const;
export type Cohort = (typeof COHORTS)[number];

/** Labels of addresses that hold or move coins for others. */
export const SERVICE_CATEGORIES: readonly string[] = [
  "exchange",
  "exchange_deposit",
  "dex",
  "lending",
  "bridge",
  "locker",
  "issuer",
  "nft",
  "burn",
  "token_contract",
  "stablecoin_contract",
  "smart_account",
  "miner_validator",
  "unknown_service",
];

/** Cohorts defined by label categories. */
export const LABEL_COHORTS = {
  exchange: ["exchange", "exchange_deposit"],
  public_figure: ["public_figure"],
  fund: ["fund", "market_maker"],
} as const satisfies Partial<Record<Cohort, readonly string[]>>;
export type LabelCohort = keyof typeof LABEL_COHORTS;

export const SMART_TRADER = {
  window_days: 90,
  closed_trades_min: 20,
  tokens_min: 5,
  win_rate_percent_min: 55,
  realized_usd_min: 25_000,
  cost_coverage_percent_min: 80,
  members_max: 5_000,
  /** Older lists are not used; the answer contains the day of the list. */
  list_age_days_max: 30,
} as const;

/** Labels that exclude an address from smart traders. */
export const NO_TRADER_CATEGORIES: readonly string[] = [...SERVICE_CATEGORIES, "mev_bot"];

export const TOP_PNL = { members_max: 100 } as const;
export const WHALE = { share_percent_min: 1, value_usd_min: 1_000_000, members_max: 1_000 } as const;
export const FRESH = { age_days_max: 15, timeframes: ["1d", "7d"] } as const;
/** Length of the earlier windows for comparison, in days. */
export const AVERAGE_DAYS = 30;

const labelled = (categories: readonly string[]): string =>
  `Addresses with a label of the category ${categories.join(" or ")}.`;

/** Each rule in words. */
export const RULES: { readonly [C in Cohort]: string } = {
  exchange: `${labelled(LABEL_COHORTS.exchange)} Deposit addresses are those whose outflow goes on to one exchange.`,
  public_figure: labelled(LABEL_COHORTS.public_figure),
  fund: labelled(LABEL_COHORTS.fund),
  smart_trader:
    "Over the last 90 days of the list's day, on this network, by get_wallet_pnl: at least 20 sales of tokens that are neither a dollar coin nor the native coin, of at least 5 tokens; win rate at least 55 %, realized at least 25,000 USD, cost coverage at least 80 %. Services and trading programs by label are left out. The best 5,000 by realized USD.",
  top_pnl:
    "The 100 wallets with the highest total PnL in this token, at least a cent, all time, by their trades in verified pools: what the pools paid them less what they paid the pools, at the hour's price, plus what they did not sell again at the present price. Sales beyond the bought amount count pro rata to it.",
  whale:
    "Held at least 1 % of the supply without burn addresses, or at least 1,000,000 USD of the token, at the start of the window; services by label and pools left out.",
  fresh_wallets:
    "Accounts whose first movement on any enabled network of the family lies less than 15 days before the flow; contracts that the index saw being created and those labelled as a decentralised exchange's are left out.",
};
