/**
 * Trades, liquidity and new pools of a generated mainnet, with the logs that v2-core and v3-core write, in their order.
 */
import { frameOf, type ReplayAct, type ReplayActor, type ReplayFrame } from "./act.ts";
import type { Draws } from "./draws.ts";
import { logOf, type MadeLog, transferLog, ZERO_ADDRESS } from "./made_log.ts";
import { type ReplayPool, type Token, V2_FACTORY, WETH } from "./market.ts";

const ROUTER = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
const V3_ROUTER = "0x68b3465833fb72a70ecdf485e0e4c7bd8665fc45";
const POSITIONS = "0xc36442b4a4522e871399cd717abdd847ab11fe88";
const WIDEST = 887_200n;
/** Share of trades with the wrapped coin: in the recorded blocks 85 Deposits and 66 Withdrawals beside 200 trades. */
const PAYS_COIN = 0.85;
const TAKES_COIN = 0.66;

const syncLog = ({ address, reserve0, reserve1 }: ReplayPool): MadeLog =>
  logOf(address, "Sync(uint112,uint112)", { indexed: [], data: [reserve0, reserve1] });

/** Trader and amounts of a trade, and how the coin is wrapped on the way. */
interface TradePlan {
  readonly pool: ReplayPool;
  readonly router: string;
  readonly gives: Token;
  readonly amount_in: bigint;
  readonly amount_out: bigint;
  readonly pays_coin: boolean;
  readonly takes_coin: boolean;
}

const dealOf = ({ draws, market }: ReplayActor, family: ReplayPool["family"], router: string): TradePlan => {
  const pool = market.drawPool(draws, family);
  const gives = draws.random() < 0.5 ? pool.token0 : pool.token1;
  const traded = pool.trade(gives, draws.size(60));
  const pays_coin = gives.address === WETH.address && draws.random() < PAYS_COIN;
  const takes_coin = pool.other(gives).address === WETH.address && draws.random() < TAKES_COIN;
  return { pool, router, gives, ...traded, pays_coin, takes_coin };
};

const dealt = (actor: ReplayActor, deal: TradePlan, told: readonly MadeLog[]): ReplayAct => {
  const { draws, sender } = actor;
  const { pool, router, gives, amount_in, amount_out, pays_coin, takes_coin } = deal;
  const coin = WETH.address;
  const wrapped = pays_coin ? [logOf(coin, "Deposit(address,uint256)", { indexed: [router], data: [amount_in] })] : [];
  const payer = pays_coin ? router : sender;
  const receiver = takes_coin ? router : sender;
  const given = transferLog(gives.address, { from: payer, to: pool.address, amount: amount_in });
  const taken = transferLog(pool.other(gives).address, { from: pool.address, to: receiver, amount: amount_out });
  const unwrapped = takes_coin
    ? [logOf(coin, "Withdrawal(address,uint256)", { indexed: [router], data: [amount_out] })]
    : [];
  // A concentrated pool pays before it is paid.
  const moves = pool.family === "v2" ? [given, taken] : [taken, given];
  const value = pays_coin ? amount_in : 0n;
  return {
    ...{ to: router, value, input: draws.bytes(260) },
    logs: [...wrapped, ...moves, ...told, ...unwrapped],
    frames: framesOf(actor, deal),
  };
};

const framesOf = (
  { draws, sender }: ReplayActor,
  { pool, router, gives, ...deal }: TradePlan,
): readonly ReplayFrame[] => {
  const [coin, other] = [WETH.address, pool.other(gives).address];
  const paid = deal.pays_coin ? [{ ...frameOf("CALL", router, coin, draws), value: deal.amount_in }] : [];
  const back = { value: deal.amount_out, input: "0x" };
  const taken = deal.takes_coin
    ? [
        { ...frameOf("CALL", coin, router, draws), ...back },
        { ...frameOf("CALL", router, sender, draws), ...back },
      ]
    : [];
  return [
    ...paid,
    frameOf("STATICCALL", router, pool.address, draws),
    frameOf("CALL", router, gives.address, draws),
    frameOf("CALL", router, pool.address, draws),
    frameOf("CALL", pool.address, other, draws),
    frameOf("STATICCALL", pool.address, pool.token0.address, draws),
    frameOf("STATICCALL", pool.address, pool.token1.address, draws),
    ...taken,
  ];
};

export const tradeV2 = (actor: ReplayActor): ReplayAct => {
  const deal = dealOf(actor, "v2", ROUTER);
  const { pool, gives, amount_in, amount_out, takes_coin } = deal;
  const is_first = gives === pool.token0;
  const amounts = is_first ? [amount_in, 0n, 0n, amount_out] : [0n, amount_in, amount_out, 0n];
  const said = { indexed: [ROUTER, takes_coin ? ROUTER : actor.sender], data: amounts };
  const swap = logOf(pool.address, "Swap(address,uint256,uint256,uint256,uint256,address)", said);
  return dealt(actor, deal, [syncLog(pool), swap]);
};

export const tradeV3 = (actor: ReplayActor): ReplayAct => {
  const deal = dealOf(actor, "v3", V3_ROUTER);
  const { pool, gives, amount_in, amount_out, takes_coin } = deal;
  const amounts = gives === pool.token0 ? [amount_in, -amount_out] : [-amount_out, amount_in];
  const said = {
    indexed: [V3_ROUTER, takes_coin ? V3_ROUTER : actor.sender],
    data: [...amounts, pool.sqrt_price_x96, pool.liquidity, pool.tick],
  };
  const act = dealt(actor, deal, []);
  const swap = logOf(pool.address, "Swap(address,address,int256,int256,uint160,uint128,int24)", said);
  const last = act.logs.length - (takes_coin ? 1 : 0);
  return { ...act, logs: [...act.logs.slice(0, last), swap, ...act.logs.slice(last)] };
};

interface PoolAmounts {
  readonly amount0: bigint;
  readonly amount1: bigint;
}

const bothSides = ({ token0, token1 }: ReplayPool, from: string, to: string) => ({
  of: ({ amount0, amount1 }: PoolAmounts): readonly MadeLog[] => [
    transferLog(token0.address, { from, to, amount: amount0 }),
    transferLog(token1.address, { from, to, amount: amount1 }),
  ],
});

const callsOf = (draws: Draws, router: string, pool: ReplayPool): readonly ReplayFrame[] =>
  (["STATICCALL", "CALL", "CALL", "CALL", "STATICCALL"] as const).map((type) =>
    frameOf(type, router, pool.address, draws),
  );

const mintV2 = ({ sender }: ReplayActor, pool: ReplayPool, { amount0, amount1 }: PoolAmounts): readonly MadeLog[] => {
  const shares = (pool.shares * amount0) / pool.reserve0 + 1n;
  pool.add(amount0, amount1);
  pool.shares += shares;
  return [
    ...bothSides(pool, sender, pool.address).of({ amount0, amount1 }),
    transferLog(pool.address, { from: ZERO_ADDRESS, to: sender, amount: shares }),
    syncLog(pool),
    logOf(pool.address, "Mint(address,uint256,uint256)", { indexed: [ROUTER], data: [amount0, amount1] }),
  ];
};

const burnV2 = ({ sender }: ReplayActor, pool: ReplayPool, { amount0, amount1 }: PoolAmounts): readonly MadeLog[] => {
  const shares = (pool.shares * amount0) / pool.reserve0;
  pool.add(-amount0, -amount1);
  pool.shares -= shares;
  const said = { indexed: [ROUTER, sender], data: [amount0, amount1] };
  return [
    transferLog(pool.address, { from: sender, to: pool.address, amount: shares }),
    transferLog(pool.address, { from: pool.address, to: ZERO_ADDRESS, amount: shares }),
    ...bothSides(pool, pool.address, sender).of({ amount0, amount1 }),
    syncLog(pool),
    logOf(pool.address, "Burn(address,uint256,uint256,address)", said),
  ];
};

/** A position over the whole range: its NFT is the manager's. */
const mintV3 = (
  { draws, sender }: ReplayActor,
  pool: ReplayPool,
  { amount0, amount1 }: PoolAmounts,
): readonly MadeLog[] => {
  const [liquidity, id] = [pool.liquidity / 1_000n, BigInt(draws.below(1_000_000))];
  const lowest = -(WIDEST - (WIDEST % BigInt(pool.tick_spacing)));
  const said = { indexed: [POSITIONS, lowest, -lowest], data: [POSITIONS, liquidity, amount0, amount1] };
  const position = { indexed: [id], data: [liquidity, amount0, amount1] };
  pool.add(amount0, amount1);
  return [
    ...bothSides(pool, sender, pool.address).of({ amount0, amount1 }),
    logOf(pool.address, "Mint(address,address,int24,int24,uint128,uint256,uint256)", said),
    logOf(POSITIONS, "Transfer(address,address,uint256)", { indexed: [ZERO_ADDRESS, sender, id], data: [] }),
    logOf(POSITIONS, "IncreaseLiquidity(uint256,uint128,uint256,uint256)", position),
  ];
};

/** In the recorded blocks one in nine mints and one burn in v2's pools is in v3's. */
export const changeLiquidity = (actor: ReplayActor): ReplayAct => {
  const { draws, market } = actor;
  const drawn = draws.random();
  const pool = market.drawPool(draws, drawn < 0.2 ? "v3" : "v2");
  const router = pool.family === "v3" ? POSITIONS : ROUTER;
  const sides = { amount0: pool.reserve0 / 1_000n, amount1: pool.reserve1 / 1_000n };
  const change = pool.family === "v3" ? mintV3 : drawn < 0.35 ? burnV2 : mintV2;
  return {
    ...{ to: router, value: 0n, input: draws.bytes(260) },
    logs: change(actor, pool, sides),
    frames: callsOf(draws, router, pool),
  };
};

/** A pair is created and filled in one transaction. */
export const launchPool = (actor: ReplayActor): ReplayAct => {
  const { draws, market, sender } = actor;
  const pool = market.launch();
  if (pool === null) return changeLiquidity(actor);
  const { token0, token1, reserve0: amount0, reserve1: amount1 } = pool;
  const pair = { indexed: [token0.address, token1.address], data: [pool.address, 400_000n] };
  const logs = [
    logOf(V2_FACTORY, "PairCreated(address,address,address,uint256)", pair),
    ...bothSides(pool, sender, pool.address).of({ amount0, amount1 }),
    transferLog(pool.address, { from: ZERO_ADDRESS, to: sender, amount: pool.shares }),
    syncLog(pool),
    logOf(pool.address, "Mint(address,uint256,uint256)", { indexed: [ROUTER], data: [amount0, amount1] }),
  ];
  const made = { ...frameOf("CREATE2", V2_FACTORY, pool.address, draws), output: `0x${draws.bytes(2_000)}` };
  return {
    ...{ to: ROUTER, value: 0n, input: draws.bytes(260), logs },
    frames: [frameOf("CALL", ROUTER, V2_FACTORY, draws), made, ...callsOf(draws, ROUTER, pool)],
  };
};
