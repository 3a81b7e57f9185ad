import type { Hex } from "../../../lib/bytes.ts";
import { iso } from "../../../lib/time.ts";
import { type CoinCheck, checkFreezes } from "../../address/freezes/freezes.ts";
import { checkSanctions, type SanctionsCheck, type SanctionsMatch } from "../../address/sanctions/sanctions.ts";
import type { Source } from "../../context.ts";
import {
  type CategoryHit,
  frozenHit,
  type RiskEvidence,
  type RiskScope,
  sanctionHit,
  viewedFreezeHit,
} from "./address_risks.ts";
import type { FreezesFinding, SanctionsFinding } from "./report.ts";

/** Results of the official checks of the wallet itself on one network. */
export interface OfficialChecks {
  readonly sanctions: SanctionsCheck;
  readonly matches: readonly SanctionsMatch[];
  readonly delisted: readonly SanctionsMatch[];
  readonly coins: readonly CoinCheck[];
  readonly sight: RiskScope;
}

export const readChecks = async (sight: RiskScope, wallet: Hex): Promise<OfficialChecks> => {
  const { scope, operator } = sight;
  const { facts, snapshot, chain } = scope;
  const [sanctions, coins] = await Promise.all([
    checkSanctions({ facts, snapshot, family: chain.network.family, operator }, [wallet]),
    checkFreezes(scope, wallet),
  ]);
  return {
    sanctions,
    matches: sanctions.matches.get(wallet) ?? [],
    delisted: sanctions.delisted.get(wallet) ?? [],
    coins,
    sight,
  };
};

/** Reasons why the checks are incomplete; empty when they are complete. */
export const problemsOf = (checks: readonly OfficialChecks[]): readonly string[] => [
  ...new Set(checks.flatMap(({ sanctions }) => (sanctions.problem === null ? [] : [sanctions.problem]))),
  ...checks.flatMap(({ coins, sight }) =>
    coins
      .filter(({ status }) => status === "failed")
      .map(({ coin, reason }) => `${coin.symbol} on ${sight.scope.chain.network.id}: ${reason ?? "not checked."}`),
  ),
];

const timeOf = ({ sight }: OfficialChecks): string => iso(sight.scope.snapshot.block.time);

const historyOf = ({ sight }: OfficialChecks, { history }: CoinCheck): readonly RiskEvidence[] =>
  history.map(({ tx_hash, time }) => ({
    kind: "tx",
    ref: sight.scope.chain.formatHash(tx_hash),
    observed_at: iso(time),
  }));

/** Sanctions and freezes of the wallet itself. */
export const officialHits = (checks: OfficialChecks): readonly CategoryHit[] => [
  ...checks.matches.map((match) => sanctionHit(match, timeOf(checks))),
  ...checks.coins.flatMap(({ is_frozen, frozen_since, coin }): readonly CategoryHit[] => {
    if (is_frozen !== true) return [];
    const { scope } = checks.sight;
    return [frozen_since === null ? viewedFreezeHit(scope, coin) : frozenHit(scope, frozen_since)];
  }),
];

const findingOf = (match: SanctionsMatch, observed_at: string): SanctionsFinding["matches"][number] => ({
  ...match,
  evidence: [...sanctionHit(match, observed_at).evidence],
});

/** One row for each entry: an EVM address is listed on every EVM network at once. */
const distinct = (all: readonly OfficialChecks[], of: (checks: OfficialChecks) => readonly SanctionsMatch[]) => {
  const found = new Map<string, SanctionsFinding["matches"][number]>();
  for (const checks of all) {
    for (const match of of(checks)) {
      const key = JSON.stringify(match);
      if (!found.has(key)) found.set(key, findingOf(match, timeOf(checks)));
    }
  }
  return [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, finding]) => finding);
};

export const sanctionsOf = (all: readonly OfficialChecks[]): SanctionsFinding => {
  const matches = distinct(all, (checks) => checks.matches);
  const lists = new Map(all.flatMap(({ sanctions }) => sanctions.lists.map((list) => [list.id, list] as const)));
  return {
    listed: matches.length > 0,
    matches,
    formerly_listed: distinct(all, (checks) => checks.delisted),
    lists_checked: [...lists.values()].sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
};

export const freezesOf = (all: readonly OfficialChecks[]): FreezesFinding => {
  const coins = all.flatMap((checks) =>
    checks.coins.flatMap((check): FreezesFinding["coins"] => {
      if (check.status === "not_supported") return [];
      const evidence = [...historyOf(checks, check)];
      if (evidence.length === 0 && check.is_frozen !== true && check.status === "ok") return [];
      const { chain } = checks.sight.scope;
      const { coin, is_frozen, status } = check;
      const contract = chain.formatAddress(coin.address);
      return [{ network: chain.network.id, symbol: coin.symbol, contract, is_frozen, status, evidence }];
    }),
  );
  return {
    frozen_now: coins.some(({ is_frozen }) => is_frozen === true),
    ever_frozen: coins.some(({ is_frozen, evidence }) => is_frozen === true || evidence.length > 0),
    coins_checked: all.flatMap((checks) => checks.coins).filter(({ status }) => status === "ok").length,
    coins,
  };
};

/** The lists that were checked, each once. */
export const sourcesOf = (all: readonly OfficialChecks[]): readonly Source[] => {
  const sources = new Map(all.flatMap(({ sanctions }) => sanctions.sources.map((one) => [one.id, one] as const)));
  return [...sources.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
};
