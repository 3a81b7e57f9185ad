import { CODE_WORDS } from "./code_words.ts";

/** Controls, characters of no width, and those that turn the direction of reading: each is shown as a mark. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;
const MARK = "\uFFFD";
/** More signs over one letter than any language writes. */
const PILED = /(\p{M}{2})\p{M}+/gu;
/** A text is cut to this before anything else looks at it. */
const CHARACTERS_READ = 400;

/** A stranger's text, fit to be shown: one line, nothing hidden in it. */
export const displayText = (text: string): string =>
  text
    .slice(0, CHARACTERS_READ)
    .toWellFormed()
    .replace(/[\t\n\r\u00A0]+/g, " ")
    .replace(UNSEEN, MARK)
    .replace(/\uFFFD{2,}/g, MARK)
    .replace(PILED, "$1")
    .trim();

const NARROW = /[ilIjtfr.,:;|!'`()[\]{}\-/ ·]/;
const WIDE = /[mwMW@%—…→]/;
const UPPER = /[A-Z&#$+=~<>_0-9−×]/;

/** Width of one character in parts of the font's size, from above: what is drawn has never more. */
const widthOf = (character: string): number => {
  if (NARROW.test(character)) return 0.36;
  if (WIDE.test(character)) return 0.92;
  if (UPPER.test(character)) return 0.66;
  return character >= " " && character <= "\u024F" ? 0.58 : 1.1;
};

/** Pixels that a text takes at most. */
export const widthIn = (text: string, size: number): number => {
  let width = 0;
  for (const character of text) width += widthOf(character);
  return width * size;
};

/** The beginning of a text that fits, with an ellipsis where it was cut; empty where not even that fits. */
export const fitted = (text: string, width: number, size: number): string => {
  if (widthIn(text, size) <= width) return text;
  const ellipsis = "…";
  let used = widthIn(ellipsis, size);
  let kept = "";
  for (const character of text) {
    used += widthIn(character, size);
    if (used > width) break;
    kept += character;
  }
  return kept === "" ? "" : `${kept.trimEnd()}${ellipsis}`;
};

/** An address or a hash shortened to its ends. */
const shortHash = (text: string): string => (text.length <= 14 ? text : `${text.slice(0, 6)}…${text.slice(-4)}`);

const isHash = (text: string): boolean => /^(0x[0-9a-fA-F]{16,}|[1-9A-HJ-NP-Za-km-z]{26,64})$/.test(text);

/** A name as it is shown; of an address or a hash its ends; of nothing the word for it. */
export const displayName = (text: string | null, nameless = "unnamed"): string => {
  const clean = text === null ? "" : displayText(text);
  if (clean === "") return nameless;
  return isHash(clean) ? shortHash(clean) : clean;
};

/** A code of an answer in words: those of the list, else its own. */
export const worded = (code: string): string =>
  (Object.hasOwn(CODE_WORDS, code) ? CODE_WORDS[code] : undefined) ?? displayText(code).replaceAll("_", " ");

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;
