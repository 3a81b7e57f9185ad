import type { Hex } from "../../../../lib/bytes.ts";
import { iso } from "../../../../lib/time.ts";
import { CAPABILITY_METHOD } from "../../../token/contracts/capabilities/scan.ts";
import type { EffectKind } from "../../../token/powers/effects.ts";
import type { Power, PowerFunction, PowerWait } from "../../../token/powers/power.ts";
import { POWERS_METHOD } from "../../../token/powers/read.ts";
import { SIMULATION_METHOD } from "../../../token/simulation/simulate.ts";
import { signatureOf } from "../../../transaction/headline/methods.ts";
import { type MarketFacts, simulationOf, type TokenRiskFacts } from "./facts.ts";
import type { Grade } from "./grades.ts";
import type { Alert } from "./report.ts";

/** A finding with the points that it subtracts from the score. */
export interface TokenFinding extends Alert {
  readonly weight: number;
}

type AlertEvidence = Alert["evidence"][number];

interface FindingWords {
  readonly title: string;
  readonly description: string;
}

export const finding = (
  code: string,
  [severity, weight]: Grade,
  content: FindingWords & { readonly evidence: readonly AlertEvidence[] },
): TokenFinding => ({ code, severity, weight, ...content, evidence: [...content.evidence] });

/** Evidence from a simulation. */
export const bySimulation = (facts: TokenRiskFacts): readonly AlertEvidence[] => {
  const pools = simulationOf(facts)?.pools ?? [];
  return pools.map((pool) => ({
    kind: "simulation",
    ref: `${SIMULATION_METHOD}: pool ${facts.chain.formatAddress(pool)} at block ${facts.block.number}`,
    observed_at: iso(facts.block.time),
  }));
};

/** Evidence from a call. */
export const byCall = (facts: MarketFacts, words: string, to: Hex = facts.token): AlertEvidence => ({
  kind: "call",
  ref: `${words} of ${facts.chain.formatAddress(to)} at block ${facts.block.number}`,
  observed_at: iso(facts.block.time),
});

const EFFECT_WORDS: Readonly<Record<EffectKind, string>> = {
  mints: "created coins",
  takes_coins: "lowered another holder's balance",
  drains_pool: "lowered the pool's balance",
  takes_allowance: "gave the caller an allowance over another holder's coins",
  rebases: "changed all balances",
  blocks_holder: "stopped the transfers of one holder",
  stops_transfers: "stopped the transfers of all holders",
  stops_sales: "stopped sales",
  stops_purchases: "stopped purchases",
  raises_tax: "raised the tax",
  taxes_holder: "taxed one holder",
  takes_ownership: "made the caller the owner",
  replaces_code: "replaced the code",
};

/** Calls without a function (powers/read.ts). */
const UNNAMED_WORDS: Readonly<Record<string, string>> = { "": "receive()", fffffffe: "fallback()" };

/** `renew(address,uint256)`, as a verified source or a known signature has it; else its selector and inferred types. */
const functionText = ({ signatures }: TokenRiskFacts, { selector, types }: PowerFunction): string =>
  UNNAMED_WORDS[selector] ?? signatures.get(selector) ?? signatureOf(selector) ?? `0x${selector}(${types})`;

/** `300 blocks later`. */
const waitText = ({ blocks, days }: PowerWait): string =>
  days > 0 ? `${days} days later` : blocks === 1 ? "1 block later" : `${blocks} blocks later`;

/** Evidence from the use of a power in a simulation. */
export const byTrial = (facts: TokenRiskFacts, power: Power): AlertEvidence => {
  const { kind, percent, by, after, caller, wait } = power;
  const account = caller === null ? "any account" : facts.chain.formatAddress(caller);
  const before = after === null ? "" : ` after ${functionText(facts, after)}`;
  const much = percent === null ? "" : ` to ${percent} %`;
  const block = typeof facts.powers === "string" ? facts.block.number : facts.powers.block;
  const [before_call, before_effect] = [true, false].map((is_before_call) =>
    wait?.is_before_call === is_before_call ? ` ${waitText(wait)}` : "",
  );
  const call = `${functionText(facts, by)}${before}${before_call}, called by ${account}`;
  const ref = `${POWERS_METHOD}: ${call}, ${EFFECT_WORDS[kind]}${much}${before_effect} at block ${block}`;
  return { kind: "simulation", ref, observed_at: iso(facts.block.time) };
};

/** Evidence from the code. */
export const byCode = (facts: TokenRiskFacts, words: string): AlertEvidence =>
  byCall(facts, `${CAPABILITY_METHOD}: ${words} in the code`, facts.scan.code_addresses[0]);

/** Evidence from the index. */
export const byIndex = (facts: MarketFacts, words: string): AlertEvidence => ({
  kind: "call",
  ref: `index: ${words}`,
  observed_at: iso(facts.block.time),
});

/** Evidence from a list. */
export const byList = (facts: MarketFacts, ref: string): AlertEvidence => ({
  kind: "list",
  ref,
  observed_at: iso(facts.block.time),
});
