import type { ContractCall } from "../../../chains/chain.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { concatHex, type Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import { isWord } from "../../../lib/wide.ts";
import { selectorOf, wordOf } from "../../abi.ts";
import { contractsAmong } from "../../address/identity/parties.ts";
import type { SnapshotContext } from "../../context.ts";
import { isContract } from "../../valuation/prices/pool_family.ts";
import { largestHolders } from "../holders/largest.ts";
import { type PoolPayment, simulatePayments } from "../simulation/approved_transfers.ts";
import type { LinkedWallets } from "./linked_wallets.ts";
import type { DeveloperMarket, MarketState } from "./markets.ts";
import { RUG_RULES } from "./rug_outcomes.ts";

/** Whether strangers could still sell: the node simulates their transfer into the pool. */

const HOLDERS_MAX = 10;
/** Part of the balance to transfer, so that limits per transfer do not look like a trap. */
export const TRANSFER_PART = 10n;
const TRANSFER = selectorOf(INTERFACES.erc20.transfer);

/** The call succeeded and did not return `false`, as some tokens do instead of reverting. */
const isTransferred = ({ ok, data }: { ok: boolean; data: Uint8Array }): boolean =>
  ok && (data.length < 32 || data.some((byte) => byte !== 0));

/**
 * Whether each payment into a pool arrives, by a transfer or as a router makes it. Undefined where the node gave no result.
 */
export const payPools = async (
  { chain, snapshot, signal }: SnapshotContext,
  payments: readonly PoolPayment[],
): Promise<readonly (boolean | undefined)[]> => {
  if (payments.length === 0) return [];
  const { number, time } = snapshot.block;
  const calls = payments.map(
    ({ token, from, pool, amount }): ContractCall => ({
      ...{ to: token, from, data: concatHex(TRANSFER, wordOf(pool), wordOf(amount)) },
    }),
  );
  const results = await chain.call(calls, signal, number);
  const rejected = payments.filter((_, i) => results[i] !== undefined && !isTransferred(results[i]));
  const ground = { chain, block: { number, time }, signal };
  const approved = rejected.length === 0 ? [] : ((await simulatePayments(ground, rejected)) ?? []);
  const arrives = new Map(rejected.map((payment, i) => [payment, approved[i] ?? false]));
  return payments.map((payment, i) => (results[i] === undefined ? undefined : (arrives.get(payment) ?? true)));
};

export interface DeveloperReplay {
  readonly tested: number;
  readonly failed: number;
}

/** Holders without code and without a link to the developer, the largest of each token first. */
const outsideHoldersOf = async (
  scope: SnapshotContext,
  markets: readonly DeveloperMarket[],
  linked: LinkedWallets,
): Promise<readonly PoolPayment[]> => {
  const tokens = markets.map(({ token }) => token);
  const holders = await largestHolders(scope, tokens, { limit: 3 * HOLDERS_MAX });
  const strangers = holders.filter(
    ({ token, holder, amount }) => !linked.get(token)?.has(holder) && amount >= TRANSFER_PART && isWord(amount),
  );
  const contracts = await contractsAmong(
    scope,
    strangers.map(({ holder }) => holder),
  );
  return markets.flatMap(({ token, pool }) =>
    strangers
      .filter((one) => one.token === token && contracts.get(one.holder) === false)
      .slice(0, HOLDERS_MAX)
      .map(({ holder, amount }) => ({ token, from: holder, pool: pool.pool, amount: amount / TRANSFER_PART })),
  );
};

interface ReplayQuery {
  readonly markets: readonly DeveloperMarket[];
  readonly states: ReadonlyMap<Hex, MarketState>;
  readonly linked: LinkedWallets;
}

/**
 * Results by token, for tokens that still have a market. A token is absent when the node does not answer or lacks the
 * state.
 */
export const readReplays = async (
  scope: SnapshotContext,
  { markets, states, linked }: ReplayQuery,
): Promise<ReadonlyMap<Hex, DeveloperReplay>> => {
  const { chain } = scope;
  // Tokens can only be sent to a pool that is a contract.
  const contracts = markets.filter(({ pool }) => isContract(pool.family));
  const open = contracts.filter(
    ({ token }, i) =>
      (states.get(token)?.depth_usd ?? 0) >= RUG_RULES.depth_usd_min &&
      contracts.findIndex((market) => market.token === token) === i,
  );
  if (open.length === 0 || !chain.can.archive) return new Map();
  try {
    const tried = await outsideHoldersOf(scope, open, linked);
    const results = await payPools(scope, tried);
    // A market without outside holders keeps no holder from selling.
    const replays = new Map<Hex, DeveloperReplay>(open.map(({ token }) => [token, { tested: 0, failed: 0 }]));
    for (const [i, { token }] of tried.entries()) {
      const result = results[i];
      if (result === undefined) continue;
      const { tested, failed } = replays.get(token) ?? { tested: 0, failed: 0 };
      replays.set(token, { tested: tested + 1, failed: failed + (result ? 0 : 1) });
    }
    return replays;
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return new Map();
    throw error;
  }
};
