import type { Hex } from "../../../lib/bytes.ts";
import type { QueryRow } from "../../../store/facts.ts";
import { contractsAmong, labelsOf, type Party } from "../../address/identity/parties.ts";
import type { SnapshotContext } from "../../context.ts";
import { withHashes } from "../../transaction_hashes.ts";
import type { DeveloperMarket } from "./markets.ts";

/** Wallets that act with a developer. */

export type Relation = "developer" | "owner" | "first_funder" | "funded_before_launch" | "received_before_trade";

/** Maximum number of wallets per developer, and of receivers per token. */
const FUNDED_MAX = 200;
const RECEIVERS_MAX = 100;

/** Labels of services with many users: sharing one with a developer proves nothing. */
const SERVICES: readonly string[] = [
  "exchange",
  "exchange_deposit",
  "dex",
  "lending",
  "bridge",
  "mixer",
  "payment",
  "burn",
  "locker",
  "launchpad",
  "miner_validator",
  "multisig",
  "token_contract",
];

/** A token and the start of its trading; null = it never traded. */
export interface TokenLaunch {
  readonly token: Hex;
  /** Block of its first pool. */
  readonly launch_block: number | null;
  /** Block of its first swap. */
  readonly first_trade_block: number | null;
  readonly pools: readonly Hex[];
}

/** First trade of each pool. */
export type FirstTrades = ReadonlyMap<Hex, QueryRow<"developer/trades">>;

const firstOf = (numbers: readonly number[]): number | null => (numbers.length === 0 ? null : Math.min(...numbers));

/** A token with its pools and its first blocks. */
export const launchedOf = (token: Hex, markets: readonly DeveloperMarket[], trades: FirstTrades): TokenLaunch => {
  const pools = markets.filter((market) => market.token === token).map(({ pool }) => pool);
  return {
    token,
    pools: pools.map(({ pool }) => pool),
    launch_block: firstOf(pools.flatMap(({ created_block }) => created_block ?? [])),
    first_trade_block: firstOf(pools.flatMap(({ pool }) => trades.get(pool)?.first_block ?? [])),
  };
};

export interface Developer {
  readonly wallet: Hex;
  readonly funding: (QueryRow<"developer/funders"> & { readonly tx_hash: Hex }) | null;
}

export const readDeveloper = async ({ facts, snapshot }: SnapshotContext, wallet: Hex): Promise<Developer> => {
  const [funding = null] = await withHashes(
    { facts, snapshot },
    await facts.ask(snapshot, "developer/funders", { wallet }),
  );
  return { wallet, funding };
};

/** By token: wallet -> its relation. The developer is always included. */
export type LinkedWallets = ReadonlyMap<Hex, ReadonlyMap<Hex, Relation>>;

interface LinkCandidates {
  readonly funder: Hex | null;
  readonly funded: readonly QueryRow<"developer/funded">[];
  readonly receivers: readonly QueryRow<"developer/receivers">[];
  readonly owners: readonly QueryRow<"developer/owners">[];
}

const readCandidates = async (scope: SnapshotContext, { wallet, funding }: Developer, tokens: readonly Hex[]) => {
  const { facts, snapshot } = scope;
  const [funded, receivers, owners] = await Promise.all([
    facts.ask(snapshot, "developer/funded", { wallet, limit: FUNDED_MAX }),
    facts.ask(snapshot, "developer/receivers", { tokens: [...tokens], wallet, limit: RECEIVERS_MAX }),
    facts.ask(snapshot, "developer/owners", { contracts: [...tokens] }),
  ]);
  return { funder: funding === null || funding.funder === "" ? null : funding.funder, funded, receivers, owners };
};

const isService = ({ tags }: Party): boolean => (tags ?? []).some((tag) => SERVICES.includes(tag));

/** Candidates that are people: neither a contract nor a known service. A candidate of unknown kind is left out. */
const peopleAmong = async (scope: SnapshotContext, wallets: readonly Hex[]): Promise<ReadonlySet<Hex>> => {
  const [contracts, labels] = await Promise.all([
    contractsAmong(scope, wallets),
    labelsOf(scope.facts, scope.snapshot, wallets),
  ]);
  const people = wallets.filter((wallet) => {
    const party = labels.get(wallet);
    return contracts.get(wallet) === false && (party === undefined || !isService(party));
  });
  return new Set(await walletsAmong(scope, people));
};

/**
 * Where balances are separate accounts, most accounts without code are not wallets: mints, holdings, a program's own.
 */
const walletsAmong = async ({ chain, signal }: SnapshotContext, addresses: readonly Hex[]): Promise<readonly Hex[]> => {
  if (!chain.can.token_accounts) return addresses;
  const keyed = addresses.filter((address) => chain.mayHaveKey(address));
  const states = await Promise.all(keyed.map((address) => chain.describe?.(address, signal)));
  return keyed.filter((_, i) => states[i]?.kind === "eoa");
};

/** The closest relation of a wallet comes last and wins. */
const linkedOf = (
  { token, launch_block, first_trade_block }: TokenLaunch,
  wallet: Hex,
  { funder, funded, receivers, owners }: LinkCandidates,
): readonly (readonly [Hex, Relation])[] => {
  const before = (block: number, limit: number | null): boolean => limit === null || block < limit;
  // Any wallet may cause a mint once the token has a pool; only the developer causes the developer's transfers.
  const distributedUntil = (is_minted: boolean): number | null =>
    is_minted ? launch_block : (first_trade_block ?? launch_block);
  const owner = owners.find(({ contract }) => contract === token)?.owner ?? "";
  return [
    ...(funder === null ? [] : [[funder, "first_funder"] as const]),
    ...funded
      .filter(({ first_block }) => before(first_block, launch_block))
      .map(({ peer }) => [peer, "funded_before_launch"] as const),
    ...receivers
      .filter((row) => row.token === token && before(row.first_block, distributedUntil(row.is_minted === 1)))
      .map(({ receiver }) => [receiver, "received_before_trade"] as const),
    ...(owner === "" ? [] : [[owner, "owner"] as const]),
    [wallet, "developer"],
  ];
};

/** Wallets linked to the developer of these tokens, per token, and owners by the newest events of the tokens. */
export const readLinked = async (
  scope: SnapshotContext,
  developer: Developer,
  tokens: readonly TokenLaunch[],
): Promise<{ readonly linked: LinkedWallets; readonly owners: ReadonlyMap<Hex, Hex> }> => {
  const { wallet } = developer;
  const candidates = await readCandidates(
    scope,
    developer,
    tokens.map(({ token }) => token),
  );
  const all = tokens.map((launched) => ({ launched, found: linkedOf(launched, wallet, candidates) }));
  const wallets = [...new Set(all.flatMap(({ found }) => found.map(([address]) => address)))].sort();
  const people = await peopleAmong(scope, wallets);
  return {
    linked: new Map(
      all.map(({ launched, found }) => [
        launched.token,
        // The developer counts regardless of its kind: it made the token.
        new Map(found.filter(([address]) => address === wallet || people.has(address))),
      ]),
    ),
    owners: new Map(candidates.owners.map(({ contract, owner }) => [contract, owner])),
  };
};
