/** The risk traits by which lists of tokens are filtered: those of get_token_risk_traits. */
import * as z from "zod";
import { flagsOf } from "../../domain/compliance/risk/token/flags.ts";
import { readRiskFacts } from "../../domain/compliance/risk/token/read.ts";
import type { Flags } from "../../domain/compliance/risk/token/report.ts";
import type { CallContext, SnapshotContext } from "../../domain/context.ts";
import { nodeStateBlock, noStateOf } from "../../domain/node_state.ts";
import { readSubject } from "../../domain/token/market/read.ts";
import type { Hex } from "../../lib/bytes.ts";
import { asOfBlock, network } from "../fields.ts";

const TRAITS = [
  "is_honeypot",
  "cannot_buy",
  "cannot_sell_all",
  "is_mintable",
  "is_upgradeable",
  "owner_can_change_balance",
  "can_take_back_ownership",
  "hidden_owner",
  "transfer_pausable",
  "has_blacklist",
  "tax_modifiable",
  "trading_cooldown",
  "creator_honeypot_history",
  "fake_of_known_token",
  "airdrop_scam",
  "fee_on_transfer",
] as const satisfies readonly (keyof Flags)[];

type Trait = (typeof TRAITS)[number];

const HOURS_MAX = 168;
const LIMIT_MAX = 20;
const SKIP_MAX = 10_000;

export const listInput = {
  network: network(),
  window_hours: z.int().min(1).max(HOURS_MAX).default(24).describe("Length of the window before the newest block."),
  without: z
    .array(z.enum(TRAITS))
    .max(TRAITS.length)
    .default([])
    .describe(
      "Risk traits of get_token_risk_traits: leaves out tokens that have one, and tokens of which one is unknown.",
    ),
  skip: z.int().min(0).max(SKIP_MAX).default(0).describe("Tokens to skip, from the start of the list."),
  limit: z.int().min(1).max(LIMIT_MAX).default(10).describe("Tokens to read, before `without`."),
  as_of_block: asOfBlock(),
};

export const listedPart = z.strictObject({
  skip: z.int(),
  read: z.int().describe("Tokens that were read before the filters."),
  left_out: z.strictObject({
    has_trait: z.int().describe("Tokens with a trait of `without`."),
    unknown_trait: z.int().describe("Tokens of which such a trait is unknown."),
    thin: z.int().describe("Tokens whose liquidity is below the minimum, or unknown."),
  }),
  has_more_data: z.boolean().describe("Whether the list goes on after skip + read; use the same as_of_block."),
});

export type LeftOut = z.output<typeof listedPart>["left_out"];

export const traitFields = {
  traits: z.array(z.enum(TRAITS)).nullable().describe("Traits that the token has; null where `without` is empty."),
  traits_reason: z.string().nullable().describe("Why traits is null."),
};

interface ReadTraits {
  readonly traits: readonly Trait[] | null;
  readonly reason: string | null;
  /** A trait of `without`. */
  readonly verdict: "clean" | "has_trait" | "unknown_trait";
}

const NOT_ASKED = "`without` is empty.";
const NO_TOKEN = "No token contract exists at this address.";
const NOT_HERE = "Tokens of this network are not simulated.";

/** Reads the traits of one token after another's, as get_token_risk_traits does. */
export const traitReader = async (
  scope: SnapshotContext,
  without: readonly Trait[],
  { operator }: Pick<CallContext, "operator">,
): Promise<(token: Hex | null) => Promise<ReadTraits>> => {
  if (without.length === 0) return async () => ({ traits: null, reason: NOT_ASKED, verdict: "clean" });
  const unknown = (reason: string): ReadTraits => ({ traits: null, reason, verdict: "unknown_trait" });
  if (scope.chain.can.token_accounts) return async () => unknown(NOT_HERE);
  const at = await nodeStateBlock(scope);
  return async (token) => {
    if (at === null) return unknown(noStateOf(scope.snapshot));
    const subject = token === null || token === "" ? null : await readSubject(scope, token);
    const facts = subject === null ? null : await readRiskFacts(scope, { subject, at, sources: operator.sources });
    if (facts === null) return unknown(NO_TOKEN);
    const flags = flagsOf(facts);
    const traits = TRAITS.filter((trait) => flags[trait] === true);
    if (without.some((trait) => flags[trait] === true)) return { traits, reason: null, verdict: "has_trait" };
    const is_open = without.some((trait) => flags[trait] === null);
    return { traits, reason: null, verdict: is_open ? "unknown_trait" : "clean" };
  };
};
