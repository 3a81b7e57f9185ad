/** The sentence about a transaction, with symbols beside the addresses of its tokens. */
import type { JsonObject } from "../api/answer.ts";
import { shortId } from "../entity/page_address.ts";
import { rowsAt } from "./read.ts";

const SYMBOL_MAX = 16;

const symbolsIn = (body: JsonObject): ReadonlyMap<string, string> =>
  new Map(
    ["asset_changes", "transfers"].flatMap((path) =>
      rowsAt(body, path).flatMap(({ token, symbol }): readonly (readonly [string, string])[] =>
        typeof token === "string" && typeof symbol === "string" && symbol !== "" ? [[token, symbol]] : [],
      ),
    ),
  );

const ADDRESS = /\b(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})\b/g;

/** A symbol is a stranger's word, so that the address stays beside it: `JUN (0x2706A1…0cB7d)`. */
export const leadOf = (lead: string, body: JsonObject): string => {
  const symbols = symbolsIn(body);
  return lead.replace(ADDRESS, (address) => {
    const symbol = symbols.get(address);
    return symbol === undefined ? address : `${symbol.slice(0, SYMBOL_MAX)} (${shortId(address)})`;
  });
};
