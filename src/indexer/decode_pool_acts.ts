import type { Transaction } from "../chains/chain.ts";
import type { PoolAct, PoolShares, PoolSwap } from "../chains/pool_act.ts";
import type { ProgramAct, ProgramActKind } from "../chains/program_act.ts";
import { type Bytes, EMPTY, toHex } from "../lib/bytes.ts";
import type { Venue } from "../protocols/venues.ts";
import { venueFee } from "./decode_pools.ts";
import { type BlockScope, transactionColumns } from "./decode_scope.ts";

/** Positions of acts within a block: more per transaction than any transaction has. */
const ACTS_PER_TRANSACTION = 1_024;
/** The second half of them is for acts of programs. */
const PROGRAM_ACTS_FROM = 512;

/** Trades and states of pools that the chain itself states. Only programs that are listed as venues make pools. */
export const decodePoolActs = (scope: BlockScope, transaction: Transaction): void => {
  const acts = transaction.pool_acts ?? [];
  for (let index = 0; index < acts.length && index < PROGRAM_ACTS_FROM; index += 1) {
    const act = acts[index];
    const venue = act === undefined ? undefined : scope.venues.get(toHex(act.program));
    if (act === undefined || venue === undefined || act.pool === null) continue;
    const { pool, shares, state } = act;
    const { network, block_number, time, tx_index, tx_hash } = transactionColumns(scope, transaction);
    const at = { network, block_number, time, tx_index, tx_hash, log_index: tx_index * ACTS_PER_TRANSACTION + index };
    pushPool(scope, { at, act, pool, venue, creator: transaction.sender });
    if (act.swap !== null) pushSwap(scope, at, { pool, swap: act.swap });
    if (shares !== null) scope.rows.position_events.push({ ...at, ...positionOf(pool, shares) });
    if (state === null) continue;
    scope.rows.pool_states.push({
      network,
      block_number,
      time,
      log_index: at.log_index,
      pool,
      reserve0: state.reserve0,
      reserve1: state.reserve1,
      sqrt_price_x96: state.sqrt_price_x96,
      liquidity: state.liquidity,
      tick: 0,
    });
  }
};

type ActAt = ReturnType<typeof transactionColumns> & { readonly log_index: number };

/**
 * The row has the pool's side, as everywhere; amounts that the program took from the trader are among the movements.
 * Written field by field, as transfers are.
 */
const pushSwap = ({ rows }: BlockScope, at: ActAt, { pool, swap }: { pool: Bytes; swap: PoolSwap }): void => {
  rows.swaps.push({
    network: at.network,
    block_number: at.block_number,
    time: at.time,
    tx_index: at.tx_index,
    tx_hash: at.tx_hash,
    log_index: at.log_index,
    pool,
    caller: swap.caller,
    recipient: swap.recipient,
    trader: swap.trader,
    amount0: swap.amount0,
    amount1: swap.amount1,
  });
};

/** Shares are entered and left like those of a vault: their cost carries over. */
const positionOf = (pool: Bytes, { token, holder, amount }: PoolShares) => {
  const nothing = { asset: EMPTY, amount0: 0n, amount1: 0n };
  const kind = amount < 0n ? ("vault_withdraw" as const) : ("vault_deposit" as const);
  return { kind, subject: holder, contract: token, pool, ...nothing, liquidity: amount < 0n ? -amount : amount };
};

interface PoolActAt {
  readonly at: ActAt;
  readonly act: PoolAct;
  readonly pool: Bytes;
  readonly venue: Venue;
  readonly creator: Transaction["sender"];
}

const pushPool = ({ rows }: BlockScope, { at, act, pool, venue, creator }: PoolActAt): void => {
  const { family } = venue;
  const told = {
    network: at.network,
    pool,
    factory: act.program,
    token0: act.token0,
    token1: act.token1,
    family,
    venue: venue.venue,
    fee_ppm: venueFee(family, venue),
    tick_spacing: 0,
  };
  if (act.is_new) rows.pools.push({ ...told, ...at, creator, hooks: EMPTY });
  else rows.pools_told.push(told);
};

type LendingAct = "lend" | "unlend" | "borrow" | "repay" | "stake" | "unstake";

const POSITION_KINDS: Partial<Readonly<Record<ProgramActKind, LendingAct>>> = {
  supply: "lend",
  withdraw: "unlend",
  borrow: "borrow",
  repay: "repay",
  stake: "stake",
  unstake: "unstake",
};

/** A stake for a receipt is an exchange for it; without one the coins are deposited with the program. */
const isExchange = ({ kind, given, received }: ProgramAct): boolean =>
  (kind === "stake" || kind === "unstake") && given.length > 0 && received.length > 0;

/** Loans, withdrawals, borrowings, repayments and stakes at known programs. */
export const decodeProgramActs = (scope: BlockScope, transaction: Transaction): void => {
  let index = PROGRAM_ACTS_FROM;
  for (const act of transaction.program_acts ?? []) {
    const kind = POSITION_KINDS[act.kind];
    if (kind === undefined || isExchange(act)) continue;
    for (const { token, amount } of amountsOf(act, kind)) {
      if (index >= ACTS_PER_TRANSACTION) return;
      const at = {
        ...transactionColumns(scope, transaction),
        log_index: transaction.index * ACTS_PER_TRANSACTION + index,
      };
      const asset = token.length === 0 ? (scope.wrapped_native ?? EMPTY) : token;
      const said = { kind, subject: act.account, contract: act.program, pool: EMPTY, asset };
      scope.rows.position_events.push({ ...at, ...said, amount0: amount, amount1: 0n, liquidity: 0n });
      index += 1;
    }
  }
};

/** Receipts go the other way. */
const amountsOf = ({ given, received }: ProgramAct, kind: LendingAct): ProgramAct["given"] =>
  kind === "lend" || kind === "repay" || kind === "stake" ? given : received;
