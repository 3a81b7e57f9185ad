/** The log filter (yellow paper 4.3.1), computed for receipts that come without one. */
import { keccak256 } from "./keccak";

export const BLOOM_BYTES: u32 = 256;
const HASH: usize = memory.data(32);

/** Adds three bits of the hash of an address or a topic. */
export function addToBloom(bloom: usize, item: usize, size: usize): void {
  keccak256(item, size, HASH);
  for (let i: usize = 0; i < 6; i += 2) {
    const bit = ((u32(load<u8>(HASH + i)) << 8) | load<u8>(HASH + i + 1)) & 2047;
    const place = bloom + BLOOM_BYTES - 1 - (bit >> 3);
    store<u8>(place, load<u8>(place) | u8(u32(1) << (bit & 7)));
  }
}
