import { address, type EncodedAccount, getTransactionDecoder } from "@solana/kit";
import { FailedTransactionMetadata, type LiteSVM } from "litesvm";
import { toBase58 } from "../../lib/base58.ts";
import { signatureIn, signaturesOf } from "./facade_history.ts";

export interface SealedBlock {
  readonly slot: number;
  readonly blockhash: string;
  readonly previousBlockhash: string;
  readonly parentSlot: number;
  readonly blockTime: number;
  readonly blockHeight: number;
  readonly transactions: readonly unknown[];
  readonly rewards: readonly unknown[];
}

export interface FacadeRequest {
  readonly id: number;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** The answer to give instead; undefined for the honest answer. */
export type FacadeFault = (
  asked: FacadeRequest,
) => { readonly result: unknown } | { readonly error: object } | undefined;

export interface FacadeNode {
  readonly svm: LiteSVM;
  readonly blocks: ReadonlyMap<number, SealedBlock>;
  readonly genesis: string;
  readonly head: () => number;
  readonly fault: FacadeFault;
}

/** Error shapes of agave (rpc-client-api, custom_error.rs). */
const skipped = (slot: number) => ({
  code: -32_007,
  message: `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
});
const CONFIRMED_TO_FINAL_SLOTS = 32;
const NO_SIGNATURE = new Uint8Array(64);

/** One answer, with the id of its request. */
export const answerCall = (node: FacadeNode, asked: FacadeRequest): object => {
  const said = node.fault(asked) ?? honest(node, asked);
  return { jsonrpc: "2.0", id: asked.id, ...said };
};

type FacadeResponse = { readonly result: unknown } | { readonly error: object };

const honest = (node: FacadeNode, { method, params = [] }: FacadeRequest): FacadeResponse => {
  const known = CALLS[method];
  if (known === undefined) return { error: { code: -32_601, message: "Method not found" } };
  return known(node, params);
};

const numberIn = (value: unknown): number => Number(value);
const textsIn = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const CALLS: Readonly<Record<string, (node: FacadeNode, params: readonly unknown[]) => FacadeResponse>> = {
  getGenesisHash: ({ genesis }) => ({ result: genesis }),
  getVersion: () => ({ result: { "solana-core": "3.0.0", "feature-set": 1 } }),
  getHealth: () => ({ result: "ok" }),
  getFirstAvailableBlock: ({ blocks }) => ({ result: Math.min(...blocks.keys()) }),
  getSlot: (node, [config]) => {
    const is_final = Reflect.get(Object(config), "commitment") === "finalized";
    return { result: is_final ? finalSlot(node) : node.head() };
  },
  getEpochInfo: ({ svm, head }) => ({
    result: { epoch: Number(svm.getClock().epoch), absoluteSlot: head(), slotIndex: 0, slotsInEpoch: 432_000 },
  }),
  getBlocks: ({ blocks }, [from, to]) => ({
    result: [...blocks.keys()].filter((slot) => slot >= numberIn(from) && slot <= numberIn(to)),
  }),
  getBlocksWithLimit: ({ blocks }, [from, limit]) => ({
    result: [...blocks.keys()].filter((slot) => slot >= numberIn(from)).slice(0, numberIn(limit)),
  }),
  getBlock: ({ blocks, head }, [slot, config]) => {
    const block = blocks.get(numberIn(slot));
    if (block === undefined && numberIn(slot) > head())
      return { error: { code: -32_004, message: `Block not available for slot ${numberIn(slot)}` } };
    if (block === undefined) return { error: skipped(numberIn(slot)) };
    const { transactions, rewards, slot: _, ...header } = block;
    const details: unknown = Reflect.get(Object(config), "transactionDetails");
    const wants_rewards = Reflect.get(Object(config), "rewards") !== false;
    const told =
      details === "signatures"
        ? { signatures: transactions.map(signatureIn) }
        : details === "none"
          ? {}
          : { transactions };
    const parts = { ...told, ...(wants_rewards ? { rewards } : {}) };
    return { result: { ...header, ...parts } };
  },
  getTransaction: ({ blocks }, [signature]) => {
    for (const { slot, blockTime, transactions } of blocks.values()) {
      const found = transactions.find((one) => signatureIn(one) === signature);
      if (found !== undefined) return { result: { ...Object(found), slot, blockTime } };
    }
    return { result: null };
  },
  getTokenLargestAccounts: (node, [mint]) =>
    node.svm.getAccount(address(String(mint))).exists
      ? { result: { context: { slot: node.head() }, value: largestOf(node, String(mint)) } }
      : { error: { code: -32_602, message: "Invalid param: could not find mint" } },
  getMultipleAccounts: (node, [addresses]) => ({
    result: { context: { slot: node.head() }, value: textsIn(addresses).map((text) => accountOf(node, text)) },
  }),
  getSignaturesForAddress: (node, [of, config]) => {
    const is_final = Reflect.get(Object(config), "commitment") !== "confirmed";
    const to = is_final ? finalSlot(node) : node.head();
    return { result: signaturesOf(node.blocks, { address: of, config, to }) };
  },
  simulateTransaction: (node, [wire, config]) => simulated(node, wire, config),
  getTokenAccountsByOwner: (node, [owner, filter]) => {
    const { mint, programId } = Object(filter) as { readonly mint?: string; readonly programId?: string }; // one of both
    const account = mint === undefined ? null : node.svm.getAccount(address(mint));
    if (account?.exists === false) return { error: { code: -32_602, message: "Invalid param: could not find mint" } };
    const program = account?.exists === true ? account.programAddress : address(programId ?? "");
    const held = node.svm.getProgramAccounts(program).filter(({ data }) => {
      const [of, by] = [toBase58(data.subarray(0, 32)), toBase58(data.subarray(32, 64))];
      return data.length >= 165 && (mint === undefined || of === mint) && by === owner;
    });
    const value = held.map(({ address: pubkey }) => ({ pubkey, account: accountOf(node, pubkey) }));
    return { result: { context: { slot: node.head() }, value } };
  },
};

/** The real programs run it: without signatures, and with the newest block hash if the call requests that. */
const simulated = (node: FacadeNode, wire: unknown, config: unknown): FacadeResponse => {
  const { svm } = node;
  const { messageBytes, signatures } = getTransactionDecoder().decode(Buffer.from(String(wire), "base64"));
  svm.withSigverify(false).withBlockhashCheck(false);
  try {
    // Missing signatures are zeros.
    const unsigned = {
      messageBytes,
      signatures: Object.fromEntries(Object.keys(signatures).map((key) => [key, NO_SIGNATURE])),
    };
    const result = svm.simulateTransaction(unsigned as Parameters<typeof svm.simulateTransaction>[0]); // branded types of decoded values
    const failed = result instanceof FailedTransactionMetadata;
    const details = result.meta();
    const wanted = textsIn(Reflect.get(Object(Reflect.get(Object(config), "accounts")), "addresses"));
    const after = new Map(failed ? [] : result.postAccounts().map((account) => [String(account.address), account]));
    const accounts = wanted.map((text) => {
      const account = after.get(text);
      return account === undefined ? accountOf(node, text) : accountJson(account);
    });
    const told = {
      err: failed ? errorOf(result.err()) : null,
      logs: details.logs(),
      accounts: failed ? null : accounts,
    };
    const unitsConsumed = details.computeUnitsConsumed();
    return { result: { context: { slot: node.head() }, value: { ...told, unitsConsumed, returnData: null } } };
  } finally {
    svm.withSigverify(true).withBlockhashCheck(true);
  }
};

/** Of the token program; data as `readTokenAccount` has it: mint, owner, amount. */
const largestOf = ({ svm }: FacadeNode, mint: string): readonly object[] =>
  svm
    .getProgramAccounts(address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"))
    .filter(({ data }) => data.length === 165 && toBase58(data.subarray(0, 32)) === mint)
    .map(({ address: at, data }) => ({ address: at, amount: Buffer.from(data).readBigUInt64LE(64) }))
    .sort((a, b) => Number(b.amount - a.amount))
    .map(({ address: at, amount }) => ({ address: at, amount: String(amount) }));

const finalSlot = ({ blocks, head }: FacadeNode): number =>
  Math.max(
    ...[...blocks.keys()].filter((slot) => slot <= head() - CONFIRMED_TO_FINAL_SLOTS),
    Math.min(...blocks.keys()),
  );

const accountOf = ({ svm }: FacadeNode, text: string): object | null => {
  const account = svm.getAccount(address(text));
  return account.exists ? accountJson(account) : null;
};

const accountJson = (account: EncodedAccount): object => ({
  data: [Buffer.from(account.data).toString("base64"), "base64"],
  executable: account.executable,
  lamports: account.lamports,
  owner: account.programAddress,
  rentEpoch: 18_446_744_073_709_551_615n,
  space: account.data.length,
});

/** An error in a node's words. Errors that belong to no program have a number here, and share one form. */
export const errorOf = (error: ReturnType<FailedTransactionMetadata["err"]>): unknown => {
  if (typeof error !== "object" || !("err" in error)) return "InvalidAccountForFee";
  const why = error.err();
  const reason = typeof why === "object" && "code" in why ? { Custom: why.code } : "GenericError";
  return { InstructionError: [error.index, reason] };
};
