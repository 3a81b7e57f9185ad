import { simulationOf } from "../../domain/compliance/risk/token/facts.ts";
import { readPowerFacts, readRiskFacts } from "../../domain/compliance/risk/token/read.ts";
import type { SnapshotContext, Warning } from "../../domain/context.ts";
import { nodeStateBlock, noStateOf } from "../../domain/node_state.ts";
import { BALANCES_UNKNOWN } from "../../domain/token/holders/sums.ts";
import { readSubject } from "../../domain/token/market/read.ts";
import { data, failed } from "../../lib/outcome.ts";
import { metadataFor } from "../metadata.ts";
import { defineTool } from "../tool.ts";
import { answerOf } from "./answer.ts";
import { powerAnswerOf } from "./power_answer.ts";
import { input, output } from "./shape.ts";

const METHODOLOGY = "token-risk@4 sim/evm@2 powers/evm@2 capabilities/evm@1";
const POWERS_METHODOLOGY = "token-risk@4 powers@1";

const warningsOf = (scope: SnapshotContext, at: number): Warning[] => {
  const { snapshot } = scope;
  const warnings: Warning[] = [];
  if (at !== snapshot.block.number) {
    const message = `The node has no state for that block: code and simulation are from block ${at}.`;
    warnings.push({ code: "READ_AT_HEAD", message });
  }
  if (!snapshot.coverage.complete || !snapshot.coverage.logs) {
    const message = "The index does not cover the whole history: holders and pools may be missing.";
    warnings.push({ code: "HISTORY_INCOMPLETE", message });
  }
  return warnings;
};

const NO_PLAIN_ACCOUNT: Warning = {
  code: "CONTRACT_BUYER_ONLY",
  message: "The node cannot simulate transactions, so cooldowns and traps for plain accounts were not checked.",
};

export const getTokenRiskTraits = defineTool({
  name: "get_token_risk_traits",
  title: "Risks of a token",
  description:
    "Whether a token can be bought and sold, at what tax, and who can change that: simulated purchases, transfers and sales as a contract and as a plain account, a replay of real holders, the powers in its bytecode and their holders, liquidity and its locked share, holder concentration, alerts with evidence, and a score. Use it before buying a token: honeypot, rug pull, tax, mint and blacklist powers.",
  credits: 3,
  families: ["evm", "solana", "tron"],
  input,
  output,
  subjects: [],
  example: { token_address: "0x325d760Ec3f30e3e8342E961021E3D53e2Bc8C90", network: "demo" },
  run: async ({ token_address, network, as_of_block }, context) => {
    const chain = context.chain(network);
    const snapshot = await context.facts.snapshot(network, as_of_block ?? null);
    const scope: SnapshotContext = { facts: context.facts, chain, snapshot, signal: context.signal };
    const token = token_address.hex;
    const at = await nodeStateBlock(scope);
    const describe = (warnings: readonly Warning[]) =>
      metadataFor(chain, snapshot, {
        echo: { token_address: token_address.text },
        methodology: chain.can.token_accounts ? POWERS_METHODOLOGY : METHODOLOGY,
        warnings,
      });
    if (at === null) return failed("COVERAGE_INCOMPLETE", noStateOf(snapshot), describe([]));
    const warnings = warningsOf(scope, at);
    if (token === "") return failed("NOT_A_TOKEN", "The native coin is not a contract.", describe(warnings));
    const subject = await readSubject(scope, token);
    if (chain.can.token_accounts) {
      const found = subject === null ? null : await readPowerFacts(scope, { subject, at });
      if (found === null) return failed("NOT_A_TOKEN", "No token exists at this address.", describe(warnings));
      if (found.holders.doubt !== null) warnings.push(BALANCES_UNKNOWN);
      return data({ ...powerAnswerOf(found), metadata: describe(warnings) });
    }
    const facts =
      subject === null ? null : await readRiskFacts(scope, { subject, at, sources: context.operator.sources });
    if (facts === null) {
      return failed("NOT_A_TOKEN", "No token contract exists at this address.", describe(warnings));
    }
    if (facts.holders.doubt !== null) warnings.push(BALANCES_UNKNOWN);
    const simulation = simulationOf(facts);
    if (simulation !== null && simulation.eoa_buyer === null) warnings.push(NO_PLAIN_ACCOUNT);
    return data({ ...answerOf(facts, chain.formatAddress(token)), metadata: describe(warnings) });
  },
  view: {
    members: "token_address network alerts risk_overview taxes security_flags ownership liquidity",
    drawn: { alerts: { is: "alerts" }, security_flags: { is: "flags" } },
  },
});
