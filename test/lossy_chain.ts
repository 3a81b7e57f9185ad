import type { Block, Chain, Transaction } from "../src/chains/chain.ts";
import { BadAnswer } from "../src/chains/node/answer.ts";
import { FailedCheck, RefusedBlock } from "../src/chains/node/refused_block.ts";
import { type Hex, intToHex, toHex } from "../src/lib/bytes.ts";
import { testAddress } from "./facts_store.ts";
import { fixedChain } from "./fixed_chain.ts";

/** A node that may lose old data. */
export interface LossyNode {
  head: number;
  final: number;
  /** Whether any endpoint can trace. */
  can_trace: boolean;
  lacksTraces: (number: number) => boolean;
  refuses: (number: number) => boolean;
  /** Unix milliseconds of its clock, which every refusal advances by ten seconds. */
  now_ms: number;
  /** Requested blocks, in order. */
  asked: number[];
}

const hashOf = (number: number): Hex => intToHex(BigInt(number + 1), 32);
const bytes = (hex: Hex) => Buffer.from(hex, "hex");

export const openNode = (head: number, final: number): LossyNode => ({
  ...{ head, final, can_trace: true, now_ms: Date.now(), asked: [] },
  lacksTraces: () => false,
  refuses: () => false,
});

/** Address 1 pays 1,000 coins to contract 2, which forwards them to one of three others, chosen by the block's number. */
const transactionOf = (number: number, has_traces: boolean): Transaction => ({
  ...{
    index: 0,
    hash: bytes(intToHex(BigInt(number + 1) << 64n, 32)),
    sender: testAddress(1),
    recipient: testAddress(2),
  },
  ...{ value: 1_000n, nonce: number, input: Buffer.alloc(0), succeeded: true, gas_used: 21_000n, fee: 7n, tip: 0n },
  ...{ created_contract: null, logs: [] },
  calls: has_traces
    ? [
        {
          ...{ kind: "call", sender: testAddress(2), recipient: testAddress(3 + (number % 3)) },
          ...{ value: BigInt(number + 1), init_hash: null, code_hash: null },
        },
      ]
    : [],
});

const headerOf = (number: number) => ({
  ...{ number, hash: bytes(hashOf(number)), parent_hash: bytes(hashOf(number - 1)), time: 1_700_000_000 + 12 * number },
});

const blockOf = (number: number, has_traces: boolean): Block => ({
  ...headerOf(number),
  ...{ producer: testAddress(9), base_fee: null, transactions: [transactionOf(number, has_traces)], issuance: [] },
  ...{ has_traces, verified: "full" },
});

const refOf = (number: number) => {
  const { hash, parent_hash, time } = headerOf(number);
  return { number, hash: toHex(hash), parent_hash: toHex(parent_hash), time };
};

/** The chain of such a node: blocks of one transaction each. */
export const lossyChain = (id: string, node: LossyNode): Chain => {
  const network = { id, name: id };
  const fixed = fixedChain({ network });
  const read = (number: number): Block => {
    node.asked.push(number);
    if (node.refuses(number)) {
      node.now_ms += 10_000;
      const failed = new FailedCheck(number, new BadAnswer("transactions are out of order", "transaction_order"));
      throw new RefusedBlock({
        network,
        failed,
        endpoints: ["http://a", "http://b"],
        configured: ["http://a", "http://b"],
      });
    }
    return blockOf(number, node.can_trace && !node.lacksTraces(number));
  };
  return {
    ...fixed,
    can: {
      ...fixed.can,
      get traces() {
        return node.can_trace;
      },
    },
    head: async () => refOf(node.head),
    finalized: async () => node.final,
    ref: async (number) => (number <= node.head ? refOf(number) : null),
    blocks: async (from, to) => Array.from({ length: to - from + 1 }, (_, at) => read(from + at)),
  };
};
