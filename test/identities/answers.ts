/** Answers of all tools about a wallet or a token of one network, independent of the transport. */

// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely; the service's own OpenAPI has checked them.
export type AnyAnswer = any;

/** The body of an answer; an answer without data has a `status`. */
export type CallTool = (tool: string, args: Readonly<Record<string, unknown>>) => Promise<AnyAnswer>;

/** Answers about one wallet at one block, by tool; null if a tool has no data or was not called. */
export interface WalletAnswers {
  readonly name: string;
  /** For the window; `life`: for all time, requested with the profile. */
  readonly stats: AnyAnswer;
  readonly life: AnyAnswer;
  readonly patterns: AnyAnswer;
  readonly profile: AnyAnswer;
  readonly analysis: AnyAnswer;
  /** All pages. */
  readonly counterparties: readonly AnyAnswer[];
  readonly transactions: readonly AnyAnswer[];
  readonly held: HoldingAnswers;
  /** Requested with the profile. */
  readonly standing: StandingAnswers | null;
}

/** Answers about a wallet's account, risk, freezes, contracts, names and last 90 days, by tool; null without data. */
export interface StandingAnswers {
  readonly overview: AnyAnswer;
  readonly score: AnyAnswer;
  readonly blacklist: AnyAnswer;
  readonly compliance: AnyAnswer;
  readonly account: AnyAnswer;
  readonly deployed: AnyAnswer;
  readonly records: AnyAnswer;
  /** get_wallet_pnl over its default window, the same as the profile's. */
  readonly quarter: AnyAnswer;
}

/** Holdings of one wallet, with spam and every page. */
export interface HoldingAnswers {
  readonly name: string;
  readonly address: string;
  readonly pnl: AnyAnswer;
  readonly holdings: AnyAnswer;
  /** Null if it was not requested. */
  readonly portfolio: AnyAnswer;
  /** The wrapped form of the network's coin, which shares a row of PnL with it. Null without one. */
  readonly wrapped: string | null;
}

/** Answers about one token at one block, by tool; `match` is its row of resolve_token_symbol, null without one. */
export interface TokenAnswers {
  readonly name: string;
  readonly info: AnyAnswer;
  readonly market: AnyAnswer;
  readonly risk: AnyAnswer;
  readonly holders: AnyAnswer;
  /** One row, and all days of the default window. */
  readonly flows: AnyAnswer;
  readonly days: AnyAnswer;
  readonly developer: AnyAnswer;
  /** get_contract_creation; null for the coin. */
  readonly created: AnyAnswer;
  readonly match: AnyAnswer;
  /** `token` of its row in get_wallet_deployed_contracts, null without one. */
  readonly deployed: AnyAnswer;
  /** get_wallet_risk_overview of its creator, null if the creator is unknown. */
  readonly creator: AnyAnswer;
}

export interface WalletSubject {
  readonly name: string;
  readonly address: string;
  readonly network: string;
  readonly wrapped: string | null;
  /** A profile reads everything about all counterparties. */
  readonly with_profile: boolean;
}

const PER_PAGE = 100;
/** Maximum holders and traders of a token. */
const TRADERS = 50;
/** Before the start of every world; the default window may start later. */
const FROM = "2025-06-01";

const dataOf = (answer: AnyAnswer): AnyAnswer => (answer.status === undefined ? answer : null);

const pages = async (ask: CallTool, tool: string, args: object): Promise<readonly AnyAnswer[]> => {
  const all: AnyAnswer[] = [];
  for (let page = 1; ; page += 1) {
    const answer = dataOf(await ask(tool, { ...args, page, records_per_page: PER_PAGE }));
    if (answer === null) return all;
    all.push(answer);
    if (!answer.pagination.has_more_data) return all;
  }
};

/** Answers of get_wallet_pnl and get_wallet_token_holdings about one wallet. */
export const readHoldings = async (
  ask: CallTool,
  { name, address, network, wrapped }: Omit<WalletSubject, "with_profile">,
) => {
  const [pnl, holdings] = await Promise.all([
    ask("get_wallet_pnl", { address, network, from_date: FROM, include_spam: true, records_per_page: PER_PAGE }),
    ask("get_wallet_token_holdings", { wallet_address: address, network, include_spam: true, limit: 500 }),
  ]);
  return { name, address, pnl, holdings, portfolio: null, wrapped };
};

const readStanding = async (ask: CallTool, address: string, network: string): Promise<StandingAnswers> => {
  const of = { address, network };
  const one = async (tool: string, args: Readonly<Record<string, unknown>>) => dataOf(await ask(tool, args));
  const [overview, score, blacklist, compliance, account, deployed, records, quarter] = await Promise.all([
    one("get_wallet_risk_overview", of),
    one("get_wallet_risk_score", of),
    one("is_address_blacklisted_by_stablecoin", of),
    one("get_wallet_stablecoin_compliance", of),
    one("get_wallet_account_meta", of),
    one("get_wallet_deployed_contracts", of),
    one("get_wallet_osint_record", { wallet_address: address }),
    one("get_wallet_pnl", of),
  ]);
  return { overview, score, blacklist, compliance, account, deployed, records, quarter };
};

export const readWallet = async (ask: CallTool, who: WalletSubject): Promise<WalletAnswers> => {
  const { name, address, network, with_profile } = who;
  const window = { address, network, from_date: FROM };
  const one = async (tool: string, args: Readonly<Record<string, unknown>>) => dataOf(await ask(tool, args));
  const [stats, patterns, analysis, counterparties, transactions, held, portfolio] = await Promise.all([
    one("get_wallet_stats", window),
    one("get_wallet_transaction_patterns", window),
    one("get_wallet_counterparties_analysis", window),
    pages(ask, "get_wallet_counterparties", window),
    pages(ask, "get_wallet_transactions", window),
    readHoldings(ask, who),
    one("get_wallet_portfolio_breakdown", { wallet_address: address, network, max_holdings: PER_PAGE }),
  ]);
  const [profile, life, standing] = with_profile
    ? [
        await one("get_wallet_address_profile", { address, network }),
        await one("get_wallet_stats", { address, network }),
        await readStanding(ask, address, network),
      ]
    : [null, null, null];
  const answers = { name, stats, life, patterns, profile, analysis, counterparties, transactions, standing };
  return { ...answers, held: { ...held, portfolio } };
};

/** Runs a call once, however many tokens share its answer, by symbol or by creator. */
export const onceEach = (ask: CallTool): CallTool => {
  const asked = new Map<string, Promise<AnyAnswer>>();
  return (tool, args) => {
    const key = `${tool} ${JSON.stringify(args)}`;
    const known = asked.get(key) ?? ask(tool, args);
    asked.set(key, known);
    return known;
  };
};

/** Null if there is no token at that address. */
export const readToken = async (ask: CallTool, network: string, address: string): Promise<TokenAnswers | null> => {
  const of = { token_address: address, network };
  const info = await ask("get_token_info", of);
  if (info.status !== undefined) return null;
  const { symbol, creator } = info;
  const [market, risk, holders, flows, days, developer, created, named, made, overview] = await Promise.all([
    ask("get_token_market_analysis", of),
    ask("get_token_risk_traits", of),
    ask("get_token_holders_traders", { ...of, limit: TRADERS }),
    ask("get_token_flows", { ...of, records_per_page: 1 }),
    ask("get_token_flows", { ...of, records_per_page: PER_PAGE }),
    ask("analyze_token_developer", of),
    address === "native" || creator === null
      ? null
      : ask("get_contract_creation", { contract_address: address, network }),
    symbol === null ? null : ask("resolve_token_symbol", { symbol, network, limit: 25 }),
    creator === null
      ? null
      : ask("get_wallet_deployed_contracts", { address: creator, network, kind: "token", records_per_page: PER_PAGE }),
    creator === null ? null : ask("get_wallet_risk_overview", { address: creator, network }),
  ]);
  const match = named?.matches?.find(({ token_address }: AnyAnswer) => token_address === info.address) ?? null;
  const row = made?.data?.find(({ contract_address }: AnyAnswer) => contract_address === info.address) ?? null;
  const name = `${symbol} ${info.address}`;
  const more = { days, developer, created };
  return { name, info, market, risk, holders, flows, ...more, match, deployed: row?.token ?? null, creator: overview };
};

/** Runs `ask` for each of a list, a limited number concurrently, and returns the results in the order of the list. */
export const readEach = async <T, A>(
  list: readonly T[],
  at_once: number,
  ask: (one: T) => Promise<A>,
): Promise<A[]> => {
  const found: A[] = [];
  const left = [...list.entries()].reverse();
  const askRest = async (): Promise<void> => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) found[next[0]] = await ask(next[1]);
  };
  await Promise.all(Array.from({ length: at_once }, askRest));
  return found;
};
