/** What get_wallet_pnl and get_wallet_token_holdings say one wallet has, and where they contradict each other. Pure. */

// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely; the service's own OpenAPI has checked them.
export type Answer = any;

/** Answers about one wallet at one block, spam and every page included. */
export interface HeldAnswers {
  readonly name: string;
  readonly pnl: Answer;
  readonly holdings: Answer;
  /** The wrapped form of the network's coin: both are one row of PnL. Null where there is none. */
  readonly wrapped: string | null;
}

const addTo = (sums: Map<string, bigint>, token: string, amount: bigint): void => {
  sums.set(token, (sums.get(token) ?? 0n) + amount);
};

/** Base units by token; positions that an NFT holds are no balances. */
const heldByPnl = ({ pnl }: HeldAnswers): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { token_address, token_id, holdings } of pnl.data ?? []) {
    if (token_id === null) addTo(sums, token_address, BigInt(holdings.current_amount_raw));
  }
  return sums;
};

const heldByHoldings = ({ holdings, wrapped }: HeldAnswers): ReadonlyMap<string, bigint> => {
  const sums = new Map<string, bigint>();
  for (const { token_address, token_type, balance_raw } of holdings.holdings ?? []) {
    if (token_type === "erc721" || token_type === "erc1155") continue;
    addTo(sums, token_address === wrapped ? "native" : token_address, BigInt(balance_raw));
  }
  return sums;
};

/** What each tool says can be done with a token; spam that one of them leaves out says nothing. */
const outcomesOf = (rows: readonly Answer[]): ReadonlyMap<string, string | null> =>
  new Map(rows.map(({ token_address, outcome }) => [token_address, outcome]));

const saleContradictions = ({ name, pnl, holdings }: HeldAnswers): readonly string[] => {
  const [of_pnl, of_holdings] = [outcomesOf(pnl.data ?? []), outcomesOf(holdings.holdings ?? [])];
  return [...of_holdings].flatMap(([token, outcome]) => {
    const other = of_pnl.get(token);
    return other === undefined || other === outcome
      ? []
      : [`${name} can do with ${token}: ${other} in get_wallet_pnl, ${outcome} in get_wallet_token_holdings`];
  });
};

/** Every token of which both tools do not say the same, in words; [] where they agree. */
export const contradictions = (answers: HeldAnswers): readonly string[] => [
  ...balanceContradictions(answers),
  ...saleContradictions(answers),
];

const balanceContradictions = (answers: HeldAnswers): readonly string[] => {
  const [books, balances] = [heldByPnl(answers), heldByHoldings(answers)];
  return [...new Set([...books.keys(), ...balances.keys()])].flatMap((token) => {
    const [of_pnl, of_holdings] = [books.get(token) ?? 0n, balances.get(token) ?? 0n];
    return of_pnl === of_holdings
      ? []
      : [`${answers.name} has ${of_pnl} of ${token} in get_wallet_pnl and ${of_holdings} in get_wallet_token_holdings`];
  });
};
