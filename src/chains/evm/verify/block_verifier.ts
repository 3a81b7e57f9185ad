/**
 * Whether a block is what its header commits to, from the very text that is then parsed. What the header's hash says, and
 * what of a block nothing says: docs/threat_model.md and docs/decisions/0038.
 */
import { type Bytes, keccak256 } from "../../../lib/bytes.ts";
import type { Verified } from "../../chain.ts";
import { BadAnswer } from "../../node/answer.ts";
import type { Place } from "../../node/json_rpc.ts";
import { checkFault, type Span, VerifyModule } from "./module.ts";
import type { Rules } from "./rules.ts";
import { recoverSenders, SIGNATURE_LENGTH } from "./senders.ts";

/** Where a block and its receipts stand. `receipts`: one list of all, or one for each transaction. */
export interface BlockTexts {
  readonly block: Place;
  readonly receipts: readonly Place[];
}

/** What was recomputed of a block. */
export interface Proof {
  /** What may be told of the block as a whole. */
  readonly verified: Verified;
  /** Transactions at the end that no root covers; all before them are what the header commits to. */
  readonly uncovered: number;
  /** Who signed each transaction; null where that was not recovered and the text is believed or itself hashed. */
  readonly senders: readonly (Bytes | null)[];
}

interface Shown {
  readonly level: Verified;
  /** Why it is no more. */
  readonly problem: string;
  readonly uncovered: number;
  /** One for each transaction that was hashed, one behind the other. */
  readonly signatures: Buffer;
}

/** Bits of assembly/index.ts. */
const HELD = { header: 1, hashes: 2, transactions: 4, withdrawals: 8, receipts: 16 };
const RANK: Readonly<Record<Verified, number>> = { none: 0, receipts: 1, full: 2 };
const ALIGNMENT = 8;

/** One for the process: it works on one block at a time and waits for nothing. */
const module = new VerifyModule();
let loaded: { readonly generation: number; readonly texts: ReadonlyMap<Buffer, ReadonlyMap<number, Span>> } = {
  generation: -1,
  texts: new Map(),
};

export class BlockVerifier {
  readonly #rules: Rules;

  constructor(rules: Rules) {
    this.#rules = rules;
  }

  /**
   * Null where nothing can be recomputed.
   * @throws BadAnswer when less holds than must
   */
  async verify(texts: BlockTexts, number: number): Promise<Proof | null> {
    const required = this.#rules.required(number);
    if (required === "none") return null;
    // Waits for nothing until the signatures are copied: the module serves others meanwhile.
    const shown = this.#show(texts, required !== null);
    if (RANK[shown.level] < RANK[required ?? "none"]) throw new BadAnswer(`block ${number}: ${shown.problem}`);
    if (shown.level === "none") return null;
    if (shown.level !== "full") return { verified: shown.level, uncovered: shown.uncovered, senders: [] };
    const { list, unsigned } = await recoverSenders(shown.signatures);
    const verified = shown.uncovered > 0 ? "none" : unsigned > 0 ? "receipts" : "full";
    return { verified, uncovered: shown.uncovered, senders: list };
  }

  /** What the newest block shows, for `assay doctor` and the log. */
  level(texts: BlockTexts): Verified {
    return this.#show(texts, false).level;
  }

  /** Gives back what an uncommonly large answer took. */
  static release(): void {
    module.shrink();
    loaded = { generation: -1, texts: new Map() };
  }

  /** Linear memory held. */
  static get held_bytes(): number {
    return module.held_bytes;
  }

  #show(texts: BlockTexts, is_required: boolean): Shown {
    try {
      return this.#hold(texts);
    } catch (error) {
      if (is_required || !(error instanceof BadAnswer)) throw error;
      return { level: "none", problem: error.message, uncovered: 0, signatures: Buffer.alloc(0) };
    }
  }

  /** @throws BadAnswer when the texts are not even of the right shape */
  #hold(texts: BlockTexts): Shown {
    load(texts);
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
    // The receipts take the place of what the transactions left.
    const signatures = signaturesOf(found.unknown > 0 ? [] : module.items());
    readReceipts(texts.receipts);
    const { level, problem } = this.#judge({ ...found, held: module.run((one) => one.held()) });
    return { level, problem, uncovered: found.uncovered, signatures };
  }

  #judge({ held, unknown, misnamed, withdrawals }: Found): Pick<Shown, "level" | "problem"> {
    const has = (bit: number): boolean => (held & bit) !== 0;
    const none = (problem: string) => ({ level: "none", problem }) as const;
    if (!has(HELD.header)) return none("its header does not give its hash");
    if (!has(HELD.withdrawals) && !(withdrawals === 0 && this.#rules.withdrawals_root_is_free))
      return none("its withdrawals do not give its header's root");
    if (!has(HELD.receipts)) return none("its receipts do not give its header's root");
    if (misnamed >= 0) return none(`transaction ${misnamed} does not have the hash that it is given`);
    if (unknown > 0) return { level: "receipts", problem: `${unknown} of its transactions are of unknown types` };
    if (!has(HELD.transactions)) return none("its transactions do not give its header's root");
    return { level: "full", problem: "" };
  }
}

interface Found {
  readonly held: number;
  readonly unknown: number;
  /** Place of a transaction, or -1. */
  readonly misnamed: number;
  readonly withdrawals: number;
}

const signaturesOf = (items: readonly Span[]): Buffer => {
  const signatures = Buffer.allocUnsafe(items.length * SIGNATURE_LENGTH);
  for (const [i, { start, length }] of items.entries()) {
    const at = Math.ceil((start + length) / ALIGNMENT) * ALIGNMENT;
    signatures.set(module.bytes(at, SIGNATURE_LENGTH), i * SIGNATURE_LENGTH);
  }
  return signatures;
};

const readReceipts = (places: readonly Place[]): void => {
  module.run((one) => one.openReceipts());
  for (const place of places) {
    const { start, length } = spanOf(place);
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

const spanOf = ({ text, id }: Place): Span => {
  const span = loaded.texts.get(text)?.get(id);
  if (span === undefined || span.length === 0) throw new BadAnswer("a call has no answer");
  return span;
};

/** Brings the texts of a block into the module's memory, unless they are there already. */
const load = ({ block, receipts }: BlockTexts): void => {
  const texts = [...new Set([block.text, ...receipts.map(({ text }) => text)])];
  if (loaded.generation === module.generation && texts.every((text) => loaded.texts.has(text))) return;
  const starts = module.write(texts);
  const results = texts.map((text, i) => [text, module.results(starts[i] ?? 0, text.length)] as const);
  loaded = { generation: module.generation, texts: new Map(results) };
};

const BOOKKEEPING = Buffer.from("matic-bor-receipt-");

/** The hash of Polygon's book-keeping transaction (maticnetwork/bor, core/types/bor_receipt.go). */
export const bookkeepingHash = (number: number, block_hash: Bytes): Bytes => {
  const place = Buffer.alloc(8);
  place.writeBigUInt64BE(BigInt(number));
  return keccak256(Buffer.concat([BOOKKEEPING, place, block_hash]));
};
