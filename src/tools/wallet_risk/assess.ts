import { unknownAddress } from "../../domain/absences.ts";
import { freezesOf, problemsOf, sanctionsOf, sourcesOf } from "../../domain/compliance/risk/checks.ts";
import { RISK_MODEL_ID } from "../../domain/compliance/risk/model.ts";
import { withPathNames } from "../../domain/compliance/risk/path_names.ts";
import { type NetworkRisk, type NetworkRiskQuery, readNetworkRisk } from "../../domain/compliance/risk/read.ts";
import { combine, isKnown, unpricedTransfers, type WalletRisk } from "../../domain/compliance/risk/wallet_risk.ts";
import type { CallContext } from "../../domain/context.ts";
import { type NetworkQuery, queryEachNetwork } from "../../domain/networks.ts";
import { emptyOutcome, type Outcome } from "../../lib/outcome.ts";
import { metadataOver } from "../metadata.ts";

export interface RiskQuery {
  readonly asked: NetworkQuery & NetworkRiskQuery;
  readonly context: CallContext;
  readonly type: string;
  /** The answer shows paths of the money, so primary names of their addresses are read. */
  readonly is_named?: boolean;
}

/** The assessment with the answer's metadata and its networks, or the outcome that replaces it. */
export type RiskAssessment =
  | { readonly outcome: Outcome<never> }
  | {
      readonly outcome: null;
      readonly risk: WalletRisk;
      readonly networks: readonly NetworkRisk[];
      readonly metadata: ReturnType<typeof describe>;
    };

const describe = (asked: NetworkQuery, spread: Awaited<ReturnType<typeof readAll>>) => {
  const networks = spread.answered.map(({ value }) => value);
  return metadataOver(asked, spread, {
    echo: { address: asked.address.text },
    methodology: RISK_MODEL_ID,
    sources: sourcesOf(networks.map(({ checks }) => checks)),
    warnings: [...networks.flatMap(({ warnings }) => warnings), ...unpricedTransfers(networks)],
  });
};

const readAll = ({ asked, context }: RiskQuery) =>
  queryEachNetwork(asked, context, (chain, wallet) => readNetworkRisk(context, asked, [chain, wallet]));

/** Reads of every network, and the faults of the compliance checks. */
export const readRisk = async (question: RiskQuery) => {
  const spread = await readAll(question);
  const networks = spread.answered.map(({ value }) => value);
  const problems = [
    ...spread.failed.map(({ chain, error }) => `${chain.network.id} could not be read (${error.code}).`),
    ...problemsOf(networks.map(({ checks }) => checks)),
  ];
  return { spread, networks, problems };
};

/** Judges a wallet on every network of the call. Fails closed: without complete checks there is no score. */
export const assessWallet = async (question: RiskQuery): Promise<RiskAssessment> => {
  const { asked, type } = question;
  const { spread, networks, problems } = await readRisk(question);
  const metadata = describe(asked, spread);
  const checks = networks.map((network) => network.checks);
  if (problems.length > 0) {
    const partial = { type, sanctions: sanctionsOf(checks), stablecoin_freezes: freezesOf(checks) };
    const message = `The compliance checks are incomplete: ${problems.join(" ")}`;
    return { outcome: { kind: "error", code: "CHECK_INCOMPLETE", message, metadata, partial } };
  }
  if (!networks.some(isKnown)) {
    const is_covered = networks.every(({ history }) => history.gaps.length === 0);
    return { outcome: emptyOutcome({ type, metadata }, unknownAddress(spread, "wallet"), is_covered) };
  }
  const shown = question.is_named === true ? await Promise.all(networks.map(withPathNames)) : networks;
  return { outcome: null, risk: combine(shown), networks, metadata };
};
