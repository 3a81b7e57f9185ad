import type { Log, Transaction } from "../chains/chain.ts";
import { type Bytes, EMPTY, equalBytes, type Hex, toHex } from "../lib/bytes.ts";
import { decodeLog } from "../protocols/index.ts";
import type { DestructionFact, Fact, LiquidityFact, PoolFact, TransferFact } from "../protocols/protocol.ts";
import { type BlockScope, LOG_POSITION, placeOf, pushTransfer } from "./decode_scope.ts";

/** What is remembered from log to log of one transaction. */
interface Memory {
  /** Mints and burns told by a token's Transfers, counted, by token; filled when a wrap or a destruction asks. */
  readonly twins: Map<Hex, Map<string, number>>;
  /** Newest mint and newest burn of every token so far. */
  readonly minted: Map<Hex, TransferFact>;
  readonly burnt: Map<Hex, TransferFact>;
}

/** The facts that the logs of one transaction carry. */
export const decodeLogs = (scope: BlockScope, transaction: Transaction): void => {
  if (transaction.logs.length === 0) return;
  const memory: Memory = { twins: new Map(), minted: new Map(), burnt: new Map() };
  for (const log of transaction.logs) {
    for (const said of decodeLog(log)) {
      const found = said.fact === "destruction" ? asTransfer(said) : said;
      if (found.fact !== "transfer") {
        pushFact(scope, { log, transaction, memory }, found);
        continue;
      }
      if (found.kind === "wrap" && !isOwnWrap(scope, log)) continue;
      const is_second = found.kind === "wrap" || said.fact === "destruction";
      if (is_second && isToldByTransfer({ log, transaction, memory }, found)) continue;
      remember(memory, log.address, found);
      pushTransfer(scope, transaction, {
        position: LOG_POSITION + log.index,
        kind: found.kind,
        token: log.address,
        token_id: found.token_id,
        source: found.source,
        destination: found.destination,
        amount: found.amount,
      });
    }
  }
};

interface LogPlace {
  readonly log: Log;
  readonly transaction: Transaction;
  readonly memory: Memory;
}

const asTransfer = ({ holder, amount }: DestructionFact): TransferFact => ({
  fact: "transfer",
  kind: "erc20",
  token_id: 0n,
  source: holder,
  destination: EMPTY,
  amount,
});

type OtherFact = Exclude<Fact, TransferFact | DestructionFact>;

const pushFact = (scope: BlockScope, place: LogPlace, found: OtherFact): void => {
  const { rows, venues } = scope;
  const { log, transaction, memory } = place;
  const address = log.address;
  const trader = transaction.sender;
  const at = { ...placeOf(scope, transaction), log_index: log.index };
  switch (found.fact) {
    case "owner_supply":
      rows.owner_supplies.push({ ...at, token: address, sender: trader });
      return;
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

const isOwnWrap = ({ wrapped_native }: BlockScope, log: Log): boolean =>
  wrapped_native !== null && equalBytes(log.address, wrapped_native);

/**
 * Some wrapped coins emit Transfer beside Deposit or Withdrawal, some issuers beside their own destruction event: one
 * movement told twice. Each Transfer excuses one.
 */
const isToldByTransfer = ({ log, transaction, memory }: LogPlace, movement: TransferFact): boolean => {
  const token = toHex(log.address);
  const twins = memory.twins.get(token) ?? mintsAndBurns(transaction.logs, log.address);
  memory.twins.set(token, twins);
  const left = twins.get(twinKey(movement)) ?? 0;
  if (left > 0) twins.set(twinKey(movement), left - 1);
  return left > 0;
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
