/** Smallest number of inserted, removed, replaced or swapped neighbouring characters that turns `a` into `b`. */
const distance = (a: string, b: string): number => {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let best = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
};

/** Names longer than this are not compared: nobody mistypes that much. */
const LENGTH_MAX = 64;

/** What people write for our words. */
const SYNONYMS: Readonly<Record<string, string>> = {
  addr: "address",
  account: "wallet",
  chain: "network",
  blockchain: "network",
  chains: "network",
  chainid: "network",
  start: "from",
  since: "from",
  end: "to",
  until: "to",
  hash: "tx_hash",
  transaction: "tx",
  txid: "tx_hash",
  txhash: "tx_hash",
  size: "records_per_page",
  mint: "token",
  domain: "name",
  ens: "ens_name",
  block: "as_of_block",
};

const wordsOf = (name: string): ReadonlySet<string> => {
  const snake = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  return new Set(snake.split(/[^a-z0-9]+/).flatMap((word) => [word, ...(SYNONYMS[word] ?? word).split("_")]));
};

/** The one of `known` that is spelt most like `text`, or null when none is near. */
export const nearestSpelling = (text: string, known: readonly string[]): string | null => {
  if (text.length > LENGTH_MAX) return null;
  const lower = text.toLowerCase();
  const near = known
    .map((name) => ({ name, steps: distance(lower, name.toLowerCase()) }))
    .filter(({ name, steps }) => steps <= Math.max(1, Math.floor(Math.max(name.length, text.length) / 3)))
    .sort((a, b) => a.steps - b.steps);
  return near[0]?.name ?? null;
};

/**
 * The field of `known` that was probably meant by `text`: by spelling, else by shared words (`wallet_address` for
 * `address`, `chain` for `network`). Null when nothing is near.
 */
export const nearestField = (text: string, known: readonly string[]): string | null => {
  if (text.length > LENGTH_MAX) return null;
  const words = wordsOf(text);
  const shared = known
    .map((name) => {
      const own = wordsOf(name);
      const both = [...own].filter((word) => words.has(word)).length;
      return { name, score: both / (own.size + words.size - both) };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return nearestSpelling(text, known) ?? shared[0]?.name ?? null;
};
