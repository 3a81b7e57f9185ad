/** Contradictions between the rows of answers about one token and their sums, and about its creation and outcome. Pure. */
import type { AnyAnswer, TokenAnswers } from "./answers.ts";

const isSame = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(1e-6, 1e-6 * Math.max(Math.abs(a), Math.abs(b)));

const hasData = (answer: AnyAnswer): boolean => answer !== null && answer.status === undefined;

/** A null sum is a sum of nulls; a null beside a number is an unknown part, and no 0. */
const sumOf = (values: readonly (number | null)[]): number | null => {
  const known = values.filter((value) => value !== null);
  return values.length > 0 && known.length === 0 ? null : known.reduce((total, value) => total + value, 0);
};

const isEqual = (a: number | null, b: number | null): boolean => (a === null || b === null ? a === b : isSame(a, b));

/** A balance is worth its price times its amount, or less with the reason, and then the product is beside it. */
export const worthContradiction = (row: AnyAnswer, amount: number, price: number | null): string | null => {
  const { spot_value_usd, value_limit } = row;
  const value: number | null = row.value_usd ?? row.usd_value ?? null;
  if (value === null || price === null) return null;
  if (!isSame(spot_value_usd ?? value, amount * price)) return `${spot_value_usd ?? value} is not price x balance`;
  if (spot_value_usd === undefined) return null;
  if (value_limit === undefined) return "a limited value has no reason";
  return value <= spot_value_usd ? null : `${value} is more than price x balance`;
};

const holderRows = ({ holders, info }: TokenAnswers): readonly string[] => {
  if (!hasData(holders)) return [];
  const { supply, price_usd } = holders;
  const rows: readonly AnyAnswer[] = holders.holders;
  const total = supply.total;
  const wrong = rows.flatMap((row) => {
    const worth = row.token_balance === null ? null : worthContradiction(row, row.token_balance, price_usd);
    const percent = row.ownership_percentage ?? null;
    const is_part = percent === null || total === null || isSame(percent, (100 * row.token_balance) / total.amount);
    return [
      ...(worth === null ? [] : [`value of holder ${row.address}: ${worth}`]),
      ...(is_part ? [] : [`holder ${row.address} has ${percent} % of the supply`]),
    ];
  });
  if (holders.has_more_holders || rows.some(({ balance_raw }) => balance_raw === null)) return wrong;
  const held = rows.reduce((sum, { balance_raw }) => sum + BigInt(balance_raw), 0n);
  return [
    ...wrong,
    ...(total === null || held === BigInt(total.amount_raw) ? [] : [`holders have ${held} of ${total.amount_raw}`]),
    ...(!hasData(info) || info.holders_count === null || info.holders_count === rows.length
      ? []
      : [`${rows.length} holders are listed of ${info.holders_count}`]),
  ];
};

/** A trader who holds the token is one row in both lists. */
const traderRows = ({ holders }: TokenAnswers): readonly string[] =>
  !hasData(holders)
    ? []
    : holders.traders.flatMap((trader: AnyAnswer) => {
        const holder = holders.holders.find(({ address }: AnyAnswer) => address === trader.address);
        const fields = ["buy_volume_usd", "sell_volume_usd", "balance_raw"];
        return holder === undefined
          ? []
          : fields
              .filter((field) => holder[field] !== trader[field])
              .map(
                (field) => `${field} of ${trader.address} is ${holder[field]} as holder, ${trader[field]} as trader`,
              );
      });

const FLOWS = ["transfer_count", "transfer_volume_usd", "dex_buy_usd", "dex_sell_usd", "minted", "burned"] as const;

const flowSums = ({ days }: TokenAnswers): readonly string[] => {
  if (!hasData(days) || days.pagination.has_more_data) return [];
  return FLOWS.flatMap((figure) => {
    // A day on which nothing moved is a known 0, and makes no unknown sum known.
    const moved = days.data.map((row: AnyAnswer) => row[figure]).filter((value: number | null) => value !== 0);
    const sum = sumOf(moved);
    const told = days.summary[figure];
    return isEqual(sum, told) ? [] : [`${figure} is ${told} in the summary of flows, and ${sum} in its rows`];
  });
};

const concentration = ({ risk, holders }: TokenAnswers): readonly string[] => {
  if (!hasData(risk) || !hasData(holders)) return [];
  const [own, other] = [risk.ownership.top10_percent_adjusted, holders.concentration?.adjusted?.top10_percent ?? null];
  return isEqual(own, other)
    ? []
    : [`top10_percent_adjusted is ${own} in get_token_risk_traits and ${other} in holders`];
};

const outcomes = ({ risk, developer, deployed, info }: TokenAnswers): readonly string[] => {
  const rows = hasData(developer) ? developer.history.tokens : [];
  const own = rows.find(({ address }: AnyAnswer) => address === info.address);
  const told: readonly (readonly [string, unknown])[] = [
    ["get_token_risk_traits", hasData(risk) ? risk.risk_overview.outcome : undefined],
    ["analyze_token_developer", own?.outcome],
    ["get_wallet_deployed_contracts", deployed === null ? undefined : deployed.outcome],
  ];
  const [first, ...others] = told.filter(([, value]) => value !== undefined);
  return others
    .filter(([, value]) => value !== first?.[1])
    .map(([tool, value]) => `outcome is ${value} in ${tool} and ${first?.[1]} in ${first?.[0]}`);
};

/** Bounds of the score, and a level that fits them. */
const verdict = ({ risk }: TokenAnswers): readonly string[] => {
  if (!hasData(risk)) return [];
  const { security_score, score_range, risk_level } = risk.risk_overview;
  const told = risk.unavailable.map(({ field }: AnyAnswer) => field);
  return [
    ...(security_score === (score_range?.min ?? undefined) ? [] : ["security_score is not the lower bound"]),
    ...(score_range === null || score_range.min <= score_range.max ? [] : ["the bounds of the score are reversed"]),
    ...((risk_level === "unknown") === told.includes("risk_overview.risk_level")
      ? []
      : [`risk_level is ${risk_level}, and its reason is missing or superfluous`]),
  ];
};

const creation = ({ info, risk, developer, created }: TokenAnswers): readonly string[] => {
  const wrong: string[] = [];
  const check = (what: string, a: unknown, b: unknown): void => {
    if (a !== undefined && a !== null && b !== undefined && b !== null && a !== b) wrong.push(`${what}: ${a} and ${b}`);
  };
  check("creator in get_token_info and get_token_risk_traits", info.creator, risk.ownership?.creator);
  if (!hasData(created)) return wrong;
  check("creator in get_token_info and get_contract_creation", info.creator, created.deployer?.address);
  check("creation in get_token_info and get_contract_creation", info.created_at, created.timestamp);
  if (!hasData(developer)) return wrong;
  check("creating transaction", developer.token.creation_tx, created.creation_tx_hash);
  return wrong;
};

/** Contradictions as sentences; [] without any. */
export const rowContradictions = (answers: TokenAnswers): readonly string[] =>
  [holderRows, traderRows, flowSums, concentration, outcomes, verdict, creation]
    .flatMap((of) => of(answers))
    .map((sentence) => `${answers.name}: ${sentence}`);
