/** Public sets of labelled tokens: where they are, and how their labels read as the truth of the benchmark. */
import { type JudgedTraits, TRAITS, type Trait } from "../tokens/traits.ts";

/** A value of a label's column. Null: it says nothing about traps. */
interface LabelTruth {
  readonly is_trap: boolean | null;
  readonly traits?: Partial<JudgedTraits>;
}

export interface SetRecipe {
  readonly name: string;
  readonly source: string;
  readonly licence: string;
  readonly note: string;
  /** A CSV file with a header, below the reader's folder. */
  readonly file: string;
  /** Column that names the token: its address, or any name where the set has its creation code. Columns are in lower case. */
  readonly id: string;
  /** Folder below the reader's with a file `ID.hex` of creation code for each token; left out where tokens are judged at their addresses. */
  readonly codes?: string;
  /** Truth by column and value, in lower case. A trap is a token that one column calls so. */
  readonly labels: Readonly<Record<string, Readonly<Record<string, LabelTruth>>>>;
}

const TRAP: LabelTruth = { is_trap: true };
const NO_TRAP: LabelTruth = { is_trap: false };

const traitColumn = (trait: Trait): SetRecipe["labels"][string] => ({
  true: { is_trap: null, traits: { [trait]: true } },
  false: { is_trap: null, traits: { [trait]: false } },
  "": { is_trap: null },
});

export const RECIPES: readonly SetRecipe[] = [
  {
    name: "crpwarner",
    source: "github.com/CRPWarner/RugPull, dataset/groundtruth: Lin et al., CRPWarner",
    licence: "none stated in the repository",
    note: "Save groundTruth.xlsx as groundTruth.csv. A way to limit sales need not be in use, so it is a trap and says nothing about a honeypot. 69 contracts in the notebook beside it.",
    file: "groundTruth.csv",
    id: "address",
    labels: {
      mint: {
        "1": { ...TRAP, traits: { is_mintable: true } },
        "0": { ...NO_TRAP, traits: { is_mintable: false } },
      },
      leak: {
        "1": { ...TRAP, traits: { owner_can_change_balance: true } },
        "0": { ...NO_TRAP, traits: { owner_can_change_balance: false } },
      },
      limit: { "1": TRAP, "0": { ...NO_TRAP, traits: { is_honeypot: false } } },
    },
  },
  {
    name: "rugpull_prediction",
    source: "github.com/kangmyoungseok/RugPull-Prediction-AI, Dataset_v1.9.csv: tokens of Uniswap v2 on Ethereum",
    licence: "none stated in the repository",
    note: "Its authors call a token a scam when its pool was emptied at once. That is an act, not a power of the code, so no trait is compared.",
    file: "Dataset_v1.9.csv",
    id: "id",
    labels: { label: { true: TRAP, false: NO_TRAP } },
  },
  {
    name: "creation_codes",
    source: "any set with creation code, in this form",
    licence: "that of the set",
    note: "Columns name, trap (true or false), and one for each trait (true, false or empty). codes/NAME.hex has the creation code with the constructor's arguments at its end; the deployer gets the supply.",
    file: "tokens.csv",
    id: "name",
    codes: "codes",
    labels: {
      trap: { true: TRAP, false: NO_TRAP },
      ...Object.fromEntries(TRAITS.map((trait) => [trait, traitColumn(trait)])),
    },
  },
];
