/** Contradictions between answers about one token. Pure. */
import type { AnyAnswer, TokenAnswers } from "./answers.ts";

interface StatedFigure {
  readonly tool: string;
  readonly value: number | null;
}

/** Doubles of one computation are equal; those of two computations differ in the last digits. */
const isSame = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

const isData = (answer: AnyAnswer): boolean => answer !== null && answer?.status === undefined;

/** Values by each tool that has data; an omitted member is no statement. */
const statedFigures = (
  parts: readonly (readonly [tool: string, answer: AnyAnswer, value: (answer: AnyAnswer) => unknown])[],
): StatedFigure[] =>
  parts.flatMap(([tool, answer, read]): StatedFigure[] => {
    if (!isData(answer)) return [];
    const value = read(answer);
    return value === undefined ? [] : [{ tool, value: typeof value === "number" ? value : null }];
  });

const FIGURES: Readonly<Record<string, (of: TokenAnswers) => StatedFigure[]>> = {
  liquidity_usd: ({ info, market, risk, match, deployed }) =>
    statedFigures([
      ["get_token_info", info, ({ liquidity_usd }) => liquidity_usd],
      ["get_token_market_analysis", market, ({ liquidity }) => liquidity.total_usd],
      ["get_token_risk_traits", risk, ({ liquidity }) => liquidity.total_usd],
      ["resolve_token_symbol", match, ({ liquidity_usd }) => liquidity_usd],
      ["get_wallet_deployed_contracts", deployed, ({ liquidity_usd }) => liquidity_usd],
    ]),
  total_supply: ({ info, market, holders }) =>
    statedFigures([
      ["get_token_info", info, ({ total_supply }) => total_supply],
      ["get_token_market_analysis", market, ({ supply }) => supply.total?.amount ?? null],
      ["get_token_holders_traders", holders, ({ supply }) => supply.total?.amount ?? null],
    ]),
  circulating_supply: ({ info, market, holders }) =>
    statedFigures([
      ["get_token_info", info, ({ circulating_supply }) => circulating_supply],
      ["get_token_market_analysis", market, ({ supply }) => supply.circulating?.amount ?? null],
      ["get_token_holders_traders", holders, ({ supply }) => supply.circulating?.amount ?? null],
    ]),
  market_cap_usd: ({ info, market, match }) =>
    statedFigures([
      ["get_token_info", info, ({ market_cap_usd }) => market_cap_usd],
      ["get_token_market_analysis", market, ({ market_cap_usd }) => market_cap_usd],
      ["resolve_token_symbol", match, ({ market_cap_usd }) => market_cap_usd],
    ]),
  price_usd: ({ info, market, holders, flows }) =>
    statedFigures([
      ["get_token_info", info, ({ price_usd }) => price_usd],
      ["get_token_market_analysis", market, ({ price }) => price.usd],
      ["get_token_holders_traders", holders, ({ price_usd }) => price_usd],
      ["get_token_flows", flows, ({ data }) => data[0]?.price_usd],
    ]),
  holders_count: ({ info, market, risk, match, deployed }) =>
    statedFigures([
      ["get_token_info", info, ({ holders_count }) => holders_count],
      ["get_token_market_analysis", market, ({ holders_count }) => holders_count],
      ["get_token_risk_traits", risk, ({ ownership }) => ownership.holder_count],
      ["resolve_token_symbol", match, ({ holders_count }) => holders_count],
      ["get_wallet_deployed_contracts", deployed, ({ holders_count }) => holders_count],
    ]),
};

/** Tools whose value differs from the first one. */
const disagreements = (answers: TokenAnswers): string[] =>
  Object.entries(FIGURES).flatMap(([figure, sayings]) => {
    const [first, ...others] = sayings(answers);
    return others
      .filter(({ value }) => first !== undefined && !isSame(first.value, value))
      .map(
        ({ tool, value }) => `${answers.name}: ${figure} is ${value} in ${tool} and ${first?.value} in ${first?.tool}`,
      );
  });

const product = (a: number | null, b: number | null): number | null => (a === null || b === null ? null : a * b);

/** Equations within one answer: a null has a reason, a market cap is price times circulating supply, no part is more than all. */
const equations = ({ name, info, market, risk, deployed, creator }: TokenAnswers): string[] => {
  const wrong: string[] = [];
  const check = (is_right: boolean, what: string): void => {
    if (!is_right) wrong.push(`${name}: ${what}`);
  };
  if (isData(info)) {
    const { price_usd, circulating_supply, total_supply, market_cap_usd } = info;
    check(isSame(market_cap_usd, product(price_usd, circulating_supply)), "market_cap_usd is not price x circulating");
    check(circulating_supply === null || circulating_supply <= total_supply, "more circulates than there is");
    const told = info.unavailable.map(({ field }: { field: string }) => field);
    for (const field of ["price_usd", "liquidity_usd", "circulating_supply", "market_cap_usd", "holders_count"]) {
      check(info[field] !== null || told.includes(field), `get_token_info gives no reason for ${field}`);
      check(info[field] === null || !told.includes(field), `get_token_info excuses ${field}, which it tells`);
    }
  }
  if (isData(risk) && deployed !== null) {
    const is_rugged = deployed.outcome === "rugged";
    const has_alert = risk.alerts.some(({ code }: AnyAnswer) => code === "rugged");
    check(has_alert === is_rugged, `its outcome is ${deployed.outcome} and get_token_risk_traits says another`);
    check(!is_rugged || risk.risk_overview.risk_level === "critical", "it was rugged and is not critical");
    const marks = (creator?.behaviour ?? []).map(({ code }: AnyAnswer) => code);
    check(
      !is_rugged || marks.includes("deployed_rugged_token"),
      "it was rugged, and its creator's risk does not say so",
    );
  }
  if (isData(market)) {
    const { price, supply, market_cap_usd, liquidity, unavailable } = market;
    const circulating = supply.circulating?.amount ?? null;
    check(isSame(market_cap_usd, product(price.usd, circulating)), "the market's market_cap_usd is another product");
    const pools: readonly (number | null)[] = liquidity.top_pools.map(
      ({ liquidity_usd }: { liquidity_usd: number | null }) => liquidity_usd,
    );
    const is_all = liquidity.top_pools.length === liquidity.pool_count;
    const known = pools.flatMap((usd) => usd ?? []);
    const sum = known.length === 0 && pools.length > 0 ? null : known.reduce((total, usd) => total + usd, 0);
    check(!is_all || isSame(liquidity.total_usd, sum), "liquidity is not the sum of its pools");
    const told = unavailable.map(({ field }: { field: string }) => field);
    check(market_cap_usd !== null || told.includes("market_cap_usd"), "the market gives no reason for market_cap_usd");
  }
  return wrong;
};

/** Contradictions between the answers about one token, as sentences; [] without any. */
export const contradictions = (answers: TokenAnswers): readonly string[] => [
  ...disagreements(answers),
  ...equations(answers),
];

/** A pool has the same value as seen from each of its tokens. */
export const poolContradictions = (all: readonly TokenAnswers[]): readonly string[] => {
  const seen = new Map<string, { readonly name: string; readonly usd: number | null }>();
  return all.flatMap(({ name, market }) =>
    isData(market)
      ? market.liquidity.top_pools.flatMap(({ address, liquidity_usd }: AnyAnswer) => {
          const first = seen.get(address);
          if (first === undefined) seen.set(address, { name, usd: liquidity_usd });
          return first === undefined || isSame(first.usd, liquidity_usd)
            ? []
            : [`pool ${address} is worth ${first.usd} seen from ${first.name} and ${liquidity_usd} from ${name}`];
        })
      : [],
  );
};
