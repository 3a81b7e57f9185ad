/** A node that lies about one thing: Assay rejects the block, or no fact changes. Three ways of reading. */
import { getContractAddress } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sealed } from "../../../../bench/replay/sealed.ts";
import { type ReplayBlock, type ReplayServer, startReplay } from "../../../../bench/replay/server.ts";
import { ALICE, BOB, evmBlock } from "../../../../test/evm_block.ts";
import { AssayError } from "../../../lib/errors.ts";
import { silentLog } from "../../../lib/log.ts";
import type { Block, Verify } from "../../chain.ts";
import { ethereum } from "../../networks/known.gen.ts";
import type { OpenChain } from "../../open_chain.ts";
import { openEvmChain } from "../chain.ts";

type LiesJson = Record<string, unknown>;
interface NodeBlock {
  readonly block: LiesJson & { transactions: LiesJson[]; withdrawals: LiesJson[] };
  receipts: (LiesJson & { logs: (LiesJson & { topics: string[] })[] })[];
}
type BlockLie = (told: NodeBlock) => void;
const FIRST = 20_000_001;
const COUNT = 7;
/** The block with the lie; no multiple of 16. */
const PLACE = 3;
const NUMBER = FIRST + PLACE;
const signal = new AbortController().signal;
const VOID = `0x${"0".repeat(40)}`;
const NO_LOGS = `0x${"0".repeat(512)}`;
const WORD = `0x${"77".repeat(32)}`;

/** Sender and nonce 5 give the address (yellow paper 7; worked out by viem). */
const created = getContractAddress({ from: ALICE.address, nonce: 5n }).toLowerCase();
const honest: ReplayBlock[] = [];
for (let i = 0; i < COUNT; i += 1)
  honest.push(evmBlock({ number: FIRST + i, parent_hash: honest[i - 1]?.block.hash ?? WORD, created }));

/** Replaces a field of the block, a transaction, a receipt or a log. */
const header =
  (name: string, value: unknown): BlockLie =>
  ({ block }) =>
    void Object.assign(block, { [name]: value });
const sent =
  (i: number, name: string, value: unknown): BlockLie =>
  ({ block }) =>
    void Object.assign(block.transactions[i] ?? {}, { [name]: value });
const got =
  (i: number, name: string, value: unknown): BlockLie =>
  ({ receipts }) =>
    void Object.assign(receipts[i] ?? {}, { [name]: value });
const logged =
  (i: number, k: number, name: string, value: unknown): BlockLie =>
  ({ receipts }) =>
    void Object.assign(receipts[i]?.logs[k] ?? {}, { [name]: value });

/** Keeps the block's own hash: a liar with another hash is another chain. */
const resealed =
  (change: BlockLie): BlockLie =>
  (told) => {
    const { hash } = told.block;
    change(told);
    const made = sealed({ block: told.block, receipts: told.receipts });
    // Seals a block and receipts as generated.
    Object.assign(told.block, JSON.parse(JSON.stringify(made.block).replaceAll(made.block.hash, String(hash))));
    told.receipts = JSON.parse(JSON.stringify(made.receipts).replaceAll(made.block.hash, String(hash)));
  };

const LIES: Readonly<Record<string, BlockLie>> = {
  "an amount in log data": logged(1, 0, "data", `0x${"f".padStart(64, "0")}`),
  "a topic": ({ receipts }) => void receipts[1]?.logs[0]?.topics.splice(1, 1, WORD),
  "swapped topics": ({ receipts }) => {
    const topics = receipts[1]?.logs[0]?.topics ?? [];
    topics.splice(1, 2, topics[2] ?? "", topics[1] ?? "");
  },
  "another log address": logged(1, 1, "address", BOB.address),
  "swapped logs": ({ receipts }) => void receipts[1]?.logs.reverse(),
  "a doubled log": ({ receipts }) => {
    const logs = receipts[2]?.logs ?? [];
    logs.push({ ...(logs[0] ?? { topics: [] }), logIndex: "0x3" });
  },
  "a removed log": ({ receipts }) => void receipts[2]?.logs.pop(),
  "removed logs and emptied filters": (told) => {
    Object.assign(told.block, { logsBloom: NO_LOGS });
    for (const receipt of told.receipts) Object.assign(receipt, { logs: [], logsBloom: NO_LOGS });
  },
  "removed logs and a receipts root of its own": resealed(({ receipts }) => void receipts[1]?.logs.pop()),
  "a log marked as removed": logged(1, 0, "removed", true),
  "a log of another position": logged(2, 0, "logIndex", "0x7"),
  "a log of another block": logged(2, 0, "blockHash", WORD),
  "a log of another number": logged(2, 0, "blockNumber", "0x1"),
  "a log of another transaction index": logged(2, 0, "transactionIndex", "0x0"),
  "a receipt's filter": got(1, "logsBloom", NO_LOGS),
  "the block's filter": header("logsBloom", NO_LOGS),
  "a dropped transaction": (told) => {
    told.block.transactions.pop();
    told.receipts.pop();
  },
  "a dropped transaction and roots of its own": resealed((told) => {
    told.block.transactions.pop();
    told.receipts.pop();
  }),
  "a doubled transaction": (told) => {
    told.block.transactions.push({ ...told.block.transactions[0], transactionIndex: "0x6" });
    const [first] = told.receipts;
    if (first !== undefined) told.receipts.push({ ...first, transactionIndex: "0x6" });
  },
  "swapped transactions": (told) => {
    const [a, b] = told.block.transactions;
    told.block.transactions.splice(0, 2, { ...b, transactionIndex: "0x0" }, { ...a, transactionIndex: "0x1" });
    const [x, y] = told.receipts;
    if (x !== undefined && y !== undefined)
      told.receipts.splice(0, 2, { ...y, transactionIndex: "0x0" }, { ...x, transactionIndex: "0x1" });
  },
  "a value": sent(0, "value", "0x1"),
  "a value and roots of its own": resealed(sent(0, "value", "0x1")),
  "a sender": (told) => {
    sent(0, "from", BOB.address)(told);
    got(0, "from", BOB.address)(told);
  },
  "a sender without a key": sent(2, "from", VOID),
  "a recipient": sent(0, "to", ALICE.address),
  "a recipient left out": ({ block }) => void delete block.transactions[0]?.to,
  "a creation with a recipient": sent(3, "to", BOB.address),
  "a nonce": sent(0, "nonce", "0x2"),
  input: sent(2, "input", "0xdeadbeef"),
  "input as data": (told) => {
    delete told.block.transactions[2]?.input;
    sent(2, "data", "0xdeadbeef")(told);
  },
  "a gas limit": sent(0, "gas", "0x5209"),
  "a price": sent(0, "gasPrice", "0x1"),
  "a price cap": sent(2, "maxFeePerGas", "0x77359401"),
  "a tip": sent(2, "maxPriorityFeePerGas", "0x1"),
  "a type": sent(2, "type", "0x0"),
  "an unknown type": sent(2, "type", "0x55"),
  "a deposit's type": sent(2, "type", "0x7e"),
  "minted coins": sent(2, "mint", "0xde0b6b3a7640000"),
  "a signature": sent(0, "r", WORD),
  "another signature's parity": sent(2, "yParity", "0x5"),
  "a fee currency": sent(2, "feeCurrency", BOB.address),
  "blob hashes": sent(4, "blobVersionedHashes", [WORD]),
  authorizations: sent(5, "authorizationList", []),
  "a transaction's hash": (told) => {
    sent(0, "hash", WORD)(told);
    got(0, "transactionHash", WORD)(told);
  },
  "a transaction of another block": sent(1, "blockHash", WORD),
  "a transaction of another number": sent(1, "blockNumber", "0x1"),
  "a status": got(0, "status", "0x0"),
  "a failed one that succeeded": got(5, "status", "0x1"),
  "no status": got(0, "status", null),
  "a state root in place of a status": (told) => {
    got(0, "status", null)(told);
    got(0, "root", WORD)(told);
  },
  "an effective gas price": got(2, "effectiveGasPrice", "0x1"),
  "the gas used": got(0, "gasUsed", "0x5208"),
  "the gas so far": got(0, "cumulativeGasUsed", "0x5208"),
  "gas used, and so far of it and the next": (told) => {
    got(0, "gasUsed", "0xc351")(told);
    got(0, "cumulativeGasUsed", "0xc351")(told);
    got(1, "gasUsed", "0xc34f")(told);
  },
  "blob gas": got(4, "blobGasUsed", "0x60000"),
  "blob gas of one without blobs": got(2, "blobGasUsed", "0x20000"),
  "a blob gas price above what is allowed": got(4, "blobGasPrice", "0x65"),
  "a layer-1 fee on a network without one": got(0, "l1Fee", "0xde0b6b3a7640000"),
  "the created contract": got(3, "contractAddress", BOB.address),
  "no created contract": got(3, "contractAddress", null),
  "a receipt of another block": got(0, "blockHash", WORD),
  "a receipt of another number": got(0, "blockNumber", "0x1"),
  "a receipt's type": got(1, "type", "0x2"),
  "swapped receipts": ({ receipts }) => void receipts.reverse(),
  "a dropped receipt": ({ receipts }) => void receipts.pop(),
  withdrawals: ({ block }) => void Object.assign(block.withdrawals[0] ?? {}, { amount: "0xffffff" }),
  "a withdrawal's address": ({ block }) => void Object.assign(block.withdrawals[0] ?? {}, { address: BOB.address }),
  "a dropped withdrawal": ({ block }) => void block.withdrawals.pop(),
  "no withdrawals": header("withdrawals", []),
  "no withdrawals at all": ({ block }) => void Reflect.deleteProperty(block, "withdrawals"),
  "withdrawals whose root is in another field": ({ block }) => {
    Object.assign(block, { withdrawals: [], blobGasUsed: block.withdrawalsRoot });
    Reflect.deleteProperty(block, "withdrawalsRoot");
  },
  "a doubled withdrawal": ({ block }) => void block.withdrawals.push({ ...block.withdrawals[0] }),
  "the miner": header("miner", ALICE.address),
  "the miner as author": ({ block }) => void Object.assign(block, { miner: null, author: ALICE.address }),
  "timestamp 0": header("timestamp", "0x0"),
  "a timestamp in 2359": header("timestamp", "0x2dc6c0000"),
  "a timestamp one second later": header("timestamp", "0x1"),
  "the base fee": header("baseFeePerGas", "0x1"),
  "no base fee": ({ block }) => void Reflect.deleteProperty(block, "baseFeePerGas"),
  "the number": header("number", "0x1"),
  "the block's hash": (told) => {
    const text = JSON.stringify(told).replaceAll(String(told.block.hash), WORD);
    Object.assign(told, JSON.parse(text));
  },
  "the parent's hash": header("parentHash", WORD),
  "the gas of the block": header("gasUsed", "0x1"),
  "the state root": header("stateRoot", WORD),
  uncles: header("sha3Uncles", WORD),
};

/** Ways to read blocks. */
const READS = {
  "a long read": { from: FIRST, to: FIRST + COUNT - 1, lacks: [] },
  "a short read": { from: NUMBER, to: NUMBER, lacks: [] },
  "receipts one by one": { from: NUMBER - 1, to: NUMBER + 1, lacks: ["eth_getBlockReceipts"] },
} as const;

const serveBlocks = async (blocks: readonly ReplayBlock[], lacks: readonly string[], verify: Verify = "full") => {
  const replay = await startReplay({
    blocks,
    chain_id: 1,
    lacks: [...lacks, "debug_traceBlockByNumber", "trace_block"],
  });
  const options = { rpc: [replay.url], log: silentLog, attempts_max: 1, open_wait_ms: 10_000, verify };
  return { replay, chain: await openEvmChain(ethereum, options, signal) };
};

const lyingBlocks = (lie: BlockLie): ReplayBlock[] =>
  honest.map((one, i) => {
    if (i !== PLACE) return one;
    const told: NodeBlock & ReplayBlock = structuredClone(one) as unknown as NodeBlock & ReplayBlock; // generated by evmBlock
    lie(told);
    return told;
  });

describe.each(Object.entries(READS))("%s", (_, { from, to, lacks }) => {
  let replay: ReplayServer;
  let chain: OpenChain;
  let clean: readonly Block[];

  beforeAll(async () => {
    ({ replay, chain } = await serveBlocks(honest, lacks));
    clean = await chain.blocks(from, to, signal);
  });
  afterAll(async () => {
    await Promise.all([chain.close(), replay.close()]);
  });

  test("the honest blocks are verified whole, and have the generated facts", () => {
    expect(clean.map(({ verified }) => verified)).toEqual(clean.map(() => "full"));
    const block = clean.find(({ number }) => number === NUMBER);
    expect(block?.transactions).toHaveLength(6);
    expect(block?.transactions.map(({ logs }) => logs.length)).toEqual([0, 2, 1, 0, 0, 0]);
    // 50,000 gas at 1.1 gwei; the fourth has two blobs of 131,072 gas at 1 wei besides.
    expect(block?.transactions.map(({ fee }) => fee)).toEqual([
      ...[55_000_000_000_000n, 55_000_000_000_000n, 55_000_000_000_000n, 55_000_000_000_000n],
      ...[55_000_000_262_144n, 55_000_000_000_000n],
    ]);
  });

  test.each(Object.entries(LIES))("%s: no row of it", async (_, lie) => {
    const lying = await serveBlocks(lyingBlocks(lie), lacks);
    try {
      const read = await lying.chain.blocks(from, to, signal).catch((error: unknown) => {
        if (!(error instanceof AssayError)) throw error;
        expect(error.code).toBe("UPSTREAM_UNAVAILABLE");
        return null;
      });
      if (read !== null) expect(read).toEqual(clean);
    } finally {
      await Promise.all([lying.chain.close(), lying.replay.close()]);
    }
  });
});

const passedOver = async (verify: Verify): Promise<string[]> => {
  const passed: string[] = [];
  for (const [what, lie] of Object.entries(LIES)) {
    const { chain, replay } = await serveBlocks(lyingBlocks(lie), [], verify);
    const is_read = await chain.blocks(NUMBER, NUMBER, signal).then(
      () => true,
      () => false,
    );
    if (is_read) passed.push(what);
    await Promise.all([chain.close(), replay.close()]);
  }
  return passed;
};

test("rejects every lie about a fact, and ignores only what no fact follows from", async () => {
  expect(await passedOver("full")).toEqual([
    "minted coins",
    "a fee currency",
    "blob gas of one without blobs",
    "a layer-1 fee on a network without one",
  ]);
});

test("with verify: header each block says so, and everything but the links is trusted", async () => {
  const { chain, replay } = await serveBlocks(honest, [], "header");
  const blocks = await chain.blocks(FIRST, FIRST + COUNT - 1, signal);
  await Promise.all([chain.close(), replay.close()]);
  expect(blocks.map(({ verified }) => verified)).toEqual(blocks.map(() => "none"));
  const believed = await passedOver("header");
  const refused = Object.keys(LIES).filter((what) => !believed.includes(what));
  // These lies could not be stored, or the answer is not for the request.
  expect(refused.join(", ")).toBe(
    "a log marked as removed, a doubled transaction, a dropped receipt, a timestamp in 2359, the number",
  );
});
