import { DAY_S, iso } from "../../../lib/time.ts";
import type { RiskEvidence } from "./address_risks.ts";
import { addressRiskIn } from "./address_risks.ts";
import type { NetworkRisk } from "./read.ts";
import type { FreezesFinding, PositiveFactor, SanctionsFinding } from "./report.ts";

const ESTABLISHED_DAYS = 180;
/** Part of the income that came from labelled exchanges. */
const EXCHANGE_RATIO_MIN = 0.5;
const EVIDENCE_MAX = 10;

const knownService = (networks: readonly NetworkRisk[], is_service: boolean): readonly PositiveFactor[] => {
  const evidence = networks.flatMap(({ mark }) => (mark.service === null ? [] : [mark.service]));
  return is_service
    ? [{ code: "known_service", description: "Labelled as an exchange's hot wallet or a protocol.", evidence }]
    : [];
};

const established = (networks: readonly NetworkRisk[]): readonly PositiveFactor[] => {
  const seen = networks.filter(({ walk }) => walk.first !== null);
  const first = seen
    .map(({ walk, scope }) => ({ scope, transfer: walk.first }))
    .sort((a, b) => (a.transfer?.time ?? 0) - (b.transfer?.time ?? 0))[0];
  if (first === undefined || first.transfer === null) return [];
  const days = Math.floor((first.scope.snapshot.block.time - first.transfer.time) / DAY_S);
  if (days < ESTABLISHED_DAYS) return [];
  const evidence: RiskEvidence = {
    kind: "tx",
    ref: first.scope.chain.formatHash(first.transfer.tx_hash),
    observed_at: iso(first.transfer.time),
  };
  return [
    {
      code: "established_wallet",
      description: `Seen for ${days} days.`,
      evidence: first.transfer.tx_hash === "" ? [] : [evidence],
    },
  ];
};

const fundedByExchanges = (networks: readonly NetworkRisk[]): readonly PositiveFactor[] => {
  const income = networks.flatMap((from) =>
    from.walk.moves
      .filter(({ destination }) => destination === from.wallet)
      .map((move) => ({ from, move, mark: addressRiskIn(from.walk.marks, move.source) })),
  );
  const total = income.reduce((sum, { move }) => sum + move.usd, 0);
  const part = income.reduce((sum, { move, mark }) => sum + (mark.is_exchange ? move.usd : 0), 0);
  if (total <= 0 || part / total < EXCHANGE_RATIO_MIN) return [];
  const paid = networks
    .flatMap((from) => from.walk.paid.map((move) => ({ from, move })))
    .sort((a, b) => b.move.usd - a.move.usd);
  return [
    {
      code: "funded_by_exchanges",
      description: `${Math.floor((100 * part) / total)} % of the incoming value came from labelled exchanges.`,
      evidence: paid.slice(0, EVIDENCE_MAX).map(({ from, move }) => ({
        kind: "tx",
        ref: from.scope.chain.formatHash(move.tx_hash),
        observed_at: iso(move.time),
      })),
    },
  ];
};

const notSanctioned = (networks: readonly NetworkRisk[], { listed, lists_checked }: SanctionsFinding) => {
  const [first] = networks;
  if (listed || first === undefined || lists_checked.length === 0) return [];
  const observed_at = iso(first.scope.snapshot.block.time);
  const evidence = lists_checked.map(({ id, version }) => ({
    kind: "list" as const,
    ref: `${id}@${version}`,
    observed_at,
  }));
  return [{ code: "not_sanctioned" as const, description: "On none of the checked sanctions lists.", evidence }];
};

const notFrozen = (networks: readonly NetworkRisk[], { ever_frozen }: FreezesFinding): readonly PositiveFactor[] => {
  const evidence = networks.flatMap(({ checks, scope }) =>
    checks.coins
      .filter(({ status }) => status === "ok")
      .map(({ coin, checked_block }) => ({
        kind: "call" as const,
        ref: `${coin.symbol} ${scope.chain.formatAddress(coin.address)} at block ${checked_block}`,
        observed_at: iso(scope.snapshot.block.time),
      })),
  );
  if (ever_frozen || evidence.length === 0) return [];
  const description = `Never frozen by the issuers of the ${evidence.length} checked stablecoins.`;
  return [{ code: "not_frozen", description, evidence: evidence.slice(0, EVIDENCE_MAX) }];
};

export interface PositiveFacts {
  readonly networks: readonly NetworkRisk[];
  readonly is_service: boolean;
  readonly sanctions: SanctionsFinding;
  readonly freezes: FreezesFinding;
}

/**
 * Mitigating facts about the wallet, in a fixed order. They explain, and do not lower the score (a service's cap does).
 */
export const positivesOf = ({ networks, is_service, sanctions, freezes }: PositiveFacts): PositiveFactor[] => [
  ...knownService(networks, is_service),
  ...established(networks),
  ...fundedByExchanges(networks),
  ...notSanctioned(networks, sanctions),
  ...notFrozen(networks, freezes),
];
