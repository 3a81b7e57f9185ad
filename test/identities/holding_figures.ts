/** Contradictions between answers about the holdings of one wallet and their value. Pure. */
import type { AnyAnswer, HoldingAnswers, TokenAnswers, WalletAnswers } from "./answers.ts";
import { worthContradiction } from "./token_rows.ts";

const addTo = (sums: Map<string, bigint>, token: string, amount: bigint): void => {
  sums.set(token, (sums.get(token) ?? 0n) + amount);
};

/** Base units by token; positions of an NFT are no balances. */
const pnlBalances = ({ pnl }: HoldingAnswers): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { token_address, token_id, holdings } of pnl.data ?? []) {
    if (token_id === null) addTo(sums, token_address, BigInt(holdings.current_amount_raw));
  }
  return sums;
};

const holdingBalances = ({ holdings, wrapped }: HoldingAnswers): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { token_address, token_type, balance_raw } of holdings.holdings ?? []) {
    if (token_type === "erc721" || token_type === "erc1155") continue;
    addTo(sums, token_address === wrapped ? "native" : token_address, BigInt(balance_raw));
  }
  return sums;
};

const balanceContradictions = (answers: HoldingAnswers): readonly string[] => {
  // Without a computed PnL, the answer gives the reason.
  if (answers.pnl.type === "pnl_unavailable") return [];
  const [books, balances] = [pnlBalances(answers), holdingBalances(answers)];
  return [...new Set([...books.keys(), ...balances.keys()])].flatMap((token) => {
    const [of_pnl, of_holdings] = [books.get(token) ?? 0n, balances.get(token) ?? 0n];
    return of_pnl === of_holdings
      ? []
      : [`${answers.name} has ${of_pnl} of ${token} in get_wallet_pnl and ${of_holdings} in get_wallet_token_holdings`];
  });
};

/** Sellability of a token by each tool; omitted spam is no statement. */
const outcomesOf = (rows: readonly AnyAnswer[]): ReadonlyMap<string, string | null> =>
  new Map(rows.map(({ token_address, outcome }) => [token_address, outcome]));

const saleContradictions = ({ name, pnl, holdings }: HoldingAnswers): readonly string[] => {
  const [of_pnl, of_holdings] = [outcomesOf(pnl.data ?? []), outcomesOf(holdings.holdings ?? [])];
  return [...of_holdings].flatMap(([token, outcome]) => {
    const other = of_pnl.get(token);
    return other === undefined || other === outcome
      ? []
      : [`${name} can do with ${token}: ${other} in get_wallet_pnl, ${outcome} in get_wallet_token_holdings`];
  });
};

/** Answers have 12 significant digits of a dollar. */
const isSame = (a: number | null, b: number | null): boolean =>
  a === null || b === null ? a === b : Math.abs(a - b) <= Math.max(1e-6, 1e-9 * Math.max(Math.abs(a), Math.abs(b)));

const sum = (rows: readonly AnyAnswer[], of: (row: AnyAnswer) => number | null): number =>
  rows.reduce((total, row) => total + (of(row) ?? 0), 0);

const WORTH = ["holdings_value_usd", "positions_value_usd", "total_value_usd"] as const;

/** Rows by price times balance, and the composition of the portfolio and the profile. */
const compositionContradictions = (
  { name, holdings, portfolio }: Pick<HoldingAnswers, "name" | "holdings" | "portfolio">,
  profile: AnyAnswer,
): readonly string[] => {
  const wrong: string[] = [];
  const check = (what: string, left: number | null, right: number | null): void => {
    if (!isSame(left, right)) wrong.push(`${name}: ${what} is ${left}, and elsewhere ${right}`);
  };
  for (const row of holdings.holdings) {
    const limit = row.outcome === null ? worthContradiction(row, row.balance, row.price_usd) : null;
    if (limit !== null) wrong.push(`${name}: usd_value of ${row.symbol}: ${limit}`);
    const other = portfolio?.top_holdings.find(({ token_address }: AnyAnswer) => token_address === row.token_address);
    if (other !== undefined) check(`usd_value of ${row.symbol}`, row.usd_value ?? null, other.usd_value ?? null);
  }
  if (portfolio === null) return wrong;
  check("tokens_without_price", portfolio.tokens_without_price, holdings.summary.tokens_without_price);
  const text: string = portfolio.total_value_displayed;
  const displayed = text === "unknown" ? null : Number(text.replace(/[$,]/g, ""));
  const total: number | null = portfolio.total_value_usd;
  const is_displayed =
    displayed === null || total === null ? displayed === total : Math.abs(displayed - total) < 0.0051;
  if (!is_displayed) wrong.push(`${name}: total_value_displayed is ${text} of ${total}`);
  if (profile !== null)
    check(
      "stablecoin_percent",
      portfolio.composition_analysis.stablecoin_percent ?? null,
      profile.wealth.stablecoin_percent ?? null,
    );
  return wrong;
};

/** Values of holdings, portfolio and profile, compared with the sums of their parts. */
const worthContradictions = ({ holdings, portfolio, name }: HoldingAnswers, profile: AnyAnswer): readonly string[] => {
  if (holdings.summary === undefined) return [];
  const { summary } = holdings;
  const wrong: string[] = [];
  const check = (what: string, left: number | null, right: number | null): void => {
    if (!isSame(left, right)) wrong.push(`${name}: ${what} is ${left}, get_wallet_token_holdings makes it ${right}`);
  };
  for (const figure of WORTH) {
    if (portfolio !== null) check(`${figure} of the portfolio`, portfolio[figure], summary[figure]);
    if (profile !== null) check(`${figure} of the profile`, profile.wealth[figure], summary[figure]);
  }
  const shown = holdings.holdings.filter(({ is_spam }: AnyAnswer) => !is_spam);
  check(
    "the sum of holdings",
    sum(shown, (row) => row.usd_value),
    summary.holdings_value_usd ?? 0,
  );
  // A sum is null only if every part is without a price.
  if (summary.holdings_value_usd === null)
    check("what is held without a price", shown.filter((row: AnyAnswer) => row.usd_value !== null).length, 0);
  check(
    "the sum of positions",
    sum(holdings.positions, (row) => (row.is_debt ? -row.usd_value : row.usd_value)),
    summary.positions_value_usd ?? 0,
  );
  if (summary.positions_value_usd === null)
    check("positions without a value", holdings.positions.filter((row: AnyAnswer) => row.usd_value !== null).length, 0);
  wrong.push(...compositionContradictions({ name, holdings, portfolio }, profile));
  const parts = [summary.holdings_value_usd, summary.positions_value_usd];
  check("holdings and positions", (parts[0] ?? 0) + (parts[1] ?? 0), summary.total_value_usd ?? 0);
  if (summary.total_value_usd === null) check("what is known of nothing", parts.includes(null) ? 0 : 1, 0);
  return wrong;
};

const TOTALS = ["total_realized_pnl_usd", "total_unrealized_pnl_usd", "total_pnl_usd"] as const;

/** Compares the totals of PnL with the sums of its rows, and the total with realized plus unrealized. */
const totalContradictions = ({ name, pnl }: HoldingAnswers): readonly string[] => {
  // Totals exclude rows of spam; with several pages not all rows are here.
  if (pnl.data === undefined || pnl.pagination.has_more_data) return [];
  const rows = pnl.data;
  const { all_tokens } = pnl.summary;
  const sums = {
    total_realized_pnl_usd: sum(rows, (row) => row.pnl.realized_usd),
    total_unrealized_pnl_usd: sum(rows, (row) => row.pnl.unrealized_usd ?? 0),
    total_pnl_usd: all_tokens.total_realized_pnl_usd + all_tokens.total_unrealized_pnl_usd,
  };
  return TOTALS.filter((figure) => !isSame(sums[figure], all_tokens[figure])).map(
    (figure) => `${name}: ${figure} is ${all_tokens[figure]}, the rows of get_wallet_pnl make it ${sums[figure]}`,
  );
};

/** Contradictions between two tools about the holdings of a wallet, as sentences; [] if they agree. */
export const holdingContradictions = (answers: HoldingAnswers, profile: AnyAnswer = null): readonly string[] => [
  ...balanceContradictions(answers),
  ...saleContradictions(answers),
  ...worthContradictions(answers, profile),
  ...totalContradictions(answers),
];

interface Price {
  readonly where: string;
  readonly usd: number | null;
  /** Omitted: the tool does not state it. */
  readonly confidence?: string | null;
}

const pricesOf = ({ held: { name, holdings, portfolio, pnl } }: WalletAnswers): [token: string, Price][] => [
  ...(holdings.holdings ?? []).map(({ token_address, price_usd, price_confidence }: AnyAnswer) => [
    token_address,
    { where: `holdings of ${name}`, usd: price_usd, confidence: price_confidence },
  ]),
  ...(portfolio?.top_holdings ?? []).map(({ token_address, price_usd }: AnyAnswer) => [
    token_address,
    { where: `portfolio of ${name}`, usd: price_usd },
  ]),
  ...(pnl.data ?? []).flatMap(({ token_address, token_id, holdings: { price_usd, price_confidence } }: AnyAnswer) =>
    token_id === null
      ? [[token_address, { where: `PnL of ${name}`, usd: price_usd, confidence: price_confidence }]]
      : [],
  ),
];

/** A token has one price, and one confidence in it, in all answers of a network at a block. */
export const priceContradictions = (
  wallets: readonly WalletAnswers[],
  tokens: readonly TokenAnswers[],
): readonly string[] => {
  const first = new Map<string, Price>();
  const ofTokens = tokens.flatMap(({ info, market }): [string, Price][] =>
    market.status !== undefined
      ? []
      : [[info.address, { where: "its market", usd: market.price.usd, confidence: market.price.confidence }]],
  );
  return [...ofTokens, ...wallets.flatMap(pricesOf)].flatMap(([token, price]) => {
    const known = first.get(token);
    if (known === undefined || known.confidence === undefined) first.set(token, price);
    if (known === undefined) return [];
    const is_sure = [known, price].some(({ confidence }) => confidence === undefined);
    return isSame(known.usd, price.usd) && (is_sure || known.confidence === price.confidence)
      ? []
      : [
          `${token} is ${price.usd} (${price.confidence}) in ${price.where} and ${known.usd} (${known.confidence}) in ${known.where}`,
        ];
  });
};
