/**
 * Walks over the bytes of JSON from value to value without making anything of them. What is unusual (escapes, long numbers, deep
 * nesting) it refuses like what is no JSON at all: then `JSON.parse` has to say what it is.
 */
const [TAB, LINE, RETURN, SPACE] = [9, 10, 13, 32];
const [QUOTE, MINUS, POINT, ZERO, NINE, COLON, BACKSLASH, LETTER_E] = [34, 45, 46, 48, 57, 58, 92, 101];
export const COMMA = 44;
export const [OPEN_LIST, CLOSE_LIST, OPEN_FIELDS, CLOSE_FIELDS] = [91, 93, 123, 125] as const;

const LEVELS_MAX = 32;
/** Shorter integers are exact as numbers. */
const DIGITS_MAX = 15;
const [NULL, TRUE, FALSE] = [Buffer.from("null"), Buffer.from("true"), Buffer.from("false")];

const isDigit = (code: number): boolean => code >= ZERO && code <= NINE;

export class JsonWalk {
  readonly bytes: Buffer;
  readonly end: number;
  /** Where the next value, comma or bracket begins, perhaps after blanks. */
  at: number;
  /** Where the last text stands, quotes left out. */
  from = 0;
  to = 0;

  constructor(bytes: Buffer, { from, to }: { readonly from: number; readonly to: number }) {
    this.bytes = bytes;
    this.at = from;
    this.end = to;
  }

  #code(at: number): number {
    return at < this.end ? (this.bytes[at] ?? 0) : 0;
  }

  /** The code of the next byte that is no blank; 0 at the end. */
  next(): number {
    for (;;) {
      const code = this.#code(this.at);
      if (code > SPACE || (code !== SPACE && code !== LINE && code !== RETURN && code !== TAB)) return code;
      this.at += 1;
    }
  }

  take(code: number): boolean {
    if (this.next() !== code) return false;
    this.at += 1;
    return true;
  }

  /** Whether these bytes stand at a place. */
  #stands(word: Uint8Array, at: number): boolean {
    for (let i = 0; i < word.length; i += 1) if (this.#code(at + i) !== word[i]) return false;
    return true;
  }

  #word(word: Uint8Array): boolean {
    this.next();
    if (!this.#stands(word, this.at)) return false;
    this.at += word.length;
    return true;
  }

  isNull(): boolean {
    return this.#word(NULL);
  }

  /** Goes over a text without escapes. */
  text(): boolean {
    if (!this.take(QUOTE)) return false;
    this.from = this.at;
    for (let at = this.at; ; at += 1) {
      const code = this.#code(at);
      if (code === QUOTE) {
        this.to = at;
        this.at = at + 1;
        return true;
      }
      if (code < SPACE || code === BACKSLASH) return false;
    }
  }

  /** Goes to the next quote: for a text whose characters somebody else looks at. */
  anyText(): boolean {
    if (!this.take(QUOTE)) return false;
    this.from = this.at;
    this.to = this.bytes.indexOf(QUOTE, this.at);
    if (this.to < 0 || this.to >= this.end) return false;
    this.at = this.to + 1;
    return true;
  }

  /** The last text is this one. */
  isText(word: Uint8Array): boolean {
    return this.to - this.from === word.length && this.#stands(word, this.from);
  }

  /** Goes over the name of a field, which is the last text then. */
  name(): boolean {
    return this.text() && this.take(COLON);
  }

  /** An integer from 0 on; -1 for anything else. */
  integer(): number {
    this.next();
    const from = this.at;
    let [at, value] = [from, 0];
    for (let code = this.#code(at); isDigit(code); code = this.#code(at)) {
      value = value * 10 + code - ZERO;
      at += 1;
    }
    const digits = at - from;
    if (digits === 0 || digits > DIGITS_MAX || (digits > 1 && this.#code(from) === ZERO)) return -1;
    this.at = at;
    return value;
  }

  emptyList(): boolean {
    return this.take(OPEN_LIST) && this.take(CLOSE_LIST);
  }

  /** Goes over any value. */
  skip(levels = LEVELS_MAX): boolean {
    const code = this.next();
    if (code === QUOTE) return this.text();
    if (code === OPEN_LIST || code === OPEN_FIELDS) return levels > 0 && this.#skipMany(code, levels - 1);
    if (isDigit(code) || code === MINUS) return this.#skipNumber();
    return this.#word(NULL) || this.#word(TRUE) || this.#word(FALSE);
  }

  #skipMany(open: number, levels: number): boolean {
    const close = open === OPEN_LIST ? CLOSE_LIST : CLOSE_FIELDS;
    this.at += 1;
    if (this.take(close)) return true;
    do {
      if (open === OPEN_FIELDS && !this.name()) return false;
      if (!this.skip(levels)) return false;
    } while (this.take(COMMA));
    return this.take(close);
  }

  /** Digits, and others behind a point. */
  #skipNumber(): boolean {
    if (this.#code(this.at) === MINUS) this.at += 1;
    if (this.integer() < 0) return false;
    if (this.#code(this.at) === POINT) {
      const from = this.at + 1;
      this.at = from;
      while (isDigit(this.#code(this.at))) this.at += 1;
      if (this.at === from) return false;
    }
    return (this.#code(this.at) | SPACE) !== LETTER_E;
  }
}
