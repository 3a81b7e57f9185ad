/** Freezes in force of many accounts, where the network is read on demand: by the contracts' own views, and by events without one. */
import type { IssuerCoin } from "../../../knowledge/issuer.ts";
import { canFreeze, issuerCoins } from "../../../labels/issuers/index.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { SnapshotContext } from "../../context.ts";
import { type FreezeEvent, readFreezeEvents } from "./events.ts";
import { needsEvents } from "./node_events.ts";
import { readViews } from "./views.ts";

/** Accounts of one reading: each takes two calls for each coin. */
const ACCOUNTS_MAX = 1_000;
/** Calls of one request to a node. */
const ACCOUNTS_AT_ONCE = 100;

interface PresentFreeze {
  readonly account: Hex;
  readonly coin: IssuerCoin;
  /** The event of it; null: the coin's view says so. */
  readonly since: FreezeEvent | null;
}

interface PresentFreezes {
  readonly frozen: readonly PresentFreeze[];
  /** Accounts of which no trusted view answers for some coin. */
  readonly unknown: readonly Hex[];
}

const readPart = async (
  scope: SnapshotContext,
  accounts: readonly Hex[],
  coins: readonly IssuerCoin[],
): Promise<PresentFreezes> => {
  const asked = accounts.flatMap((account) => coins.map((coin) => ({ account, coin, witness: null })));
  const says = await readViews(scope, asked);
  const answers = asked.map((one, i) => ({ ...one, said: says[i] }));
  return {
    frozen: answers.flatMap(({ account, coin, said }) =>
      said?.kind === "said" && said.is_frozen ? [{ account, coin, since: null }] : [],
    ),
    unknown: answers.flatMap(({ account, said }) =>
      said?.kind === "said" || said?.kind === "absent" ? [] : [account],
    ),
  };
};

/** At the snapshot's block. Where accounts hold tokens in accounts of their own, no view says it. */
export const readPresentFreezes = async (scope: SnapshotContext, accounts: readonly Hex[]): Promise<PresentFreezes> => {
  const all = issuerCoins(scope.chain.network).filter(canFreeze);
  if (all.length === 0) return { frozen: [], unknown: [] };
  if (!scope.chain.can.contract_calls) return { frozen: [], unknown: accounts };
  const coins = all.filter((coin) => !needsEvents(scope, coin));
  const { standings, fault } = await readFreezeEvents(
    scope,
    accounts,
    all.filter((coin) => needsEvents(scope, coin)),
  );
  const frozen: PresentFreeze[] = standings.flatMap(({ account, coin, frozen_since: since }) =>
    since === null ? [] : [{ account, coin, since }],
  );
  const has_fault = [...fault.values()].some((one) => one !== null);
  const unknown = new Set(has_fault ? accounts : accounts.slice(ACCOUNTS_MAX));
  for (let at = 0; at < Math.min(accounts.length, ACCOUNTS_MAX); at += ACCOUNTS_AT_ONCE) {
    const part = accounts.slice(at, Math.min(at + ACCOUNTS_AT_ONCE, ACCOUNTS_MAX));
    const found = await readPart(scope, part, coins);
    frozen.push(...found.frozen);
    for (const account of found.unknown) unknown.add(account);
  }
  return { frozen, unknown: [...unknown] };
};
