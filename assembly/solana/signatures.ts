/** What the transactions of a block are called by: a name that stands twice is a lie. */
import { MOST_SIGNATURE_SLOTS, SIGNATURE_BYTES, SIGNATURE_SLOTS, SIGNATURES } from "./memory";

/** Who makes signatures that fall into one place is asked no more than this. */
const MOST_TRIES: u32 = 32;
const MIX: u64 = 0x9e3779b97f4a7c15;

/** How many there are. */
export let signature_count: u32 = 0;

export function beginSignatures(): void {
  memory.fill(SIGNATURE_SLOTS, 0, 4 * usize(MOST_SIGNATURE_SLOTS));
  signature_count = 0;
}

/** Remembers the signature at a place. False when it stands there already, or cannot be told from too many others. */
export function noteSignature(signature: usize): bool {
  let slot = u32(((load<u64>(signature) ^ load<u64>(signature, 32)) * MIX) >> 47) & (MOST_SIGNATURE_SLOTS - 1);
  for (let tries: u32 = 0; tries < MOST_TRIES; tries++) {
    const at = SIGNATURE_SLOTS + 4 * usize(slot);
    const held = load<u32>(at);
    if (held === 0) {
      memory.copy(SIGNATURES + SIGNATURE_BYTES * usize(signature_count), signature, SIGNATURE_BYTES);
      store<u32>(at, ++signature_count);
      return true;
    }
    if (memory.compare(SIGNATURES + SIGNATURE_BYTES * usize(held - 1), signature, SIGNATURE_BYTES) === 0) return false;
    slot = (slot + 1) & (MOST_SIGNATURE_SLOTS - 1);
  }
  return false;
}
