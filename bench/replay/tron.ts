/** A node of Tron made of generated blocks: payments and calls of a token, answered from memory like java-tron. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { blockOf, type ShapedTransaction, shapeOf, type TronJson, writeJson } from "../../src/demo/tron/shapes.ts";
import type { FamilyNode } from "./solana.ts";

export const TRON_SHAPE = { payments: 100, calls: 200 } as const;

const BEGIN_MS = Date.UTC(2026, 0, 1);
const BLOCK_MS = 3_000;
const WALLETS = 5_000;
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const TRANSFER_CALL = "0xa9059cbb";

const addressOf = (name: string): string => `0x${createHash("sha256").update(name).digest("hex").slice(0, 40)}`;
const word = (hex: string): string => hex.replace("0x", "").padStart(64, "0");
const TOKEN = addressOf("token");
const CONTRACTS: ReadonlySet<string> = new Set([TOKEN]);

/** `amount`: of the token, or null for a payment in TRX. */
const transactionOf = (number: number, index: number, amount: bigint | null): ShapedTransaction => {
  const from = addressOf(`wallet ${(number * 300 + index) % WALLETS}`);
  const other = addressOf(`wallet ${(number * 300 + index * 7 + 1) % WALLETS}`);
  const hash = `0x${createHash("sha256").update(`${number} ${index}`).digest("hex")}`;
  const value = amount === null ? "0xf4240" : "0x0";
  const data = amount === null ? "0x" : `${TRANSFER_CALL}${word(other)}${word(amount.toString(16))}`;
  const to = amount === null ? other : TOKEN;
  const log = { address: TOKEN, topics: [TRANSFER, `0x${word(from)}`, `0x${word(other)}`] };
  const receipt = {
    ...{ status: "0x1", gasUsed: "0x7a12", effectiveGasPrice: "0x64", contractAddress: null },
    logs: amount === null ? [] : [{ ...log, data: `0x${word(amount.toString(16))}` }],
  };
  // One inner call a block, which shows that the node keeps them.
  const calls =
    index === TRON_SHAPE.payments ? [{ type: "CALL", from: TOKEN, to: addressOf("proxy"), value: "0x0" }] : [];
  const root = { type: "CALL", from, to, value, output: `0x${word("1")}`, calls };
  const place = { number, time_ms: BEGIN_MS + number * BLOCK_MS, contracts: CONTRACTS };
  return shapeOf({ hash, from, to, value, input: data }, { receipt, root }, place);
};

interface TronTexts {
  readonly block: string;
  readonly header: string;
  readonly infos: string;
}

const makeBlock = (number: number, parent_id: string | null) => {
  const { payments, calls } = TRON_SHAPE;
  let sum = 0n;
  const amountOf = (index: number): bigint => {
    const amount = BigInt(1 + ((number * 31 + index * 17) % 100_000));
    sum += amount;
    return amount;
  };
  const shaped =
    number === 0
      ? []
      : Array.from({ length: payments + calls }, (_, i) => transactionOf(number, i, i < payments ? null : amountOf(i)));
  const transactions = shaped.map(({ transaction }) => transaction);
  const block = blockOf({ number, time_ms: BEGIN_MS + number * BLOCK_MS, parent_id, transactions });
  const { transactions: _, ...header } = block;
  const infos = writeJson(number === 0 ? {} : shaped.map(({ info }) => info));
  return { id: String(block.blockID), sum, made: { block: writeJson(block), header: writeJson(header), infos } };
};

/** Null for a block or transaction that does not exist. */
const answerOf = (blocks: readonly TronTexts[], path: string, asked: TronJson): string | null => {
  const last = blocks.length - 1;
  switch (path) {
    case "/wallet/getblock":
      return blocks[Number(asked.id_or_num ?? last)]?.header ?? "{}";
    case "/walletsolidity/getblock":
      return blocks[last]?.header ?? "{}";
    case "/wallet/getblockbynum":
      return blocks[Number(asked.num)]?.block ?? "{}";
    case "/wallet/getblockbylimitnext": {
      const list = blocks.slice(Number(asked.startNum), Number(asked.endNum)).map(({ block }) => block);
      return `{"block":[${list.join()}]}`;
    }
    case "/wallet/gettransactioninfobyblocknum":
      return blocks[Number(asked.num)]?.infos ?? "{}";
    case "/wallet/getnodeinfo":
      return '{"configNodeInfo":{"codeVersion":"4.8.0"}}';
    case "/wallet/triggerconstantcontract":
      return '{"result":{"code":"CONTRACT_VALIDATE_ERROR","message":""}}';
    default:
      return null;
  }
};

export const startTronNode = async (count: number): Promise<FamilyNode & { readonly chain_id: number }> => {
  const blocks: TronTexts[] = [];
  let [parent, sum, chain_id]: [string | null, bigint, number] = [null, 0n, 0];
  for (let number = 0; number < count; number += 1) {
    const { id, made, sum: own } = makeBlock(number, parent);
    if (number === 0) chain_id = Number.parseInt(id.slice(-8), 16);
    blocks.push(made);
    [parent, sum] = [id, sum + own];
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const text = Buffer.concat(chunks).toString("utf8");
    const answer = answerOf(blocks, request.url ?? "", text === "" ? {} : JSON.parse(text));
    response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json" });
    response.end(answer ?? "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { payments, calls } = TRON_SHAPE;
  return {
    // A server that listens on a port has such an address.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    chain_id,
    to: count - 1,
    bytes_a_block: Math.round(blocks.reduce((all, { block, infos }) => all + block.length + infos.length, 0) / count),
    totals: { transactions: (count - 1) * (payments + calls), movements: (count - 1) * calls, sum, swaps: 0 },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
