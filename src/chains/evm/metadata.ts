/** Token metadata as contracts return it. Hostile text, wrong encodings and missing answers all become null. */
import { type Bytes, EMPTY, equalBytes, type Hex } from "../../lib/bytes.ts";
import { hasHidden, TEXT_BYTES_MAX } from "../../lib/text.ts";
import type { CallResult, ContractCall, LiveTokenMetadata } from "../chain.ts";
import { numberIn, rawTextIn, SELECTORS, textIn } from "./abi.ts";
import { isDelegation, standardsOf, type TokenFacts } from "./standards.ts";

/** Calls that read tokens from a node; neither throws for what contracts return. */
export interface MetadataReads {
  readonly call: (calls: readonly ContractCall[]) => Promise<readonly CallResult[]>;
  /** Code of accounts, in order; a family without delegated accounts and without old collections returns none. */
  readonly codes: (addresses: readonly Hex[]) => Promise<readonly Bytes[]>;
}

const ASKED = [SELECTORS.name, SELECTORS.symbol, SELECTORS.decimals, SELECTORS.totalSupply];
const DECIMALS_MAX = 255n;
const SILENT: CallResult = { ok: false, data: EMPTY };

/** Metadata of `tokens`, in order. */
export const readMetadata = async (tokens: readonly Hex[], reads: MetadataReads): Promise<LiveTokenMetadata[]> => {
  const [answers, codes] = await Promise.all([
    reads.call(tokens.flatMap((to) => ASKED.map((data) => ({ to, data })))),
    reads.codes(tokens),
  ]);
  const facts = tokens.map((token, i) => factsOf(token, answers.slice(i * ASKED.length, (i + 1) * ASKED.length)));
  const coded = facts.map((one, i) => ({ ...one, code: codes[i] ?? EMPTY }));
  const standards = await standardsOf(
    coded.filter(({ code }) => !isDelegation(code)),
    reads.call,
  );
  return coded.map(({ code, ...one }) =>
    isDelegation(code) ? accountAt(one.token) : { ...one, standard: standards.get(one.token) ?? null },
  );
};

const accountAt = (token: Hex): LiveTokenMetadata => ({
  ...{ token, standard: null, name: null, symbol: null, decimals: null, total_supply: null },
  is_account: true,
});

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
