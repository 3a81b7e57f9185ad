/** Positions of the values of one object within the text. */
import {
  Cursor,
  enter,
  fail,
  nextName,
  OPEN_LIST,
  OPEN_OBJECT,
  ParseFault,
  QUOTE,
  readText,
  skipValue,
} from "./cursor";

const MOST_FIELDS: i32 = 48;
/** Names are compared as three words; no known name is longer. */
const NAME_BYTES: u32 = 24;
const GUESSES: i32 = 64;

/** `null` as its four bytes load as one word. */
const NULL: u32 = 0x6c6c756e;
/** `true`, and the last four bytes of `false`, as words. */
const TRUE: u32 = 0x65757274;
const ALSE: u32 = 0x65736c61;

/** Bytes [8 * word, 8 * word + 8) of a name of `length` bytes, padded with zeros. */
function wordOf(name: usize, length: u32, word: u32): u64 {
  const from = word << 3;
  if (length <= from) return 0;
  const left = length - from;
  const bytes = load<u64>(name + from);
  return left >= 8 ? bytes : bytes & ((u64(1) << (u64(left) << 3)) - 1);
}

/** How the caller reads a value whose position is known. */
export enum ValueKind {
  Null,
  /** Text without escapes: the characters between the quotes. */
  Text,
  /** JSON, for `JSON.parse`. */
  Other,
  /** The bytes that hex text encodes. */
  Bytes,
}

/** The names of one kind of object, and position and length of each value of the object being read. */
export class ObjectFields {
  private words: StaticArray<u64>;
  private lengths_of_names: StaticArray<u32>;
  private places: StaticArray<usize> = new StaticArray<usize>(MOST_FIELDS);
  private lengths: StaticArray<u32> = new StaticArray<u32>(MOST_FIELDS);
  private kinds: StaticArray<u8> = new StaticArray<u8>(MOST_FIELDS);
  readonly count: i32;
  /** Fields of the object that the reader has met, as bits. */
  private met: u64 = 0;
  /** Objects of a list mostly have their names in one order: the field last seen at each position. */
  private guesses: StaticArray<i32> = new StaticArray<i32>(GUESSES);
  private position: i32 = 0;

  constructor(names: string) {
    const list = names.split(" ");
    this.count = list.length;
    this.words = new StaticArray<u64>(3 * list.length);
    this.lengths_of_names = new StaticArray<u32>(list.length);
    for (let i = 0; i < list.length; i++) {
      const name = list[i];
      this.lengths_of_names[i] = name.length;
      for (let k = 0; k < name.length; k++) {
        const word = 3 * i + (k >> 3);
        this.words[word] = this.words[word] | (u64(name.charCodeAt(k)) << (u64(k & 7) << 3));
      }
    }
  }

  /** Forgets the last object. */
  begin(): void {
    this.position = 0;
    this.met = 0;
    for (let i = 0; i < this.count; i++) unchecked((this.places[i] = 0));
  }

  /** Reads the object at the cursor. */
  read(): void {
    this.begin();
    enter(OPEN_OBJECT);
    let name: usize;
    while ((name = nextName()) !== 0) this.keep(this.find(name));
  }

  /** The field of this name, or -1. */
  find(name: usize): i32 {
    const length = Cursor.length;
    const position = this.position & (GUESSES - 1);
    this.position++;
    if (length > NAME_BYTES) return -1;
    const first = wordOf(name, length, 0);
    const second = wordOf(name, length, 1);
    const third = wordOf(name, length, 2);
    const guess = unchecked(this.guesses[position]);
    if (this.isNamed(guess, length, first, second, third)) return guess;
    for (let i = 0; i < this.count; i++) {
      if (!this.isNamed(i, length, first, second, third)) continue;
      unchecked((this.guesses[position] = i));
      return i;
    }
    return -1;
  }

  private isNamed(field: i32, length: u32, first: u64, second: u64, third: u64): bool {
    const at = 3 * field;
    return (
      unchecked(this.lengths_of_names[field]) === length &&
      unchecked(this.words[at]) === first &&
      unchecked(this.words[at + 1]) === second &&
      unchecked(this.words[at + 2]) === third
    );
  }

  /**
   * Records that the object has a field. A second field of the same name is a fault: `JSON.parse` would use the last
   * one.
   */
  meet(field: i32): void {
    const bit = u64(1) << u64(field);
    if (this.met & bit) fail(ParseFault.Twice);
    this.met |= bit;
  }

  /** Records the value at the cursor and skips it. A known field holds text, a list, or a word of JSON. */
  keep(field: i32): void {
    if (field < 0) return skipValue();
    this.meet(field);
    const start = Cursor.at;
    const first = load<u8>(start);
    if (first === QUOTE) {
      unchecked((this.places[field] = readText()));
      unchecked((this.lengths[field] = Cursor.length));
      return;
    }
    skipValue();
    if (first === OPEN_LIST) unchecked((this.places[field] = start));
    else if (first === OPEN_OBJECT) fail(ParseFault.WrongShape);
    else this.keepWord(field, start);
  }

  /**
   * Null counts as absent; true and false are recorded as they are. A bare number is a fault: this protocol writes
   * numbers as hex text.
   */
  private keepWord(field: i32, start: usize): void {
    const length = Cursor.length;
    if (length === 4 && load<u32>(start) === NULL) return;
    const is_flag = (length === 4 && load<u32>(start) === TRUE) || (length === 5 && load<u32>(start, 1) === ALSE);
    if (!is_flag) return fail(ParseFault.WrongShape);
    unchecked((this.places[field] = start));
    unchecked((this.lengths[field] = 0));
  }

  /** Reads the object at the cursor and accepts values of any kind. */
  readAll(): void {
    this.begin();
    enter(OPEN_OBJECT);
    let name: usize;
    while ((name = nextName()) !== 0) this.note(this.find(name));
  }

  /** Records the value at the cursor, of any kind, and skips it. */
  note(field: i32): void {
    if (field < 0) return skipValue();
    this.meet(field);
    const start = Cursor.at;
    if (load<u8>(start) === QUOTE) {
      const text = readText();
      if (!Cursor.escaped) return this.set(field, text, Cursor.length, ValueKind.Text);
    } else skipValue();
    const length = u32(Cursor.at - start);
    this.set(field, start, length, length === 4 && load<u32>(start) === NULL ? ValueKind.Null : ValueKind.Other);
  }

  private set(field: i32, place: usize, length: u32, kind: ValueKind): void {
    unchecked((this.places[field] = place));
    unchecked((this.lengths[field] = length));
    unchecked((this.kinds[field] = u8(kind)));
  }

  /** Marks the field as absent: its value is written elsewhere. */
  forget(field: i32): void {
    this.met &= ~(u64(1) << u64(field));
  }

  isMet(field: i32): bool {
    return ((this.met >> u64(field)) & 1) !== 0;
  }

  /** Of a recorded field. */
  kindOf(field: i32): ValueKind {
    return unchecked(this.kinds[field]);
  }

  isText(field: i32): bool {
    return this.isMet(field) && this.kindOf(field) === ValueKind.Text;
  }

  /** 0 when absent or null. */
  at(field: i32): usize {
    return unchecked(this.places[field]);
  }

  has(field: i32): bool {
    return unchecked(this.places[field]) !== 0;
  }

  lengthOf(field: i32): u32 {
    return unchecked(this.lengths[field]);
  }

  isTrue(field: i32): bool {
    return this.has(field) && load<u32>(this.at(field)) === TRUE;
  }
}
