import type { Abi } from "viem";
import {
  decodeFunctionResult,
  encodeAbiParameters,
  encodeFunctionData,
  getAddress,
  parseAbi,
  parseAbiParameters,
} from "viem/utils";
import { CHARACTERS, type CharacterName } from "./cast.ts";
import { MAINNET_ORIGINS, type Origin, type Placement, PRICES_PER_GAS } from "./placement.ts";
import { type HexText, quantity, type Rpc, type RpcCall } from "./rpc.ts";

export const WEI_PER_GAS = PRICES_PER_GAS.demo;
const SECONDS_BETWEEN = 12;
const GAS_DEFAULT = 3_000_000;

export interface Receipt {
  readonly status: HexText;
  readonly transactionHash: HexText;
  readonly blockNumber: HexText;
  readonly gasUsed: HexText;
  readonly contractAddress: HexText | null;
  readonly logs: readonly { readonly address: HexText; readonly topics: readonly HexText[]; readonly data: HexText }[];
}

/** A transaction in the words of the story. Names are characters, contracts of the stage, or plain addresses. */
export interface Deed {
  readonly from: string;
  readonly to: string;
  readonly value?: bigint;
  /** Function signature and arguments: `["transfer(address,uint256)", ["@bob", 5n]]`. `@name` stands for an address. */
  readonly call?: readonly [signature: string, args: readonly unknown[]];
  readonly gas?: number;
  /** Signed delegations (EIP-7702), as the node takes them. */
  readonly authorizations?: readonly object[];
  /** A deed that is meant to fail; any other end than the expected one stops the story. `"perhaps"` takes both. */
  readonly fails?: boolean | "perhaps";
}

export interface Creation {
  readonly from: string;
  readonly code: HexText;
  /** Constructor types and values: `["address,uint256", ["@weth", 1n]]`. */
  readonly args?: readonly [types: string, values: readonly unknown[]];
}

/** One chain being written: accounts, clock, transactions. Each deed is a block of its own unless `together` says so. */
export interface Stage {
  readonly placement: Placement;
  readonly rpc: Rpc;
  /** Unix seconds of the newest block, or of the next one when `at` has set it. */
  readonly now: () => number;
  /** The next deed happens then, or 12 s after the last if that is later. */
  at(time: number): void;
  address(name: string): HexText;
  /** Every contract named so far. */
  contracts(): Readonly<Record<string, HexText>>;
  /** Who created a contract of this stage. */
  creator(contract: string): HexText;
  name(contract: string, address: string): void;
  act(deed: Deed): Promise<Receipt>;
  /** Deeds in one block, in this order. */
  together(deeds: readonly Deed[]): Promise<readonly Receipt[]>;
  /** Creates a contract and names it. On the mainnet placement a well-known name is created by its historical creator. */
  create(name: string, creation: Creation): Promise<Receipt>;
  /** Calldata of a function, for contracts that pass calls on. */
  encode(signature: string, args: readonly unknown[]): HexText;
  /** Return value of a view: the value itself, or a list when there are several. The signature names `returns`. */
  read(to: string, signature: string, args?: readonly unknown[]): Promise<unknown>;
  /** Lets an address without a known key send. */
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

/** @param placement where well-known contracts stand. `start` is the time of the newest block, in unix seconds. */
export const openStage = (rpc: Rpc, placement: Placement, start: number): Stage => {
  const price = quantity(PRICES_PER_GAS[placement]);
  const named = new Map<string, HexText>();
  const creators = new Map<string, HexText>();
  let newest = start;
  let next = start + SECONDS_BETWEEN;

  const address = (name: string): HexText => {
    if (isAddress(name)) return name;
    if (isCharacter(name)) return CHARACTERS[name].address;
    const contract = named.get(name);
    if (contract === undefined) throw new Error(`Nobody on this stage is called "${name}".`);
    return contract;
  };
  // Arguments name characters and contracts like deeds do; any other text (token names, bytes) is left alone.
  const resolve = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(resolve);
    if (typeof value === "string" && value.startsWith("@")) return address(value.slice(1));
    return value;
  };
  const request = (deed: Deed): object => ({
    from: address(deed.from),
    to: address(deed.to),
    value: quantity(deed.value ?? 0n),
    gas: quantity(deed.gas ?? GAS_DEFAULT),
    maxFeePerGas: price,
    maxPriorityFeePerGas: price,
    ...(deed.call === undefined ? {} : { data: encode(deed.call[0], deed.call[1]) }),
    ...(deed.authorizations === undefined ? {} : { authorizationList: deed.authorizations }),
  });
  const encode = (signature: string, args: readonly unknown[]): HexText =>
    encodeFunctionData({ abi: abiOf(signature), args: resolve(args) as readonly unknown[] });
  const clock = (): RpcCall => {
    newest = next;
    next += SECONDS_BETWEEN;
    return { method: "evm_setNextBlockTimestamp", params: [quantity(newest)] };
  };
  const send = async (transaction: object): Promise<Receipt> => {
    const [, receipt] = await rpc.batch([clock(), { method: "eth_sendTransactionSync", params: [transaction] }]);
    // The node's answer to eth_sendTransactionSync is the receipt.
    return receipt as Receipt;
  };
  const judge = (what: string, receipt: Receipt, fails: boolean | "perhaps"): Receipt => {
    if (fails === "perhaps") return receipt;
    if ((receipt.status === "0x1") === !fails) return receipt;
    throw new Error(
      `The story broke: ${what} ${fails ? "should have failed" : "failed"} (${receipt.transactionHash}).`,
    );
  };
  return {
    placement,
    rpc,
    now: () => newest,
    at: (time) => {
      next = Math.max(newest + SECONDS_BETWEEN, time);
    },
    address,
    contracts: () => Object.fromEntries(named),
    creator: (contract) => creators.get(contract) ?? address(contract),
    name: (contract, where) => {
      named.set(contract, getAddress(where));
    },
    act: async (deed) => judge(describe(deed), await send(request(deed)), deed.fails ?? false),
    together: async (deeds) => {
      const sends = deeds.map((deed) => ({ method: "eth_sendTransaction", params: [request(deed)] }));
      await rpc.call("evm_setAutomine", false);
      const hashes: unknown[] = [];
      for (const { method, params } of sends) hashes.push(await rpc.call(method, ...params));
      await rpc.batch([clock(), { method: "evm_mine", params: [] }]);
      await rpc.call("evm_setAutomine", true);
      const receipts = await rpc.batch(hashes.map((hash) => ({ method: "eth_getTransactionReceipt", params: [hash] })));
      return receipts.map((receipt, at) => {
        const deed = deeds[at];
        if (deed === undefined || receipt === null) throw new Error("The story broke: a deed was not mined.");
        // The node's answer to eth_getTransactionReceipt.
        return judge(describe(deed), receipt as Receipt, deed.fails ?? false);
      });
    },
    create: async (name, { from, code, args }) => {
      const origin = placement === "mainnet" ? MAINNET_ORIGINS[name] : undefined;
      const creator = origin === undefined ? address(from) : await borrow(rpc, origin, send);
      const tail =
        args === undefined
          ? ""
          : encodeAbiParameters(parseAbiParameters(args[0]), resolve(args[1]) as unknown[]).slice(2);
      const receipt = await send({
        from: creator,
        data: `${code}${tail}`,
        gas: quantity(CREATION_GAS),
        maxFeePerGas: price,
        maxPriorityFeePerGas: price,
      });
      judge(`creating ${name}`, receipt, false);
      if (receipt.contractAddress === null) throw new Error(`The story broke: ${name} has no address.`);
      named.set(name, getAddress(receipt.contractAddress));
      creators.set(name, creator);
      return receipt;
    },
    encode,
    read: async (to, signature, args = []) => {
      const data = await rpc.call("eth_call", { to: address(to), data: encode(signature, args) }, "latest");
      // eth_call answers with hex text.
      return decodeFunctionResult({ abi: abiOf(signature), data: data as HexText });
    },
    impersonate: async (who) => {
      await rpc.call("anvil_impersonateAccount", who);
    },
  };
};

const CREATION_GAS = 8_000_000;

const describe = ({ from, to, call }: Deed): string => `${from} -> ${to}${call === undefined ? "" : `.${call[0]}`}`;

/** Puts a historical creator on stage: funded by a mined transaction, at the nonce he had then. */
const borrow = async (rpc: Rpc, origin: Origin, send: (transaction: object) => Promise<Receipt>): Promise<HexText> => {
  await rpc.call("anvil_impersonateAccount", origin.creator);
  await send({
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
