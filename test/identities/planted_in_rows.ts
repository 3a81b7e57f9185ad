/** Errors in rows, outcomes, risk and accounts that the equations must find, planted into correct answers. */
import type { TokenAnswers, WalletAnswers } from "./answers.ts";
import type { PlantedChecks, PlantedErrors } from "./planted.ts";

const IN_ROWS: PlantedErrors<TokenAnswers> = [
  [
    "a balance at another price",
    ({ holders }) => {
      const [row] = holders.holders.filter(({ value_usd }: { value_usd?: number }) => (value_usd ?? 0) > 1);
      row.value_usd *= 2;
      if (row.spot_value_usd !== undefined) row.spot_value_usd *= 2;
    },
    /is not price x balance/,
  ],
  [
    "a part of another supply",
    ({ holders }) => {
      holders.holders[0].ownership_percentage /= 2;
    },
    /% of the supply/,
  ],
  [
    "a day that the summary omits",
    ({ days }) => {
      days.summary.transfer_count += 1;
    },
    /transfer_count is .* in the summary/,
  ],
  [
    "an outcome that one tool judges by itself",
    ({ risk }) => {
      risk.risk_overview.outcome = "drained";
    },
    /outcome is .* and drained/,
  ],
  [
    "a score that takes the unknown for good",
    ({ risk }) => {
      risk.risk_overview.score_range.min = risk.risk_overview.security_score - 1;
    },
    /not the lower bound/,
  ],
  [
    "a level withheld without a reason",
    ({ risk }) => {
      risk.risk_overview.risk_level = "unknown";
      risk.unavailable = [];
    },
    /its reason is missing or superfluous/,
  ],
  [
    "another concentration",
    ({ holders }) => {
      holders.concentration.adjusted.top10_percent /= 2;
    },
    /top10_percent_adjusted/,
  ],
  [
    "another creator",
    ({ created }) => {
      created.deployer.address = "somebody";
    },
    /creator in get_token_info and get_contract_creation/,
  ],
];

const IN_STANDING: PlantedErrors<WalletAnswers> = [
  [
    "a score of its own",
    ({ profile }) => {
      profile.risk.score = (profile.risk.score ?? 0) + 1;
    },
    /risk_score is/,
  ],
  [
    "a level of its own",
    ({ standing }) => {
      if (standing !== null) standing.score.risk_level = "severe or so";
    },
    /risk_level is/,
  ],
  [
    "a freeze that one tool omits",
    ({ standing }) => {
      if (standing !== null) standing.score.is_frozen = !standing.score.is_frozen;
    },
    /frozen now is/,
  ],
  [
    "a list that one tool omits",
    ({ standing }) => {
      if (standing !== null) standing.compliance.sanctions.listed = !standing.compliance.sanctions.listed;
    },
    /sanctioned is/,
  ],
  [
    "a balance of its own",
    ({ standing }) => {
      if (standing !== null) standing.account.accounts[0].native_balance_raw = "1";
    },
    /the native balance is/,
  ],
  [
    "a contract too many",
    ({ profile }) => {
      profile.deployed_contracts_count += 1;
    },
    /contracts deployed is/,
  ],
];

export const PLANTED_IN_ROWS: PlantedChecks<TokenAnswers> = {
  list: IN_ROWS,
  isWhole: ({ holders, days, risk, developer, deployed, created }) =>
    holders.status === undefined &&
    holders.price_usd > 0 &&
    holders.holders.length > 0 &&
    holders.concentration !== null &&
    days.status === undefined &&
    !days.pagination.has_more_data &&
    risk.status === undefined &&
    risk.ownership.top10_percent_adjusted > 0 &&
    risk.risk_overview.outcome === "alive" &&
    developer.status === undefined &&
    deployed !== null &&
    created?.deployer != null,
};

export const PLANTED_IN_STANDING: PlantedChecks<WalletAnswers> = {
  list: IN_STANDING,
  isWhole: ({ standing, profile }) =>
    standing !== null &&
    profile?.risk != null &&
    standing.overview !== null &&
    standing.score !== null &&
    standing.compliance !== null &&
    standing.account !== null,
};
