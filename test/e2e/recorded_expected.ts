/** Movements of a recorded block, computed by hand from its JSON: nothing here is shared with the code under test. */
import type { RecordedEntry } from "../../bench/replay/recorded.ts";

interface TransactionJson {
  readonly hash: string;
  readonly from: string;
  readonly to: string | null;
  readonly value: string;
  readonly gas: string;
  readonly gasPrice: string;
  readonly input: string;
}

interface LogJson {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
  readonly logIndex: string;
}

interface ReceiptJson {
  readonly transactionHash: string;
  readonly status?: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice?: string;
  readonly contractAddress: string | null;
  readonly logs: readonly LogJson[];
}

interface FrameJson {
  readonly type: string;
  readonly from: string;
  readonly to?: string;
  readonly value?: string;
  readonly error?: string;
  readonly calls?: readonly FrameJson[];
}

interface BlockJson {
  readonly miner: string;
  readonly baseFeePerGas?: string;
  readonly timestamp: string;
  readonly transactions: readonly TransactionJson[];
  readonly uncles?: readonly string[];
  readonly withdrawals?: readonly { readonly address: string; readonly amount: string }[];
}

/** Lines of text, one per row and unordered, that can be compared with rows of the store. */
export interface ExpectedLines {
  /** `tx_index position kind token token_id source destination amount sender` */
  readonly transfers: readonly string[];
  /** `tx_index position event method address creator factory` */
  readonly contracts: readonly string[];
  /** `tx_index hash sender recipient value fee succeeded` */
  readonly transactions: readonly string[];
}

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";
const DEPOSIT = "0xe1fffcc4923d04b559f4d29a8bfc6cda04eb5b0d3c460751c2402c5c5cc9109c";
const WITHDRAWAL = "0x7fcf532c15f0a6db0bd6d0e038bea71d30d808c7d98cb3bf7268a95bf5081b65";

/** Bor's own log of every tip, at address 0x1010: token, payer, payee (maticnetwork/bor, core/bor_fee_log.go). */
const FEE_LOG = "0x4dfe1bbbcf077ddc3e01291eea2d5c70c2b422b415d95645b9adcfd678cb1d63";
/** Polygon's collector of base fees from London to block 50,523,000 (maticnetwork/bor, builder/files/genesis-mainnet-v1.json). */
const POLYGON_BASE_FEES = "70bca57f4579f58670ab2d18ef16e02c17553c38";
/** Cancun on Ethereum: from then on a self-destruct only ends contracts of its own transaction (EIP-6780). */
const CANCUN = 1_710_338_135n;

const LOGS_FROM = 1_048_576;
const TIP = 4_294_967_294;
const FEE = 4_294_967_295;
const ISSUANCE = 4_294_967_295;

const bare = (text: string | null | undefined): string => (text ?? "").slice(2).toLowerCase();
const side = (topic: string | undefined): string => (topic ?? "").slice(26).replace(/^0{40}$/, "");
const wordsOf = (data: string): bigint[] => (data.slice(2).match(/.{64}/g) ?? []).map((text) => BigInt(`0x${text}`));

/** All expected lines of the block. `wrapped_native`: bare hex, or null. */
export const expectedLines = (
  { replay, chain, number }: RecordedEntry,
  wrapped_native: string | null,
): ExpectedLines => {
  // The recording's own documentation says that these are answers of eth_getBlockByNumber, eth_getBlockReceipts and
  // the call tracer.
  const block = replay.block as unknown as BlockJson;
  const receipts = replay.receipts as unknown as readonly ReceiptJson[];
  const frames = replay.traces?.map((trace) => (trace as { result: FrameJson }).result);
  const transfers: string[] = [];
  const contracts: string[] = [];
  const transactions: string[] = [];
  for (const [index, transaction] of block.transactions.entries()) {
    const receipt = receipts.find(({ transactionHash }) => transactionHash === transaction.hash) ?? null;
    const read = readTransaction({ transaction, receipt, frame: frames?.[index] ?? null, block, wrapped_native });
    const sender = bare(transaction.from);
    transfers.push(...read.transfers.map((line) => `${index} ${line} ${sender}`));
    contracts.push(...read.contracts.map((line) => `${index} ${line}`));
    transactions.push(`${index} ${read.transaction}`);
  }
  // Uncles are not recorded: only the miner's own part is known.
  const reward = chain === "ethereum" ? rewardOf(number) : 0n;
  const nephews = BigInt(block.uncles?.length ?? 0);
  if (reward > 0n)
    transfers.push(`${ISSUANCE} 0 reward  0  ${bare(block.miner)} ${reward + (nephews * reward) / 32n} `);
  for (const [i, { address, amount }] of (block.withdrawals ?? []).entries())
    transfers.push(`${ISSUANCE} ${i} withdrawal  0  ${bare(address)} ${BigInt(amount) * 1_000_000_000n} `);
  return { transfers, contracts, transactions };
};

/** Yellow paper, 11.3: 5 ether, 3 since Byzantium, 2 since Constantinople, none since the merge. */
const rewardOf = (number: number): bigint => {
  if (number >= 15_537_394) return 0n;
  return (number < 4_370_000 ? 5n : number < 7_280_000 ? 3n : 2n) * 10n ** 18n;
};

interface ExpectedInput {
  readonly transaction: TransactionJson;
  /** Null where the chain (Cronos, at its gas limit) has none: failed, with the whole gas paid. */
  readonly receipt: ReceiptJson | null;
  readonly frame: FrameJson | null;
  readonly block: BlockJson;
  readonly wrapped_native: string | null;
}

const readTransaction = (parts: ExpectedInput) => {
  const { transaction, receipt, frame, block } = parts;
  const sender = bare(transaction.from);
  const succeeded = hasSucceeded(parts);
  const created = succeeded && transaction.to === null ? bare(receipt?.contractAddress) : "";
  const gas = BigInt(receipt?.gasUsed ?? transaction.gas);
  const price = BigInt(receipt?.effectiveGasPrice ?? transaction.gasPrice);
  const base_fee = BigInt(block.baseFeePerGas ?? 0);
  const tip = price > base_fee ? gas * (price - base_fee) : 0n;
  const recipient = bare(transaction.to);
  const transfers: string[] = [];
  const pay = (position: number, kind: string, to: string, amount: bigint): void => {
    if (amount > 0n) transfers.push(`${position} ${kind}  0 ${sender} ${to} ${amount}`);
  };
  const contracts: string[] = [];
  if (succeeded) {
    pay(0, "native", recipient === "" ? created : recipient, BigInt(transaction.value));
    if (created !== "") contracts.push(`0 created create ${created} ${sender} `);
    const inner = frame === null ? [] : innerMoves(frame);
    for (const [i, one] of inner.entries()) {
      if (one.amount > 0n) transfers.push(`${i + 1} internal  0 ${one.from} ${one.to} ${one.amount}`);
      if (one.event !== null) contracts.push(`${i + 1} ${one.event(sender)}`);
    }
    for (const [i, [address, amount]] of burntCoins(inner, block).entries())
      transfers.push(`${inner.length + 1 + i} internal  0 ${address}  ${amount}`);
    transfers.push(...logLines(receipt?.logs ?? [], parts.wrapped_native));
  }
  const tipped = receipt?.logs.find(({ topics }) => topics[0] === FEE_LOG);
  pay(TIP, "tip", tipped === undefined ? bare(block.miner) : side(tipped.topics[3]), tip);
  pay(FEE, "fee", tipped === undefined ? "" : POLYGON_BASE_FEES, gas * price - tip);
  const line = [bare(transaction.hash), sender, recipient, BigInt(transaction.value), gas * price, succeeded ? 1 : 0];
  return { transfers, contracts, transaction: line.join(" ") };
};

/**
 * By the receipt's status; before Byzantium by the trace; without one, a transaction that used all its gas beyond the
 * price of a plain payment, and left no log, ran out of it.
 */
const hasSucceeded = ({ transaction, receipt, frame }: ExpectedInput): boolean => {
  if (receipt === null) return false;
  if (receipt.status !== undefined && receipt.status !== null) return receipt.status === "0x1";
  if (frame !== null) return frame.error === undefined;
  return receipt.logs.length > 0 || receipt.gasUsed !== transaction.gas || BigInt(receipt.gasUsed) === 21_000n;
};

interface ExpectedTransfer {
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly event: ((sender: string) => string) | null;
}

/** Frames below the outermost that move coins or make or end contracts, in order of execution. */
const innerMoves = (frame: FrameJson): ExpectedTransfer[] =>
  (frame.calls ?? []).flatMap((child): ExpectedTransfer[] => {
    if (child.error !== undefined) return [];
    const [from, to, amount] = [bare(child.from), bare(child.to), BigInt(child.value ?? "0x0")];
    const below = innerMoves(child);
    switch (child.type) {
      case "CALL":
        return amount > 0n ? [{ from, to, amount, event: null }, ...below] : below;
      case "CREATE":
      case "CREATE2":
        return [
          { from, to, amount, event: (by) => `created ${child.type.toLowerCase()} ${to} ${by} ${from}` },
          ...below,
        ];
      case "SELFDESTRUCT":
        return [{ from, to, amount, event: (by) => `destroyed none ${from} ${by} ` }, ...below];
      default:
        return below;
    }
  });

/** Coins that contracts received in the transaction after they had ended in it: the coins end with them. */
const burntCoins = (moves: readonly ExpectedTransfer[], block: BlockJson): readonly (readonly [string, bigint])[] => {
  const said = moves.map(({ event }) => event?.("").split(" ")[0] ?? "moved");
  const own = new Set(moves.filter((_, i) => said[i] === "created").map(({ to }) => to));
  const ended = new Map<string, number>();
  for (const [i, { from }] of moves.entries())
    if (said[i] === "destroyed" && (BigInt(block.timestamp) < CANCUN || own.has(from))) ended.set(from, i);
  return [...ended]
    .map(([address, at]) => {
      const later = moves.slice(at + 1);
      const got = later.filter(({ to }) => to === address).reduce((sum, { amount }) => sum + amount, 0n);
      const gave = later.filter(({ from }) => from === address).reduce((sum, { amount }) => sum + amount, 0n);
      return [address, got - gave] as const;
    })
    .filter(([, amount]) => amount > 0n);
};

const logLines = (logs: readonly LogJson[], wrapped_native: string | null): string[] =>
  logs.flatMap(({ address, topics, data, logIndex }): string[] => {
    const [event, one, two, three] = topics;
    const token = bare(address);
    const numbers = wordsOf(data);
    const line = (kind: string, id: bigint | undefined, sides: readonly string[], amount: bigint | undefined) =>
      `${LOGS_FROM + Number(logIndex)} ${kind} ${token} ${id} ${sides.join(" ")} ${amount}`;
    if (event === TRANSFER && topics.length === 3) return [line("erc20", 0n, [side(one), side(two)], numbers[0])];
    if (event === TRANSFER && topics.length === 4)
      return [line("erc721", BigInt(three ?? 0), [side(one), side(two)], 1n)];
    if (event === SINGLE) return [line("erc1155", numbers[0], [side(two), side(three)], numbers[1])];
    if (event === BATCH) {
      const count = Number(numbers[2]);
      const ids = numbers.slice(3, 3 + count);
      return ids.map((id, i) => line("erc1155", id, [side(two), side(three)], numbers[4 + count + i]));
    }
    if (token !== wrapped_native || topics.length !== 2) return [];
    if (event === DEPOSIT) return [line("wrap", 0n, ["", side(one)], numbers[0])];
    return event === WITHDRAWAL ? [line("wrap", 0n, [side(one), ""], numbers[0])] : [];
  });
