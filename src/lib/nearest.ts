/** Edits (insert, delete, replace, swap of neighbours) between two words. */
export const distance = (a: string, b: string): number => {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      next.push(best);
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
};

/** The known word closest to `word`: shared parts between underscores count first, then edit distance. Null when none is close. */
export const nearest = (word: string, known: readonly string[]): string | null => {
  const text = word.slice(0, 64).toLowerCase();
  const parts = text.split("_");
  let best: { word: string; score: number } | null = null;
  for (const candidate of known) {
    const edits = distance(text, candidate.toLowerCase());
    const shares =
      candidate.length > 2 &&
      (parts.includes(candidate) || candidate.split("_").some((part) => part.length > 2 && parts.includes(part)));
    const score = shares ? Math.min(edits, 2) : edits;
    if (score > Math.max(2, Math.floor(candidate.length / 3))) continue;
    if (best === null || score < best.score) best = { word: candidate, score };
  }
  return best?.word ?? null;
};
