import { type PowerFacts, sendsIn } from "../../domain/compliance/risk/token/facts.ts";
import { judgePowers, weighed } from "../../domain/compliance/risk/token/judge.ts";
import { outcomeOf } from "../../domain/compliance/risk/token/outcome.ts";
import { powerFindings, powerPositives } from "../../domain/compliance/risk/token/power_findings.ts";
import { SUMS_REASON } from "../../domain/token/holders/sums.ts";
import type { NoSends } from "../../domain/token/simulation/sends.ts";
import type { Hex } from "../../lib/bytes.ts";
import type { PowerFlags, RiskOutput } from "./shape.ts";
import { levelGap, verdictFields } from "./verdict_fields.ts";

const BPS_PER_PERCENT = 100;

const flagsOf = (facts: PowerFacts): PowerFlags => {
  const { chain, traits, holders, liquidity, creator, is_listed, has_hidden, is_instructing } = facts;
  const who = (address: Hex | null): string | null => (address === null ? null : chain.formatAddress(address));
  const fee = traits.transfer_fee;
  return {
    mint_authority: who(traits.mint_authority),
    freeze_authority: who(traits.freeze_authority),
    permanent_delegate: who(traits.permanent_delegate),
    transfer_fee:
      fee === null
        ? null
        : {
            ...{ bps: fee.bps, max_raw: fee.max_raw.toString(), next_bps: fee.next_bps, next_epoch: fee.next_epoch },
            ...{ withheld_raw: fee.withheld_raw.toString(), authority: who(fee.authority) },
          },
    transfer_hook: who(traits.hook_program),
    default_account_state_frozen: traits.opens_frozen,
    non_transferable: !traits.is_transferable,
    closable: traits.close_authority !== null,
    pausable: traits.pause_authority !== null,
    metadata_mutable: traits.description?.is_mutable ?? null,
    balance_mutable_authority: who(traits.permanent_delegate ?? traits.display_authority),
    lp_burned_percent: liquidity.rows[0]?.lp_burned_percent ?? null,
    top10_percent: holders.top10_percent_adjusted,
    creator_percent: holders.percentOf(creator),
    trusted_token: is_listed,
    hidden_characters: has_hidden,
    instruction_text: is_instructing,
  };
};

/** Trades cannot be simulated without keys, but transfers can. */
const simulationOf = (facts: PowerFacts): RiskOutput["risk_overview"]["simulation"] => {
  const { sends, block } = facts;
  const done = sendsIn(facts);
  const { holders_tested = 0, holders_failed = 0, fail_percent = null } = done ?? {};
  return {
    status: typeof sends === "string" ? sends : "transfers",
    block_number: block.number,
    ...{ pools_tested: 0, holders_tested, holders_failed, fail_percent, caller_dependent: null },
    ...{ contract_buyer: null, eoa_buyer: null, rebate_or_rebase: null, max_tx_raw: null, max_wallet_raw: null },
  };
};

const NOT_SIMULATED: Readonly<Record<NoSends, string>> = {
  no_overrides: "the node does not simulate transfers; every transfer pays transfer_tax_percent",
  no_holders: "no holder's transfer could be simulated; every transfer pays transfer_tax_percent",
  transfer_hook: "a program checks every transfer, so no transfer could be simulated",
};
const NOT_SEEN =
  "no simulated transfer to or from a program's account succeeded; every transfer pays transfer_tax_percent";
const NO_OWNER = "such a token has no owner; security_flags names the holder of each authority";

const missingOf = (
  facts: PowerFacts,
  { ownership, liquidity }: Pick<RiskOutput, "ownership" | "liquidity">,
  flags: PowerFlags,
): RiskOutput["unavailable"] => {
  const no_index = facts.holders.doubt === null ? "the index does not cover the whole history" : SUMS_REASON;
  const done = sendsIn(facts);
  const not_rehearsed = typeof facts.sends === "string" ? NOT_SIMULATED[facts.sends] : NOT_SEEN;
  const no_creator = facts.creator === null ? "the creation is not indexed" : no_index;
  const rows: readonly (readonly [string, unknown, string])[] = [
    ["risk_overview.simulation", done, not_rehearsed],
    ["taxes.buy_tax_percent", done?.buy_tax_percent, not_rehearsed],
    ["taxes.sell_tax_percent", done?.sell_tax_percent, not_rehearsed],
    ["ownership.creator", ownership.creator, "the creation is not indexed"],
    ["ownership.owner", null, NO_OWNER],
    ["ownership.holder_count", ownership.holder_count, no_index],
    ["ownership.creator_percent", ownership.creator_percent, no_creator],
    ["ownership.top10_percent_adjusted", ownership.top10_percent_adjusted, no_index],
    ["security_flags.creator_percent", flags.creator_percent, no_creator],
    ["security_flags.top10_percent", flags.top10_percent, no_index],
    ["security_flags.lp_burned_percent", flags.lp_burned_percent, "the shares of its deepest pool are unknown"],
    [
      "security_flags.metadata_mutable",
      flags.metadata_mutable,
      "the token has no metadata, or does not state whether it can change",
    ],
    ["liquidity.total_usd", liquidity.total_usd, facts.liquidity.total_reason ?? ""],
  ];
  return rows.filter(([, value]) => (value ?? null) === null).map(([field, , reason]) => ({ field, reason }));
};

export const powerAnswerOf = (facts: PowerFacts): Omit<RiskOutput, "metadata"> => {
  const { chain, creator, holders, liquidity, traits } = facts;
  const findings = weighed(facts, powerFindings(facts));
  const verdict = judgePowers(facts, findings);
  const flags = flagsOf(facts);
  const done = sendsIn(facts);
  const told = {
    ownership: {
      ...(creator === null ? {} : { creator: chain.formatAddress(creator) }),
      ...(holders.count === null ? {} : { holder_count: holders.count }),
      owner_type: null,
      creator_percent: flags.creator_percent,
      owner_percent: null,
      top10_percent_adjusted: flags.top10_percent,
    },
    liquidity: { total_usd: liquidity.total_usd, pools: liquidity.rows },
  };
  return {
    token_address: chain.formatAddress(facts.token),
    network: chain.network.family,
    risk_overview: {
      ...verdictFields(verdict),
      outcome: outcomeOf(facts),
      detector_descriptions: findings.map(({ description }) => description),
      positive_descriptions: powerPositives(facts),
      simulation: simulationOf(facts),
    },
    taxes: {
      buy_tax_percent: done?.buy_tax_percent ?? null,
      sell_tax_percent: done?.sell_tax_percent ?? null,
      transfer_tax_percent: (traits.transfer_fee?.bps ?? 0) / BPS_PER_PERCENT,
    },
    ...told,
    alerts: findings.map(({ weight: _, ...alert }) => alert),
    security_flags: flags,
    unavailable: [...levelGap(verdict), ...missingOf(facts, told, flags)],
  };
};
