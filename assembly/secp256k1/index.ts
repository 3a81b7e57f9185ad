/** Signers of transactions: recovered from signatures, or checked together for keys that are known. */
export { claimsAt, holds, keysAt } from "./claims";
export { answersAt, recover, signaturesAt } from "./recovery";
