/** HTML from untrusted text: escapes everything, removes invisible characters, isolates text direction. */
import { cleanLines } from "../lib/lines.ts";

const ESCAPED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const CHARACTERS_MAX = 2_000;

/** Text that is safe between tags and in quoted attributes; truncates long text and says so. */
export const htmlText = (text: string, most = CHARACTERS_MAX): string => {
  const clean = cleanLines(text);
  const shown = clean.length > most ? `${clean.slice(0, most).toWellFormed()} … (${clean.length} characters)` : clean;
  return shown.replace(/[&<>"']/g, (character) => ESCAPED[character] ?? "");
};

/** An element. Attributes come from the program, never from untrusted text; `inner` is HTML. */
export const tag = (name: string, inner: string, attributes: Readonly<Record<string, string>> = {}): string =>
  `<${name}${Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${htmlText(value)}"`)
    .join("")}>${inner}</${name}>`;

// Characters that could end the block or start an element, end a script line, or are invisible in the source.
const UNSAFE_IN_BLOCK = /[<>&\u2028\u2029\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g;

const asEscape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** JSON as a data block of a page: its content cannot end the block or start another element. */
export const jsonBlock = (id: string, json: string): string =>
  `<script type="application/json" id="${id}">${json.replace(UNSAFE_IN_BLOCK, asEscape)}</script>`;

/** The JSON of a `jsonBlock` in a page; null when the page has no such block. */
export const jsonBlockOf = (html: string, id: string): string | null => {
  const open = `<script type="application/json" id="${id}">`;
  const from = html.indexOf(open);
  const to = from < 0 ? -1 : html.indexOf("</script>", from);
  return to < 0 ? null : html.slice(from + open.length, to);
};
