import { incompleteness, selectCoins, unregistered } from "../../domain/address/freezes/rows.ts";
import { type NetworkFinding, readNetwork } from "../../domain/compliance/stablecoins/read.ts";
import type { Source, Warning } from "../../domain/context.ts";
import { isMany, type NetworkAnswers, queryEachNetwork } from "../../domain/networks.ts";
import { checkIncomplete, data } from "../../lib/outcome.ts";
import { metadataOver } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { answerOf, partialOf } from "./answer.ts";
import { type ComplianceInput, input, METHODOLOGY, output, TYPE } from "./shape.ts";

const unknownCoins = (asked: ComplianceInput, findings: readonly NetworkFinding[]): readonly string[] =>
  (asked.stablecoins ?? []).filter((name) => findings.every(({ chain }) => selectCoins(chain, [name]).length === 0));

/** Why the answer would be a guess, as sentences; empty when every check was made. */
const problemsOf = (asked: ComplianceInput, spread: NetworkAnswers<NetworkFinding>): readonly string[] => {
  const findings = spread.answered.map(({ value }) => value);
  const checks = findings.flatMap((finding) => finding.checks);
  const failed = incompleteness(checks, spread.failed);
  const sanctions = findings.flatMap(({ exposure }) => exposure.sanctions.problem ?? []);
  const unknown = unknownCoins(asked, findings);
  return [
    ...(failed === null ? [] : [failed]),
    ...new Set(sanctions),
    ...findings.flatMap(({ faults }) => faults),
    ...(unknown.length > 0 ? ["A requested coin is not registered on the requested networks."] : []),
    ...(checks.length === 0 ? ["No coin is registered on the requested networks, so nothing was checked."] : []),
  ];
};

const sourcesOf = (findings: readonly NetworkFinding[]): readonly Source[] => [
  ...new Map(
    findings.flatMap(({ exposure }) => exposure.sanctions.sources.map((source) => [source.id, source] as const)),
  ).values(),
];

/** An oracle is a second opinion: when it is silent, the answer warns and does not change. */
const oracleWarnings = (findings: readonly NetworkFinding[]): readonly Warning[] =>
  findings
    .filter(({ oracles }) => oracles.some(({ is_sanctioned }) => is_sanctioned === null))
    .map(({ chain }) => ({
      code: "ORACLE_SILENT",
      message: `The sanctions oracle on ${chain.network.id} did not answer; the lists were checked without it.`,
    }));

const unpricedWarnings = (findings: readonly NetworkFinding[]): readonly Warning[] => {
  const names = findings.flatMap(({ checks, prices, chain }) =>
    checks.filter(({ coin }) => !prices.has(coin.address)).map(({ coin }) => `${coin.symbol} on ${chain.network.id}`),
  );
  if (names.length === 0) return [];
  return [
    { code: "COINS_WITHOUT_PRICE", message: `These coins have no price and are not valued: ${names.join(", ")}.` },
  ];
};

export const getWalletStablecoinCompliance = defineTool({
  name: "get_wallet_stablecoin_compliance",
  title: "Stablecoin compliance of a wallet",
  description:
    "Compliance check of a wallet for regulated stablecoins: current and former freezes, destroyed balances, transfers with frozen and sanctioned counterparties, sanctions lists, issuers' powers, and a verdict that is `clear` only when every check succeeded. Use it to decide whether to accept stablecoins from a wallet; is_address_blacklisted_by_stablecoin only says whether an issuer froze it.",
  credits: 40,
  families: ["evm", "solana", "tron"],
  input,
  output,
  subjects: ["address"],
  example: { address: DEMO_EXAMPLES.frozen_wallet, network: "all" },
  check: ({ as_of_block, network }) =>
    typeof as_of_block === "number" && isMany(network) ? "as_of_block requires a single network." : null,
  run: async (asked, context) => {
    const { address, network, stablecoins, lookback_days, as_of_block } = asked;
    const spread = await queryEachNetwork({ network, address }, context, (chain, account) =>
      readNetwork(context, chain, {
        account,
        coins: stablecoins ?? null,
        lookback_days,
        as_of_block: as_of_block ?? null,
      }),
    );
    const findings = spread.answered.map(({ value }) => value);
    const metadata = metadataOver({ network }, spread, {
      echo: { address: address.text },
      methodology: METHODOLOGY,
      sources: sourcesOf(findings),
      warnings: [
        ...(stablecoins === undefined ? findings.flatMap(({ chain }) => unregistered(chain)) : []),
        ...unpricedWarnings(findings),
        ...oracleWarnings(findings),
      ],
    });
    const answer = answerOf(findings);
    const problems = problemsOf(asked, spread);
    if (problems.length === 0) return data({ type: TYPE, ...answer, metadata });
    const partial = { type: TYPE, ...partialOf(answer) };
    return checkIncomplete({ message: problems.join(" "), metadata, partial });
  },
  view: {
    members:
      "verdict verdict_reasons is_frozen_any frozen_value_usd sanctions holdings freeze_history counterparty_exposure checks token_powers",
    drawn: {
      verdict_reasons: { is: "alerts" },
      "sanctions.matches": { is: "alerts" },
      "sanctions.oracle_checks": { is: "alerts" },
      holdings: "symbol network balance value_usd is_frozen frozen_since can_issuer_freeze contract",
      freeze_history: "timestamp symbol network event amount tx_hash",
      checks: "symbol network status reason method",
      token_powers: "symbol network freeze seize_or_destroy pause upgradeable admin contract",
    },
  },
});
