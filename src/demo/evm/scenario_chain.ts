import type { Abi } from "viem";
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  parseAbi,
  parseAbiParameters,
} from "viem/utils";
import { CHARACTERS, type CharacterName } from "./characters.ts";
import { type ContractOrigin, MAINNET_ORIGINS, type Placement, PRICES_PER_GAS } from "./placement.ts";
import { type HexText, quantity, type Rpc, type RpcCall } from "./rpc.ts";

export const WEI_PER_GAS = PRICES_PER_GAS.demo;
const SECONDS_BETWEEN = 12;
const GAS_DEFAULT = 3_000_000;
const CREATION_GAS = 8_000_000;

export interface ScenarioReceipt {
  readonly status: HexText;
  readonly transactionHash: HexText;
  readonly blockNumber: HexText;
  readonly gasUsed: HexText;
  readonly contractAddress: HexText | null;
  readonly logs: readonly { readonly address: HexText; readonly topics: readonly HexText[]; readonly data: HexText }[];
}

/**
 * Function signature and arguments: `["transfer(address,uint256)", ["@bob", 5n]]`. `@name` is replaced by an address.
 */
export type SignatureCall = readonly [signature: string, args: readonly unknown[]];

/** A transaction in the terms of the scenario. Names are characters, contracts of the stage, or plain addresses. */
export interface TransactionRequest {
  readonly from: string;
  readonly to: string;
  readonly value?: bigint;
  readonly call?: SignatureCall;
  readonly gas?: number;
  /** Signed delegations (EIP-7702), in the node's format. */
  readonly authorizations?: readonly object[];
  /** A transaction that must fail; an unexpected result stops the scenario. `"perhaps"` accepts both. */
  readonly fails?: boolean | "perhaps";
}

export interface CreationRequest {
  readonly from: string;
  readonly code: HexText;
  /** Constructor types and values: `["address,uint256", ["@weth", 1n]]`. */
  readonly args?: readonly [types: string, values: readonly unknown[]];
}

/**
 * A chain that is being written: accounts, clock, transactions. Each transaction is in a block of its own, except those
 * of `together`.
 */
export interface EvmScenarioChain {
  readonly placement: Placement;
  readonly rpc: Rpc;
  /** Unix seconds of the newest block, or of the next one after a call of `at`. */
  readonly now: () => number;
  /** Sets the time of the next transaction, or 12 s after the last if that is later. */
  at(time: number): void;
  address(name: string): HexText;
  /** Every contract named so far. */
  contracts(): Readonly<Record<string, HexText>>;
  /** The creator of a contract of this stage. */
  creator(contract: string): HexText;
  name(contract: string, address: string): void;
  act(request: TransactionRequest): Promise<ScenarioReceipt>;
  /** Transactions in one block, in this order. */
  together(requests: readonly TransactionRequest[]): Promise<readonly ScenarioReceipt[]>;
  /** Creates a contract and names it. On the mainnet placement a well-known name is created by its historical creator. */
  create(name: string, creation: CreationRequest): Promise<ScenarioReceipt>;
  /** Calldata of a function, for contracts that forward calls. */
  encode(signature: string, args: readonly unknown[]): HexText;
  /** Return value of a view: the value itself, or a list if it has several. The signature names `returns`. */
  read(to: string, signature: string, args?: readonly unknown[]): Promise<unknown>;
  /** Allows an address without a known key to send. */
  impersonate(address: HexText): Promise<void>;
}

const abis = new Map<string, Abi>();
const abiOf = (signature: string): Abi => {
  const known = abis.get(signature);
  if (known !== undefined) return known;
  const abi: Abi = parseAbi([`function ${signature}`] as readonly string[]);
  abis.set(signature, abi);
  return abi;
};

const isAddress = (text: string): text is HexText => /^0x[0-9a-fA-F]{40}$/.test(text);
const isCharacter = (name: string): name is CharacterName => Object.hasOwn(CHARACTERS, name);

/** @param placement the addresses of well-known contracts. `start` is the time of the newest block, in unix seconds. */
export const openScenarioChain = (rpc: Rpc, placement: Placement, start: number): EvmScenarioChain => {
  const names = new Names();
  const clock = new BlockClock(start);
  const setting: ChainSetting = { rpc, placement, names, clock, price: quantity(PRICES_PER_GAS[placement]) };
  const creators = new Map<string, HexText>();
  return {
    placement,
    rpc,
    now: () => clock.newest,
    at: (time) => clock.wait(time),
    address: (name) => names.address(name),
    contracts: () => names.contracts(),
    creator: (contract) => creators.get(contract) ?? names.address(contract),
    name: (contract, where) => names.set(contract, where),
    act: async (request) => judge(request, await send(setting, transactionOf(setting, request))),
    together: (requests) => sendTogether(setting, requests),
    create: async (name, creation) => {
      const creator = await creatorOf(setting, name, creation);
      const { receipt, address } = await create(setting, name, { ...creation, from: creator });
      names.set(name, address);
      creators.set(name, creator);
      return receipt;
    },
    encode: (signature, args) => names.encode(signature, args),
    read: async (to, signature, args = []) => {
      const call = { to: names.address(to), data: names.encode(signature, args) };
      // eth_call answers with hex text.
      return decodeFunctionResult({
        abi: abiOf(signature),
        data: (await rpc.call("eth_call", call, "latest")) as HexText,
      });
    },
    impersonate: async (who) => {
      await rpc.call("anvil_impersonateAccount", who);
    },
  };
};

/** Names of addresses, and calldata with names as arguments. */
class Names {
  readonly #contracts = new Map<string, HexText>();

  address(name: string): HexText {
    if (isAddress(name)) return name;
    if (isCharacter(name)) return CHARACTERS[name].address;
    const contract = this.#contracts.get(name);
    if (contract === undefined) throw new Error(`This stage has no address with the name "${name}".`);
    return contract;
  }

  contracts(): Readonly<Record<string, HexText>> {
    return Object.fromEntries(this.#contracts);
  }

  set(contract: string, address: string): void {
    this.#contracts.set(contract, getAddress(address));
  }

  /** `@name` names characters and contracts; any other text (token names, bytes) is unchanged. */
  resolve(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((one) => this.resolve(one));
    if (typeof value === "string" && value.startsWith("@")) return this.address(value.slice(1));
    return value;
  }

  encode(signature: string, args: readonly unknown[]): HexText {
    // A list resolves to a list.
    return encodeFunctionData({ abi: abiOf(signature), args: this.resolve(args) as readonly unknown[] });
  }
}

/** Times of blocks, in unix seconds. */
class BlockClock {
  newest: number;
  #next: number;

  constructor(start: number) {
    this.newest = start;
    this.#next = start + SECONDS_BETWEEN;
  }

  wait(time: number): void {
    this.#next = Math.max(this.newest + SECONDS_BETWEEN, time);
  }

  /** Sets the time of the next block on the node. */
  tick(): RpcCall {
    this.newest = this.#next;
    this.#next += SECONDS_BETWEEN;
    return { method: "evm_setNextBlockTimestamp", params: [quantity(this.newest)] };
  }
}

interface ChainSetting {
  readonly rpc: Rpc;
  readonly placement: Placement;
  readonly names: Names;
  readonly clock: BlockClock;
  /** Per unit of gas. */
  readonly price: HexText;
}

const transactionOf = ({ names, price }: ChainSetting, request: TransactionRequest): object => ({
  from: names.address(request.from),
  to: names.address(request.to),
  value: quantity(request.value ?? 0n),
  gas: quantity(request.gas ?? GAS_DEFAULT),
  maxFeePerGas: price,
  maxPriorityFeePerGas: price,
  ...(request.call === undefined ? {} : { data: names.encode(request.call[0], request.call[1]) }),
  ...(request.authorizations === undefined ? {} : { authorizationList: request.authorizations }),
});

const send = async ({ rpc, clock }: ChainSetting, transaction: object): Promise<ScenarioReceipt> => {
  const [, receipt] = await rpc.batch([clock.tick(), { method: "eth_sendTransactionSync", params: [transaction] }]);
  // The node's answer to eth_sendTransactionSync is the receipt.
  return receipt as ScenarioReceipt;
};

const sendTogether = async (
  setting: ChainSetting,
  requests: readonly TransactionRequest[],
): Promise<readonly ScenarioReceipt[]> => {
  const { rpc, clock } = setting;
  const transactions = requests.map((request) => transactionOf(setting, request));
  await rpc.call("evm_setAutomine", false);
  const hashes: unknown[] = [];
  for (const transaction of transactions) hashes.push(await rpc.call("eth_sendTransaction", transaction));
  await rpc.batch([clock.tick(), { method: "evm_mine", params: [] }]);
  await rpc.call("evm_setAutomine", true);
  const receipts = await rpc.batch(hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })));
  return receipts.map((receipt, at) => {
    const request = requests[at];
    if (request === undefined || receipt === null) throw new Error("The scenario broke: a transaction was not mined.");
    // The node's answer to eth_getTransactionReceipt.
    return judge(request, receipt as ScenarioReceipt);
  });
};

/** Returns the receipt if the transaction ended as expected. */
const judge = ({ from, to, call, fails = false }: TransactionRequest, receipt: ScenarioReceipt): ScenarioReceipt => {
  if (fails === "perhaps" || (receipt.status === "0x1") === !fails) return receipt;
  const what = `${from} -> ${to}${call === undefined ? "" : `.${call[0]}`}`;
  throw new Error(
    `The scenario broke: ${what} ${fails ? "should have failed" : "failed"} (${receipt.transactionHash}).`,
  );
};

/** The sender of a creation: on the mainnet placement the historical creator of a well-known contract. */
const creatorOf = async (setting: ChainSetting, name: string, { from }: CreationRequest): Promise<HexText> => {
  const origin = setting.placement === "mainnet" ? MAINNET_ORIGINS[name] : undefined;
  return origin === undefined ? setting.names.address(from) : borrow(setting, origin);
};

interface CreatedContract {
  readonly receipt: ScenarioReceipt;
  readonly address: HexText;
}

const create = async (
  setting: ChainSetting,
  name: string,
  { from, code, args }: CreationRequest,
): Promise<CreatedContract> => {
  const { names, price } = setting;
  const tail =
    args === undefined
      ? ""
      : encodeAbiParameters(parseAbiParameters(args[0]), names.resolve(args[1]) as unknown[]).slice(2);
  const receipt = await send(setting, {
    from,
    data: `${code}${tail}`,
    gas: quantity(CREATION_GAS),
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
  });
  const { status, transactionHash, contractAddress: address } = receipt;
  if (status !== "0x1") throw new Error(`The scenario broke: creating ${name} failed (${transactionHash}).`);
  if (address === null) throw new Error(`The scenario broke: ${name} has no address.`);
  return { receipt, address };
};

/** Prepares a historical creator: funded by a mined transaction, at the nonce of the original creation. */
const borrow = async (setting: ChainSetting, origin: ContractOrigin): Promise<HexText> => {
  const { rpc } = setting;
  await rpc.call("anvil_impersonateAccount", origin.creator);
  await send(setting, {
    from: CHARACTERS.bank.address,
    to: origin.creator,
    value: quantity(2n * 10n ** 16n),
    gas: quantity(21_000),
    maxFeePerGas: quantity(WEI_PER_GAS),
    maxPriorityFeePerGas: quantity(WEI_PER_GAS),
  });
  await rpc.call("anvil_setNonce", origin.creator, quantity(origin.nonce));
  return origin.creator;
};
