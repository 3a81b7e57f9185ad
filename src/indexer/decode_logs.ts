import type { Log, Transaction } from "../chains/chain.ts";
import { type Bytes, equalBytes, type Hex, toHex } from "../lib/bytes.ts";
import { decodeLog } from "../protocols/index.ts";
import type { Fact, LiquidityFact, PoolFact, TransferFact } from "../protocols/protocol.ts";
import { type BlockScope, placeOf } from "./decode_scope.ts";

/** Positions of logs begin here, behind all inner calls (schema, `transfers`). */
const LOG_POSITION = 1_048_576;

/** What is remembered from log to log of one transaction. */
interface Memory {
  /** Mints and burns told by the wrapped native token's Transfer, counted; null until a wrap asks. */
  twins: Map<string, number> | null;
  /** Newest mint and newest burn of every token so far. */
  readonly minted: Map<Hex, TransferFact>;
  readonly burnt: Map<Hex, TransferFact>;
}

/** The facts that the logs of one transaction carry. */
export const decodeLogs = (scope: BlockScope, transaction: Transaction): void => {
  const place = placeOf(scope, transaction);
  const memory: Memory = { twins: null, minted: new Map(), burnt: new Map() };
  for (const log of transaction.logs) {
    for (const found of decodeLog(log)) {
      if (found.fact !== "transfer") {
        pushFact(scope, { log, at: { ...place, log_index: log.index }, trader: transaction.sender, memory }, found);
        continue;
      }
      if (found.kind === "wrap" && !isOwnWrap(scope, { log, logs: transaction.logs, memory }, found)) continue;
      remember(memory, log.address, found);
      scope.rows.transfers.push({
        ...place,
        position: LOG_POSITION + log.index,
        kind: found.kind,
        token: log.address,
        token_id: found.token_id,
        source: found.source,
        destination: found.destination,
        amount: found.amount,
        sender: transaction.sender,
      });
    }
  }
};

interface FactPlace {
  readonly log: Log;
  readonly at: ReturnType<typeof placeOf> & { readonly log_index: number };
  readonly trader: Bytes;
  readonly memory: Memory;
}

const pushFact = ({ rows, venues }: BlockScope, place: FactPlace, found: Exclude<Fact, TransferFact>): void => {
  const { at, log, trader, memory } = place;
  const address = log.address;
  switch (found.fact) {
    case "swap": {
      const { fact: _, ...swap } = found;
      rows.swaps.push({ ...at, pool: address, trader, ...swap });
      return;
    }
    case "pool_state": {
      const { fact: _, ...state } = found;
      const { network, block_number, time, log_index } = at;
      rows.pool_states.push({ network, block_number, time, log_index, pool: address, ...state });
      return;
    }
    case "liquidity":
      rows.liquidity_events.push({ ...at, pool: address, ...withShares(memory, address, found) });
      return;
    case "pool":
      rows.pools.push({ ...at, factory: address, creator: trader, ...withVenue(venues, address, found) });
      return;
    case "approval": {
      const { fact: _, ...approval } = found;
      rows.approvals.push({ ...at, token: address, ...approval });
      return;
    }
    case "ownership": {
      const { fact: _, ...ownership } = found;
      rows.ownership_events.push({ ...at, contract: address, ...ownership });
    }
  }
};

const twinKey = ({ source, destination, amount }: TransferFact): string =>
  `${toHex(source)}>${toHex(destination)}:${amount}`;

/**
 * A wrap of the network's own wrapped coin that no Transfer tells. Some wrapped coins emit Transfer beside Deposit or
 * Withdrawal, which is one movement told twice; each Transfer excuses one.
 */
const isOwnWrap = (
  { wrapped_native }: BlockScope,
  where: { readonly log: Log; readonly logs: readonly Log[]; readonly memory: Memory },
  wrap: TransferFact,
): boolean => {
  if (wrapped_native === null || !equalBytes(where.log.address, wrapped_native)) return false;
  where.memory.twins ??= mintsAndBurns(where.logs, wrapped_native);
  const left = where.memory.twins.get(twinKey(wrap)) ?? 0;
  if (left > 0) where.memory.twins.set(twinKey(wrap), left - 1);
  return left === 0;
};

const mintsAndBurns = (logs: readonly Log[], token: Bytes): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const log of logs) {
    if (!equalBytes(log.address, token)) continue;
    for (const found of decodeLog(log)) {
      if (found.fact !== "transfer" || found.kind !== "erc20") continue;
      if (found.source.length > 0 && found.destination.length > 0) continue;
      counts.set(twinKey(found), (counts.get(twinKey(found)) ?? 0) + 1);
    }
  }
  return counts;
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

/** Only the factory that a venue names may speak for it, and only about its own family. */
const withVenue = (venues: BlockScope["venues"], factory: Bytes, { fact: _, ...pool }: PoolFact) => {
  const listed = venues.get(toHex(factory));
  const venue = listed?.family === pool.family ? listed : null;
  return { ...pool, venue: venue?.venue ?? "", fee_ppm: pool.fee_ppm ?? venue?.fee_ppm ?? 0 };
};
