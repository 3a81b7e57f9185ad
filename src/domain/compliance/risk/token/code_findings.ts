import type { Capability } from "../../../token/contracts/capabilities/selectors.ts";
import { functionsOf, type PowerHolder, powerOver, simulationOf, type TokenRiskFacts } from "./facts.ts";
import { byCall, byCode, finding, type TokenFinding } from "./finding.ts";
import { type Grade, type GradedCode, WORST } from "./grades.ts";
import type { Flags } from "./report.ts";

/** Findings about the code and the accounts with power over it. */

const HELD_BY: Readonly<Record<PowerHolder, string>> = {
  renounced: "No account can use it: ownership was given up.",
  eoa: "A single account can use it.",
  multisig: "A multisig can use it.",
  timelock: "A timelock can use it.",
  contract: "A contract can use it.",
  unknown: "It is not known which account can use it.",
};

/**
 * Weights by the kind of account with the power. A contract without a visible second signature or delay counts like a
 * single account.
 */
const graded = (power: PowerHolder, alone: Grade, guarded: Grade): Grade => {
  if (power === "renounced") return ["info", 0];
  return power === "multisig" || power === "timelock" ? guarded : alone;
};

interface CapabilityRule {
  readonly capability: Capability;
  readonly code: string;
  readonly title: string;
  readonly description: string;
  readonly alone: Grade;
  readonly guarded: Grade;
}

const ROWS: readonly CapabilityRule[] = [
  {
    capability: "mint",
    code: "mintable",
    title: "Coins can be created",
    description: "The code has a function that creates coins.",
    alone: WORST.mintable,
    guarded: ["low", 8],
  },
  {
    capability: "blacklist",
    code: "blacklist",
    title: "Holders can be blocked",
    description: "The code has a function that blocks single holders.",
    alone: WORST.blacklist,
    guarded: WORST.blacklist,
  },
  {
    capability: "pause",
    code: "pausable",
    title: "Transfers can be stopped",
    description: "The code has a function that stops transfers.",
    alone: WORST.pausable,
    guarded: WORST.pausable,
  },
  {
    capability: "take_back",
    code: "take_back_ownership",
    title: "Ownership can be restored",
    description: "The code has a function that restores an ownership that was given up.",
    alone: WORST.take_back_ownership,
    guarded: WORST.take_back_ownership,
  },
  {
    capability: "balance_change",
    code: "balance_change",
    title: "Balances can be changed",
    description: "The code has a function that changes the balances of others.",
    alone: WORST.balance_change,
    guarded: WORST.balance_change,
  },
  {
    capability: "fee_of_wallet",
    code: "per_wallet_tax",
    title: "Single holders can be taxed",
    description: "The code has a function that sets a tax for single holders.",
    alone: ["medium", 0],
    guarded: ["low", 0],
  },
];

/** Codes of the powers that take points. */
export const CAPABILITIES = [
  "mintable",
  "blacklist",
  "pausable",
  "take_back_ownership",
  "balance_change",
] as const satisfies readonly GradedCode[];

/** The functions, and the calls that they accepted. */
const evidenceFor = (facts: TokenRiskFacts, capability: Capability) => {
  const { scan, chain } = facts;
  const signatures = (functionsOf(scan, capability) ?? []).map(({ signature }) => signature);
  const lets = scan.lets.filter(({ found }) => found.capability === capability);
  return [
    byCode(facts, signatures.join(", ")),
    ...lets.map(({ found, caller }) => byCall(facts, `${found.signature} from ${chain.formatAddress(caller)}`)),
  ];
};

const capabilityFindings = (facts: TokenRiskFacts): readonly TokenFinding[] =>
  ROWS.flatMap(({ capability, code, title, description, alone, guarded }) => {
    const power = powerOver(facts.scan, capability);
    if (power === null) return [];
    // A way to restore ownership only matters while ownership is given up.
    const grade = capability === "take_back" ? alone : graded(power, alone, guarded);
    const content = {
      title,
      description: `${description} ${HELD_BY[power]}`,
      evidence: evidenceFor(facts, capability),
    };
    return [finding(code, grade, content)];
  });

const WHO: Readonly<Record<PowerHolder, string>> = {
  renounced: "Ownership was given up: no account",
  eoa: "A single account",
  multisig: "A multisig",
  timelock: "A timelock",
  contract: "A contract",
  unknown: "An unknown account",
};

const feeWords = (power: PowerHolder, is_uncapped: boolean | null): string => {
  if (is_uncapped === true) return `${WHO[power]} can raise the tax to 100 %.`;
  const limit = is_uncapped === null ? "it is not known whether there is a limit" : "not to 100 %";
  return `${WHO[power]} can change the tax: ${limit}.`;
};

const taxesNow = (facts: TokenRiskFacts): string => {
  const { buy_tax_percent: buy = null, sell_tax_percent: sell = null } = simulationOf(facts)?.buyer ?? {};
  const parts = [buy === null ? [] : [`${buy} % on purchases`], sell === null ? [] : [`${sell} % on sales`]].flat();
  return parts.length === 0 ? "The current tax is not known." : `It is ${parts.join(" and ")} now.`;
};

const feeFinding = (facts: TokenRiskFacts): readonly TokenFinding[] => {
  const power = powerOver(facts.scan, "fee");
  if (power === null) return [];
  const { is_fee_uncapped } = facts.scan;
  const alone: Grade =
    is_fee_uncapped === true ? WORST.tax_modifiable : [is_fee_uncapped === null ? "medium" : "low", 0];
  const description = `${feeWords(power, is_fee_uncapped)} ${taxesNow(facts)}`;
  const content = { title: "The tax can be changed", description, evidence: evidenceFor(facts, "fee") };
  return [finding("tax_modifiable", graded(power, alone, alone), content)];
};

const proxyFinding = (facts: TokenRiskFacts): readonly TokenFinding[] => {
  const { scan } = facts;
  if (scan.is_upgradeable !== true || scan.proxy_evidence === null) return [];
  const power: PowerHolder = scan.upgrader?.type ?? "unknown";
  const content = {
    title: "The code can be replaced",
    description: `It is a proxy whose code can be replaced. ${HELD_BY[power]}`,
    evidence: [byCall(facts, scan.proxy_evidence)],
  };
  return [finding("upgradeable", graded(power, WORST.upgradeable, ["low", 8]), content)];
};

const plainFindings = (facts: TokenRiskFacts, flags: Flags): readonly TokenFinding[] => {
  const found: TokenFinding[] = [];
  if (flags.hidden_owner === true) {
    found.push(
      finding("hidden_owner", WORST.hidden_owner, {
        title: "There is a hidden owner",
        description:
          "The contract names no owner, and accepts privileged calls from an account while it rejects a stranger's.",
        evidence: facts.scan.lets.map(({ found: { signature }, caller }) =>
          byCall(facts, `${signature} from ${facts.chain.formatAddress(caller)}`),
        ),
      }),
    );
  }
  if (flags.has_selfdestruct === true) {
    const description = "The code has a self-destruct instruction.";
    const content = { title: "The code can destroy itself", description, evidence: [byCode(facts, "SELFDESTRUCT")] };
    found.push(finding("selfdestruct", ["medium", 0], content));
  }
  if (flags.is_verified === false) {
    const description = "No published source compiles to this code.";
    found.push(
      finding("unverified", WORST.unverified, {
        title: "The source is not published",
        description,
        evidence: [byCall(facts, "code")],
      }),
    );
  }
  return found;
};

export const codeFindings = (facts: TokenRiskFacts, flags: Flags): readonly TokenFinding[] => [
  ...capabilityFindings(facts),
  ...feeFinding(facts),
  ...proxyFinding(facts),
  ...plainFindings(facts, flags),
];
