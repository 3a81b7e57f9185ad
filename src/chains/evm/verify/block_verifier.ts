/**
 * Checks whether a block is what its header commits to, on the very text that is then parsed. For what the header's
 * hash covers and what it does not, see docs/threat_model.md and docs/design/verification.md.
 */
import { type Bytes, keccak256 } from "../../../lib/bytes.ts";
import type { Verified } from "../../chain.ts";
import { BadAnswer } from "../../node/answer.ts";
import type { AnswerCheck } from "../../node/checks.ts";
import type { TextSlice } from "../../node/text_slice.ts";
import { load, module, startOf } from "../scan/texts.ts";
import type { Signers } from "./known_signers.ts";
import { checkFault, type MemorySpan } from "./module.ts";
import type { Rules } from "./rules.ts";
import { ADDRESS_LENGTH, sendersIn } from "./senders.ts";
import { SIGNATURE, SIGNER } from "./signatures.ts";
import { OWN_THREAD } from "./signer_threads.ts";

/** Positions of a block and its receipts. `receipts`: one list of all, or one for each transaction. */
export interface BlockTexts {
  readonly block: TextSlice;
  readonly receipts: readonly TextSlice[];
}

/** Result of recomputing a block. */
export interface Proof {
  /** Level of verification of the block as a whole. */
  readonly verified: Verified;
  /** Transactions at the end that no root covers; the header commits to all before them. */
  readonly uncovered: number;
  /** The signer of each transaction; null if it was not recovered, and the text is trusted or itself hashed. */
  readonly senders: readonly (Bytes | null)[];
}

/** Result for a block before its signatures are checked. */
export interface BlockEvidence {
  readonly level: Verified;
  /** Why the level is not higher: the check that failed, null if none did, and a sentence. */
  readonly check: AnswerCheck | null;
  readonly problem: string;
  readonly uncovered: number;
  /** One for each transaction that was hashed, one after another. */
  readonly signatures: Buffer;
}

export interface SignedEvidence {
  readonly shown: BlockEvidence;
  /** The sender of each signature by the block's text, 20 bytes each. */
  readonly stated: Buffer;
}

/** The stated addresses of `count` signatures, whatever the text holds. */
const statedOf = ({ stated }: SignedEvidence, count: number): Buffer => {
  const room = Buffer.alloc(count * ADDRESS_LENGTH);
  stated.copy(room);
  return room;
};

/** Bits of assembly/index.ts. */
const HELD = { header: 1, hashes: 2, transactions: 4, withdrawals: 8, receipts: 16 };
const RANK: Readonly<Record<Verified, number>> = { none: 0, receipts: 1, full: 2 };
const ALIGNMENT = 8;

export class BlockVerifier {
  readonly #rules: Rules;
  readonly #signers: Signers;

  constructor(rules: Rules, signers: Signers = OWN_THREAD) {
    this.#rules = rules;
    this.#signers = signers;
  }

  /** Whether a block whose receipts do not verify is rejected; its log filter then needs no check. */
  requires(number: number): boolean {
    return RANK[this.#rules.required(number) ?? "none"] > RANK.none;
  }

  /**
   * Null if nothing can be recomputed. Synchronous, so that the texts stay where they were loaded.
   * @throws BadAnswer if less holds than required
   */
  show(texts: BlockTexts, number: number): BlockEvidence | null {
    const required = this.#rules.required(number);
    if (required === "none") return null;
    const shown = this.#show(texts, required !== null);
    if (RANK[shown.level] < RANK[required ?? "none"]) throw new BadAnswer(shown.problem, shown.check);
    return shown.level === "none" ? null : shown;
  }

  /**
   * The module's answers to the signatures of each block. Many blocks at once take less time than one after another.
   */
  async recover(blocks: readonly SignedEvidence[]): Promise<readonly Buffer[]> {
    const counts = blocks.map(({ shown }) => (shown.level === "full" ? shown.signatures.length / SIGNATURE.length : 0));
    const signatures = blocks.map(({ shown }, i) => shown.signatures.subarray(0, (counts[i] ?? 0) * SIGNATURE.length));
    const stated = blocks.map((block, i) => statedOf(block, counts[i] ?? 0));
    const answers = await this.#signers.recover(Buffer.concat(signatures), Buffer.concat(stated));
    let next = 0;
    return counts.map((count) => {
      const from = next;
      next += count * SIGNER.length;
      return answers.subarray(from, next);
    });
  }

  /** @throws BadAnswer for an invalid signature */
  prove({ level, uncovered, signatures }: BlockEvidence, answers: Buffer): Proof {
    if (level !== "full") return { verified: level, uncovered, senders: [] };
    const { list, unsigned } = sendersIn(signatures, answers);
    const verified = uncovered > 0 ? "none" : unsigned > 0 ? "receipts" : "full";
    return { verified, uncovered, senders: list };
  }

  /** Verification level of the newest block, for `assay doctor` and the log. */
  level(texts: BlockTexts): Verified {
    return this.#show(texts, false).level;
  }

  #show(texts: BlockTexts, is_required: boolean): BlockEvidence {
    try {
      return this.#hold(texts);
    } catch (error) {
      if (is_required || !(error instanceof BadAnswer)) throw error;
      return { level: "none", check: error.check, problem: error.message, uncovered: 0, signatures: Buffer.alloc(0) };
    }
  }

  /** @throws BadAnswer if the texts do not even have the right shape */
  #hold(texts: BlockTexts): BlockEvidence {
    load([texts.block, ...texts.receipts].map(({ text }) => text));
    const { form, families } = this.#rules;
    const { start, length } = spanOf(texts.block);
    const fault = module.run((one) => one.block(start, length, form, families));
    checkFault(fault, "the block has");
    const found = module.run((one) => ({
      unknown: one.unknownTransactions(),
      misnamed: one.misnamedTransaction(),
      uncovered: one.uncoveredTransactions(),
      withdrawals: one.countWithdrawals(),
    }));
    // The receipts overwrite the output for the transactions.
    const signatures = signaturesOf(found.unknown > 0 ? [] : module.items());
    readReceipts(texts.receipts);
    const { level, check, problem } = this.#judge({ ...found, held: module.run((one) => one.held()) });
    return { level, check, problem, uncovered: found.uncovered, signatures };
  }

  #judge({ held, unknown, misnamed, withdrawals }: CheckResult): Pick<BlockEvidence, "level" | "check" | "problem"> {
    const has = (bit: number): boolean => (held & bit) !== 0;
    const none = (check: AnswerCheck, problem: string) => ({ level: "none", check, problem }) as const;
    if (!has(HELD.header)) return none("header_hash", "its header does not give its hash");
    if (!has(HELD.withdrawals) && !(withdrawals === 0 && this.#rules.withdrawals_root_is_free))
      return none("withdrawals_root", "its withdrawals do not give its header's root");
    if (!has(HELD.receipts)) return none("receipts_root", "its receipts do not give its header's root");
    if (misnamed >= 0)
      return none("transaction_hash", `transaction ${misnamed} does not have the hash that it is given`);
    const kinds = `${unknown} of its transactions are of unknown types`;
    if (unknown > 0) return { level: "receipts", check: "transaction_kinds", problem: kinds };
    if (!has(HELD.transactions)) return none("transactions_root", "its transactions do not give its header's root");
    return { level: "full", check: null, problem: "" };
  }
}

interface CheckResult {
  readonly held: number;
  readonly unknown: number;
  /** Position of a transaction, or -1. */
  readonly misnamed: number;
  readonly withdrawals: number;
}

const signaturesOf = (items: readonly MemorySpan[]): Buffer => {
  const signatures = Buffer.allocUnsafe(items.length * SIGNATURE.length);
  for (const [i, { start, length }] of items.entries()) {
    const at = Math.ceil((start + length) / ALIGNMENT) * ALIGNMENT;
    signatures.set(module.bytes(at, SIGNATURE.length), i * SIGNATURE.length);
  }
  return signatures;
};

const readReceipts = (slices: readonly TextSlice[]): void => {
  module.run((one) => one.openReceipts());
  for (const slice of slices) {
    const { start, length } = spanOf(slice);
    checkFault(
      module.run((one) => one.receipts(start, length)),
      "the receipts have",
    );
  }
  checkFault(
    module.run((one) => one.closeReceipts()),
    "the receipts have",
  );
};

const spanOf = ({ text, start, length }: TextSlice): MemorySpan => ({ start: startOf(text) + start, length });

const BOOKKEEPING = Buffer.from("matic-bor-receipt-");

/** The hash of Polygon's book-keeping transaction (maticnetwork/bor, core/types/bor_receipt.go). */
export const bookkeepingHash = (number: number, block_hash: Bytes): Bytes => {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(number));
  return keccak256(Buffer.concat([BOOKKEEPING, place, block_hash]));
};
