import type { EventLog, Transaction } from "../chains/chain.ts";
import { type Bytes, EMPTY, equalBytes, type Hex, toHex } from "../lib/bytes.ts";
import { decodeLog } from "../protocols/index.ts";
import { ownPools } from "../protocols/own_pools.ts";
import type { DestructionFact, Fact, LiquidityFact, PositionFact, TransferFact } from "../protocols/protocol.ts";
import { burnOf, mintsAndBurns, twinKey } from "../protocols/twins.ts";
import { dropAliasTwins } from "./alias_twins.ts";
import { decodeFreeze } from "./decode_freezes.ts";
import { poolOf, withVenue } from "./decode_pools.ts";
import { type BlockScope, LOG_POSITION, pushTransfer, transactionColumns } from "./decode_scope.ts";

/** State from log to log of one transaction. */
interface Memory {
  /** Counts of mints and burns in a token's Transfers, by token; filled when a wrap or a destruction needs it. */
  readonly twins: Map<Hex, Map<string, number>>;
  /** The pool of the last liquidity event: a position manager's event follows its pool's. */
  pool: Bytes;
  /** Newest mint and newest burn of every token so far. */
  readonly minted: Map<Hex, TransferFact>;
  readonly burnt: Map<Hex, TransferFact>;
  /** Constant-product pools that prove to be pools; null before the first look-up. */
  own_pools: ReadonlySet<Hex> | null;
}

/** The facts in the logs of one transaction. */
export const decodeLogs = (scope: BlockScope, transaction: Transaction): void => {
  if (transaction.logs.length === 0) return;
  const memory: Memory = {
    ...{ twins: new Map(), minted: new Map(), burnt: new Map(), pool: EMPTY },
    own_pools: null,
  };
  const first_row = scope.rows.transfers.length;
  for (const log of transaction.logs) {
    decodeFreeze(scope, transaction, log);
    for (const said of decodeLog(log)) {
      const found = said.fact === "destruction" ? burnOf(said) : said;
      if (found.fact !== "transfer") {
        pushFact(scope, { log, transaction, memory }, found);
        continue;
      }
      if (found.kind === "wrap" && !isOwnWrap(scope, log)) continue;
      const is_second = found.kind === "wrap" || said.fact === "destruction";
      if (is_second && isReportedByTransfer({ log, transaction, memory }, found)) continue;
      remember(memory, log.address, found);
      pushTransfer(scope, transaction, {
        position: LOG_POSITION + log.index,
        kind: found.kind === "erc20" ? (scope.network.token_kind ?? "erc20") : found.kind,
        token: log.address,
        token_id: found.token_id,
        source: found.source,
        destination: found.destination,
        amount: found.amount,
        ...(found.is_bare === true ? { is_bare: true } : {}),
      });
    }
  }
  dropAliasTwins(scope, first_row);
};

interface LogContext {
  readonly log: EventLog;
  readonly transaction: Transaction;
  readonly memory: Memory;
}

type OtherFact = Exclude<Fact, TransferFact | DestructionFact>;

const pushFact = (scope: BlockScope, place: LogContext, found: OtherFact): void => {
  const { rows } = scope;
  const { log, transaction, memory } = place;
  const address = log.address;
  const pool = poolOf(scope, log, found);
  if (pool === null) return;
  const trader = transaction.sender;
  const at = { ...transactionColumns(scope, transaction), log_index: log.index };
  switch (found.fact) {
    case "owner_supply":
      rows.owner_supplies.push({ ...at, token: address, sender: trader });
      return;
    case "swap": {
      const { fact: _, ...swap } = found;
      rows.swaps.push({ ...at, trader, ...swap, pool });
      return;
    }
    case "pool_state": {
      const { fact: _, ...state } = found;
      const { network, block_number, time, log_index } = at;
      rows.pool_states.push({ network, block_number, time, log_index, ...state, pool });
      return;
    }
    case "liquidity":
      if (found.liquidity === null && !isOwnPool(place)) return;
      memory.pool = pool;
      rows.liquidity_events.push({ ...at, ...withShares(memory, pool, found), pool });
      return;
    case "pool":
      rows.pools.push({ ...at, factory: address, creator: trader, ...withVenue(scope, address, found) });
      return;
    case "approval": {
      const { fact: _, ...approval } = found;
      rows.approvals.push({ ...at, token: address, ...approval });
      return;
    }
    case "ownership": {
      const { fact: _, ...ownership } = found;
      rows.ownership_events.push({ ...at, contract: address, ...ownership });
      return;
    }
    case "position":
      rows.position_events.push({ ...at, contract: address, ...positionOf(memory, address, found) });
  }
};

/**
 * A money market emits two numbers named Mint too: a pool emits its reserves and moves its own shares in the same
 * transaction.
 */
const isOwnPool = ({ log, transaction, memory }: LogContext): boolean => {
  memory.own_pools ??= ownPools(transaction.logs);
  return memory.own_pools.has(toHex(log.address));
};

/** An NFT's position belongs to the holder of the NFT: its subject is the NFT. */
const positionOf = (memory: Memory, contract: Bytes, { fact: _, account, position_id, ...said }: PositionFact) => ({
  ...said,
  asset: said.asset ?? EMPTY,
  subject: position_id === null ? account : nftSubject(contract, position_id),
  pool: position_id === null ? EMPTY : memory.pool,
});

const nftSubject = (contract: Bytes, id: bigint): Bytes =>
  Uint8Array.from([...contract, ...new TextEncoder().encode(id.toString())]);

const isOwnWrap = ({ wrapped_native }: BlockScope, log: EventLog): boolean =>
  wrapped_native !== null && equalBytes(log.address, wrapped_native);

/** One movement may appear twice (see `mintsAndBurns`). */
const isReportedByTransfer = ({ log, transaction, memory }: LogContext, movement: TransferFact): boolean => {
  const token = toHex(log.address);
  const twins = memory.twins.get(token) ?? mintsAndBurns(transaction.logs, log.address, decodeLog);
  memory.twins.set(token, twins);
  const left = twins.get(twinKey(movement)) ?? 0;
  if (left > 0) twins.set(twinKey(movement), left - 1);
  return left > 0;
};

const remember = ({ minted, burnt }: Memory, token: Bytes, transfer: TransferFact): void => {
  if (transfer.kind !== "erc20") return;
  if (transfer.source.length === 0) minted.set(toHex(token), transfer);
  if (transfer.destination.length === 0) burnt.set(toHex(token), transfer);
};

/**
 * A constant-product pool is its own share token: the newest mint or burn of shares before the event belongs to it
 * (v2-core UniswapV2Pair.sol: `_mint` and `_burn` come first, the provider's after the fee's).
 */
const withShares = (memory: Memory, pool: Bytes, { fact: _, ...found }: LiquidityFact) => {
  if (found.liquidity !== null) return { ...found, liquidity: found.liquidity };
  const shares = (found.kind === "mint" ? memory.minted : memory.burnt).get(toHex(pool));
  const owner = found.kind === "mint" ? (shares?.destination ?? found.owner) : found.owner;
  return { ...found, owner, liquidity: shares?.amount ?? 0n };
};
