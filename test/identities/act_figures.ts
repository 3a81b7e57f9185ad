/** Contradictions between a list of transactions and the analysis of each of them. Pure. */

// biome-ignore lint/suspicious/noExplicitAny: answers are walked freely; the service's own OpenAPI has checked them.
export type ActAnswer = any;

/** One transaction of a wallet, as shown by both tools. */
export interface ActAnswers {
  readonly wallet: string;
  /** As its network writes it. */
  readonly address: string;
  /** `tx_type` of its rows in get_wallet_transactions. */
  readonly tx_type: string;
  readonly analysis: ActAnswer;
}

/** Types under which a list shows an act of its actor (docs/design/readings.md). The second words are for readers with less information. */
const OF_ACT: Readonly<Record<string, readonly string[]>> = {
  swap: ["swap"],
  nft_purchase: ["nft_trade"],
  nft_sale: ["nft_trade"],
  add_liquidity: ["add_liquidity"],
  remove_liquidity: ["remove_liquidity"],
  collect_fees: ["remove_liquidity"],
  supply: ["deposit"],
  deposit: ["deposit"],
  withdraw: ["withdraw"],
  borrow: ["borrow"],
  repay: ["repay"],
  liquidation: ["repay"],
  // The network's own issuance is named by the kind of its rows.
  stake: ["stake"],
  unstake: ["unstake", "withdrawal"],
  claim_reward: ["claim", "reward"],
  wrap: ["wrap"],
  unwrap: ["unwrap"],
  bridge_out: ["bridge"],
  bridge_in: ["bridge"],
  // The network's own contract leaves no function in the index, and nothing moved.
  vote: ["governance", "call"],
  deploy: ["deploy"],
  mint: ["mint"],
  transfer: ["transfer"],
  // A list only shows that an item was created.
  register_name: ["other", "mint"],
  // Nothing moved.
  set_name_record: ["call"],
  // An account through which others act: the list has the payments, not the actor that decided them.
  multisig_exec: ["other", "transfer"],
  user_operation: ["other", "transfer"],
};

/** Types in lists of other participants of an act: they paid, were paid, or only called. */
const OF_OTHERS: readonly string[] = ["transfer", "call", "mint", "burn"];
/** The other side of an item trade, and a liquidated debtor, have an act of their own. */
const OF_PARTNERS: Readonly<Record<string, readonly string[]>> = {
  nft_purchase: ["nft_trade"],
  liquidation: ["repay", "withdraw"],
};

/** Without a headline, the category states the act as far as it is known. */
const OF_CATEGORY: Readonly<Record<string, readonly string[]>> = {
  transfer: ["transfer", "burn", "mint", "call"],
  mint: ["mint", "call"],
  approval: ["approval"],
  deploy: ["deploy", "call", "mint", "transfer"],
  add_liquidity: ["add_liquidity"],
  remove_liquidity: ["remove_liquidity"],
  other: ["call", "other", "wrap", "unwrap"],
};

/** Amounts that the wallet gained and lost. */
const sidesOf = ({ address, analysis }: ActAnswers) => {
  const own = analysis.asset_changes.filter((row: ActAnswer) => row.address === address);
  const amounts = own.map((row: ActAnswer) => BigInt(row.amount_raw));
  return { has_gained: amounts.some((one: bigint) => one > 0n), has_lost: amounts.some((one: bigint) => one < 0n) };
};

/** The called function of a known contract names the headline. */
const isNamedByFunction = ({ analysis: { headline, method } }: ActAnswers): boolean =>
  headline.identified_by === method?.signature && headline.basis === "protocol";

/**
 * An index keeps no logs: if only a common event or word identifies the headline, a movement in one direction
 * is listed as a plain transfer.
 */
const comesFromLogs = (answers: ActAnswers): boolean => {
  const { has_gained, has_lost } = sidesOf(answers);
  return has_gained !== has_lost && !isNamedByFunction(answers);
};

/**
 * Types in a list for headlines that rest on logs or on movements of others, which a list does not read: a contract that
 * another contract created, and an item whose seller was paid through a contract.
 */
const FROM_OTHERS: Readonly<Record<string, readonly string[]>> = {
  deploy: ["call", "mint", "transfer"],
  nft_purchase: ["other"],
  nft_sale: ["other"],
};

const allowedBy = (answers: ActAnswers): readonly string[] => {
  const { address, analysis } = answers;
  const { headline, category, status } = analysis;
  if (status === "failed") return ["call"];
  if (headline === null) return OF_CATEGORY[category] ?? [];
  const { type } = headline;
  const from_others = isNamedByFunction(answers) ? [] : (FROM_OTHERS[type] ?? []);
  const own =
    headline.actor === address ? [...(OF_ACT[type] ?? []), ...(comesFromLogs(answers) ? ["transfer"] : [])] : OF_OTHERS;
  const partners = headline.actor === address ? [] : (OF_PARTNERS[type] ?? []);
  return [...own, ...partners, ...from_others];
};

/** Sums of base units by token. */
type Nets = Map<string, bigint>;

const add = (nets: Nets, { token, token_id, amount_raw }: ActAnswer, sign: bigint): void => {
  const key = token_id === null ? token : `${token}#${token_id}`;
  nets.set(key, (nets.get(key) ?? 0n) + sign * BigInt(amount_raw));
};

const isSame = (a: Nets, b: Nets): boolean =>
  [...new Set([...a.keys(), ...b.keys()])].every((key) => (a.get(key) ?? 0n) === (b.get(key) ?? 0n));

/** Checks that the headline's sides are the actor's gains and losses, apart from deposits for the actor's own accounts. */
const netContradictions = ({ wallet, analysis }: ActAnswers): readonly string[] => {
  const { headline, asset_changes, transfers, tx_hash } = analysis;
  if (headline === null) return [];
  const [told, moved]: [Nets, Nets] = [new Map(), new Map()];
  for (const side of headline.tokens_in) add(told, side, 1n);
  for (const side of [...headline.tokens_out, ...headline.fee]) add(told, side, -1n);
  for (const side of headline.debt) add(told, side, headline.type === "borrow" ? 1n : -1n);
  for (const row of asset_changes) if (row.address === headline.actor) add(moved, row, 1n);
  for (const row of transfers) {
    if (row.kind === "rent" && row.from === headline.actor) add(moved, row, 1n);
    if (row.kind === "rent" && row.to === headline.actor) add(moved, row, -1n);
  }
  return isSame(told, moved) ? [] : [`${wallet}: the headline of ${tx_hash} is not what its actor gained and lost`];
};

const WRAPPED_SOL = "So11111111111111111111111111111111111111112";

/** Treats the coin and its wrapped form, which routers exchange on the way, as one. */
const plain = (symbol: string | null, token: string): string =>
  token === WRAPPED_SOL || symbol === "WETH" || symbol === "WTRX" ? "native" : token;

/**
 * Checks that the legs of a trade lead from the sold to the bought tokens: nothing stays on the way, and no leg makes the actor richer than
 * the headline states. A token that charges a fee per transfer reaches the first pool as less.
 */
const legContradictions = ({ wallet, analysis }: ActAnswers): readonly string[] => {
  const { headline, actions, tx_hash } = analysis;
  const legs = actions.filter(({ type }: ActAnswer) => type === "swap");
  if (headline?.type !== "swap" || legs.length === 0) return [];
  const nets: Nets = new Map();
  const put = (sides: readonly ActAnswer[], sign: bigint): void => {
    for (const side of sides) {
      const key = plain(side.symbol, side.token);
      nets.set(key, (nets.get(key) ?? 0n) + sign * BigInt(side.amount_raw));
    }
  };
  for (const leg of legs) {
    put(leg.tokens_in, 1n);
    put(leg.tokens_out, -1n);
  }
  const ends = new Map<string, bigint>();
  for (const side of headline.tokens_in) ends.set(plain(side.symbol, side.token), BigInt(side.amount_raw));
  for (const side of headline.tokens_out) ends.set(plain(side.symbol, side.token), -BigInt(side.amount_raw));
  const wrong = [...new Set([...nets.keys(), ...ends.keys()])].filter((token) => {
    const [leg, end] = [nets.get(token) ?? 0n, ends.get(token) ?? 0n];
    return end === 0n ? leg !== 0n : leg < end;
  });
  return wrong.map((token) => `${wallet}: the legs of ${tx_hash} do not add up to its headline in ${token}`);
};

const typeContradictions = (answers: ActAnswers): readonly string[] => {
  const { wallet, tx_type, analysis } = answers;
  const { headline, category, tx_hash, actions } = analysis;
  const has_swap = actions.some(({ type }: ActAnswer) => type === "swap");
  const { has_gained, has_lost } = sidesOf(answers);
  const said = headline === null ? `of category ${category}` : `${headline.type} of ${headline.actor}`;
  return [
    ...(allowedBy(answers).includes(tx_type) ? [] : [`${wallet}: ${tx_hash} is listed as ${tx_type}, and ${said}`]),
    ...(has_swap && has_gained && has_lost && tx_type === "transfer"
      ? [`${wallet}: ${tx_hash} has a trade of a pool, both sides moved, and it is listed as transfer`]
      : []),
  ];
};

/** Contradictions between both tools, as sentences. */
export const actContradictions = (answers: ActAnswers): readonly string[] => [
  ...typeContradictions(answers),
  ...netContradictions(answers),
  ...legContradictions(answers),
];
