/**
 * The sum of many points, each times a number below 2^128 (Pippenger: "On the evaluation of powers and related
 * problems"). Points with the same digit are added first, as affine points, because one inverse serves many of them.
 */
import { copy, ELEMENT, isZero, subtract } from "./field";
import { AFFINE, add, addAffine, addSum, clear, double, isInfinity, Y } from "./points";
import { invertAll } from "./powers";

const NUMBER: usize = 32;

/** Room for 3,074 points: those of 1,024 signatures, two for each key and two for G. */
const POINTS: usize = memory.data(245920);
const NUMBERS: usize = memory.data(98368);
const DIGITS: usize = memory.data(6148);
/** The points of one digit's place, those of each bucket together. */
const SORTED: usize = memory.data(245920);
const DIFFERENCES: usize = memory.data(61480);
const ROOM: usize = memory.data(61480);
/** Of each bucket: its first place, and the number of its points. */
const FIRSTS: usize = memory.data(516);
const SIZES: usize = memory.data(516);
const OFFSET: usize = memory.data(32);
const NOTHING: usize = memory.data(40);
const RUNNING: usize = memory.data(120);
const TOTAL: usize = memory.data(120);

/** Numbers with their offset are below 2^130. */
const NUMBER_BITS: i32 = 130;
let count: usize = 0;
let width: i32 = 0;
let buckets: usize = 0;

export function clearTerms(): void {
  count = 0;
}

/** Adds the point (x, y), or minus that point, times the number at `number`, of which 16 bytes are read. */
export function addTerm(x: usize, y: usize, number: usize, is_minus: bool): void {
  const point = POINTS + count * AFFINE;
  copy(point, x);
  if (is_minus) subtract(point + Y, NOTHING, y, 2);
  else copy(point + Y, y);
  const to = NUMBERS + count * NUMBER;
  store<u64>(to, load<u64>(number));
  store<u64>(to, load<u64>(number, 8), 8);
  store<u64>(to, 0, 16);
  store<u64>(to, 0, 24);
  count++;
}

/** Writes the sum. Returns false if two points of a bucket have the same x: then nothing is known of the sum. */
export function sumTerms(to: usize): bool {
  width = widthFor(count);
  buckets = usize(1) << usize(width - 1);
  const places = (NUMBER_BITS + width - 1) / width;
  addOffsets(places);
  clear(to);
  for (let place = places - 1; place >= 0; place--) {
    for (let i = 0; i < width && !isInfinity(to); i++) double(to);
    sortInto(width * place);
    if (!addWithinBuckets()) return false;
    addBuckets(to);
  }
  return true;
}

/** The digit's width that takes the fewest steps. */
function widthFor(terms: usize): i32 {
  if (terms >= 1500) return 8;
  if (terms >= 600) return 7;
  if (terms >= 150) return 6;
  return terms >= 50 ? 5 : 4;
}

/** Adds half of the base to every digit, so that digits between minus and plus this half need no carry. */
function addOffsets(places: i32): void {
  memory.fill(OFFSET, 0, NUMBER);
  for (let place = 0; place < places; place++) {
    const bit = width * place + width - 1;
    const at = OFFSET + usize(bit >> 3);
    store<u8>(at, load<u8>(at) | (u8(1) << u8(bit & 7)));
  }
  for (let i: usize = 0; i < count; i++) {
    let t: u64 = 0;
    for (let limb: usize = 0; limb < NUMBER; limb += 4) {
      const at = NUMBERS + i * NUMBER + limb;
      t += u64(load<u32>(at)) + u64(load<u32>(OFFSET + limb));
      store<u32>(at, u32(t));
      t >>= 32;
    }
  }
}

/** Copies the points by the digit that begins at `bit`; those with the digit zero are left out. */
function sortInto(bit: i32): void {
  memory.fill(SIZES, 0, 4 * (buckets + 1));
  const mask = (u64(1) << u64(width)) - 1;
  for (let i: usize = 0; i < count; i++) {
    const word = load<u64>(NUMBERS + i * NUMBER + usize(bit >> 3)) >> u64(bit & 7);
    const digit = i32(word & mask) - i32(buckets);
    store<i16>(DIGITS + 2 * i, i16(digit));
    const size = SIZES + 4 * usize(abs(digit));
    store<u32>(size, load<u32>(size) + 1);
  }
  let next: u32 = 0;
  for (let bucket: usize = 1; bucket <= buckets; bucket++) {
    store<u32>(FIRSTS + 4 * bucket, next);
    next += load<u32>(SIZES + 4 * bucket);
  }
  for (let i: usize = 0; i < count; i++) {
    const digit = i32(load<i16>(DIGITS + 2 * i));
    if (digit === 0) continue;
    const first = FIRSTS + 4 * usize(abs(digit));
    const point = SORTED + usize(load<u32>(first)) * AFFINE;
    store<u32>(first, load<u32>(first) + 1);
    copy(point, POINTS + i * AFFINE);
    if (digit < 0) subtract(point + Y, NOTHING, POINTS + i * AFFINE + Y, 2);
    else copy(point + Y, POINTS + i * AFFINE + Y);
  }
  for (let bucket: usize = 1; bucket <= buckets; bucket++) {
    const first = FIRSTS + 4 * bucket;
    store<u32>(first, load<u32>(first) - load<u32>(SIZES + 4 * bucket));
  }
}

/** Adds the points of each bucket in pairs until one is left. Returns false if two of a pair have the same x. */
function addWithinBuckets(): bool {
  let pairs = readDifferences();
  while (pairs > 0) {
    for (let i: i32 = 0; i < pairs; i++) if (isZero(DIFFERENCES + usize(i) * ELEMENT)) return false;
    invertAll(DIFFERENCES, ELEMENT, pairs, ROOM);
    addPairs();
    pairs = readDifferences();
  }
  return true;
}

/** Writes the difference of the x of each pair. Returns the number of pairs. */
function readDifferences(): i32 {
  let pairs: i32 = 0;
  for (let bucket: usize = 1; bucket <= buckets; bucket++) {
    const first = SORTED + usize(load<u32>(FIRSTS + 4 * bucket)) * AFFINE;
    const size: usize = load<u32>(SIZES + 4 * bucket);
    for (let k: usize = 1; k < size; k += 2)
      subtract(DIFFERENCES + usize(pairs++) * ELEMENT, first + k * AFFINE, first + (k - 1) * AFFINE, 2);
  }
  return pairs;
}

function addPairs(): void {
  let inverse = DIFFERENCES;
  for (let bucket: usize = 1; bucket <= buckets; bucket++) {
    const first = SORTED + usize(load<u32>(FIRSTS + 4 * bucket)) * AFFINE;
    const size: usize = load<u32>(SIZES + 4 * bucket);
    for (let k: usize = 1; k < size; k += 2) {
      const a = first + (k - 1) * AFFINE;
      addAffine(first + (k >> 1) * AFFINE, a, a + AFFINE, inverse);
      inverse += ELEMENT;
    }
    if ((size & 1) === 1) memory.copy(first + (size >> 1) * AFFINE, first + (size - 1) * AFFINE, AFFINE);
    store<u32>(SIZES + 4 * bucket, u32((size + 1) >> 1));
  }
}

/** Adds each bucket's point times its digit: the sum of the sums of the highest buckets. */
function addBuckets(to: usize): void {
  clear(RUNNING);
  clear(TOTAL);
  for (let bucket = buckets; bucket > 0; bucket--) {
    if (load<u32>(SIZES + 4 * bucket) > 0) {
      const point = SORTED + usize(load<u32>(FIRSTS + 4 * bucket)) * AFFINE;
      add(RUNNING, point, point + Y);
    }
    addSum(TOTAL, RUNNING);
  }
  addSum(to, TOTAL);
}
