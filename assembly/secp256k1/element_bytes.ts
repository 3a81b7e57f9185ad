/** Field elements as 32 bytes, big-endian. */
import { LIMB, LIMBS } from "./field";

const BYTES: i32 = 32;
const LIMB_BITS: u32 = 29;

export function readElement(to: usize, bytes: usize): void {
  let taken: u64 = 0;
  let bits: u32 = 0;
  let limb: usize = 0;
  for (let i = BYTES - 1; i >= 0; i--) {
    taken |= u64(load<u8>(bytes + usize(i))) << u64(bits);
    bits += 8;
    if (bits < LIMB_BITS) continue;
    store<u32>(to + 4 * limb++, u32(taken & LIMB));
    taken >>= u64(LIMB_BITS);
    bits -= LIMB_BITS;
  }
  store<u32>(to + 4 * limb, u32(taken));
}

/** Takes a normalized element. */
export function writeElement(to: usize, element: usize): void {
  let taken: u64 = 0;
  let bits: u32 = 0;
  let byte = BYTES - 1;
  for (let limb: usize = 0; limb < LIMBS; limb++) {
    taken |= u64(load<u32>(element + 4 * limb)) << u64(bits);
    bits += LIMB_BITS;
    for (; bits >= 8 && byte >= 0; bits -= 8) {
      store<u8>(to + usize(byte--), u8(taken));
      taken >>= 8;
    }
  }
}
