/** Pieces of HTML made of text by strangers: everything is escaped, what is not seen is dropped, directions stay inside. */
import { cleanLines } from "../lib/lines.ts";

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const CHARACTERS_MAX = 2_000;

/** Text as it may stand between tags and in quoted attributes; a longer one is cut and says so. */
export const htmlText = (text: string, most = CHARACTERS_MAX): string => {
  const clean = cleanLines(text);
  const shown = clean.length > most ? `${clean.slice(0, most).toWellFormed()} … (${clean.length} characters)` : clean;
  return shown.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? "");
};

/** An element with attributes that are our own words. `inner` is HTML. */
export const tag = (name: string, inner: string, attributes: Readonly<Record<string, string>> = {}): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${htmlText(value)}"`)
    .join("")}>${inner}</${name}>`;

// What could end the block or begin an element, ends a line of a script, or is not seen where the source is read.
const UNSAFE_IN_BLOCK = /[<>&\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

const asEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** JSON for a data block of a page: nothing in it can end the block or begin another element. */
export const jsonBlock = (id: string, json: string): string =>
  `<script type="application/json" id="${id}">${json.replace(UNSAFE_IN_BLOCK, asEscape)}</script>`;

/** What `jsonBlock` put into a page; null where there is no such block. */
export const jsonBlockOf = (html: string, id: string): string | null => {
  const open = `<script type="application/json" id="${id}">`;
  const from = html.indexOf(open);
  const to = from < 0 ? -1 : html.indexOf("</script>", from);
  return to < 0 ? null : html.slice(from + open.length, to);
};
