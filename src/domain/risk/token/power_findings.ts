import type { PowerFacts } from "./facts.ts";
import { byCall, type Finding, finding, type Grade } from "./finding.ts";
import { faceFlagsOf } from "./flags.ts";
import { marketFindings } from "./market_findings.ts";
import { taxGrade } from "./trade_findings.ts";

/** Findings of a token whose powers are written in its own account, and not in code. */

/** Hundredths of a percent. */
const BPS_PER_PERCENT = 100;

interface Row {
  readonly is_so: boolean;
  readonly code: string;
  readonly grade: Grade;
  readonly title: string;
  readonly description: string;
}

/** What keeps somebody who bought from selling. */
const stopsOf = ({ traits }: PowerFacts): readonly Row[] => [
  {
    is_so: !traits.is_transferable,
    code: "non_transferable",
    grade: ["critical", 100],
    title: "It cannot be sold",
    description: "The token lets nobody send it on.",
  },
  {
    is_so: traits.is_paused,
    code: "paused",
    grade: ["critical", 35],
    title: "Transfers are stopped",
    description: "Nobody can send, create or burn coins at this block.",
  },
  {
    is_so: traits.opens_frozen,
    code: "opens_frozen",
    grade: ["high", 35],
    title: "Accounts begin frozen",
    description: "Who gets coins can send none until he is let go.",
  },
  {
    is_so: traits.hook_program !== null,
    code: "transfer_hook",
    grade: ["high", 25],
    title: "A program is asked before every transfer",
    description: "It can refuse any transfer for any reason.",
  },
  {
    is_so: traits.hook_program === null && traits.hook_authority !== null,
    code: "transfer_hook_settable",
    grade: ["medium", 12],
    title: "A program can be put before every transfer",
    description: "None is set, and somebody can set one that refuses.",
  },
];

const powersOf = ({ traits, is_minter_alone }: PowerFacts): readonly Row[] => [
  {
    is_so: traits.permanent_delegate !== null,
    code: "balance_change",
    grade: ["critical", 40],
    title: "Balances can be taken",
    description: "Somebody may move and burn what anybody holds.",
  },
  {
    is_so: traits.mint_authority !== null,
    code: "mintable",
    grade: is_minter_alone === false ? ["low", 8] : ["high", 20],
    title: "Coins can be created",
    description: `Somebody may create coins: ${is_minter_alone === false ? "an account that is no single person's" : "a single account"}.`,
  },
  {
    is_so: traits.freeze_authority !== null,
    code: "blacklist",
    grade: ["medium", 12],
    title: "Holders can be stopped",
    description: "Somebody may freeze single holders.",
  },
  {
    is_so: traits.pause_authority !== null,
    code: "pausable",
    grade: ["medium", 12],
    title: "Transfers can be stopped",
    description: "Somebody may stop all transfers.",
  },
  {
    is_so: traits.display_authority !== null,
    code: "shown_amount",
    grade: ["low", 0],
    title: "Shown balances can be changed",
    description: "Somebody may change by which factor wallets show balances; what is held stays.",
  },
  {
    is_so: traits.description?.is_mutable === true,
    code: "metadata_mutable",
    grade: ["info", 0],
    title: "Its name can be changed",
    description: "Somebody may change what the token says of itself.",
  },
];

const feeRows = ({ traits: { transfer_fee } }: PowerFacts): readonly Row[] => {
  if (transfer_fee === null) return [];
  const { bps, next_bps, authority } = transfer_fee;
  const percent = Math.max(bps, next_bps ?? 0) / BPS_PER_PERCENT;
  const coming = next_bps === null ? "" : ` It will be ${next_bps / BPS_PER_PERCENT} %.`;
  return [
    {
      is_so: percent > 0,
      code: "transfer_fee",
      grade: taxGrade(percent),
      title: "Tax on every transfer",
      description: `${bps / BPS_PER_PERCENT} % of every transfer is withheld, of sales and purchases, too.${coming}`,
    },
    {
      is_so: authority !== null,
      code: "tax_modifiable",
      grade: ["high", 18],
      title: "The tax can be changed",
      description: "Somebody may set it to anything up to everything.",
    },
  ];
};

/** Everything that was found, in no order. */
export const powerFindings = (facts: PowerFacts): readonly Finding[] => [
  ...[...stopsOf(facts), ...powersOf(facts), ...feeRows(facts)]
    .filter(({ is_so }) => is_so)
    .map(({ code, grade, title, description }) =>
      finding(code, grade, { title, description, evidence: [byCall(facts, "the account")] }),
    ),
  ...marketFindings(facts, faceFlagsOf(facts)),
];

/** What speaks for it, in fixed sentences. */
export const powerPositives = ({ traits, is_listed, liquidity }: PowerFacts): string[] => {
  const sentences: readonly (readonly [boolean, string])[] = [
    [is_listed, "It is in this network's registry: the powers of its issuer are known and weigh nothing here."],
    [traits.mint_authority === null, "Nobody can create more coins."],
    [traits.freeze_authority === null && !traits.opens_frozen, "Nobody can freeze holders."],
    [traits.permanent_delegate === null, "Nobody but the holder can move coins."],
    [traits.transfer_fee === null, "Transfers are not taxed."],
    [traits.hook_program === null && traits.hook_authority === null, "No program can refuse a transfer."],
    [traits.description?.is_mutable === false, "What it says of itself cannot be changed."],
    [(liquidity.kept_percent ?? 0) > 80, "More than 80 % of the deepest pool's shares are burnt or locked."],
  ];
  return sentences.filter(([is_so]) => is_so).map(([, sentence]) => sentence);
};
