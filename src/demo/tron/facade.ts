/** A node of Tron for tests: the HTTP API of java-tron over an EVM node that runs the contracts. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Hex, hex } from "../../lib/bytes.ts";
import { quantity, type Rpc } from "../evm/rpc.ts";
import { allocation, assetOf, SideLedger, type SystemTransaction, systemOf } from "./ledger.ts";
import {
  bare,
  blockOf,
  type EvmReceipt,
  type EvmTransaction,
  type ShapedTransaction,
  shapeOf,
  sun,
  type TronFrame,
  type TronJson,
  tronHex,
  writeJson,
} from "./shapes.ts";

export interface Facade {
  readonly url: string;
  /** The end of the first block's id. */
  readonly chain_id: number;
  /** Appends a transaction of a system contract to the next block. */
  readonly system: (made: SystemTransaction) => Promise<void>;
  readonly head: () => Promise<number>;
  /** After a reorganisation of the machine: reads the blocks from `number` on again. */
  readonly forget: (number: number) => void;
  /** Id of a block without `0x`; null above the head. */
  readonly blockHash: (number: number) => Promise<Hex | null>;
  readonly stop: () => Promise<void>;
}

interface FacadeOptions {
  readonly rpc: Rpc;
  /** Balances in the first block, in sun. */
  readonly genesis: Readonly<Record<string, bigint>>;
  /** Distance of the confirmed blocks from the newest. */
  readonly confirmed_behind: number;
}

interface EvmBlock {
  readonly timestamp: string;
  readonly transactions: readonly EvmTransaction[];
}

interface StoredBlockJson {
  readonly block: TronJson;
  readonly infos: readonly TronJson[];
}

const utf8Hex = (text: string): string => Buffer.from(text).toString("hex");
const fromTron = (address: unknown): string => `0x${String(address).slice(2)}`;

class TronFacadeNode {
  readonly #options: FacadeOptions;
  readonly #blocks: StoredBlockJson[] = [];
  readonly #contracts = new Set<string>();
  readonly #system = new Map<number, SystemTransaction[]>();
  #reading: Promise<void> = Promise.resolve();

  constructor(options: FacadeOptions) {
    this.#options = options;
  }

  async head(): Promise<number> {
    return Number(await this.#options.rpc.call("eth_blockNumber"));
  }

  async system(made: SystemTransaction): Promise<void> {
    const number = (await this.head()) + 1;
    this.#system.set(number, [...(this.#system.get(number) ?? []), made]);
  }

  forget(number: number): void {
    this.#blocks.splice(number);
  }

  /** Null above the head. Blocks are shaped one after another: each id follows from the one before. */
  async block(number: number): Promise<StoredBlockJson | null> {
    if (number > (await this.head())) return null;
    this.#reading = this.#reading.then(async () => {
      while (this.#blocks.length <= number) this.#blocks.push(await this.#shape(this.#blocks.length));
    });
    await this.#reading;
    return this.#blocks[number] ?? null;
  }

  async #shape(number: number): Promise<StoredBlockJson> {
    const { rpc, genesis } = this.#options;
    const [evm, receipts, traces] = await rpc.batch([
      { method: "eth_getBlockByNumber", params: [quantity(number), true] },
      { method: "eth_getBlockReceipts", params: [quantity(number)] },
      { method: "debug_traceBlockByNumber", params: [quantity(number), { tracer: "callTracer" }] },
    ]);
    // The node's answers to these three methods.
    const { timestamp, transactions } = evm as EvmBlock;
    const time_ms = Number(timestamp) * 1_000;
    const previous = this.#blocks.at(-1)?.block.blockID;
    const parent_id = previous === undefined ? null : String(previous);
    if (number === 0) {
      const given = Object.entries(genesis).map(([to, amount]) => allocation(to, amount));
      return { block: blockOf({ number, time_ms, parent_id, transactions: given }), infos: [] };
    }
    const shaped = transactions.map((transaction, i) => {
      const receipt = (receipts as readonly EvmReceipt[])[i];
      const root = (traces as readonly { readonly result: TronFrame }[])[i]?.result;
      if (receipt === undefined || root === undefined) throw new Error("a transaction without receipt or trace");
      const read = shapeOf(transaction, { receipt, root }, { number, time_ms, contracts: this.#contracts });
      this.#noteContracts(root);
      return read;
    });
    for (const [i, made] of (this.#system.get(number) ?? []).entries()) {
      shaped.push(systemOf(made, { number, time_ms, index: i }));
    }
    const list = shaped.map(({ transaction }) => transaction);
    return {
      block: blockOf({ number, time_ms, parent_id, transactions: list }),
      infos: shaped.map(({ info }) => info),
    };
  }

  #noteContracts(frame: TronFrame): void {
    if (frame.type.startsWith("CREATE") && frame.to !== undefined) this.#contracts.add(frame.to.toLowerCase());
    for (const call of frame.calls ?? []) this.#noteContracts(call);
  }

  async #confirmed(): Promise<number> {
    return Math.max(0, (await this.head()) - this.#options.confirmed_behind);
  }

  /** State after a block that the machine does not know. */
  #sideAt(number: number): SideLedger {
    const side = new SideLedger();
    for (const [at, list] of this.#system) for (const made of at <= number ? list : []) side.apply(made);
    return side;
  }

  async account(address: string, number: number): Promise<TronJson> {
    const [balance, count, code] = await this.#options.rpc.batch(
      ["eth_getBalance", "eth_getTransactionCount", "eth_getCode"].map((method) => ({
        method,
        params: [address, quantity(number)],
      })),
    );
    const side = this.#sideAt(number);
    const coins = BigInt(String(balance)) + side.trx(address);
    const assets = side.assets(address);
    const is_known = coins !== 0n || count !== "0x0" || code !== "0x" || assets.length > 0;
    // The zero address is the EVM node's producer and receives its tips; Tron has none.
    if (!is_known || /^0x0+$/.test(address)) return {};
    return {
      address: tronHex(address),
      ...(coins === 0n ? {} : { balance: sun(coins) }),
      create_time: 1_700_000_000_000,
      ...(code === "0x" ? {} : { type: "Contract" }),
      ...side.account(address),
      ...(assets.length === 0 ? {} : { assetV2: assets }),
    };
  }

  /** Empty for an account that does not exist. */
  async resources(address: string): Promise<TronJson> {
    const head = await this.head();
    return Object.keys(await this.account(address, head)).length === 0 ? {} : this.#sideAt(head).resources(address);
  }

  async contractInfo(address: string): Promise<TronJson> {
    const code = String(await this.#options.rpc.call("eth_getCode", address, "latest"));
    return code === "0x"
      ? {}
      : {
          smart_contract: { contract_address: tronHex(address), consume_user_resource_percent: 100 },
          runtimecode: bare(code),
        };
  }

  async constantCall({ owner_address, contract_address, data }: TronJson, at: string): Promise<TronJson> {
    const to = fromTron(contract_address);
    if ((await this.#options.rpc.call("eth_getCode", to, at)) === "0x")
      return { result: { code: "CONTRACT_VALIDATE_ERROR", message: utf8Hex("Smart contract is not exist.") } };
    try {
      const call = { from: fromTron(owner_address), to, data: `0x${data}` };
      const answer = String(await this.#options.rpc.call("eth_call", call, at));
      return { result: { result: true }, constant_result: [bare(answer)], transaction: { ret: [{}] } };
    } catch (error) {
      const payload = /0x[0-9a-f]*/.exec(error instanceof Error ? error.message : "")?.[0] ?? "0x";
      const result = { result: true, message: utf8Hex("REVERT opcode executed") };
      return { result, constant_result: [bare(payload)], transaction: { ret: [{ ret: "FAILED" }] } };
    }
  }

  /** Of Ethereum's JSON-RPC, only the methods that read storage. */
  async storage({ method, params }: TronJson): Promise<unknown> {
    if (method === "eth_getStorageAt") return this.#options.rpc.call(method, ...(params as readonly unknown[]));
    return quantity(Number.parseInt(String(this.#blocks[0]?.block.blockID).slice(-8), 16));
  }

  async find(id: unknown): Promise<ShapedTransaction | null> {
    await this.block(await this.head());
    for (const { block, infos } of this.#blocks) {
      const list = (block.transactions ?? []) as readonly TronJson[];
      const at = list.findIndex(({ txID }) => txID === id);
      const [transaction, info] = [list[at], infos[at]];
      if (transaction !== undefined && info !== undefined) return { transaction, info };
    }
    return null;
  }

  /** The answer to one request; null for an unknown method. */
  async answer(path: string, asked: TronJson): Promise<unknown> {
    const header = async (number: number): Promise<unknown> => {
      const { transactions: _, ...rest } = (await this.block(number))?.block ?? {};
      return rest;
    };
    switch (path) {
      case "/wallet/getblock":
        return header(asked.id_or_num === undefined ? await this.head() : Number(asked.id_or_num));
      case "/walletsolidity/getblock":
        return header(await this.#confirmed());
      case "/wallet/getblockbynum":
        return (await this.block(Number(asked.num)))?.block ?? {};
      case "/wallet/getblockbylimitnext": {
        const count = Number(asked.endNum) - Number(asked.startNum);
        const kept = await Promise.all(Array.from({ length: count }, (_, i) => this.block(Number(asked.startNum) + i)));
        return { block: kept.flatMap((one) => (one === null ? [] : [one.block])) };
      }
      case "/wallet/gettransactioninfobyblocknum": {
        const kept = await this.block(Number(asked.num));
        return kept === null || Number(asked.num) === 0 ? {} : kept.infos;
      }
      case "/wallet/gettransactionbyid":
        return (await this.find(asked.value))?.transaction ?? {};
      case "/wallet/gettransactioninfobyid":
        return (await this.find(asked.value))?.info ?? {};
      case "/wallet/getaccount":
        return this.account(fromTron(asked.address), await this.head());
      case "/walletsolidity/getaccount":
        return this.account(fromTron(asked.address), await this.#confirmed());
      case "/wallet/getaccountresource":
        return this.resources(fromTron(asked.address));
      case "/wallet/getcontractinfo":
        return this.contractInfo(fromTron(asked.value));
      case "/wallet/triggerconstantcontract":
        return this.constantCall(asked, "latest");
      case "/walletsolidity/triggerconstantcontract":
        return this.constantCall(asked, quantity(await this.#confirmed()));
      case "/wallet/getassetissuebyid":
        return assetOf(asked.value);
      case "/jsonrpc":
        return { jsonrpc: "2.0", id: asked.id, result: await this.storage(asked) };
      case "/wallet/getnodeinfo":
        return { configNodeInfo: { codeVersion: "4.8.0" } };
      default:
        return null;
    }
  }
}

const bodyOf = async (request: IncomingMessage): Promise<TronJson> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return chunks.length === 0 ? {} : JSON.parse(Buffer.concat(chunks).toString("utf8"));
};

export const startFacade = async (options: FacadeOptions): Promise<Facade> => {
  const node = new TronFacadeNode(options);
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const answer = await node.answer(request.url ?? "", await bodyOf(request));
    response.writeHead(answer === null ? 404 : 200, { "content-type": "application/json" });
    response.end(answer === null ? "" : writeJson(answer));
  };
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => {
      response.writeHead(500);
      response.end(String(error));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const first = String((await node.block(0))?.block.blockID);
  return {
    url: `http://127.0.0.1:${port}`,
    chain_id: Number.parseInt(first.slice(-8), 16),
    system: (made) => node.system(made),
    head: () => node.head(),
    forget: (number) => node.forget(number),
    blockHash: async (number) => {
      const id = (await node.block(number))?.block.blockID;
      return id === undefined ? null : hex(String(id));
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
