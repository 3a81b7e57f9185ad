import type { TransferFee } from "../../../../chains/token_accounts.ts";
import { iso } from "../../../../lib/time.ts";
import { SENDS_METHOD } from "../../../token/simulation/sends.ts";
import { type PowerFacts, sendsIn } from "./facts.ts";
import { byCall, finding, type TokenFinding } from "./finding.ts";
import { faceFlagsOf } from "./flags.ts";
import type { Grade } from "./grades.ts";
import { marketFindings } from "./market_findings.ts";
import { blockedGrade, taxGrade } from "./trade_findings.ts";

/** Findings about a token whose powers are in its own account, and not in code. */

/** Hundredths of a percent. */
const BPS_PER_PERCENT = 100;

interface PowerRule {
  readonly is_so: boolean;
  readonly code: string;
  readonly grade: Grade;
  readonly title: string;
  readonly description: string;
}

/** Findings that keep a buyer from selling. */
const stopsOf = ({ traits }: PowerFacts): readonly PowerRule[] => [
  {
    is_so: !traits.is_transferable,
    code: "non_transferable",
    grade: ["critical", 100],
    title: "It cannot be sold",
    description: "No account can transfer the token.",
  },
  {
    is_so: traits.is_paused,
    code: "paused",
    grade: ["critical", 35],
    title: "Transfers are stopped",
    description: "No account can send, create or burn coins at this block.",
  },
  {
    is_so: traits.opens_frozen,
    code: "opens_frozen",
    grade: ["high", 35],
    title: "Accounts begin frozen",
    description: "A new holder can send nothing until the freeze authority releases the account.",
  },
  {
    is_so: traits.hook_program !== null,
    code: "transfer_hook",
    grade: ["high", 25],
    title: "A program is called before every transfer",
    description: "It can refuse any transfer for any reason.",
  },
  {
    is_so: traits.hook_program === null && traits.hook_authority !== null,
    code: "transfer_hook_settable",
    grade: ["medium", 12],
    title: "A program can be added to every transfer",
    description: "No program is set now; an authority can set one that refuses transfers.",
  },
];

const powersOf = ({ traits, is_minter_alone }: PowerFacts): readonly PowerRule[] => [
  {
    is_so: traits.permanent_delegate !== null,
    code: "balance_change",
    grade: ["critical", 40],
    title: "Balances can be taken",
    description: "The permanent delegate may move and burn the coins of every holder.",
  },
  {
    is_so: traits.mint_authority !== null,
    code: "mintable",
    grade: is_minter_alone === false ? ["low", 8] : ["high", 20],
    title: "Coins can be created",
    description:
      is_minter_alone === false
        ? "The mint authority may create coins; it is not an account of one person."
        : "A single account may create any number of coins.",
  },
  {
    is_so: traits.freeze_authority !== null,
    code: "blacklist",
    grade: ["medium", 12],
    title: "Holders can be blocked",
    description: "The freeze authority may freeze any holder's coins.",
  },
  {
    is_so: traits.pause_authority !== null,
    code: "pausable",
    grade: ["medium", 12],
    title: "Transfers can be stopped",
    description: "The pause authority may stop all transfers.",
  },
  {
    is_so: traits.display_authority !== null,
    code: "shown_amount",
    grade: ["low", 0],
    title: "Shown balances can be changed",
    description: "An authority may change the factor by which wallets show balances; the holdings stay the same.",
  },
  {
    is_so: traits.description?.is_mutable === true,
    code: "metadata_mutable",
    grade: ["info", 0],
    title: "Its name can be changed",
    description: "Its update authority may change its name, symbol and picture.",
  },
];

/** `8 % now, 10 % from epoch 612`. */
const feeNow = ({ bps, next_bps, next_epoch }: TransferFee): string => {
  const coming = next_bps === null ? "" : `, ${next_bps / BPS_PER_PERCENT} % from epoch ${next_epoch ?? "unknown"}`;
  return `${bps / BPS_PER_PERCENT} % now${coming}`;
};

const feeRows = ({ traits: { transfer_fee } }: PowerFacts): readonly PowerRule[] => {
  if (transfer_fee === null) return [];
  const { bps, next_bps, authority } = transfer_fee;
  const percent = Math.max(bps, next_bps ?? 0) / BPS_PER_PERCENT;
  return [
    {
      is_so: percent > 0,
      code: "transfer_fee",
      grade: taxGrade(percent),
      title: "Tax on every transfer",
      description: `Every transfer pays a fee to the token, sales and purchases too: ${feeNow(transfer_fee)}.`,
    },
    {
      is_so: authority !== null,
      code: "tax_modifiable",
      grade: ["high", 18],
      title: "The tax can be changed",
      description: `The authority may raise the transfer fee to 100 %; it is ${feeNow(transfer_fee)}.`,
    },
  ];
};

/** Failures of real holders in simulated transfers. */
const sendFindings = (facts: PowerFacts): readonly TokenFinding[] => {
  const sends = sendsIn(facts);
  if (sends === null || sends.first_failure === null || sends.fail_percent === null) return [];
  const { chain, block } = facts;
  const { payee, holders_tested, holders_failed, fail_percent, first_failure } = sends;
  const ref = `${SENDS_METHOD}: from ${chain.formatAddress(first_failure.holder)} to ${chain.formatAddress(payee)} at block ${block.number}`;
  const evidence = [{ kind: "simulation" as const, ref, observed_at: iso(block.time) }];
  const who = sends.is_programs ? "the largest account of a program" : "the largest holder";
  const found = finding("holders_blocked", blockedGrade(fail_percent), {
    title: "Holders cannot move their coins",
    description: `${holders_failed} of ${holders_tested} real holders cannot send a tenth of their coins to ${who}.`,
    evidence,
  });
  if (sends.is_honeypot !== true) return [found];
  const description = `It can be received, and none of ${holders_tested} real holders can send it on: it cannot be sold.`;
  return [finding("honeypot", ["critical", 100], { title: "It cannot be sold", description, evidence }), found];
};

/** All findings, in no order. */
export const powerFindings = (facts: PowerFacts): readonly TokenFinding[] => [
  ...[...stopsOf(facts), ...powersOf(facts), ...feeRows(facts)]
    .filter(({ is_so }) => is_so)
    .map(({ code, grade, title, description }) =>
      finding(code, grade, { title, description, evidence: [byCall(facts, "the account")] }),
    ),
  ...sendFindings(facts),
  ...marketFindings(facts, faceFlagsOf(facts)),
];

/** Mitigating facts, in fixed sentences. */
export const powerPositives = ({ traits, is_listed, liquidity }: PowerFacts): string[] => {
  const sentences: readonly (readonly [boolean, string])[] = [
    [is_listed, "It is in this network's registry: the powers of its issuer are known and weigh nothing here."],
    [traits.mint_authority === null, "No account can create more coins."],
    [traits.freeze_authority === null && !traits.opens_frozen, "No account can freeze holders."],
    [traits.permanent_delegate === null, "Only the holder can move coins."],
    [traits.transfer_fee === null, "Transfers are not taxed."],
    [traits.hook_program === null && traits.hook_authority === null, "No program can refuse a transfer."],
    [traits.description?.is_mutable === false, "Its metadata cannot be changed."],
    [(liquidity.kept_percent ?? 0) > 80, "More than 80 % of the deepest pool's shares are burnt or locked."],
  ];
  return sentences.filter(([is_so]) => is_so).map(([, sentence]) => sentence);
};
