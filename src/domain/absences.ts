/** Absence sentences: what a tool searched, where and how when it found nothing (docs/concepts.md). */
import type { NetworkAnswers } from "./networks.ts";

/** One sentence for a proven absence, and one for a search that the index does not fully cover. */
export interface AbsenceWords {
  readonly message: string;
  readonly unproven: string;
}

const WINDOW = "Nothing was found, and the index does not cover the whole window.";
const HISTORY = "Nothing was found, and the index does not cover the whole history.";

const NAMED_MAX = 4;

/** Networks as words: `demo`, `demo and demo-tron`, the number of them. */
export const networkWords = (ids: readonly string[]): string =>
  ids.length > NAMED_MAX ? `${ids.length} networks` : listed(ids);

/** The networks that answered. */
const answeredBy = ({ answered }: NetworkAnswers<unknown>): string =>
  networkWords(answered.map(({ chain }) => chain.network.id));

interface AbsenceDays {
  readonly from: string | null;
  readonly to: string | null;
}

/** A window as words, with a leading blank; empty when the whole history was searched. */
export const windowWords = ({ from, to }: AbsenceDays): string => {
  if (from === null || from === "") return to === null || to === "" ? "" : ` up to ${to}`;
  return to === null || to === "" ? ` since ${from}` : ` from ${from} to ${to}`;
};

type FilterValue = string | number | boolean | undefined;

/** Input values that do not narrow a search. */
const WIDE: readonly FilterValue[] = [undefined, "", "all", 0, false];

/** The inputs by which the caller narrowed the search, with a leading blank: ` with direction=in and min_usd=5`. */
export const narrowedBy = (inputs: Readonly<Record<string, FilterValue>>): string => {
  const named = Object.entries(inputs).filter(([, value]) => !WIDE.includes(value));
  return named.length === 0 ? "" : ` with ${listed(named.map(([name, value]) => `${name}=${value}`))}`;
};

/** A page of a list, and whether the whole list is empty. */
interface PageState {
  readonly page: number;
  readonly is_empty: boolean;
}

/** A page behind the last one is empty, whatever the pages before it hold. */
export const pageOr = (none: string, { page, is_empty }: PageState): string =>
  is_empty || page === 1
    ? none
    : `Page ${page} has no rows: the list ends before it. Page 1 shows whether the list has any.`;

/** Inputs of tools that list the movements of a wallet. */
interface MovementFilters {
  readonly direction: string;
  readonly min_usd: number;
  readonly include_spam: boolean;
  readonly token_address?: { readonly text: string } | undefined;
  readonly counterparty?: { readonly text: string } | undefined;
  readonly page: number;
}

const filtersOf = ({ direction, min_usd, include_spam, token_address, counterparty }: MovementFilters): string =>
  narrowedBy({
    ...{ direction, token_address: token_address?.text, counterparty: counterparty?.text },
    ...{ min_usd, include_spam },
  });

/** A list of a wallet's movements: networks, window and filters. */
interface MovementSearch {
  readonly spread: NetworkAnswers<unknown>;
  readonly days: AbsenceDays;
  readonly asked: MovementFilters;
  readonly is_empty: boolean;
}

export const noTransactions = ({ spread, days, asked, is_empty }: MovementSearch): AbsenceWords => {
  const none = `This address has no transaction on ${answeredBy(spread)}${windowWords(days)}${filtersOf(asked)}.`;
  return { message: pageOr(none, { page: asked.page, is_empty }), unproven: WINDOW };
};

export const noCounterparties = ({ spread, days, asked, is_empty }: MovementSearch): AbsenceWords => {
  const scope = `${answeredBy(spread)}${windowWords(days)}${filtersOf(asked)}`;
  const none = `No transfer between this address and another one on ${scope}.`;
  return { message: pageOr(none, { page: asked.page, is_empty }), unproven: WINDOW };
};

export const noDealings = (spread: NetworkAnswers<unknown>, days: AbsenceDays): AbsenceWords => ({
  message: `No transfer between this address and another one on ${answeredBy(spread)}${windowWords(days)}.`,
  unproven: WINDOW,
});

export const noStats = (spread: NetworkAnswers<unknown>, days: AbsenceDays): AbsenceWords => ({
  message: `This address sent nothing and received nothing on ${answeredBy(spread)}${windowWords(days)}: its transactions, inner calls and token transfers were searched.`,
  unproven: "The wallet was not found, and the index does not cover the whole query.",
});

export const noPatterns = (network: string, days: AbsenceDays, hidden_spam: number): AbsenceWords => {
  const spam = hidden_spam > 0 ? ` but ${hidden_spam} transfers flagged as spam` : "";
  return {
    message: `This address sent nothing and received nothing${spam} on ${network}${windowWords(days)}, so it has no habits to describe.`,
    unproven: WINDOW,
  };
};

/** For the profile and the risk of an address. */
export const unknownAddress = (spread: NetworkAnswers<unknown>, noun: "address" | "wallet"): AbsenceWords => ({
  message: `This address sent nothing and received nothing on ${answeredBy(spread)}, and no list that this service has names it.`,
  unproven: `The ${noun} was not found, and the index does not cover the whole query.`,
});

export const noHoldings = (spread: NetworkAnswers<unknown>): AbsenceWords => ({
  message: `This address holds no coin, token or known position on ${answeredBy(spread)}. Only tokens whose transfers are indexed, and positions of known protocols, were searched.`,
  unproven: "No holding was found, and the index cannot prove that the address has none.",
});

export const noProfitAndLoss = (
  spread: NetworkAnswers<unknown>,
  { include_spam, page }: Pick<MovementFilters, "include_spam" | "page">,
  is_empty: boolean,
): AbsenceWords => {
  const spam = narrowedBy({ include_spam });
  const none = `No purchase, sale or holding of this address on ${answeredBy(spread)} has a profit or a loss to compute${spam}.`;
  return { message: pageOr(none, { page, is_empty }), unproven: HISTORY };
};

interface DeploymentSearch {
  readonly network: string;
  readonly include_factory_created: boolean;
  readonly kind: string;
  readonly page: number;
}

export const noContracts = (asked: DeploymentSearch, is_empty: boolean): AbsenceWords => {
  const searched = asked.include_factory_created ? "included" : "left out";
  const narrowed = narrowedBy({ kind: asked.kind });
  const none = `No contract was created${narrowed} in a transaction that this account sent on ${asked.network}, factories' calls ${searched}.`;
  return { message: pageOr(none, { page: asked.page, is_empty }), unproven: HISTORY };
};

interface FlowsSearch {
  readonly network: string;
  readonly segment: string;
  readonly page: number;
}

export const noTransfers = (asked: FlowsSearch, days: AbsenceDays, is_empty: boolean): AbsenceWords => {
  const none = `No transfer of this token on ${asked.network}${windowWords(days)}${narrowedBy({ segment: asked.segment })}.`;
  return { message: pageOr(none, { page: asked.page, is_empty }), unproven: WINDOW };
};

export const noRecentTransfers = (
  { network, timeframe }: { readonly network: string; readonly timeframe: string },
  block: number,
): AbsenceWords => ({
  message: `No transfer of this token on ${network} in the last ${timeframe} before block ${block}.`,
  unproven: WINDOW,
});

export const noPool = (network: string): AbsenceWords => ({
  message: `No pool of a known exchange holds this token on ${network}. Markets elsewhere, and pools of exchanges that this service does not know, are not searched.`,
  unproven: "No pool was found, and the index does not cover the token's whole life.",
});

export const noHolder = (network: string): AbsenceWords => ({
  message: `No address holds any of this token on ${network}: all its transfers were summed by address, and no balance is above zero.`,
  unproven: "No holder was found, and the index does not cover the whole history.",
});

export const noCreation = (network: string): AbsenceWords => ({
  message: `No indexed transaction of ${network} created the contract of this token, inner calls included, so no developer is known.`,
  unproven: "The token's creation is not indexed, and the index does not cover the whole history.",
});

export const noSymbol = (spread: NetworkAnswers<unknown>): AbsenceWords => ({
  message: `No token has exactly this symbol on ${answeredBy(spread)}. Whole symbols were compared, in upper and lower case: part of a symbol, a token's name and an address are not found this way.`,
  unproven: "No token was found, and the index does not cover the whole history.",
});

export const noRecord = (spread: NetworkAnswers<unknown>): AbsenceWords => ({
  message: `No label list, sanctions list or issuer's freeze that this service has names exactly this address on ${answeredBy(spread)}, and it has no verified name. Sources that were not imported are not searched.`,
  unproven: "No record was found, and the index does not know every freeze.",
});

const NOT_WHOLE = "The hash is unknown, but not every block that could contain it is indexed, so it may exist.";
const MAYBE_VOTE =
  "The signature is unknown to the nodes. Assay stores votes of validators as sums per block, without signatures, so it may be one of them.";

/** @param is_indexed the index has every block that could contain it */
export const noTransaction = (spread: NetworkAnswers<unknown>, is_indexed: boolean): AbsenceWords => ({
  message: `No transaction has exactly this hash on ${answeredBy(spread)}: the index and the nodes were searched.`,
  unproven: is_indexed ? MAYBE_VOTE : NOT_WHOLE,
});

export const noAccount = (spread: NetworkAnswers<unknown>): string =>
  `There is no account at this address on ${answeredBy(spread)}: the nodes report no balance, no transaction sent and no code.`;

export const noFreezePower = (spread: NetworkAnswers<unknown>): string =>
  `No requested stablecoin can freeze addresses on ${answeredBy(spread)}: their contracts have no such function, so there was nothing to look up.`;

export const NO_SITE =
  "This token has no known website: the call names none, the token's own metadata names none, and neither does the operator's list. That does not prove that it has none.";

export const NO_NAME = "The name service of this ending has no address for exactly this name, or the name has expired.";

export const NO_NAME_OF_ADDRESS =
  "No name both points to this address and is the address's own choice. The name services of the networks of this service were queried.";

export const NO_ENS_RESOLVER =
  "The ENS registry has no resolver for exactly this name, or for a parent name that answers for it.";

export const NO_ENS_ADDRESS = "The name has a resolver in the ENS registry, and its Ethereum address record is empty.";

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
