import type { TradeDifference } from "../../../token/simulation/differences.ts";
import type { Simulation } from "../../../token/simulation/simulate.ts";
import { simulationOf, type TokenRiskFacts } from "./facts.ts";
import { byCall, bySimulation, finding, type TokenFinding } from "./finding.ts";
import { type Grade, WORST } from "./grades.ts";
import type { Flags } from "./report.ts";

/** Findings of the simulations: the experience of a buyer. */

/** From this tax on: its grade on sales. Purchases weigh 0.7 of it. */
const TAX_GRADES: readonly (readonly [percent: number, grade: Grade])[] = [
  [50, WORST.sell_tax],
  [20, ["high", 35]],
  [10, ["medium", 20]],
  [5, ["low", 8]],
];
const BUY_SHARE = 0.7;
const NOTABLE: Grade = ["info", 0];

export const taxGrade = (percent: number): Grade => TAX_GRADES.find(([least]) => percent >= least)?.[1] ?? NOTABLE;

const taxFindings = (facts: TokenRiskFacts, { buyer }: Simulation): readonly TokenFinding[] => {
  const { buy_tax_percent: buy, sell_tax_percent: sell, transfer_tax_percent: transfer } = buyer;
  const evidence = bySimulation(facts);
  const found: TokenFinding[] = [];
  if (sell !== null && sell > 0) {
    const description = `${sell} % of a sale does not reach the pool.`;
    found.push(finding("sell_tax", taxGrade(sell), { title: "Tax on sales", description, evidence }));
  }
  if (buy !== null && buy > 0) {
    const [severity, weight] = taxGrade(buy);
    const description = `${buy} % of a purchase does not reach the buyer.`;
    found.push(
      finding("buy_tax", [severity, weight * BUY_SHARE], { title: "Tax on purchases", description, evidence }),
    );
  }
  if (transfer !== null && transfer > 0) {
    const description = `${transfer} % of a transfer between wallets does not arrive.`;
    found.push(finding("transfer_tax", NOTABLE, { title: "Tax on transfers", description, evidence }));
  }
  return found;
};

const behaviourFindings = (facts: TokenRiskFacts, simulation: Simulation, flags: Flags): readonly TokenFinding[] => {
  const evidence = bySimulation(facts);
  const rows: readonly (readonly [boolean | null, string, Grade, string, string])[] = [
    [
      flags.is_honeypot,
      "honeypot",
      WORST.honeypot,
      "It cannot be sold",
      "A purchase works, but every sale fails or almost nothing of it reaches the pool.",
    ],
    [flags.cannot_buy, "cannot_buy", ["high", 0], "It cannot be bought", "A purchase from its pools is rejected."],
    [
      simulation.caller_dependent,
      "caller_dependent",
      ["high", 0],
      "Contracts and people are treated differently",
      "A contract and a plain account get different results in the same state.",
    ],
    [
      flags.trading_not_enabled,
      "trading_not_enabled",
      ["medium", 0],
      "Trading is not open",
      "Purchases are rejected now; they are possible later, or after an account opens trading.",
    ],
    [
      flags.trading_cooldown,
      "trading_cooldown",
      ["low", 0],
      "A buyer has to wait",
      "A sale soon after the purchase is rejected and works later.",
    ],
    [
      flags.is_honeypot === false && flags.cannot_sell_all === true,
      "cannot_sell_all",
      ["medium", 0],
      "The whole balance cannot be sold at once",
      "A part of the balance can be sold, but not all of it.",
    ],
    [
      flags.gas_abuse,
      "gas_abuse",
      ["medium", 0],
      "Trades use much gas",
      "A purchase or a sale uses more than two million gas.",
    ],
    [
      simulation.buyer.rebate_or_rebase,
      "rebate_or_rebase",
      ["info", 0],
      "More arrives than is sent",
      "A step of the simulation moved more than was given.",
    ],
  ];
  return rows
    .filter(([is_so]) => is_so === true)
    .map(([, code, grade, title, description]) => finding(code, grade, { title, description, evidence }));
};

const DIFFERENCES: Readonly<Record<TradeDifference, readonly [grade: Grade, title: string, description: string]>> = {
  sells_only_outside_router: [
    ["critical", 60],
    "It cannot be sold through its router",
    "A sale through the router that others trade through fails, and the same sale through another contract works.",
  ],
  sells_only_small: [
    ["medium", 20],
    "Only small amounts can be sold",
    "A small purchase can be sold, and a larger one cannot.",
  ],
  sells_only_without_fee: [
    ["critical", 60],
    "It cannot be sold where a base fee is paid",
    "A sale works in a simulation without a base fee, and the same sale fails in a block with one.",
  ],
  sells_only_later: [
    ["critical", 60],
    "It cannot be sold for a long time",
    "No sale works in the first 300 blocks; one works 400 days later.",
  ],
  sells_only_in_some_blocks: [
    ["critical", 60],
    "It can be sold in some blocks only",
    "The number of the block decides whether a sale works.",
  ],
  stops_selling_later: [
    WORST.stops_selling_later,
    "Sales stop later",
    "A sale works soon after the purchase, and the same sale fails later.",
  ],
  one_sale_per_wallet: [
    ["high", 40],
    "A wallet can sell once",
    "The first sale of an account works, and every later one fails.",
  ],
  tax_grows_with_amount: [
    ["medium", 10],
    "The tax grows with the amount",
    "A larger sale is taxed more than a small one.",
  ],
};

const differenceFindings = (facts: TokenRiskFacts, { differences }: Simulation): readonly TokenFinding[] =>
  (differences ?? []).map((code) => {
    const [grade, title, description] = DIFFERENCES[code];
    return finding(code, grade, { title, description, evidence: bySimulation(facts) });
  });

const limitFindings = (facts: TokenRiskFacts, { limits }: Simulation): readonly TokenFinding[] => {
  if (limits === null || (limits.max_tx_raw === null && limits.max_wallet_raw === null)) return [];
  const what = limits.max_tx_raw === null ? "one wallet may hold" : "one purchase may bring";
  const description = `Larger purchases are rejected: ${what} about ${limits.max_tx_raw ?? limits.max_wallet_raw} base units.`;
  return [
    finding("anti_whale", ["info", 0], { title: "Purchases are limited", description, evidence: bySimulation(facts) }),
  ];
};

/** Grades above these shares of failing holders. */
const [FAIL_CRITICAL, FAIL_HIGH] = [50, 10];

/** Grade by the percent of real holders that cannot move their coins. */
export const blockedGrade = (fail_percent: number): Grade =>
  fail_percent > FAIL_CRITICAL
    ? WORST.holders_blocked
    : fail_percent > FAIL_HIGH
      ? ["high", WORST.holders_blocked[1]]
      : ["low", 0];

const replayFindings = (facts: TokenRiskFacts): readonly TokenFinding[] => {
  const { holders_tested, holders_failed, fail_percent, first_failure } = facts.replay;
  if (fail_percent === null || first_failure === null) return [];
  const grade = blockedGrade(fail_percent);
  return [
    finding("holders_blocked", grade, {
      title: "Holders cannot move their coins",
      description: `${holders_failed} of ${holders_tested} real holders cannot pay a tenth of their coins into the pool.`,
      evidence: [byCall(facts, `payment into the pool from ${facts.chain.formatAddress(first_failure.holder)}`)],
    }),
  ];
};

export const tradeFindings = (facts: TokenRiskFacts, flags: Flags): readonly TokenFinding[] => {
  const simulation = simulationOf(facts);
  return [
    ...(simulation === null
      ? []
      : [
          ...behaviourFindings(facts, simulation, flags),
          ...taxFindings(facts, simulation),
          ...differenceFindings(facts, simulation),
          ...limitFindings(facts, simulation),
        ]),
    ...replayFindings(facts),
  ];
};
