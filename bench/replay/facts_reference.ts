/** Facts of some blocks, table by table, computed in the plainest way: by topics, word by word, frame by frame. */
import { topicOf } from "./made_log.ts";
import { logsOf } from "./reference.ts";
import type { ReplayBlock } from "./server.ts";

/** Rows of a table, and the sum of a number that each of them has, in decimal. */
export interface FactTotal {
  readonly rows: number;
  readonly sum: string;
}

export type FactTotals = Readonly<Record<string, FactTotal>>;

interface JsonLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** The fields of a node's answers that are counted here. */
interface JsonTransaction {
  readonly value: string;
}
interface JsonReceipt {
  readonly status: string;
  readonly contractAddress: string | null;
  readonly logs: readonly JsonLog[];
}
interface JsonFrame {
  readonly type: string;
  readonly value?: string;
  readonly error?: string;
  readonly calls?: readonly JsonFrame[];
}

const EVENTS: Readonly<Record<string, { readonly table: string; readonly sum: (log: JsonLog) => bigint }>> = {};

const wordAt = ({ data }: JsonLog, place: number): bigint => BigInt(`0x${data.slice(2 + place * 64, 66 + place * 64)}`);
const signedAt = (log: JsonLog, place: number): bigint => BigInt.asIntN(256, wordAt(log, place));
const none = (): bigint => 0n;

const listen = (table: string, signature: string, sum: (log: JsonLog) => bigint): void => {
  Object.assign(EVENTS, { [topicOf(signature)]: { table, sum } });
};

const V3_SWAP = "Swap(address,address,int256,int256,uint160,uint128,int24)";
const TRANSFER = topicOf("Transfer(address,address,uint256)");
const APPROVAL = topicOf("Approval(address,address,uint256)");
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2";
/** Tokens of one transaction with more receivers than this are a mass transfer. */
const MASS = 100;

listen("swaps", "Swap(address,uint256,uint256,uint256,uint256,address)", (log) => wordAt(log, 0) - wordAt(log, 2));
listen("swaps", V3_SWAP, (log) => signedAt(log, 0));
listen("pool_states", "Sync(uint112,uint112)", (log) => wordAt(log, 0) + wordAt(log, 1));
listen("liquidity_events", "Mint(address,uint256,uint256)", (log) => wordAt(log, 0));
listen("liquidity_events", "Burn(address,uint256,uint256,address)", (log) => wordAt(log, 0));
listen("liquidity_events", "Mint(address,address,int24,int24,uint128,uint256,uint256)", (log) => wordAt(log, 2));
listen("pools", "PairCreated(address,address,address,uint256)", none);
listen("approvals", "ApprovalForAll(address,address,bool)", none);
listen("ownership_events", "OwnershipTransferred(address,address)", none);
listen("ownership_events", "Upgraded(address)", none);
listen("freeze_events", "Blacklisted(address)", none);
listen("freeze_events", "AddedBlackList(address)", none);
listen("position_events", "Supply(address,address,address,uint256,uint16)", (log) => wordAt(log, 1));
listen("position_events", "Borrow(address,address,address,uint256,uint8,uint256,uint16)", (log) => wordAt(log, 1));
listen("position_events", "IncreaseLiquidity(uint256,uint128,uint256,uint256)", (log) => wordAt(log, 1));
listen("erc1155", "TransferSingle(address,address,address,uint256,uint256)", (log) => wordAt(log, 1));

export class FactSum {
  readonly #sums = new Map<string, { rows: number; sum: bigint }>();
  readonly #pools = new Set<string>();

  add(block: ReplayBlock): void {
    this.#count("blocks", 0n);
    // Receipts and transactions of replay blocks are complete, as a node sends them.
    const receipts = block.receipts as unknown as readonly JsonReceipt[];
    const transactions = block.block.transactions as unknown as readonly JsonTransaction[];
    for (const [i, { value }] of transactions.entries()) {
      this.#count("transactions", BigInt(value));
      if (receipts[i]?.status === "0x1" && BigInt(value) > 0n) this.#count("native", BigInt(value));
    }
    for (const log of logsOf(block)) this.#log(log);
    for (const { logs, status, contractAddress } of receipts) {
      this.#crowds(logs);
      // Frames have every creation, receipts only the outermost.
      if (block.traces === undefined && status === "0x1" && contractAddress !== null) this.#count("contracts", 0n);
    }
    // Traces of generated blocks are answers of the call tracer.
    for (const { result } of (block.traces ?? []) as readonly { readonly result: JsonFrame }[])
      this.#frame(result, true);
  }

  /** By table, and by kind of the table of transfers. */
  totals(): FactTotals {
    const entries = [...this.#sums].map(([name, { rows, sum }]) => [name, { rows, sum: `${sum}` }] as const);
    const known = [["pools known", { rows: this.#pools.size, sum: "0" }]] as const;
    return Object.fromEntries([...entries, ...known].filter(([, { rows }]) => rows > 0).sort());
  }

  #count(name: string, amount: bigint): void {
    const known = this.#sums.get(name) ?? { rows: 0, sum: 0n };
    this.#sums.set(name, { rows: known.rows + 1, sum: known.sum + amount });
  }

  #log(log: JsonLog): void {
    const [topic = ""] = log.topics;
    const is_wrap = topic === topicOf("Deposit(address,uint256)") || topic === topicOf("Withdrawal(address,uint256)");
    if (is_wrap && log.address === WETH) this.#count("wrap", wordAt(log, 0));
    if (topic === TRANSFER && log.topics.length === 3) this.#count("erc20", wordAt(log, 0));
    if (topic === TRANSFER && log.topics.length === 4) this.#count("erc721", 1n);
    if (topic === APPROVAL) this.#count("approvals", 0n);
    const event = EVENTS[topic];
    if (event === undefined) return;
    this.#count(event.table, event.sum(log));
    if (topic === topicOf(V3_SWAP)) this.#count("pool_states", wordAt(log, 2) + wordAt(log, 3));
    if (event.table === "pool_states" || topic === topicOf(V3_SWAP)) this.#pools.add(log.address);
  }

  #crowds(logs: readonly JsonLog[]): void {
    const receivers = new Map<string, Set<string>>();
    for (const { address, topics } of logs) {
      if (topics[0] !== TRANSFER) continue;
      receivers.set(address, (receivers.get(address) ?? new Set<string>()).add(topics[2] ?? ""));
    }
    for (const { size } of receivers.values()) if (size > MASS) this.#count("mass_transfers", BigInt(size));
  }

  #frame(frame: JsonFrame, is_outermost: boolean): void {
    if (frame.error !== undefined) return;
    if (frame.type.startsWith("CREATE")) this.#count("contracts", 0n);
    const value = BigInt(frame.value ?? "0x0");
    if (!is_outermost && frame.type === "CALL" && value > 0n) this.#count("internal", value);
    for (const call of frame.calls ?? []) this.#frame(call, false);
  }
}
