/**
 * Checks many signatures by known keys at once. A signature (r, s) of a hash z by the key Q with the point R holds if
 * R - (z / s) * G - (r / s) * Q = 0. The sum of all these, each times a random number of 128 bits, is 0 if all hold; if
 * one does not, it is 0 with a probability of 2^-128 (Bellare, Garay, Rabin: "Fast batch verification for modular
 * exponentiation and digital signatures").
 */
import { keccak256 } from "../keccak";
import { addTerm, clearTerms, sumTerms } from "./buckets";
import { BETA, isOnCurve, readSignature } from "./curve";
import { makePositive, split } from "./digits";
import { readElement } from "./element_bytes";
import { multiply } from "./field";
import { generatorTable } from "./generator";
import { AFFINE, isInfinity, Y } from "./points";
import { addScalars, invertAllScalars, multiplyScalars, negateScalar, readScalar, SCALAR } from "./scalar";

/** Most signatures of a check, and most keys. */
const MOST: u32 = 1024;
/** A signature as of recovery.ts, whose last 4 bytes are the number of its key, and 16 random bytes. */
const CLAIM: usize = 120;
const KEY_AT: usize = 100;
const RANDOM_AT: usize = 104;
/** A key: x and y, 32 bytes each, and its address. */
const KEY: usize = 84;
const ADDRESS_AT: usize = 64;
const ADDRESS: usize = 20;

const CLAIMS: usize = memory.data(122880);
const KEYS: usize = memory.data(86016);
const POINTS: usize = memory.data(81920);
const INVERSES: usize = memory.data(32768);
const SCALAR_ROOM: usize = memory.data(32768);
const KEY_POINTS: usize = memory.data(81920);
/** Of each key: the sum of its factors. */
const FACTORS: usize = memory.data(32768);

const OF_G: usize = memory.data(32);
const RANDOM: usize = memory.data(32);
const NUMBER: usize = memory.data(32);
const FACTOR: usize = memory.data(32);
const FIRST: usize = memory.data(32);
const SECOND: usize = memory.data(32);
const X: usize = memory.data(40);
const HASH: usize = memory.data(32);
const SUM: usize = memory.data(120);

export function claimsAt(): usize {
  return CLAIMS;
}

export function keysAt(): usize {
  return KEYS;
}

/** Whether the first `count` signatures are by their keys, and the first `keys` keys have their addresses. */
export function holds(count: u32, keys: u32): bool {
  if (count > MOST || keys > MOST) return false;
  for (let i: usize = 0; i < keys; i++) if (!readKey(i)) return false;
  for (let i: usize = 0; i < count; i++)
    if (!readSignature(POINTS + i * AFFINE, INVERSES + i * SCALAR, CLAIMS + i * CLAIM)) return false;
  invertAllScalars(INVERSES, count, SCALAR_ROOM);
  clearTerms();
  memory.fill(FACTORS, 0, usize(keys) * SCALAR);
  memory.fill(OF_G, 0, SCALAR);
  for (let i: usize = 0; i < count; i++) addSignature(i);
  addMinus(generatorTable(), OF_G);
  for (let i: usize = 0; i < keys; i++) addMinus(KEY_POINTS + i * AFFINE, FACTORS + i * SCALAR);
  return sumTerms(SUM) && isInfinity(SUM);
}

function readKey(place: usize): bool {
  const key = KEYS + place * KEY;
  const point = KEY_POINTS + place * AFFINE;
  readElement(point, key);
  readElement(point + Y, key + 32);
  if (!isOnCurve(point)) return false;
  keccak256(key, 64, HASH);
  for (let i: usize = 0; i < ADDRESS; i++) if (load<u8>(HASH + 12 + i) !== load<u8>(key + ADDRESS_AT + i)) return false;
  return true;
}

/** Adds R times the random number, and collects the factors of G and of the key. */
function addSignature(place: usize): void {
  const claim = CLAIMS + place * CLAIM;
  const point = POINTS + place * AFFINE;
  store<u64>(RANDOM, load<u64>(claim + RANDOM_AT));
  store<u64>(RANDOM, load<u64>(claim + RANDOM_AT, 8), 8);
  addTerm(point, point + Y, RANDOM, false);
  multiplyScalars(FACTOR, INVERSES + place * SCALAR, RANDOM);
  readScalar(NUMBER, claim);
  multiplyScalars(NUMBER, NUMBER, FACTOR);
  addScalars(OF_G, OF_G, NUMBER);
  readScalar(NUMBER, claim + 32);
  multiplyScalars(NUMBER, NUMBER, FACTOR);
  const of_key = FACTORS + usize(load<u32>(claim + KEY_AT)) * SCALAR;
  addScalars(of_key, of_key, NUMBER);
}

/** Adds minus a point times a factor, in two halves. */
function addMinus(point: usize, factor: usize): void {
  negateScalar(factor, factor);
  split(FIRST, SECOND, factor);
  const is_first_minus = makePositive(FIRST);
  const is_second_minus = makePositive(SECOND);
  addTerm(point, point + Y, FIRST, is_first_minus);
  multiply(X, point, BETA);
  addTerm(X, point + Y, SECOND, is_second_minus);
}
