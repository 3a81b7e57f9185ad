/**
 * Recovers signers (SEC 1, 4.1.6): the key is (s * R - z * G) / r, where the signature names the point R. Works on
 * signatures in batches, because one inverse is expensive and many together are cheap.
 */
import { keccak256 } from "../keccak";
import { BETA, readSignature } from "./curve";
import { DIGITS, HALF_DIGITS, writeDigits } from "./digits";
import { writeElement } from "./element_bytes";
import { copy, ELEMENT, multiply, normalize, subtract } from "./field";
import { GENERATOR_WIDTH, generatorTable } from "./generator";
import { AFFINE, add, addAffine, clear, double, doubleAffine, isInfinity, POINT, toAffine, Y, Z } from "./points";
import { invertAll } from "./powers";
import { invertAllScalars, multiplyScalars, negateScalar, readScalar, SCALAR } from "./scalar";

/** Most signatures of a batch. */
const MOST: u32 = 64;
/** As ../transactions.ts writes it (curve.ts), with 4 bytes more. */
const SIGNATURE: usize = 104;
const R_AT: usize = 32;
const S_AT: usize = 64;
/** An answer: an address, 1 if the signature has a signer, and x and y of its key. */
const ANSWER: usize = 88;
const FOUND_AT: usize = 20;
const KEY_AT: usize = 24;

const SIGNATURES: usize = memory.data(6656);
const ANSWERS: usize = memory.data(5632);

/** For the signatures that can have a signer: their numbers, and the inputs of their digits. */
const ORDER: usize = memory.data(256);
const INVERSES: usize = memory.data(2048);
const SCALAR_ROOM: usize = memory.data(2048);
const ELEMENT_ROOM: usize = memory.data(2560);
const DIFFERENCES: usize = memory.data(2560);
const TWICE: usize = memory.data(5120);
const KEYS: usize = memory.data(7680);

/** Odd multiples of each R: 1, 3 … 15. */
const WIDTH: i32 = 5;
const MULTIPLES: usize = 8;
const TABLE_BYTES: usize = 640;
const TABLES: usize = memory.data(40960);

const R_DIGITS: usize = memory.data(516);
const G_DIGITS: usize = memory.data(516);
const NOTHING: usize = memory.data(40);
const X: usize = memory.data(40);
const Y_OR_MINUS: usize = memory.data(40);
const NUMBER: usize = memory.data(32);
const FACTOR: usize = memory.data(32);
const KEY: usize = memory.data(80);
const HASH: usize = memory.data(32);

let valid: u32 = 0;

export function signaturesAt(): usize {
  return SIGNATURES;
}

export function answersAt(): usize {
  return ANSWERS;
}

/** Recovers the signer of each of the first `count` signatures, at most 64. */
export function recover(count: u32): void {
  const all = min(count, MOST);
  valid = 0;
  memory.fill(ANSWERS, 0, usize(all) * ANSWER);
  for (let i: u32 = 0; i < all; i++)
    if (readR(SIGNATURES + usize(i) * SIGNATURE)) store<u32>(ORDER + 4 * usize(valid++), i);
  invertAllScalars(INVERSES, valid, SCALAR_ROOM);
  makeTables();
  for (let i: u32 = 0; i < valid; i++) findKey(i);
  writeAnswers();
}

/** Adds r and the point R of a signature to the lists. Returns false if no key can have made it. */
function readR(at: usize): bool {
  if (!readSignature(TABLES + usize(valid) * TABLE_BYTES, FACTOR, at)) return false;
  readScalar(INVERSES + usize(valid) * SCALAR, at + R_AT);
  return true;
}

/** Computes 3 * R = R + 2 * R and so on, for all tables together. */
function makeTables(): void {
  for (let i: usize = 0; i < valid; i++) copy(DIFFERENCES + i * ELEMENT, TABLES + i * TABLE_BYTES + Y);
  invertAll(DIFFERENCES, ELEMENT, valid, ELEMENT_ROOM);
  for (let i: usize = 0; i < valid; i++)
    doubleAffine(TWICE + i * AFFINE, TABLES + i * TABLE_BYTES, DIFFERENCES + i * ELEMENT);
  for (let k: usize = 1; k < MULTIPLES; k++) addTwice((k - 1) * AFFINE);
}

/** The multiple after the one at `place` of each table. */
function addTwice(place: usize): void {
  for (let i: usize = 0; i < valid; i++)
    subtract(DIFFERENCES + i * ELEMENT, TWICE + i * AFFINE, TABLES + i * TABLE_BYTES + place, 2);
  invertAll(DIFFERENCES, ELEMENT, valid, ELEMENT_ROOM);
  for (let i: usize = 0; i < valid; i++) {
    const last = TABLES + i * TABLE_BYTES + place;
    addAffine(last + AFFINE, last, TWICE + i * AFFINE, DIFFERENCES + i * ELEMENT);
  }
}

/** (s / r) * R - (z / r) * G, all four halves together. */
function findKey(place: u32): void {
  const signature = SIGNATURES + usize(load<u32>(ORDER + 4 * usize(place))) * SIGNATURE;
  const inverse = INVERSES + usize(place) * SCALAR;
  readScalar(NUMBER, signature + S_AT);
  multiplyScalars(FACTOR, NUMBER, inverse);
  writeDigits(R_DIGITS, R_DIGITS + HALF_DIGITS, FACTOR, WIDTH);
  readScalar(NUMBER, signature);
  multiplyScalars(FACTOR, NUMBER, inverse);
  negateScalar(FACTOR, FACTOR);
  writeDigits(G_DIGITS, G_DIGITS + HALF_DIGITS, FACTOR, GENERATOR_WIDTH);
  const key = KEYS + usize(place) * POINT;
  const table = TABLES + usize(place) * TABLE_BYTES;
  const generator = generatorTable();
  clear(key);
  for (let bit: i32 = DIGITS - 1; bit >= 0; bit--) {
    if (!isInfinity(key)) double(key);
    const at = 2 * usize(bit);
    addDigit(key, table, load<i16>(R_DIGITS + at), false);
    addDigit(key, table, load<i16>(R_DIGITS + HALF_DIGITS + at), true);
    addDigit(key, generator, load<i16>(G_DIGITS + at), false);
    addDigit(key, generator, load<i16>(G_DIGITS + HALF_DIGITS + at), true);
  }
}

/** Adds a digit times the point of a table, or that times lambda. */
function addDigit(key: usize, table: usize, digit: i32, is_second: bool): void {
  if (digit === 0) return;
  let x = table + usize((abs(digit) - 1) >> 1) * AFFINE;
  let y = x + Y;
  if (is_second) {
    multiply(X, x, BETA);
    x = X;
  }
  if (digit < 0) {
    subtract(Y_OR_MINUS, NOTHING, y, 2);
    y = Y_OR_MINUS;
  }
  add(key, x, y);
}

function writeAnswers(): void {
  let found: u32 = 0;
  for (let i: u32 = 0; i < valid; i++) {
    const key = KEYS + usize(i) * POINT;
    if (isInfinity(key)) continue;
    memory.copy(KEYS + usize(found) * POINT, key, POINT);
    store<u32>(ORDER + 4 * usize(found++), load<u32>(ORDER + 4 * usize(i)));
  }
  invertAll(KEYS + Z, POINT, found, ELEMENT_ROOM);
  for (let i: u32 = 0; i < found; i++)
    writeAnswer(KEYS + usize(i) * POINT, ANSWERS + usize(load<u32>(ORDER + 4 * usize(i))) * ANSWER);
}

/** Writes the key, and the last 20 bytes of its hash. */
function writeAnswer(key: usize, answer: usize): void {
  toAffine(KEY, key, key + Z);
  normalize(KEY);
  normalize(KEY + Y);
  writeElement(answer + KEY_AT, KEY);
  writeElement(answer + KEY_AT + 32, KEY + Y);
  keccak256(answer + KEY_AT, 64, HASH);
  memory.copy(answer, HASH + 12, 20);
  store<u32>(answer, 1, FOUND_AT);
}
