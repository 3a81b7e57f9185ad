import { noContracts } from "../../domain/absences.ts";
import type { SnapshotContext, Warning } from "../../domain/context.ts";
import { gapOf } from "../../domain/token/contracts/verified_sources.ts";
import { CODE_READS_MAX, type DeployedPage, readDeployedPage } from "../../domain/token/developer/deployed/page.ts";
import type { DeployedContract } from "../../domain/token/developer/deployed/rows.ts";
import { HOLDERS_UNREAD, SUMS_REASON } from "../../domain/token/holders/sums.ts";
import { data, emptyOutcome } from "../../lib/outcome.ts";
import { isBeyond } from "../../lib/page.ts";
import { metadataFor } from "../metadata.ts";
import { DEMO_EXAMPLES, defineTool } from "../tool.ts";
import { type DeployedContractsOutput, input, output, TYPE } from "./shape.ts";

const METHODOLOGY = "deployed-contracts@2+rug-outcome@2";

const CODE_UNREAD = "the code was destroyed, or no node of this network answered";

/** Code fields do not apply to families whose contracts answer no calls. */
const NO_CODE = "programs of this network store their code in another account, and tokens have none";
const CODE_FIELDS = ["is_verified", "is_proxy", "code_hash", "same_code_count"] as const;

const missingCode = (rows: readonly DeployedContract[]): DeployedContractsOutput["unavailable"] => [
  ...CODE_FIELDS.map((field) => ({ field: `data[].${field}`, reason: NO_CODE })),
  ...(["verified", "distinct_code"] as const).map((field) => ({ field: `summary.${field}`, reason: NO_CODE })),
  ...(rows.some(({ is_self_destructed }) => is_self_destructed === null)
    ? ["data[].is_self_destructed", "summary.destroyed"].map((field) => ({
        field,
        reason: "a closed program keeps its account, or no node of this network answered",
      }))
    : []),
];

const missingOf = (
  page: DeployedPage,
  { chain, snapshot }: SnapshotContext,
): DeployedContractsOutput["unavailable"] => {
  const missing = snapshot.followed === undefined ? missingTokens(page.rows) : unreadTokens(page.rows);
  return [...missing, ...(chain.can.contract_calls ? missingByCode(page) : missingCode(page.rows))];
};

const MARKETS_UNREAD = "the network is read on demand, and its pools and trades are not read";

const unreadTokens = (rows: readonly DeployedContract[]): DeployedContractsOutput["unavailable"] =>
  rows.every(({ token }) => token === null)
    ? []
    : [
        { field: "data[].token.holders_count", reason: HOLDERS_UNREAD },
        { field: "data[].token.liquidity_usd", reason: MARKETS_UNREAD },
        { field: "data[].token.outcome", reason: MARKETS_UNREAD },
      ];

const missingTokens = (rows: readonly DeployedContract[]): DeployedContractsOutput["unavailable"] => {
  const missing: DeployedContractsOutput["unavailable"] = [];
  if (rows.some(({ token }) => token !== null && token.holders_count === null)) {
    missing.push({ field: "data[].token.holders_count", reason: SUMS_REASON });
  }
  if (rows.some(({ token }) => token !== null && token.liquidity_usd === null)) {
    missing.push({
      field: "data[].token.liquidity_usd",
      reason: "not fungible, no pool with a price, or no node of this network answered",
    });
  }
  if (rows.some(({ token }) => token !== null && token.outcome === null)) {
    missing.push({
      field: "data[].token.outcome",
      reason: "not fungible, never listed on a known exchange, or no node of this network answered",
    });
  }
  return missing;
};

const missingByCode = ({ rows, summary, sources }: DeployedPage): DeployedContractsOutput["unavailable"] => {
  const missing: DeployedContractsOutput["unavailable"] = [];
  const gap = gapOf(sources.values());
  if (rows.some(({ is_verified }) => is_verified === null)) {
    missing.push({ field: "data[].is_verified", reason: gap ?? CODE_UNREAD });
  }
  if (summary.verified === null) {
    const reason = gap ?? `more than ${CODE_READS_MAX} codes would have to be read, or no node answered`;
    missing.push({ field: "summary.verified", reason });
  }
  if (rows.some(({ is_proxy }) => is_proxy === null)) {
    const reason = "no node of this network answered";
    missing.push({ field: "data[].is_proxy", reason }, { field: "data[].is_self_destructed", reason });
  }
  const uncounted = `more than ${CODE_READS_MAX} codes would have to be read, or no node answered`;
  for (const field of ["destroyed", "distinct_code"] as const) {
    if (summary[field] === null) missing.push({ field: `summary.${field}`, reason: uncounted });
  }
  return missing;
};

const CHILDREN_MISSING: Warning = {
  code: "FACTORY_CHILDREN_MISSING",
  message: "Traces are not indexed: contracts created by factories are missing.",
};

export const getWalletDeployedContracts = defineTool({
  name: "get_wallet_deployed_contracts",
  title: "Contracts an account deployed",
  description:
    "Every contract and token that an account deployed, directly or through factories, newest first: its kind, whether it still exists, and how many share its code. Use it to list the contracts and tokens created by an account; get_contract_creation answers for a single contract.",
  credits: 8,
  families: ["evm", "solana", "tron"],
  input,
  output,
  example: { address: DEMO_EXAMPLES.deployer, network: "demo" },
  subjects: ["address"],
  run: async (asked, context) => {
    const chain = context.chain(asked.network);
    const creator = asked.address.hex;
    const { facts, signal } = context;
    const snapshot = await facts.snapshot(asked.network, asked.as_of_block ?? null);
    const scope: SnapshotContext = { facts, chain, snapshot, signal };
    const { complete, gaps, traces } = snapshot.coverage;
    const children_missing = asked.include_factory_created && !traces;
    const described = metadataFor(chain, snapshot, {
      echo: { address: chain.formatAddress(creator) },
      methodology: METHODOLOGY,
      warnings: children_missing ? [CHILDREN_MISSING] : [],
    });
    const is_complete = complete && gaps.length === 0 && !children_missing;
    const found = await readDeployedPage(scope, context.operator.sources, { ...asked, creator });
    if (found === null || isBeyond(asked, found.rows)) {
      return emptyOutcome({ type: TYPE, metadata: described }, noContracts(asked, found === null), is_complete);
    }
    const { rows, summary, has_more_data } = found;
    return data<DeployedContractsOutput>({
      type: TYPE,
      data: rows,
      summary,
      pagination: {
        page: asked.page,
        per_page: asked.records_per_page,
        returned_count: rows.length,
        has_more_data,
        is_complete: is_complete && !has_more_data,
        network: asked.network,
      },
      unavailable: missingOf(found, scope),
      metadata: described,
    });
  },
  view: {
    members: "summary data",
    drawn: {
      data: {
        is: "page",
        columns:
          "contract_address kind symbol created_at:day token.outcome risk_tags network is_self_destructed is_verified is_proxy name token.holders_count token.liquidity_usd via",
      },
    },
  },
});
