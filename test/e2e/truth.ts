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
  /** Raw units of `quote` per raw unit of `base` that held for half of an hour. Null without a price. */
  readonly poolPrice: (pool: TruthPool, hour: number) => Promise<number | null>;
  /** All addresses that may have held something. */
  readonly everybody: readonly HexText[];
  /** Price and raw reserve of the quoted token on the curve of a pool at a block's end. Null without a pool. */
  readonly poolState: (pool: TruthPool, block: number) => Promise<{ ratio: number; reserve: number } | null>;
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

/** A pool by the names of its contract and tokens, and the version of its Uniswap interface. */
export interface TruthPool {
  readonly pool: string;
  readonly base: string;
  readonly quote: string;
  readonly version: 2 | 3;
}

/** Price and weight of a pool in an hour, in raw units. */
interface PoolView {
  readonly price: number;
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

  /** Raw units of the quoted token per raw unit of `base` at a block's end, and the quote's raw reserve on the curve. */
  const stateAt = async ({ pool, base, quote, version }: TruthPool, block: number) => {
    if ((await rpc.call("eth_getCode", where(pool), quantity(block))) === "0x") return null;
    const is_first = where(base).toLowerCase() < where(quote).toLowerCase();
    if (version === 2) {
      const answer = await read(pool, "getReserves() view returns (uint112,uint112,uint32)", { block });
      // getReserves returns (reserve0, reserve1, time).
      const [zero, one] = answer as readonly [bigint, bigint];
      const [own, other] = is_first ? [zero, one] : [one, zero];
      return own === 0n ? null : { ratio: Number(other) / Number(own), reserve: Number(other) };
    }
    const slot = "slot0() view returns (uint160,int24,uint16,uint16,uint16,uint8,bool)";
    // slot0 returns seven values, the first a uint160: the root of token1 per token0, times 2^96.
    const [x96] = (await read(pool, slot, { block })) as readonly [bigint];
    const liquidity = Number(await read(pool, "liquidity() view returns (uint128)", { block }));
    const root = Number(x96) / 2 ** 96;
    if (liquidity === 0 || root === 0) return null;
    return is_first
      ? { ratio: root ** 2, reserve: liquidity * root }
      : { ratio: 1 / root ** 2, reserve: liquidity / root };
  };

  /** The price at or below which half of the priced time of an hour passed, block by block, and what weighs it. */
  const marketOf = async (pool: TruthPool, hour: number): Promise<PoolView[]> => {
    const end = Math.min(hour + 3_600, head.time + 1);
    const start = end - 3_600;
    const [first, last] = [Math.max(0, blockAt(start)), blockAt(end - 1)];
    const spans: { ratio: number; held: number }[] = [];
    for (let block = first; block <= last; block += 1) {
      const state = await stateAt(pool, block);
      const until = block === last ? end : (times[block + 1] ?? end);
      const held = until - Math.max(start, times[block] ?? start);
      if (state !== null && held > 0) spans.push({ ratio: state.ratio, held });
    }
    const held = spans.reduce((sum, span) => sum + span.held, 0);
    const newest = await stateAt(pool, last);
    if (newest === null || held === 0) return [];
    const sorted = spans.sort((a, b) => a.ratio - b.ratio);
    // The lower and the upper median, which differ only when two prices share the time equally.
    const quantile = (isPast: (reached: number) => boolean): number => {
      let reached = 0;
      const found = sorted.find(({ held: own }) => {
        reached += own;
        return isPast(reached);
      });
      return found?.ratio ?? Number.NaN;
    };
    const price = Math.sqrt(quantile((s) => s >= held / 2) * quantile((s) => s > held / 2));
    const own = Number(await balance(pool.quote, pool.pool, last));
    // Within 2 %: of the reserve on the curve, and no more than the pool holds.
    const weight = Math.min(newest.reserve * (1 - 1 / Math.sqrt(1.02)), own) * (held / 3_600);
    return [{ price, depth: weight }];
  };

  const known = new Map<number, Promise<number | null>>();
  const etherUsd: Truth["etherUsd"] = (time) => {
    const hour = time - (time % 3_600);
    const price =
      known.get(hour) ??
      Promise.all(
        ETHER_POOLS.map(async ([pool, quote, version]) => {
          const market = await marketOf({ pool, base: "weth", quote, version }, hour);
          const depth = market.length === 0 ? 0 : Number(await balance(quote, pool, blockAt(hour + 3_599))) / 1e6;
          return depth < 5_000 ? [] : market;
        }),
      ).then((views) => {
        const price = medianPrice(views.flat());
        return price === null ? null : price * 1e12;
      });
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
    poolState: stateAt,
    poolPrice: async (pool, hour) => (await marketOf(pool, hour))[0]?.price ?? null,
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
