import { hasBotPattern, hasPayrollPattern } from "./pattern_matches.ts";
import type { WalletTransaction } from "./transactions.ts";

export const PERSONAS = [
  "trader",
  "holder",
  "defi_user",
  "nft",
  "bot",
  "deployer",
  "exchange",
  "bridge_user",
  "payment",
] as const;
type Persona = (typeof PERSONAS)[number];

const SWAPS_MIN = 10;
const COLLECTIBLES_MIN = 5;
const HOLDER_SENDS_MAX = 5;
const PAYMENTS_MIN = 20;
const DEFI_TAGS = ["lending", "dex"];

/** Facts that decide personas. */
export interface PersonaFacts {
  readonly transactions: readonly WalletTransaction[];
  /** Labels of counterparties. */
  readonly peer_tags: ReadonlySet<string>;
  /** Labels of the address itself. */
  readonly own_tags: ReadonlySet<string>;
  readonly nft_transfers: number;
  readonly deployed: number;
  readonly wealth_usd: number;
}

interface PersonaRule {
  readonly persona: Persona;
  readonly rule: string;
  readonly fits: (facts: PersonaFacts) => boolean;
}

const ownOf = ({ transactions }: PersonaFacts, type: string): number =>
  transactions.filter((transaction) => transaction.is_own && transaction.type === type).length;

const RULES: readonly PersonaRule[] = [
  {
    persona: "trader",
    rule: `signed at least ${SWAPS_MIN} swaps`,
    fits: (facts) => ownOf(facts, "swap") >= SWAPS_MIN,
  },
  {
    persona: "holder",
    rule: `holds something of value and sent at most ${HOLDER_SENDS_MAX} payments`,
    fits: (facts) =>
      facts.wealth_usd > 0 && ownOf(facts, "send") <= HOLDER_SENDS_MAX && ownOf(facts, "swap") < SWAPS_MIN,
  },
  {
    persona: "defi_user",
    rule: "dealt with a labelled exchange contract or lending market",
    fits: ({ peer_tags }) => DEFI_TAGS.some((tag) => peer_tags.has(tag)),
  },
  {
    persona: "nft",
    rule: `at least ${COLLECTIBLES_MIN} transfers of collectibles`,
    fits: ({ nft_transfers }) => nft_transfers >= COLLECTIBLES_MIN,
  },
  {
    persona: "bot",
    rule: "shows the pattern bot_like or mev_bot of get_wallet_transaction_patterns",
    fits: ({ transactions }) => hasBotPattern(transactions),
  },
  { persona: "deployer", rule: "deployed a contract", fits: ({ deployed }) => deployed > 0 },
  { persona: "exchange", rule: "labelled as an exchange", fits: ({ own_tags }) => own_tags.has("exchange") },
  { persona: "bridge_user", rule: "dealt with a labelled bridge", fits: ({ peer_tags }) => peer_tags.has("bridge") },
  {
    persona: "payment",
    rule: `pays at regular intervals, or signed at least ${PAYMENTS_MIN} payments`,
    fits: (facts) => ownOf(facts, "send") >= PAYMENTS_MIN || hasPayrollPattern(facts.transactions),
  },
];

/** Every persona that fits, in the order of the rules. */
export const personasOf = (facts: PersonaFacts): Persona[] =>
  RULES.filter(({ fits }) => fits(facts)).map(({ persona }) => persona);

export const DEFINITIONS: { persona: Persona; rule: string }[] = RULES.map(({ persona, rule }) => ({ persona, rule }));
