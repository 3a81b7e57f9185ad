import { DOLLAR, ETHER } from "../../src/demo/evm/act.ts";
import { projectCode } from "../../src/demo/evm/artifacts.ts";
import { v2AmountOut } from "../../src/demo/evm/pool_math.ts";
import { type HexText, quantity } from "../../src/demo/evm/rpc.ts";
import type { EvmScenarioChain, SignatureCall } from "../../src/demo/evm/scenario_chain.ts";
import { namePair } from "../../src/demo/evm/scenarios/exchanges.ts";
import { ETHER_USD, type HonestWorld, PLAYER, PLAYER_USD, pay } from "./honest_world.ts";

/** A call of one of the player's transactions: contract, function, arguments. */
export type PlannedCall = readonly [to: string, ...call: SignatureCall];

/** Wei for the gas of each further account. */
const GAS_WEI = ETHER / 50n;
const RUN = "run((address,bytes)[])";
const LEND = "lend(address,uint256,address,(address,bytes)[])";
const MINTED = "mint(address) returns (uint256)";
const RESERVES = "getReserves() view returns (uint112,uint112,uint32)";

/** The player's hands on a chain: his accounts, his contracts, borrowed money. */
export interface Player {
  readonly world: HonestWorld;
  readonly stage: EvmScenarioChain;
  /** His accounts and contracts, which hold his money. */
  readonly own: ReadonlySet<string>;
  act(to: string, call: SignatureCall, from?: string): Promise<void>;
  /** Another account of his, with coins for gas. */
  account(name: string): Promise<string>;
  /** A token that he has all of. */
  token(name: string, supply: bigint): Promise<void>;
  /** A contract that answers and logs what he wants. `answers`: return values by function. */
  liar(name: string, answers?: Readonly<Record<string, HexText>>): Promise<void>;
  /** Opens a v2 pool with exactly these amounts; even of the smallest. */
  pool(name: string, sides: readonly [readonly [string, bigint], readonly [string, bigint]]): Promise<void>;
  /** Takes his liquidity out of a v2 pool again. */
  unpool(name: string): Promise<void>;
  /** Calls in one transaction of his contract `batch`. */
  atOnce(calls: readonly PlannedCall[], gas?: number): Promise<void>;
  /** The same with borrowed money, which the calls pay back to `lender`. */
  withLoan(token: string, amount: bigint, calls: readonly PlannedCall[]): Promise<void>;
  /** Calls that bring `amount` of `paid` through a v2 pool and back, and what is missing afterwards. */
  roundTrip(pool: string, [paid, bought]: readonly [string, string], amount: bigint): Promise<RoundTrip>;
}

export interface RoundTrip {
  readonly calls: readonly PlannedCall[];
  readonly cost: bigint;
}

const reservesOf = async (stage: EvmScenarioChain, pool: string, paid: string): Promise<readonly [bigint, bigint]> => {
  // getReserves returns (reserve0, reserve1, time); token0 returns an address.
  const [zero, one] = (await stage.read(pool, RESERVES)) as readonly [bigint, bigint];
  const token0 = String(await stage.read(pool, "token0() view returns (address)"));
  return token0.toLowerCase() === stage.address(paid).toLowerCase() ? [zero, one] : [one, zero];
};

const swapOut = async (stage: EvmScenarioChain, pool: string, [bought, amount]: readonly [string, bigint]) => {
  const token0 = String(await stage.read(pool, "token0() view returns (address)"));
  const is_zero = token0.toLowerCase() === stage.address(bought).toLowerCase();
  const args = [is_zero ? amount : 0n, is_zero ? 0n : amount, "@batch", "0x"];
  return [pool, "swap(uint256,uint256,address,bytes)", args] as const;
};

const encodeCalls = (stage: EvmScenarioChain, calls: readonly PlannedCall[]) =>
  calls.map(([to, signature, args]) => [stage.address(to), stage.encode(signature, args)]);

const roundTrip = async (stage: EvmScenarioChain, pool: string, trip: readonly [string, string, bigint]) => {
  const [paid, bought, amount] = trip;
  const [ours, theirs] = await reservesOf(stage, pool, paid);
  const got = v2AmountOut(amount, ours, theirs);
  const back = v2AmountOut(got, theirs - got, ours + amount);
  const calls = [
    [paid, "transfer(address,uint256)", [`@${pool}`, amount]],
    await swapOut(stage, pool, [bought, got]),
    [bought, "transfer(address,uint256)", [`@${pool}`, got]],
    await swapOut(stage, pool, [paid, back]),
  ] as const;
  return { calls, cost: amount - back };
};

/** The player's own contracts, deployed in advance: for everything at once and for lies. */
export const openPlayer = async (world: HonestWorld): Promise<Player> => {
  const { stage } = world;
  const own = new Set<string>([PLAYER]);
  const act: Player["act"] = async (to, call, from = PLAYER) => {
    await stage.act({ from, to, call, gas: 8_000_000 });
  };
  await stage.create("batch", { from: PLAYER, code: projectCode("Batch") });
  own.add(stage.address("batch"));
  return {
    ...{ world, stage, own, act },
    account: async (name) => {
      const address = `0x${Buffer.from(name.padEnd(20, "-")).toString("hex").slice(0, 40)}`;
      stage.name(name, address);
      own.add(stage.address(name));
      await stage.act({ from: PLAYER, to: name, value: GAS_WEI, gas: 21_000 });
      return name;
    },
    token: async (name, supply) => {
      const args = ["string,string,uint8,uint256,address", [name, name.toUpperCase(), 18, supply, PLAYER]] as const;
      await stage.create(name, { from: PLAYER, code: projectCode("PlainToken"), args });
    },
    liar: async (name, answers = {}) => {
      await stage.create(name, { from: PLAYER, code: projectCode("Liar") });
      for (const [signature, answer] of Object.entries(answers))
        await act(name, ["say(bytes4,bytes)", [stage.encode(signature, []).slice(0, 10), answer]]);
    },
    pool: async (name, sides) => {
      const tokens = sides.map(([token]) => `@${token}`);
      await act("v2_factory", ["createPair(address,address) returns (address)", tokens]);
      await namePair(stage, name, [sides[0][0], sides[1][0]]);
      for (const [token, amount] of sides) await pay(stage, PLAYER, [token, name, amount]);
      await act(name, [MINTED, [PLAYER]]);
    },
    unpool: async (name) => {
      const shares = await stage.read(name, "balanceOf(address) view returns (uint256)", [PLAYER]);
      await act(name, ["transfer(address,uint256)", [`@${name}`, shares]]);
      await act(name, ["burn(address) returns (uint256,uint256)", [PLAYER]]);
    },
    atOnce: async (calls, gas = 20_000_000) => {
      await stage.act({ from: PLAYER, to: "batch", call: [RUN, [encodeCalls(stage, calls)]], gas });
    },
    withLoan: async (token, amount, calls) => {
      const repaid = [...calls, [token, "transfer(address,uint256)", ["@lender", amount]] as const];
      const args = [`@${token}`, amount, "@batch", encodeCalls(stage, repaid)];
      await stage.act({ from: PLAYER, to: "lender", call: [LEND, args], gas: 20_000_000 });
    },
    roundTrip: (pool, [paid, bought], amount) => roundTrip(stage, pool, [paid, bought, amount]),
  };
};

const COINS: Readonly<Record<string, number>> = {
  usdc: 1 / Number(DOLLAR),
  usdt: 1 / Number(DOLLAR),
  weth: ETHER_USD / Number(ETHER),
  harbor: 1 / Number(ETHER),
};

/** USD of the player's accounts and contracts at the end of a block, by honest coin, at honest prices. */
const wealthAt = async ({ stage, own }: Player, block: number): Promise<ReadonlyMap<string, number>> => {
  const at = quantity(block);
  const rows = [...own].flatMap((who) => [
    { coin: "native", per_unit: ETHER_USD / Number(ETHER), method: "eth_getBalance", params: [who, at] },
    ...Object.entries(COINS).map(([coin, per_unit]) => {
      const data = stage.encode("balanceOf(address)", [who]);
      return { coin, per_unit, method: "eth_call", params: [{ to: stage.address(coin), data }, at] };
    }),
  ]);
  const answers = await stage.rpc.batch(rows.map(({ method, params }) => ({ method, params })));
  const wealth = new Map<string, number>();
  for (const [i, { coin, per_unit }] of rows.entries()) {
    const raw = String(answers[i]);
    const usd = (raw === "0x" ? 0 : Number(BigInt(raw))) * per_unit;
    wealth.set(coin, (wealth.get(coin) ?? 0) + usd);
  }
  return wealth;
};

const sumOf = (wealth: ReadonlyMap<string, number>): number => [...wealth.values()].reduce((sum, usd) => sum + usd, 0);

/** The most that a coin's USD changed by between two blocks. */
const turnedOver = (before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): number =>
  Math.max(...[...after].map(([coin, usd]) => Math.abs(usd - (before.get(coin) ?? 0))));

/** USD out of the player's hands, by his chain's node. */
export interface LeftMoney {
  /** The most at the end of any block: figures of history may know it. */
  readonly most_usd: number;
  /** In the end. */
  readonly last_usd: number;
  /** USD that he moved from block to block: his volume. A round trip inside a transaction has none. */
  readonly traded_usd: number;
}

export const moneyLeft = async (player: Player, first_block: number): Promise<LeftMoney> => {
  const head = Number(await player.stage.rpc.call("eth_blockNumber"));
  const left: number[] = [];
  let traded_usd = 0;
  let before = await wealthAt(player, first_block);
  for (let block = first_block; block <= head; block += 1) {
    const wealth = await wealthAt(player, block);
    left.push(PLAYER_USD - sumOf(wealth));
    traded_usd += turnedOver(before, wealth);
    before = wealth;
  }
  return { most_usd: Math.max(...left), last_usd: left.at(-1) ?? 0, traded_usd };
};
