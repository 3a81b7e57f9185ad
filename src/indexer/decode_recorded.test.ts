import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Block, Network } from "../chains/chain.ts";
import { EMPTY, fromHex, hex, toHex } from "../lib/bytes.ts";
import { decodeBlock } from "./decode.ts";

/** Recorded blocks beside the checkout; the tests below run if they exist. */
const FOLDER = join(import.meta.dirname, "../../../shared/data/evm");
const WETH = hex("c02aaa39b223fe8d0a0e5c4f27ead9083c756cc2");

interface RecordedReceipt {
  readonly status?: string;
  readonly transactionIndex: string;
  readonly logs: readonly {
    readonly address: string;
    readonly topics: readonly string[];
    readonly data: string;
    readonly logIndex: string;
  }[];
}
interface RecordedBlock {
  readonly number: string;
  readonly timestamp: string;
  readonly transactions: readonly {
    readonly hash: string;
    readonly from: string;
    readonly to: string | null;
    readonly value: string;
    readonly input: string;
    readonly transactionIndex: string;
  }[];
}

const readJson = (folder: string, name: string): unknown => {
  const plain = join(folder, name);
  if (existsSync(plain)) return JSON.parse(readFileSync(plain, "utf8"));
  return existsSync(`${plain}.gz`) ? JSON.parse(gunzipSync(readFileSync(`${plain}.gz`)).toString("utf8")) : null;
};

const bytes = (text: string) => fromHex(text) ?? EMPTY;

interface RecordedFixture {
  readonly name: string;
  readonly block: RecordedBlock;
  readonly receipts: readonly RecordedReceipt[];
}

/** Complete blocks only: as many receipts as transactions. */
const recorded: readonly RecordedFixture[] = (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
  .filter((name) => !name.includes("."))
  .flatMap((network) => readdirSync(join(FOLDER, network)).map((number) => `${network}/${number}`))
  .flatMap((name) => {
    // The content of these files by the recording's own documentation.
    const block = readJson(join(FOLDER, name), "block.json") as RecordedBlock | null;
    const receipts = readJson(join(FOLDER, name), "receipts.json") as RecordedReceipt[] | null;
    if (block === null || receipts === null || receipts.length !== block.transactions.length) return [];
    return [{ name, block, receipts }];
  });

const network: Network = {
  id: "ethereum",
  name: "Ethereum",
  family: "evm",
  chain_id: 1,
  caip2: "eip155:1",
  native: { symbol: "ETH", decimals: 18 },
  wrapped_native: WETH,
  stablecoins: [],
  finality_blocks: 64,
  block_seconds: 12,
  multicall: null,
  ens: null,
};

/** The recording as a block without fees, inner calls or issuance, which logs and values do not need. */
const blockOf = ({ block, receipts }: RecordedFixture): Block => ({
  number: Number(block.number),
  hash: EMPTY,
  parent_hash: EMPTY,
  time: Number(block.timestamp),
  producer: EMPTY,
  base_fee: null,
  issuance: [],
  has_traces: false,
  verified: "none",
  transactions: block.transactions.map((transaction, at) => ({
    index: at,
    hash: bytes(transaction.hash),
    sender: bytes(transaction.from),
    recipient: transaction.to === null ? null : bytes(transaction.to),
    value: BigInt(transaction.value),
    nonce: 0,
    input: bytes(transaction.input),
    succeeded: receipts[at]?.status !== "0x0",
    gas_used: 0n,
    fee: 0n,
    tip: 0n,
    created_contract: null,
    logs: (receipts[at]?.logs ?? []).map((log) => ({
      address: bytes(log.address),
      topics: log.topics.map(bytes),
      data: bytes(log.data),
      index: Number(log.logIndex),
    })),
    calls: [],
  })),
});

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const SINGLE = "0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62";
const BATCH = "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb";

const side = (topic: string | undefined): string => (topic ?? "").slice(26).replace(/^0{40}$/, "");
const words = (data: string): string[] => data.slice(2).match(/.{64}/g) ?? [];

/** Token movements in the logs, from the recording's own text only. */
const tokenLines = ({ receipts }: RecordedFixture): string[] =>
  receipts.flatMap(({ logs }) =>
    logs.flatMap(({ address, topics, data, logIndex }) => {
      const [event, one, two, three] = topics;
      const line = (kind: string, sides: readonly (string | undefined)[], [id, amount]: readonly bigint[]) =>
        [Number(logIndex), kind, address.slice(2).toLowerCase(), ...sides.map(side), id, amount].join(" ");
      const numbers = words(data).map((text) => BigInt(`0x${text}`));
      if (event === TRANSFER && topics.length === 3 && numbers.length === 1)
        return [line("erc20", [one, two], [0n, ...numbers])];
      // CryptoKitties indexes nothing. The contract says later whether the number is an id.
      if (event === TRANSFER && topics.length === 1 && numbers.length === 3)
        return [
          line(
            "erc20",
            words(data)
              .slice(0, 2)
              .map((text) => `0x${text}`),
            [0n, ...numbers.slice(2)],
          ),
        ];
      if (event === TRANSFER && topics.length === 4) return [line("erc721", [one, two], [BigInt(three ?? 0), 1n])];
      if (event === SINGLE) return [line("erc1155", [two, three], numbers)];
      if (event !== BATCH) return [];
      const count = Number(numbers[2]);
      return numbers
        .slice(3, 3 + count)
        .map((id, at) => line("erc1155", [two, three], [id, numbers[4 + count + at] ?? -1n]));
    }),
  );

test.skipIf(recorded.length > 0)("the recorded blocks are not here: their tests are skipped", () => {
  expect(existsSync(FOLDER)).toBe(false);
});

describe.each(recorded)("block $name", (one) => {
  const rows = decodeBlock(blockOf(one), network, new Map());

  test("token transfers are the logs, one by one", () => {
    const found = rows.transfers
      .filter(({ kind }) => kind.startsWith("erc"))
      .map((row) =>
        [
          row.position - 1_048_576,
          row.kind,
          ...[row.token, row.source, row.destination].map(toHex),
          row.token_id,
          row.amount,
        ].join(" "),
      );
    expect(found).toEqual(tokenLines(one));
  });

  test("native transfers are the values of the transactions that succeeded", () => {
    const sum = one.block.transactions.reduce(
      (total, { value }, at) => total + (one.receipts[at]?.status === "0x0" ? 0n : BigInt(value)),
      0n,
    );
    const found = rows.transfers
      .filter(({ kind }) => kind === "native")
      .reduce((total, { amount }) => total + amount, 0n);
    expect(found).toBe(sum);
    expect(rows.transactions.length).toBe(one.block.transactions.length);
  });

  test("every swap of a constant-product pool agrees with the reserves before and after it", () => {
    const last = new Map<string, { reserve0: bigint; reserve1: bigint }>();
    for (const state of rows.pool_states.filter(({ sqrt_price_x96 }) => sqrt_price_x96 === 0n)) {
      const pool = toHex(state.pool);
      const before = last.get(pool);
      last.set(pool, state);
      // v2-core UniswapV2Pair.sol emits Sync and then, as the next log, Swap.
      const swap = rows.swaps.find((row) => row.log_index === state.log_index + 1 && toHex(row.pool) === pool);
      if (before === undefined || swap === undefined) continue;
      expect(before.reserve0 + swap.amount0).toBe(state.reserve0);
      expect(before.reserve1 + swap.amount1).toBe(state.reserve1);
    }
  });
});
