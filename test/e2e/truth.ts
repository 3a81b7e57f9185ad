import { decodeFunctionResult, encodeFunctionData, getAddress, parseAbi } from "viem/utils";
import { ADDRESSES, BYSTANDERS, DEPOSIT_ADDRESS, DUSTED, LOOKALIKE } from "../../src/demo/evm/characters.ts";
import { type HexText, quantity } from "../../src/demo/evm/rpc.ts";
import { type EvmScenarioChain, openScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import type { EvmWorld } from "../../src/demo/evm/world.ts";
import type { RunningService } from "../../src/main.ts";
import { caughtUp, T0 } from "./served_world.ts";

/**
 * Facts of the demo world, read from its node only: transactions and their fees, balances,
 * reserves, and the price of ether computed again by the rules of the price tables, in the plainest way.
 */

interface RawLog {
  readonly address: HexText;
  readonly topics: readonly HexText[];
  readonly data: HexText;
}

interface SentTransaction {
  readonly hash: HexText;
  readonly block: number;
  readonly time: number;
  readonly from: HexText;
  /** Gas used times its price, wei. */
  readonly fee: bigint;
  readonly succeeded: boolean;
  readonly logs: readonly RawLog[];
}

export interface Truth {
  /** Address of a character or contract; any other text is an address itself. */
  readonly addressOf: (name: string) => string;
  /** All transactions of the story, in the order of the chain. */
  readonly sent: readonly SentTransaction[];
  /** Hash of the only transaction of the block of that second after T0. Throws when there is not exactly one. */
  readonly hashAt: (seconds: number) => HexText;
  readonly sentBy: (address: string) => readonly SentTransaction[];
  readonly feesOf: (address: string) => bigint;
  /** Return values of a view, as viem decodes them; at the story's end unless a block is named. */
  readonly read: (to: string, signature: string, at: CallPosition) => Promise<unknown>;
  readonly balance: (token: string, holder: string, block?: number) => Promise<bigint>;
  /** Of each holder, in one request. */
  readonly balances: (token: string, holders: readonly string[], block?: number) => Promise<readonly bigint[]>;
  /** Number of the newest block at or before this time. Unix seconds. */
  readonly blockAt: (time: number) => number;
  /** USD per ether in the hour of `time`, seen from the story's end. Null before there were pools. */
  readonly etherUsd: (time: number) => Promise<number | null>;
  /** All addresses that may have held something. */
  readonly everybody: readonly HexText[];
}

interface CallPosition {
  readonly args?: readonly unknown[];
  readonly block?: number;
}

/** `uint256` words of a log's data as signed 256-bit integers. */
const wordsOf = ({ data }: RawLog): readonly bigint[] =>
  (data.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt.asIntN(256, BigInt(`0x${word}`)));

/** keccak-256 of `Swap(address,uint256,uint256,uint256,uint256,address)` and of v3's `Swap(address,address,int256,…)`. */
const SWAP_V2 = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822";
const SWAP_V3 = "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67";

const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** Net amounts of token0 and token1 that a swap moved; null for other logs. */
export const swapOf = (log: RawLog): readonly [bigint, bigint] | null => {
  const [a = 0n, b = 0n, c = 0n, d = 0n] = wordsOf(log);
  if (log.topics[0] === SWAP_V2) return [absolute(a - c), absolute(b - d)];
  return log.topics[0] === SWAP_V3 ? [absolute(a), absolute(b)] : null;
};

const sameAddress = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const readWorldHistory = async ({ rpc, head }: EvmWorld): Promise<{ sent: SentTransaction[]; times: number[] }> => {
  const numbers = Array.from({ length: head.number + 1 }, (_, n) => n);
  const [blocks, receipts] = await Promise.all([
    rpc.batch(numbers.map((n) => ({ method: "eth_getBlockByNumber", params: [quantity(n), false] }))),
    rpc.batch(numbers.map((n) => ({ method: "eth_getBlockReceipts", params: [quantity(n)] }))),
  ]);
  // Blocks and receipts of the JSON-RPC specification.
  const times = (blocks as { timestamp: HexText }[]).map(({ timestamp }) => Number(timestamp));
  const sent = (receipts as Record<string, never>[][]).flatMap((list, block) =>
    list.map(
      ({ transactionHash, from, gasUsed, effectiveGasPrice, status, logs }): SentTransaction => ({
        hash: transactionHash ?? "0x",
        block,
        time: times[block] ?? 0,
        from: from ?? "0x",
        fee: BigInt(gasUsed ?? 0) * BigInt(effectiveGasPrice ?? 0),
        succeeded: status === "0x1",
        logs: logs ?? [],
      }),
    ),
  );
  return { sent, times };
};

interface PoolView {
  /** USD per ether in this hour. */
  readonly price: number;
  /** USD in the pool. */
  readonly depth: number;
}

/** The price that splits all depth in half, counted from the lowest price up. */
const medianPrice = (views: readonly PoolView[]): number | null => {
  const half = views.reduce((sum, { depth }) => sum + depth, 0) / 2;
  let reached = 0;
  for (const { price, depth } of [...views].sort((a, b) => a.price - b.price)) {
    reached += depth;
    if (reached >= half) return price;
  }
  return null;
};

const ETHER_POOLS = [
  ["pair_weth_usdc", "usdc", 2],
  ["pair_weth_usdt", "usdt", 2],
  ["pool_v3_weth_usdc", "usdc", 3],
] as const;

const known_truths = new WeakMap<EvmWorld, Promise<Truth>>();

/** Read once per world, which does not change until then. */
export const openTruth = (world: EvmWorld): Promise<Truth> => {
  const truth = known_truths.get(world) ?? readTruth(world);
  known_truths.set(world, truth);
  return truth;
};

const readTruth = async (world: EvmWorld): Promise<Truth> => {
  const { rpc, contracts, head } = world;
  const { sent, times } = await readWorldHistory(world);
  const where = (name: string): string => contracts[name] ?? ADDRESSES[name as keyof typeof ADDRESSES] ?? name;
  const blockAt = (time: number): number => times.findLastIndex((at) => at <= time);

  const read: Truth["read"] = async (to, signature, { args = [], block = head.number }) => {
    const abi = parseAbi([`function ${signature}`] as readonly string[]);
    const data = encodeFunctionData({ abi, args });
    const answer = await rpc.call("eth_call", { to: where(to), data }, quantity(block));
    // eth_call answers with hex text.
    return decodeFunctionResult({ abi, data: answer as HexText });
  };
  const balance: Truth["balance"] = async (token, holder, block = head.number) => {
    if (token === "native") return BigInt(String(await rpc.call("eth_getBalance", where(holder), quantity(block))));
    // balanceOf returns a uint256.
    return (await read(token, "balanceOf(address) view returns (uint256)", { args: [where(holder)], block })) as bigint;
  };
  const balances: Truth["balances"] = async (token, holders, block = head.number) => {
    const abi = parseAbi(["function balanceOf(address) view returns (uint256)"]);
    const ofToken = (holder: HexText) => ({ to: where(token), data: encodeFunctionData({ abi, args: [holder] }) });
    const at = quantity(block);
    const answers = await rpc.batch(
      // Names resolve to addresses, which are hex text.
      holders
        .map((holder) => where(holder) as HexText)
        .map((holder) =>
          token === "native"
            ? { method: "eth_getBalance", params: [holder, at] }
            : { method: "eth_call", params: [ofToken(holder), at] },
        ),
    );
    return answers.map((answer) => BigInt(String(answer)));
  };

  /** The hour's trades, or the pool's state at its end. */
  const viewOf = async ([pool, dollar, version]: (typeof ETHER_POOLS)[number], hour: number): Promise<PoolView[]> => {
    const block = blockAt(hour + 3_599);
    const address = where(pool);
    if ((await rpc.call("eth_getCode", address, quantity(block))) === "0x") return [];
    const depth = Number(await balance(dollar, pool, block)) / 1e6;
    if (depth < 5_000) return [];
    const is_first = where("weth").toLowerCase() < where(dollar).toLowerCase();
    const swaps = sent
      .filter(({ time }) => time >= hour && time < hour + 3_600)
      .flatMap(({ logs }) => logs)
      .filter((log) => sameAddress(log.address, address))
      .flatMap((log) => swapOf(log) ?? []);
    const even = swaps.filter((_, i) => i % 2 === 0).reduce((sum, amount) => sum + amount, 0n);
    const odd = swaps.filter((_, i) => i % 2 === 1).reduce((sum, amount) => sum + amount, 0n);
    if (even > 0n && odd > 0n) {
      const [wei, units] = is_first ? [even, odd] : [odd, even];
      return [{ price: Number(units) / 1e6 / (Number(wei) / 1e18), depth }];
    }
    if (version === 2) {
      const answer = await read(pool, "getReserves() view returns (uint112,uint112,uint32)", { block });
      // getReserves returns (reserve0, reserve1, time).
      const [zero, one] = answer as readonly [bigint, bigint];
      const [wei, units] = is_first ? [zero, one] : [one, zero];
      return [{ price: Number(units) / 1e6 / (Number(wei) / 1e18), depth }];
    }
    const slot = "slot0() view returns (uint160,int24,uint16,uint16,uint16,uint8,bool)";
    // slot0 returns seven values, the first a uint160: the root of token1 per token0, times 2^96.
    const [root] = (await read(pool, slot, { block })) as readonly [bigint];
    const ratio = (Number(root) / 2 ** 96) ** 2;
    return [{ price: (is_first ? ratio : 1 / ratio) * 1e12, depth }];
  };

  const known = new Map<number, Promise<number | null>>();
  const etherUsd: Truth["etherUsd"] = (time) => {
    const hour = time - (time % 3_600);
    const price =
      known.get(hour) ?? Promise.all(ETHER_POOLS.map((pool) => viewOf(pool, hour))).then((v) => medianPrice(v.flat()));
    known.set(hour, price);
    return price;
  };

  const sentBy: Truth["sentBy"] = (address) => sent.filter(({ from }) => sameAddress(from, where(address)));
  return {
    addressOf: where,
    sent,
    hashAt: (seconds) => {
      const [only, ...others] = sent.filter(({ time }) => time === T0 + seconds);
      if (only === undefined || others.length > 0) throw new Error(`${others.length + 1} transactions at ${seconds}`);
      return only.hash;
    },
    sentBy,
    feesOf: (address) => sentBy(address).reduce((sum, { fee }) => sum + fee, 0n),
    read,
    balance,
    balances,
    blockAt,
    etherUsd,
    everybody: [
      ...Object.values(ADDRESSES),
      ...Object.values(contracts),
      ...BYSTANDERS,
      DEPOSIT_ADDRESS,
      DUSTED,
      LOOKALIKE,
    ].map((address) => getAddress(address)),
  };
};

/** Adds actions after the story's end and waits until the service has indexed them. Returns the newest block's number. */
export const runMore = async (
  { world, service }: { readonly world: EvmWorld; readonly service: RunningService },
  play: (stage: EvmScenarioChain) => Promise<unknown>,
): Promise<number> => {
  // A block header of the JSON-RPC specification.
  const { timestamp } = (await world.rpc.call("eth_getBlockByNumber", "latest", false)) as { timestamp: HexText };
  const stage = openScenarioChain(world.rpc, "demo", Number(timestamp));
  for (const [name, address] of Object.entries(world.contracts)) stage.name(name, address);
  await play(stage);
  const newest = Number(await world.rpc.call("eth_blockNumber"));
  const until = Date.now() + 30_000;
  while (Number(service.progress().demo?.head ?? 0) < newest) {
    if (Date.now() > until) throw new Error(`block ${newest} was not seen in time`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  await caughtUp(service);
  return newest;
};
