/** Token metadata as contracts return it. Hostile text, wrong encodings and missing answers all become null. */
import { concatHex, equalBytes, type Hex, hex, padHexEnd, toHex } from "../../lib/bytes.ts";
import { hasHidden, TEXT_BYTES_MAX } from "../../lib/text.ts";
import type { CallResult, ContractCall, LiveTokenMetadata } from "../chain.ts";
import { isTrue, numberIn, rawTextIn, SELECTORS, textIn, word } from "./abi.ts";

type CallBatch = (calls: readonly ContractCall[]) => Promise<readonly CallResult[]>;

const ASKED = [SELECTORS.name, SELECTORS.symbol, SELECTORS.decimals, SELECTORS.totalSupply];
const DECIMALS_MAX = 255n;
/** EIP-165: 721, 1155, and the id that an honest contract never supports. */
const INTERFACES = ["80ac58cd", "d9b67a26", "ffffffff"].map(hex);
const SILENT: CallResult = { ok: false, data: new Uint8Array(0) };

/** Metadata of `tokens`, in order. `ask` makes the contract calls; this does not throw, whatever they return. */
export const readMetadata = async (tokens: readonly Hex[], ask: CallBatch): Promise<LiveTokenMetadata[]> => {
  const answers = await ask(tokens.flatMap((to) => ASKED.map((data) => ({ to, data }))));
  const facts = tokens.map((token, i) => factsOf(token, answers.slice(i * ASKED.length, (i + 1) * ASKED.length)));
  const standards = await standardsOf(facts, ask);
  return facts.map((one) => ({ ...one, standard: standards.get(one.token) ?? null }));
};

type TokenFacts = Omit<LiveTokenMetadata, "standard">;

/** A contract that returns the same bytes to every call answers none of them. */
const isParrot = (answers: readonly CallResult[]): boolean => {
  const [first, ...others] = answers;
  return (
    first?.ok === true && first.data.length > 0 && others.every(({ ok, data }) => ok && equalBytes(data, first.data))
  );
};

const factsOf = (token: Hex, answers: readonly CallResult[]): TokenFacts => {
  const [name, symbol, decimals, supply] = isParrot(answers) ? [] : answers;
  const places = numberOf(decimals);
  return {
    token,
    name: textOf(name, TEXT_BYTES_MAX.name),
    symbol: textOf(symbol, TEXT_BYTES_MAX.symbol),
    decimals: places === null || places > DECIMALS_MAX ? null : Number(places),
    total_supply: numberOf(supply),
    has_hidden: isHidden(name, TEXT_BYTES_MAX.name) || isHidden(symbol, TEXT_BYTES_MAX.symbol),
  };
};

const numberOf = (result: CallResult = SILENT): bigint | null => (result.ok ? numberIn(result.data) : null);

const textOf = (result: CallResult = SILENT, bytes_max: number): string | null =>
  result.ok ? textIn(result.data, bytes_max) : null;

const isHidden = (result: CallResult = SILENT, bytes_max: number): boolean =>
  result.ok && hasHidden(rawTextIn(result.data, bytes_max) ?? "");

/**
 * Only coins have decimals, so only contracts without any are checked for their standard (some collections do return
 * 0).
 */
const standardsOf = async (facts: readonly TokenFacts[], ask: CallBatch): Promise<Map<Hex, string | null>> => {
  const standards = new Map<Hex, string | null>();
  const unclear: Hex[] = [];
  for (const one of facts) {
    if (one.decimals !== null && one.decimals > 0) standards.set(one.token, "erc20");
    else unclear.push(one.token);
  }
  const answers = await ask(
    unclear.flatMap((to) =>
      INTERFACES.map((id) => ({ to, data: concatHex(SELECTORS.supportsInterface, padHexEnd(id, 32)) })),
    ),
  );
  const holder = word(1);
  const balances = await ask(unclear.map((to) => ({ to, data: concatHex(SELECTORS.balanceOf, holder) })));
  unclear.forEach((token, i) => {
    const [is_721 = SILENT, is_1155 = SILENT, is_anything = SILENT] = answers.slice(i * 3, i * 3 + 3);
    const honest = !isTrue(is_anything);
    const one = facts.find((other) => other.token === token);
    if (honest && isTrue(is_721)) standards.set(token, "erc721");
    else if (honest && isTrue(is_1155)) standards.set(token, "erc1155");
    else standards.set(token, one !== undefined && isCoin(one, balances[i]) ? "erc20" : null);
  });
  return standards;
};

/** EIP-20 makes decimals optional, but not supply and balances. */
const isCoin = (one: TokenFacts, balance: CallResult = SILENT): boolean =>
  one.total_supply !== null && balance.ok && toHex(balance.data).length === 64;
