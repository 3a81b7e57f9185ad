/** Signatures of the transactions of a block. A block that has one twice is invalid. */
import { MOST_SIGNATURE_SLOTS, SIGNATURE_BYTES, SIGNATURE_SLOTS, SIGNATURES } from "./memory";

/** Bound for blocks whose signatures were chosen to collide. */
const MOST_TRIES: u32 = 32;
const MIX: u64 = 0x9e3779b97f4a7c15;

/** Number of signatures. */
export let signature_count: u32 = 0;

export function beginSignatures(): void {
  memory.fill(SIGNATURE_SLOTS, 0, 4 * usize(MOST_SIGNATURE_SLOTS));
  signature_count = 0;
}

/**
 * Records the signature at an address. Returns false if the block already has it, or if too many others collide with
 * it.
 */
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
