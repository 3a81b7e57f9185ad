/** BM25 over the words of short documents: how a client finds a tool by names and descriptions alone. */

const K1 = 1.2;
const B = 0.75;

/** Words without information about the question. */
const STOP = new Set(
  "a all an and any are as at be been by can did do does for from give had has have how i if in is it its me my need no not of on one only or our show that the their there they this to was we were what when where which who why will with you".split(
    " ",
  ),
);

/** Words of a text: lower case, names with underscores apart, without the `s` of a plural. */
const wordsOf = (text: string): readonly string[] =>
  (text.toLowerCase().match(/[a-z0-9]+/g) ?? [])
    .filter((word) => !STOP.has(word))
    .map((word) => (word.length > 3 ? word.replace(/s$/, "") : word));

interface Document {
  readonly name: string;
  readonly text: string;
}

/** Names of the documents, best match first. */
export const ranked = (documents: readonly Document[], question: string): readonly string[] => {
  const read = documents.map(({ name, text }) => ({ name, words: wordsOf(text) }));
  const mean = read.reduce((sum, { words }) => sum + words.length, 0) / read.length;
  const asked = [...new Set(wordsOf(question))];
  const scoreOf = (words: readonly string[]): number =>
    asked.reduce((sum, word) => {
      const holding = read.filter((one) => one.words.includes(word)).length;
      const idf = Math.log(1 + (read.length - holding + 0.5) / (holding + 0.5));
      const count = words.filter((one) => one === word).length;
      return sum + (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * words.length) / mean));
    }, 0);
  const scored = read.map(({ name, words }) => ({ name, score: scoreOf(words) }));
  return scored.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1)).map(({ name }) => name);
};
