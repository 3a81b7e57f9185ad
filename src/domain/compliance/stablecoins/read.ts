import type { Chain } from "../../../chains/chain.ts";
import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { INTERFACES } from "../../../knowledge/names.gen.ts";
import { powersOf } from "../../../labels/issuers/index.ts";
import { sanctionsOracle } from "../../../labels/sanctions_oracles.ts";
import { concatHex, type Hex } from "../../../lib/bytes.ts";
import { AssayError } from "../../../lib/errors.ts";
import type { PinnedBlock } from "../../../lib/parsed.ts";
import { DAY_S } from "../../../lib/time.ts";
import type { Snapshot } from "../../../store/facts.ts";
import { addressAt, integerAt, selectorOf, wordOf } from "../../abi.ts";
import { readTokenAccounts } from "../../address/freezes/accounts.ts";
import type { FreezeScope } from "../../address/freezes/node_events.ts";
import { type BalanceCheck, checkHoldings, selectCoins } from "../../address/freezes/rows.ts";
import type { CallContext, SnapshotContext } from "../../context.ts";
import { withHashes } from "../../transaction_hashes.ts";
import { type Price, pricesAt } from "../../valuation/prices/price_now.ts";
import { type CoinValuation, type NetworkExposure, readExposure } from "./exposure.ts";
import type { OracleCheck, Powers } from "./report.ts";

/** Results of the check of a wallet on one network. */
export interface NetworkFinding {
  readonly chain: Chain;
  readonly snapshot: Snapshot;
  readonly account: Hex;
  readonly checks: readonly BalanceCheck[];
  readonly prices: ReadonlyMap<Hex, Price>;
  /** Base units burnt of a coin in a transaction, `token:tx_hash`. */
  readonly burnt: ReadonlyMap<string, bigint>;
  readonly exposure: NetworkExposure;
  readonly powers: readonly Powers[];
  readonly oracles: readonly OracleCheck[];
  /** Why transfers are incomplete; empty when they are complete. */
  readonly faults: readonly string[];
}

/** Return data of calls at the place's block; null where the contract rejects the call or no node answers. */
const softCalls = async (scope: SnapshotContext, calls: readonly { readonly to: Hex; readonly data: Hex }[]) => {
  try {
    const results = calls.length === 0 ? [] : await scope.chain.call(calls, scope.signal, scope.snapshot.block.number);
    return calls.map((_, i) => (results[i]?.ok === true ? results[i].data : null));
  } catch (error) {
    if (error instanceof AssayError && error.code === "UPSTREAM_UNAVAILABLE") return calls.map(() => null);
    throw error;
  }
};

/** Powers of the tokens' own authorities; null for a token that no node returned. */
const livePowers = async (scope: SnapshotContext, holder: Hex, coins: readonly IssuerCoin[]) => {
  const tokens = coins.map(({ address }) => address);
  const held = await readTokenAccounts(scope, holder, tokens);
  return coins.map(({ address }) => {
    const powers = held?.get(address)?.powers ?? null;
    if (powers === null) return null;
    const { freeze_authority, permanent_delegate, pause_authority } = powers;
    return {
      freeze: freeze_authority !== null,
      seize_or_destroy: permanent_delegate !== null,
      pause: pause_authority !== null,
      admin: freeze_authority,
    };
  });
};

/** The kinds of the contracts' owners; null for a contract that has none or did not answer. */
const readOwners = async (scope: SnapshotContext, coins: readonly IssuerCoin[]): Promise<readonly (Hex | null)[]> => {
  const said = await softCalls(
    scope,
    coins.map(({ address }) => ({ to: address, data: selectorOf(INTERFACES.ownable.owner) })),
  );
  return said.map((data) => (data === null ? null : addressAt(data, 0)));
};

const readPowers = async (
  scope: SnapshotContext,
  account: Hex,
  coins: readonly IssuerCoin[],
): Promise<readonly Powers[]> => {
  const { chain } = scope;
  const live = chain.can.token_accounts ? await livePowers(scope, account, coins) : [];
  const owners = chain.can.contract_calls ? await readOwners(scope, coins) : [];
  return coins.map((coin, i) => {
    const { admin = owners[i] ?? null, ...told } = live[i] ?? {};
    return {
      symbol: coin.symbol,
      network: chain.network.id,
      contract: chain.formatAddress(coin.address),
      ...powersOf(coin),
      ...told,
      admin: admin === null ? null : chain.formatAddress(admin),
    };
  });
};

const readOracles = async (scope: SnapshotContext, account: Hex): Promise<readonly OracleCheck[]> => {
  const { chain, snapshot } = scope;
  const oracle = sanctionsOracle(chain.network.id);
  if (oracle === null) return [];
  const [said = null] = await softCalls(scope, [
    { to: oracle.address, data: concatHex(selectorOf(oracle.signature), wordOf(account)) },
  ]);
  const value = said === null ? null : integerAt(said, 0);
  return [
    {
      oracle: oracle.name,
      network: chain.network.id,
      contract: chain.formatAddress(oracle.address),
      is_sanctioned: value === null || value > 1n ? null : value === 1n,
      block_number: snapshot.block.number,
    },
  ];
};

/** Burnt amounts where an issuer destroyed funds without naming the amount. */
const readBurnt = async ({ facts, snapshot }: SnapshotContext, account: Hex, checks: readonly BalanceCheck[]) => {
  const mute = checks.flatMap(({ coin, history }) =>
    history
      .filter(({ effect, amount }) => effect === "destroy" && amount === null)
      .map((event) => ({ token: coin.address, ...event })),
  );
  if (mute.length === 0) return new Map<string, bigint>();
  const rows = await facts.ask(snapshot, "stablecoins/burnt", {
    wallet: account,
    tokens: [...new Set(mute.map(({ token }) => token))].sort(),
    blocks: [...new Set(mute.map(({ block_number }) => block_number))].sort((a, b) => a - b),
  });
  const burnt = await withHashes({ facts, snapshot }, rows);
  return new Map(burnt.map(({ token, tx_hash, raw }) => [`${token}:${tx_hash}`, raw]));
};

/** Parts of the window that the index lacks. Block 0 has no transactions. */
const windowFaults = async ({ facts, snapshot }: SnapshotContext, since: number): Promise<readonly string[]> => {
  if (!snapshot.coverage.logs) return ["Token transfers are not indexed."];
  if (snapshot.from_block <= 1) return [];
  const [first] = await facts.ask(snapshot, "block_times", { blocks: [snapshot.from_block] });
  return first === undefined || first.time > since ? [`Blocks before ${snapshot.from_block} are not indexed.`] : [];
};

const valuedOf = (checks: readonly BalanceCheck[], prices: ReadonlyMap<Hex, Price>): readonly CoinValuation[] =>
  checks.map(({ coin, decimals }) => ({ coin, decimals, price: prices.get(coin.address) ?? null }));

/** Checks the wallet on one network, all at one block. */
export const readNetwork = async (
  context: CallContext,
  chain: Chain,
  asked: {
    readonly account: Hex;
    readonly coins: readonly string[] | null;
    readonly lookback_days: number;
    readonly as_of_block: PinnedBlock | null;
  },
): Promise<{ readonly basis: Snapshot; readonly value: NetworkFinding }> => {
  const { facts, signal, operator } = context;
  const { account } = asked;
  const snapshot = await facts.snapshot(chain.network.id, asked.as_of_block);
  const scope: FreezeScope = { facts, chain, snapshot, signal, needs_history: true };
  const coins = selectCoins(chain, asked.coins);
  const tokens = coins.map(({ address }) => address);
  const since = Math.max(0, snapshot.block.time - asked.lookback_days * DAY_S);
  const [checks, prices] = await Promise.all([
    checkHoldings(scope, account, coins),
    pricesAt({ facts, network: chain.network, snapshot }, tokens),
  ]);
  const [exposure, burnt, powers, oracles, window] = await Promise.all([
    readExposure(scope, operator, { wallet: account, since, valued: valuedOf(checks, prices) }),
    readBurnt(scope, account, checks),
    readPowers(scope, account, coins),
    readOracles(scope, account),
    windowFaults(scope, since),
  ]);
  const faults = [...new Set([...exposure.faults, ...window])].map((fault) => `${chain.network.id}: ${fault}`);
  return {
    basis: snapshot,
    value: { chain, snapshot, account, checks, prices, burnt, exposure, powers, oracles, faults },
  };
};
