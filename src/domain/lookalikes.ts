/**
 * Letters of other scripts that are drawn like a Latin letter or digit, each with the one it imitates.
 * Source: Unicode TR 39, confusables.txt, the rows whose target is a lower-case Latin letter, upper case folded.
 */
const TWINS: Readonly<Record<string, string>> = {
  // Cyrillic
  а: "a",
  в: "b",
  с: "c",
  ԁ: "d",
  е: "e",
  һ: "h",
  н: "h",
  і: "i",
  ј: "j",
  к: "k",
  ӏ: "l",
  м: "m",
  о: "o",
  р: "p",
  ԛ: "q",
  ѕ: "s",
  т: "t",
  у: "y",
  ѵ: "v",
  ԝ: "w",
  х: "x",
  ү: "y",
  // Greek
  α: "a",
  β: "b",
  ε: "e",
  η: "n",
  ι: "i",
  κ: "k",
  μ: "u",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  χ: "x",
  ζ: "z",
  // Armenian
  ա: "w",
  հ: "h",
  յ: "j",
  ո: "n",
  օ: "o",
  ս: "u",
  ց: "g",
  զ: "q",
  // Latin extensions without a decomposition
  ı: "i",
  ɑ: "a",
  ɡ: "g",
  ʟ: "l",
  ꜱ: "s",
  ᴛ: "t",
  ᴅ: "d",
  ᴄ: "c",
  ᴜ: "u",
};

// biome-ignore lint/suspicious/noControlCharactersInRegex: the first 128 characters, whatever they are.
const ASCII = /^[\x00-\x7f]*$/;

/**
 * A text as a reader perceives it: compatibility forms folded, marks removed, lower case, look-alike letters replaced
 * by their Latin twins.
 */
export const skeletonOf = (text: string): string =>
  // Nothing of ASCII is a form, a mark or a twin of something else.
  ASCII.test(text) ? text.toLowerCase() : readAs(text);

const readAs = (text: string): string =>
  [...text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase()].map((letter) => TWINS[letter] ?? letter).join("");
