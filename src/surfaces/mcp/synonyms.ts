/** Other names of arguments that models use. REST accepts the exact names only. */

type ArgumentNames = readonly string[];

const WALLET: ArgumentNames = ["address", "wallet_address", "wallet", "account", "account_address", "owner"];
const TOKEN: ArgumentNames = ["token_address", "token", "contract_address", "contract", "mint"];
const GROUPS: readonly ArgumentNames[] = [
  WALLET,
  TOKEN,
  ["tx_hash", "hash", "transaction_hash", "transaction", "txid", "signature"],
  ["network", "chain", "blockchain"],
  ["records_per_page", "page_size", "per_page"],
  ["as_of_block", "as_of", "block", "block_number"],
  ["from_date", "start_date", "date_from"],
  ["to_date", "end_date", "date_to"],
];

const onlyOne = (fields: readonly string[]): string | null => (fields.length === 1 ? (fields[0] ?? null) : null);

/** The tool's field that a name means: the only one of its group, or the only address of the tool. Null where two could be meant. */
const fieldOf = (name: string, fields: ReadonlySet<string>): string | null => {
  const group = GROUPS.find((names) => names.includes(name));
  if (group === undefined) return null;
  const own = onlyOne(group.filter((other) => fields.has(other)));
  if (own !== null) return own;
  const is_address = group === WALLET || group === TOKEN;
  return is_address ? onlyOne([...WALLET, ...TOKEN].filter((other) => fields.has(other))) : null;
};

/**
 * Arguments under the names of the tool. A name that the tool has is never changed, and a field that is given under its own name, or
 * under two other names, is not replaced: binding then refuses the unknown name.
 */
export const withOwnNames = (
  args: Readonly<Record<string, unknown>>,
  fields: ReadonlySet<string>,
): Readonly<Record<string, unknown>> => {
  const meant = Object.keys(args).flatMap((name) => {
    const field = fields.has(name) ? null : fieldOf(name, fields);
    return field === null || Object.hasOwn(args, field) ? [] : [[name, field] as const];
  });
  const names = new Map(meant.filter(([, field]) => meant.filter(([, other]) => other === field).length === 1));
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [names.get(name) ?? name, value]));
};
