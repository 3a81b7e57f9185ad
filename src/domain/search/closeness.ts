import { distance } from "../../lib/nearest.ts";

/** How a word resembles the searched text, the nearest first. */
export const CLOSENESS = ["exact", "prefix", "word", "part", "typo"] as const;
export type Closeness = (typeof CLOSENESS)[number];

/** A word of at least so many letters may differ by one; one of twice as many, by two. */
const LETTERS_PER_TYPO = 4;

/** How many letters may differ from a text. */
export const typosIn = (text: string): number => Math.min(2, Math.floor(text.length / LETTERS_PER_TYPO));

/** Compares one word with a text in lower case; null when they do not resemble each other. */
const closenessOf = (word: string, text: string): Closeness | null => {
  const lower = word.toLowerCase();
  if (lower === text) return "exact";
  if (lower.startsWith(text)) return "prefix";
  const at = lower.indexOf(text);
  if (at > 0) return /[\p{L}\p{N}]/u.test(lower[at - 1] ?? "") ? "part" : "word";
  const typos = typosIn(text);
  return typos > 0 && distance(lower, text) <= typos ? "typo" : null;
};

/** The nearest of some words; null when none resembles the text. */
export const nearestOf = (words: readonly (string | null)[], text: string): Closeness | null => {
  const found = new Set(words.flatMap((word) => (word === null ? [] : [closenessOf(word, text)])));
  return CLOSENESS.find((closeness) => found.has(closeness)) ?? null;
};
