/** What a tool says when it found nothing: what was searched, where, and how (docs/concepts.md). */
import type { Spread } from "../domain/networks.ts";

const NAMED_MAX = 4;

/** Networks as words: `demo`, `demo and demo-tron`, `12 networks`. */
export const networkWords = (ids: readonly string[]): string =>
  ids.length > NAMED_MAX ? `${ids.length} networks` : listed(ids);

/** The networks that answered. */
export const answeredBy = ({ answered }: Spread<unknown>): string =>
  networkWords(answered.map(({ chain }) => chain.network.id));

interface Days {
  readonly from: string | null;
  readonly to: string | null;
}

/** A window as words, with a blank before; nothing where all of the history was searched. */
export const windowWords = ({ from, to }: Days): string => {
  if (from === null || from === "") return to === null || to === "" ? "" : ` up to ${to}`;
  return to === null || to === "" ? ` since ${from}` : ` from ${from} to ${to}`;
};

type Narrowing = string | number | boolean | undefined;

/** Values of inputs that narrow nothing. */
const WIDE: readonly Narrowing[] = [undefined, "", "all", 0, false];

/** The inputs by which the caller narrowed the search, with a blank before: ` with direction=in and min_usd=5`. */
export const narrowedBy = (inputs: Readonly<Record<string, Narrowing>>): string => {
  const named = Object.entries(inputs).filter(([, value]) => !WIDE.includes(value));
  return named.length === 0 ? "" : ` with ${listed(named.map(([name, value]) => `${name}=${value}`))}`;
};

/** A page behind the last one is empty, whatever stands on those before it. */
export const emptyPage = (page: number): string | null =>
  page === 1 ? null : `Page ${page} holds no row: the list ends before it. Page 1 tells whether there is any.`;

/** Of holdings. */
export const nothingHeld = (networks: string): string =>
  `This address holds no coin, token or known position on ${networks}. Only tokens whose transfers are indexed, and positions of known protocols, were searched.`;

/** Of the profile and the risk of an address. */
export const unknownAddress = (networks: string): string =>
  `This address sent nothing and received nothing on ${networks}, and no list that this service has names it.`;

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
