/**
 * Roots of lists: Merkle Patricia tries (yellow paper, appendix D) whose keys are rlp(0), rlp(1)…. Because the keys are
 * known, no trie is built: the code walks the values in the order of their keys and writes each node once.
 */
import { fail, ParseFault } from "./cursor";
import { keccak256 } from "./keccak";
import { hasRoom, ITEMS, MOST_ITEMS, values } from "./memory";
import { BYTES, headerBefore, LIST } from "./rlp";

/** Bytes reserved in front of each value for the headers and the path of its leaf. */
export const ROOM: usize = 24;

/** One branch at a time for each depth: 17 references of 33 bytes, and ROOM. Keys have at most six nibbles. */
const BRANCH_BYTES: usize = 1024;
const BRANCHES: usize = memory.data(8192);
const BRANCH_HEAD: usize = ROOM + 40;

let first: u32 = 0;
let items: u32 = 0;
let next: usize = 0;

/** Begins the first list of a text. */
export function beginValues(): void {
  first = 0;
  items = 0;
  next = values;
}

/** Begins another list and keeps the values of the lists before. */
export function beginItems(): void {
  first += items;
  items = 0;
}

export function countItems(): u32 {
  return items;
}

/** Where the next value may begin. */
export function valueStart(): usize {
  return next + ROOM;
}

/** Adds the value from `start` to `end` to the list; the next may begin at `behind`. */
export function endItem(start: usize, end: usize, behind: usize): void {
  if (first + items >= MOST_ITEMS) return fail(ParseFault.TooBig);
  if (!hasRoom(behind, ROOM)) return;
  const entry = ITEMS + 8 * usize(first + items);
  store<u32>(entry, u32(start));
  store<u32>(entry, u32(end - start), 4);
  items++;
  next = behind;
}

/** Writes the root of the list to `to`. */
export function rootOfItems(to: usize): void {
  if (items === 0) {
    store<u8>(BRANCHES, BYTES);
    return keccak256(BRANCHES, 1, to);
  }
  const size = putNode(0, items, 0, BRANCHES);
  if (size === 33) memory.copy(to, BRANCHES + 1, 32);
  else keccak256(BRANCHES, size, to);
}

/** The item at a place in the order of keys: 1 to 127, then 0 (whose key is 0x80), then the rest. */
function itemInOrder(place: u32): u32 {
  const small = min<u32>(items - 1, 127);
  return place < small ? place + 1 : place === small ? 0 : place;
}

function keyNibbles(item: u32): u32 {
  return item < 128 ? 2 : item < 256 ? 4 : 6;
}

function keyNibble(item: u32, i: u32): u32 {
  const key = item === 0 ? 0x80 : item < 128 ? item : item < 256 ? 0x8100 | item : 0x820000 | item;
  return (key >> (4 * (keyNibbles(item) - 1 - i))) & 15;
}

/**
 * Writes a parent's reference to the node over places [low, high): the node's hash, or the node itself if it is
 * shorter.
 */
function putNode(low: u32, high: u32, depth: u32, to: usize): u32 {
  if (high - low === 1) return putLeaf(itemInOrder(low), depth, to);
  const shared = sharedNibbles(itemInOrder(low), itemInOrder(high - 1), depth);
  return shared > 0 ? putExtension(low, high, depth, to) : putBranch(low, high, depth, to);
}

function sharedNibbles(a: u32, b: u32, depth: u32): u32 {
  let i = depth;
  while (keyNibble(a, i) === keyNibble(b, i)) i++;
  return i - depth;
}

function putLeaf(item: u32, depth: u32, to: usize): u32 {
  const entry = ITEMS + 8 * usize(first + item);
  const value = usize(load<u32>(entry));
  const size = usize(load<u32>(entry, 4));
  const path = pathBefore(headerBefore(value, BYTES, u32(size)), item, depth, keyNibbles(item) - depth, 0x20);
  return putReference(headerBefore(path, LIST, u32(value + size - path)), value + size, to);
}

function putExtension(low: u32, high: u32, depth: u32, to: usize): u32 {
  const shared = sharedNibbles(itemInOrder(low), itemInOrder(high - 1), depth);
  const child = BRANCHES + BRANCH_BYTES * usize(depth + 1) + ROOM;
  const size = putNode(low, high, depth + shared, child);
  const path = pathBefore(child, itemInOrder(low), depth, shared, 0);
  return putReference(headerBefore(path, LIST, u32(child + size - path)), child + size, to);
}

/** No key is a prefix of another, so a branch has no value of its own. */
function putBranch(from: u32, high: u32, depth: u32, to: usize): u32 {
  const start = BRANCHES + BRANCH_BYTES * usize(depth + 1) + BRANCH_HEAD;
  let at = start;
  let low = from;
  for (let digit: u32 = 0; digit < 16; digit++) {
    let end = low;
    while (end < high && keyNibble(itemInOrder(end), depth) === digit) end++;
    if (end === low) store<u8>(at++, u8(BYTES));
    else at += putNode(low, end, depth + 1, at);
    low = end;
  }
  store<u8>(at++, u8(BYTES));
  return putReference(headerBefore(start, LIST, u32(at - start)), at, to);
}

/** Writes part of a key in front of `end`, two nibbles a byte, marked with its kind and oddness. */
function pathBefore(end: usize, item: u32, from: u32, count: u32, kind: u32): usize {
  const size = (count >> 1) + 1;
  const start = end - size;
  const odd = count & 1;
  store<u8>(start, u8(kind | (odd ? 0x10 | keyNibble(item, from) : 0)));
  for (let i: u32 = odd, at = start + 1; i < count; i += 2, at++) {
    store<u8>(at, u8((keyNibble(item, from + i) << 4) | keyNibble(item, from + i + 1)));
  }
  return size === 1 ? start : headerBefore(start, BYTES, size);
}

function putReference(start: usize, end: usize, to: usize): u32 {
  const size = u32(end - start);
  if (size < 32) {
    memory.copy(to, start, size);
    return size;
  }
  keccak256(start, size, to + 1);
  store<u8>(to, 0xa0);
  return 33;
}
