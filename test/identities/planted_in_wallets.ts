/** Errors that the equations of a wallet must find, planted into correct answers. */
import type { WalletAnswers } from "./answers.ts";
import type { PlantedChecks, PlantedErrors } from "./planted.ts";

const IN_WALLETS: PlantedErrors<WalletAnswers> = [
  [
    "a different inflow",
    ({ patterns }) => {
      patterns.flow_patterns.in_usd *= 1.001;
    },
    /inflow of patterns/,
  ],
  [
    "a different outflow",
    ({ patterns }) => {
      patterns.flow_patterns.out_usd += 1;
    },
    /outflow of patterns/,
  ],
  [
    "an omitted part that is not named",
    ({ counterparties }) => {
      counterparties[0].summary.total_in_usd -= 1;
    },
    /inflow of get_wallet_counterparties /,
  ],
  [
    "a named part that was not omitted",
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
    "a counterparty of stats alone",
    ({ stats }) => {
      stats.unique_counterparties += 1;
    },
    /counterparties of get_wallet_counterparties is .*\n.*counterparties of get_wallet_counterparties_analysis/,
  ],
  [
    "a fee that books do not have",
    ({ held }) => {
      held.pnl.summary.gas_fees_usd *= 0.999;
    },
    /fees of get_wallet_pnl/,
  ],
  [
    "a token transfer counted twice",
    ({ stats }) => {
      stats.token_transfer_count += 1;
    },
    /^[^\n]*token transfers of the list[^\n]*$/,
  ],
  [
    "an unlisted collectible",
    ({ stats }) => {
      stats.nft_transfer_count += 1;
    },
    /collectibles in the list/,
  ],
  [
    "a token too many",
    ({ stats }) => {
      stats.unique_tokens += 1;
    },
    /tokens of the list/,
  ],
  [
    "a wrong largest payment",
    ({ stats }) => {
      stats.largest_out.usd_value /= 2;
    },
    /largest payment/,
  ],
  [
    "a fee that the list does not show",
    ({ stats, held }) => {
      stats.gas_spent_usd *= 2;
      held.pnl.summary.gas_fees_usd *= 2;
    },
    /fees of the list/,
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
    "a wrap with one named side",
    ({ stats }) => {
      stats.of_which.out.wraps_usd += 1;
    },
    /wraps and unwraps/,
  ],
  [
    "unlisted counterparties",
    (answers) => {
      Object.assign(answers, { counterparties: [] });
    },
    /without counterparties[\s\S]*a list without any/,
  ],
  [
    "patterns without activity",
    (answers) => {
      Object.assign(answers, { patterns: null });
    },
    /without patterns/,
  ],
];

export const PLANTED_IN_WALLETS: PlantedChecks<WalletAnswers> = {
  list: IN_WALLETS,
  isWhole: ({ stats, patterns, profile, analysis, counterparties, transactions, held }) =>
    stats.total_in_usd > 0 &&
    stats.total_out_usd > 0 &&
    patterns !== null &&
    profile !== null &&
    analysis !== null &&
    stats.spam_transfers === 0 &&
    stats.gas_spent_usd > 0 &&
    stats.largest_out !== null &&
    held.pnl.summary !== undefined &&
    counterparties.length > 0 &&
    transactions.length > 0,
};
