/** False answers of Solana nodes, and the operator's messages about them. */
import { type AcceptedLie, jsonOf, type LieJson, type LyingAnswer, listOf, type NamedLie } from "./lies.ts";

/** Changes whole blocks; headers pass. */
const ofBlocks =
  (change: (block: LieJson, slot: number) => LieJson): LyingAnswer =>
  ({ what, asked }, answer) => {
    const [slot, config] = asked as readonly [number, LieJson]; // parameters of getBlock
    if (what !== "getBlock" || config.transactionDetails !== "full" || answer.result === undefined) return undefined;
    return { ...answer, result: change(jsonOf(answer.result), slot) };
  };

/** A consistent shift of all values contradicts nothing. */
const ofEveryOther = (change: (block: LieJson) => LieJson): LyingAnswer =>
  ofBlocks((block, slot) => (slot % 2 === 1 ? change(block) : block));

/** Changes the last transaction of blocks that have one. */
const ofLast = (change: (transaction: LieJson) => LieJson): LyingAnswer =>
  ofBlocks((block) => {
    const list = listOf(block.transactions);
    const last = list.at(-1);
    return last === undefined ? block : { ...block, transactions: [...list.slice(0, -1), change(last)] };
  });

const ofMeta = (change: (meta: LieJson) => LieJson): LyingAnswer =>
  ofLast((transaction) => ({
    ...transaction,
    meta: { ...jsonOf(transaction.meta), ...change(jsonOf(transaction.meta)) },
  }));

const FAILS = { jsonrpc: "2.0" };

/**
 * Flips one bit of the recent blockhash of a message: after signatures, version, header and keys, of which there are fewer than 128.
 */
const flipMessage = (wire: Buffer): void => {
  const message = 1 + 64 * (wire[0] ?? 0);
  const at = message + 5 + 32 * (wire[message + 4] ?? 0);
  wire.set([(wire[at] ?? 0) ^ 1], at);
};

/** With encoding base64: the bytes of a transaction, which start with the number of signatures and the first of them. */
const ofWire = (change: (wire: Buffer) => void): LyingAnswer =>
  ofLast((transaction) => {
    const [text] = transaction.transaction as readonly [string, string]; // of encoding base64
    const wire = Buffer.from(text, "base64");
    change(wire);
    return { ...transaction, transaction: [wire.toString("base64"), "base64"] };
  });

const plus = (list: unknown, amounts: readonly bigint[]): readonly string[] =>
  (list as readonly unknown[]).map((item, i) => String(BigInt(String(item)) + (amounts[i] ?? 0n))); // of lamports

export const SOLANA_LIES: readonly NamedLie[] = [
  [
    "a slot missing from the list",
    /was not listed|does not follow|out of order|slots/,
    ({ what }, answer) =>
      what === "getBlocks" && listOf(answer.result).length > 2
        ? { ...answer, result: listOf(answer.result).filter((_, i) => i !== 1) }
        : undefined,
  ],
  [
    "a slot reported as skipped",
    /skipped after all/,
    ({ what, asked }, answer) => {
      const [slot, config] = asked as readonly [number, LieJson];
      if (what !== "getBlock" || config.transactionDetails !== "full" || slot % 7 !== 3) return undefined;
      const error = {
        code: -32_007,
        message: `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
      };
      return { ...FAILS, id: answer.id, error };
    },
  ],
  [
    "a pruned block",
    /cleaned up/,
    ({ what, asked }, answer) => {
      const [slot, config] = asked as readonly [number, LieJson];
      if (what !== "getBlock" || config.transactionDetails !== "full") return undefined;
      const message = `Block ${slot} cleaned up, does not exist on node. First available block: ${slot + 1_000}`;
      return { ...FAILS, id: answer.id, error: { code: -32_001, message } };
    },
  ],
  [
    "the block of another slot",
    /does not follow|is slot/,
    (() => {
      let other: LieJson | null = null;
      return ofBlocks((block) => {
        const said = other ?? block;
        other = block;
        return said;
      });
    })(),
  ],
  ["another parent", /does not follow/, ofBlocks((block) => ({ ...block, previousBlockhash: "1".repeat(32) }))],
  ["no inner instructions", /did not keep/, ofMeta(() => ({ innerInstructions: null }))],
  ["no rewards", /did not keep/, ofBlocks(({ rewards: _, ...block }) => block)],
  ["no time", /did not keep|does not know/, ofBlocks((block) => ({ ...block, blockTime: null }))],
  [
    "balances of fewer accounts",
    /accounts have/,
    ofMeta(({ postBalances }) => ({ postBalances: listOf(postBalances).slice(0, -1) })),
  ],
  [
    "a truncated transaction",
    /cut off/,
    ofLast((transaction) => {
      const [wire] = transaction.transaction as readonly [string, string]; // of encoding base64
      return { ...transaction, transaction: [wire.slice(0, 80), "base64"] };
    }),
  ],
  ["another message under a true signature", /has not signed/, ofWire(flipMessage)],
  ["a transaction with another signer", /has not signed/, ofWire((wire) => wire.set([(wire[9] ?? 0) ^ 1], 9))],
  ["a signature more than signers", /must sign/, ofWire((wire) => wire.set([(wire[66] ?? 0) + 1], 66))],
  [
    "a transaction in another encoding",
    /encoding|is not an object/,
    ofLast((transaction) => ({ ...transaction, transaction: [jsonOf(transaction.transaction)[0], "base58"] })),
  ],
  [
    "a duplicate transaction in a block",
    /one transaction twice/,
    ofBlocks((block) => {
      const last = listOf(block.transactions).at(-1);
      return last === undefined ? block : { ...block, transactions: [...listOf(block.transactions), last] };
    }),
  ],
  ["coins from nowhere", /more coins/, ofMeta(({ postBalances }) => ({ postBalances: plus(postBalances, [7n]) }))],
  ["coins that are gone", /coins are missing/, ofMeta(({ preBalances }) => ({ preBalances: plus(preBalances, [7n]) }))],
  ["a smaller fee", /coins are missing/, ofMeta(() => ({ fee: 1 }))],
  [
    "accounts of look-up tables that no transaction names",
    /look-up tables/,
    ofMeta(() => ({ loadedAddresses: { writable: ["1".repeat(32)], readonly: [] } })),
  ],
  [
    "another height",
    /another height/,
    ofEveryOther((block) => ({ ...block, blockHeight: Number(block.blockHeight) + 1 })),
  ],
  ["a time to come", /in the future/, ofBlocks((block) => ({ ...block, blockTime: 9_999_999_999 }))],
  ["a time before the parent's", /before its parent/, ofEveryOther((block) => ({ ...block, blockTime: 1_000_000 }))],
];

/** False answers that nothing in a block of Solana contradicts: `docs/threat_model.md` lists them, and only other nodes reveal them. */
export const SOLANA_BELIEVED: readonly AcceptedLie[] = [
  [
    "a transaction left out",
    ofBlocks((block) => ({ ...block, transactions: listOf(block.transactions).slice(0, -1) })),
  ],
  [
    "one account's coins assigned to another",
    ofMeta(({ postBalances }) => {
      const list = postBalances as readonly unknown[]; // of lamports
      const at = list.findIndex((item) => BigInt(String(item)) > 7n);
      const other = at === 0 ? 1 : 0;
      return {
        postBalances: plus(
          list,
          list.map((_, i) => (i === at ? -7n : i === other ? 7n : 0n)),
        ),
      };
    }),
  ],
  [
    "another balance of a token",
    ofMeta(({ postTokenBalances }) => ({
      postTokenBalances: listOf(postTokenBalances).map((one) => ({
        ...one,
        uiTokenAmount: { ...jsonOf(one.uiTokenAmount), amount: "123456789" },
      })),
    })),
  ],
  ["inner instructions left out", ofMeta(() => ({ innerInstructions: [] }))],
  ["a success reported as a failure", ofMeta(() => ({ err: { InstructionError: [0, "GenericError"] } }))],
  [
    "another reward",
    ofBlocks((block) => ({
      ...block,
      rewards: listOf(block.rewards).map((one) => ({ ...one, lamports: 777 })),
    })),
  ],
  ["a time some seconds off", ofBlocks((block) => ({ ...block, blockTime: Number(block.blockTime) + 5 }))],
];

/** The same for one transaction, read by its signature. */
const ofTransaction =
  (change: (transaction: LieJson) => LieJson): LyingAnswer =>
  ({ what }, answer) =>
    what === "getTransaction" && answer.result !== null
      ? { ...answer, result: change(jsonOf(answer.result)) }
      : undefined;

const withMeta = (transaction: LieJson, change: (meta: LieJson) => LieJson): LieJson => ({
  ...transaction,
  meta: { ...jsonOf(transaction.meta), ...change(jsonOf(transaction.meta)) },
});

export const SOLANA_TRANSACTION_LIES: readonly NamedLie[] = [
  [
    "another message under a true signature",
    /has not signed/,
    ofTransaction((one) => {
      const wire = Buffer.from(String(listOf(one.transaction)[0]), "base64");
      flipMessage(wire);
      return { ...one, transaction: [wire.toString("base64"), "base64"] };
    }),
  ],
  [
    "coins from nowhere",
    /more coins/,
    ofTransaction((one) => withMeta(one, ({ postBalances }) => ({ postBalances: plus(postBalances, [7n]) }))),
  ],
  ["no meta data", /meta data is not an object/, ofTransaction((one) => ({ ...one, meta: null }))],
  ["a slot that is no number", /slot is not a position/, ofTransaction((one) => ({ ...one, slot: "x" }))],
];
