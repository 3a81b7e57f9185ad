import type { Capability } from "../../../token/contracts/capabilities/selectors.ts";
import {
  hiddenPowers,
  namedIn,
  type PowerHolder,
  powerOver,
  provedIn,
  simulationOf,
  type TokenRiskFacts,
} from "./facts.ts";
import { byCall, byCode, byTrial, finding, type TokenFinding } from "./finding.ts";
import { type Grade, type GradedCode, GUARDED, WORST } from "./grades.ts";
import type { Flags } from "./report.ts";
import { takeBackGrade } from "./take_back.ts";

/** Findings about the code and the accounts with power over it. */

/** Proofs to show of one power. */
const PROOFS_MAX = 4;

const HELD_BY: Readonly<Record<PowerHolder, string>> = {
  anyone: "Any account can use it.",
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
    guarded: GUARDED.mintable,
  },
  {
    capability: "blacklist",
    code: "blacklist",
    title: "Holders can be blocked",
    description: "The code has a function that blocks single holders.",
    alone: WORST.blacklist,
    guarded: GUARDED.blacklist,
  },
  {
    capability: "pause",
    code: "pausable",
    title: "Transfers can be stopped",
    description: "The code has a function that stops transfers.",
    alone: WORST.pausable,
    guarded: GUARDED.pausable,
  },
  {
    capability: "take_back",
    code: "take_back_ownership",
    title: "Ownership can be restored",
    description: "The code has a function that restores an ownership that was given up.",
    alone: WORST.take_back_ownership,
    guarded: GUARDED.take_back_ownership,
  },
  {
    capability: "balance_change",
    code: "balance_change",
    title: "Balances can be changed",
    description: "The code has a function that changes the balances of others.",
    alone: WORST.balance_change,
    guarded: GUARDED.balance_change,
  },
  {
    capability: "sales_stop",
    code: "sales_stoppable",
    title: "Sales can be stopped",
    description: "The code has a function after which holders cannot sell, although they can transfer.",
    alone: WORST.sales_stoppable,
    guarded: GUARDED.sales_stoppable,
  },
];

/** Sales that stop only after a call that names the pool: medium in a token that is otherwise clean, verified or not. */
const BY_POOL: Grade = ["medium", 30];

/** Codes of the powers that take points, where the code does not show its functions. */
export const CAPABILITIES = [
  "mintable",
  "blacklist",
  "pausable",
  "take_back_ownership",
  "balance_change",
] as const satisfies readonly GradedCode[];

/** The functions with their effects; for those whose effect is not known, the calls that they accepted. */
const evidenceFor = (facts: TokenRiskFacts, capability: Capability) => {
  const { scan, chain } = facts;
  const proofs = provedIn(facts, capability) ?? [];
  const signatures = (namedIn(facts, capability) ?? []).map(({ signature }) => signature);
  const lets = scan.lets.filter(({ found }) => signatures.includes(found.signature));
  return [
    ...proofs.slice(0, PROOFS_MAX).map((power) => byTrial(facts, power)),
    ...(signatures.length === 0 ? [] : [byCode(facts, signatures.join(", "))]),
    ...lets.map(({ found, caller }) => byCall(facts, `${found.signature} from ${chain.formatAddress(caller)}`)),
  ];
};

const capabilityFindings = (facts: TokenRiskFacts): readonly TokenFinding[] =>
  ROWS.flatMap(({ capability, code, title, description, alone, guarded }) => {
    const power = powerOver(facts, capability);
    if (power === null) return [];
    const proofs = provedIn(facts, capability) ?? [];
    const is_doubtful = capability === "sales_stop" && proofs.every(({ names_pool }) => names_pool);
    const worst = is_doubtful ? BY_POOL : alone;
    const grade = capability === "take_back" ? takeBackGrade(facts) : graded(power, worst, guarded);
    const content = {
      title,
      description: `${description} ${HELD_BY[power]}`,
      evidence: evidenceFor(facts, capability),
    };
    return [finding(code, grade, content)];
  });

const WHO: Readonly<Record<PowerHolder, string>> = {
  anyone: "Any account",
  renounced: "Ownership was given up: no account",
  eoa: "A single account",
  multisig: "A multisig",
  timelock: "A timelock",
  contract: "A contract",
  unknown: "An unknown account",
};

/** The highest tax that a trial reached; null without a trial. */
const reachedTax = (facts: TokenRiskFacts, capability: Capability): number | null => {
  const taxes = (provedIn(facts, capability) ?? []).flatMap(({ percent }) => percent ?? []);
  return taxes.length === 0 ? null : Math.max(...taxes);
};

const feeWords = (facts: TokenRiskFacts, power: PowerHolder): string => {
  const reached = reachedTax(facts, "fee");
  if (reached !== null) return `${WHO[power]} can raise the tax: a trial raised it to ${reached} %.`;
  const { is_fee_uncapped } = facts.scan;
  if (is_fee_uncapped === true) return `${WHO[power]} can raise the tax to 100 %.`;
  const limit = is_fee_uncapped === null ? "it is not known whether there is a limit" : "not to 100 %";
  return `${WHO[power]} can change the tax: ${limit}.`;
};

/** Grades of a tax that an account can set, from this percent on. */
const SETTABLE: readonly (readonly [percent: number, grade: Grade])[] = [
  [50, WORST.tax_modifiable],
  [20, ["medium", 20]],
  [10, ["low", 8]],
  [0, ["low", 0]],
];
const settableGrade = (percent: number): Grade => SETTABLE.find(([least]) => percent >= least)?.[1] ?? ["low", 0];

const feeGrade = (facts: TokenRiskFacts): Grade => {
  const reached = reachedTax(facts, "fee");
  if (reached !== null) return settableGrade(reached);
  const { is_fee_uncapped } = facts.scan;
  return is_fee_uncapped === true ? WORST.tax_modifiable : [is_fee_uncapped === null ? "medium" : "low", 0];
};

/** A tax of a single holder. */
const holderTaxFinding = (facts: TokenRiskFacts): readonly TokenFinding[] => {
  const power = powerOver(facts, "fee_of_wallet");
  if (power === null) return [];
  const reached = reachedTax(facts, "fee_of_wallet");
  const words = reached === null ? "" : ` A trial raised it to ${reached} %.`;
  const alone: Grade = reached === null ? ["medium", 0] : settableGrade(reached);
  const content = {
    title: "Single holders can be taxed",
    description: `The code has a function that sets a tax for single holders. ${HELD_BY[power]}${words}`,
    evidence: evidenceFor(facts, "fee_of_wallet"),
  };
  return [finding("per_wallet_tax", graded(power, alone, alone), content)];
};

const taxesNow = (facts: TokenRiskFacts): string => {
  const { buy_tax_percent: buy = null, sell_tax_percent: sell = null } = simulationOf(facts)?.buyer ?? {};
  const parts = [buy === null ? [] : [`${buy} % on purchases`], sell === null ? [] : [`${sell} % on sales`]].flat();
  return parts.length === 0 ? "The current tax is not known." : `It is ${parts.join(" and ")} now.`;
};

const feeFinding = (facts: TokenRiskFacts): readonly TokenFinding[] => {
  const power = powerOver(facts, "fee");
  if (power === null) return [];
  const alone = feeGrade(facts);
  const description = `${feeWords(facts, power)} ${taxesNow(facts)}`;
  const content = { title: "The tax can be changed", description, evidence: evidenceFor(facts, "fee") };
  return [finding("tax_modifiable", graded(power, alone, alone), content)];
};

const proxyFinding = (facts: TokenRiskFacts): readonly TokenFinding[] => {
  const { scan } = facts;
  const proofs = provedIn(facts, "upgrade") ?? [];
  const by_shape = scan.is_upgradeable === true ? scan.proxy_evidence : null;
  if (proofs.length === 0 && by_shape === null) return [];
  const power: PowerHolder =
    proofs.length > 0 ? (powerOver(facts, "upgrade") ?? "unknown") : (scan.upgrader?.type ?? "unknown");
  const content = {
    title: "The code can be replaced",
    description: `It is a proxy whose code can be replaced. ${HELD_BY[power]}`,
    evidence: [
      ...proofs.slice(0, PROOFS_MAX).map((proof) => byTrial(facts, proof)),
      ...(by_shape === null ? [] : [byCall(facts, by_shape)]),
    ],
  };
  return [finding("upgradeable", graded(power, WORST.upgradeable, GUARDED.upgradeable), content)];
};

/** Purchases can be stopped: a switch of trading, or a block of the pool. */
const purchaseFinding = (facts: TokenRiskFacts): readonly TokenFinding[] => {
  const power = powerOver(facts, "purchases_stop");
  if (power === null) return [];
  const content = {
    title: "Purchases can be stopped",
    description: `The code has a function after which nothing can be bought. ${HELD_BY[power]}`,
    evidence: evidenceFor(facts, "purchases_stop"),
  };
  return [finding("purchases_stoppable", graded(power, ["medium", 12], ["low", 4]), content)];
};

/** Contracts that can refuse a sale: nothing shows what they will decide. */
const judgeFinding = (facts: TokenRiskFacts): readonly TokenFinding[] => {
  const { powers, chain } = facts;
  const judges = typeof powers === "string" ? [] : powers.judges;
  if (judges.length === 0) return [];
  const content = {
    title: "Another contract decides over transfers",
    description: "Holders can sell or transfer only while another contract agrees.",
    evidence: judges.map((judge) => byCall(facts, `transfers that ask ${chain.formatAddress(judge)}`)),
  };
  return [finding("external_judge", ["medium", 26], content)];
};

const plainFindings = (facts: TokenRiskFacts, flags: Flags): readonly TokenFinding[] => {
  const found: TokenFinding[] = [];
  if (flags.hidden_owner === true) {
    found.push(
      finding("hidden_owner", WORST.hidden_owner, {
        title: "There is a hidden owner",
        description:
          "The contract names no owner, and accepts privileged calls from an account while it rejects a stranger's.",
        evidence: [
          ...facts.scan.lets.map(({ found: { signature }, caller }) =>
            byCall(facts, `${signature} from ${facts.chain.formatAddress(caller)}`),
          ),
          ...hiddenPowers(facts)
            .slice(0, PROOFS_MAX)
            .map((power) => byTrial(facts, power)),
        ],
      }),
    );
  }
  if (flags.has_selfdestruct === true) {
    const description = "The code has a self-destruct instruction.";
    const content = { title: "The code can destroy itself", description, evidence: [byCode(facts, "SELFDESTRUCT")] };
    found.push(finding("selfdestruct", ["medium", 26], content));
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
  ...holderTaxFinding(facts),
  ...purchaseFinding(facts),
  ...judgeFinding(facts),
  ...proxyFinding(facts),
  ...plainFindings(facts, flags),
];
