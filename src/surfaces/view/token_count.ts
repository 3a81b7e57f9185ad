/** Text without words: addresses, hashes, base58 and base64. */
const BLOB = /[A-Za-z0-9+/=_-]{20,}/g;
const PIECE = /[A-Za-z]+|\d{1,3}|\s+|[^A-Za-z\d\s]+/g;

/** A tokenizer's pieces of hex and of base58 are this long. */
const CHARACTERS_OF_HEX = 1.55;
const CHARACTERS_OF_BLOB = 1.3;
const CHARACTERS_OF_WORD = 7;
/** Quotes, commas and brackets between two values are one piece. */
const MARKS_OF_JSON = 5;

const isHex = (run: string): boolean => /^(?:0x)?[0-9a-fA-F]+$/.test(run);

/** Not a name of several words: those have underscores, or no digits. */
const isBlob = (run: string): boolean =>
  isHex(run) || (/\d/.test(run) && /[a-z]/.test(run) && /[A-Z]/.test(run) && !run.includes("_"));

const tokensOfBlob = (run: string): number => run.length / (isHex(run) ? CHARACTERS_OF_HEX : CHARACTERS_OF_BLOB);

const tokensOfPiece = (piece: string): number => {
  if (/[A-Za-z]/.test(piece)) return Math.ceil(piece.length / CHARACTERS_OF_WORD);
  if (/\s/.test(piece)) return piece.length === 1 ? 0.2 : Math.ceil(piece.length / 4);
  return piece.length <= MARKS_OF_JSON ? 1 : Math.ceil(piece.length / 2);
};

/**
 * An estimate of the tokens of a text, from above for answers of tools (test/e2e/answers/compact_views.test.ts counts them
 * with o200k); text of other scripts comes near one token a byte.
 */
export const tokensAtMost = (text: string): number => {
  const ascii = text.replace(/[^\x20-\x7e]/g, "");
  let tokens = Buffer.byteLength(text) - ascii.length;
  const rest = ascii.replace(BLOB, (run) => {
    if (!isBlob(run)) return run;
    tokens += tokensOfBlob(run);
    return "";
  });
  for (const [piece] of rest.matchAll(PIECE)) tokens += tokensOfPiece(piece);
  return Math.ceil(tokens);
};
