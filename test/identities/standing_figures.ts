/** Contradictions between answers about one wallet: its account, risk, freezes, contracts and names. Pure. */
import type { AnyAnswer, StandingAnswers, WalletAnswers } from "./answers.ts";

/** A value by one tool; undefined: the tool has no data, or does not state it. */
type ToolStatement = readonly [tool: string, value: unknown];

const isSame = (a: unknown, b: unknown): boolean =>
  typeof a === "number" && typeof b === "number"
    ? Math.abs(a - b) <= Math.max(1e-6, 1e-9 * Math.max(Math.abs(a), Math.abs(b)))
    : a === b;

/** Tools whose value differs from the first one. A null beside a value is a difference. */
const differences = (what: string, stated: readonly ToolStatement[]): readonly string[] => {
  const [first, ...others] = stated.filter(([, value]) => value !== undefined);
  return others
    .filter(([, value]) => !isSame(first?.[1], value))
    .map(([tool, value]) => `${what} is ${value} in ${tool} and ${first?.[1]} in ${first?.[0]}`);
};

const risk = ({ overview, score }: StandingAnswers, profile: AnyAnswer): readonly string[] => [
  ...differences("risk_score", [
    ["get_wallet_risk_overview", overview?.risk_score],
    ["get_wallet_risk_score", score?.risk_score],
    ["get_wallet_address_profile", profile?.risk?.score],
  ]),
  ...differences("risk_level", [
    ["get_wallet_risk_overview", overview?.risk_level],
    ["get_wallet_risk_score", score?.risk_level],
    ["get_wallet_address_profile", profile?.risk?.level],
  ]),
];

const official = ({ overview, score, blacklist, compliance }: StandingAnswers): readonly string[] => [
  ...differences("frozen now", [
    ["get_wallet_risk_overview", overview?.stablecoin_freezes.frozen_now],
    ["get_wallet_risk_score", score?.is_frozen],
    ["is_address_blacklisted_by_stablecoin", blacklist?.is_blacklisted],
    ["get_wallet_stablecoin_compliance", compliance?.is_frozen_any],
  ]),
  ...differences("sanctioned", [
    ["get_wallet_risk_overview", overview?.sanctions.listed],
    ["get_wallet_risk_score", score?.is_sanctioned],
    ["get_wallet_stablecoin_compliance", compliance?.sanctions.listed],
  ]),
];

/** Each coin with its freeze and its balance, as three tools state it. */
const coins = ({ blacklist, compliance }: StandingAnswers, { holdings }: AnyAnswer): readonly string[] =>
  (compliance?.holdings ?? []).flatMap((row: AnyAnswer) => {
    const checked = blacklist?.results.find(({ contract }: AnyAnswer) => contract === row.contract);
    const held = holdings?.find(({ token_address }: AnyAnswer) => token_address === row.contract);
    return [
      ...differences(`freeze of ${row.symbol}`, [
        ["get_wallet_stablecoin_compliance", row.is_frozen],
        ["is_address_blacklisted_by_stablecoin", checked?.is_blacklisted],
        ["get_wallet_token_holdings", held?.is_frozen ?? undefined],
      ]),
      ...differences(`balance of ${row.symbol}`, [
        ["get_wallet_stablecoin_compliance", row.balance_raw],
        ["get_wallet_token_holdings", held?.balance_raw],
      ]),
    ];
  });

const account = (
  { account: meta, deployed }: StandingAnswers,
  { held, life, profile }: WalletAnswers,
): readonly string[] => {
  const [first] = meta?.accounts ?? [];
  const coin = held.holdings.holdings?.find(({ is_native }: AnyAnswer) => is_native);
  return [
    ...differences("the native balance", [
      ["get_wallet_account_meta", first?.native_balance_raw],
      ["get_wallet_token_holdings", held.holdings.holdings === undefined ? undefined : (coin?.balance_raw ?? "0")],
    ]),
    ...differences("nonce", [
      ["get_wallet_account_meta", first?.nonce],
      ["get_wallet_stats", life?.nonce],
    ]),
    ...differences("contracts deployed", [
      ["get_wallet_stats", life?.contracts_deployed],
      ["get_wallet_deployed_contracts", deployed === null ? 0 : deployed.summary.total],
      ["get_wallet_address_profile", profile?.deployed_contracts_count],
    ]),
  ];
};

const performance = ({ quarter }: StandingAnswers, profile: AnyAnswer): readonly string[] =>
  quarter?.summary === undefined || profile?.performance == null
    ? []
    : [
        ...differences("realized in 90 days", [
          ["get_wallet_pnl", quarter.summary.all_tokens.total_realized_pnl_usd],
          ["get_wallet_address_profile", profile.performance.realized_usd_90d],
        ]),
        ...differences("win rate", [
          ["get_wallet_pnl", quarter.summary.win_rate_percent],
          ["get_wallet_address_profile", profile.performance.win_rate_percent],
        ]),
      ];

const names = ({ records }: StandingAnswers, profile: AnyAnswer): readonly string[] => {
  const label = profile?.identity?.primary_label ?? null;
  const values: readonly string[] = (records?.records ?? []).map(({ value }: AnyAnswer) => value);
  return label === null || values.includes(label)
    ? []
    : [`the profile's label ${label} is not in get_wallet_osint_record`];
};

/** Contradictions as sentences; [] without any, or if the tools were not called. */
export const standingContradictions = (answers: WalletAnswers): readonly string[] => {
  const { standing, profile, held, name } = answers;
  if (standing === null) return [];
  return [
    ...risk(standing, profile),
    ...official(standing),
    ...coins(standing, held.holdings),
    ...account(standing, answers),
    ...performance(standing, profile),
    ...names(standing, profile),
  ].map((sentence) => `${name}: ${sentence}`);
};
