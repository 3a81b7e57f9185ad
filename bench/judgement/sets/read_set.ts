/** Reads a public set from a folder by its recipe. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HexText } from "../../../src/demo/evm/rpc.ts";
import { csvRows } from "../../../src/labels/import/csv_rows.ts";
import type { TruthOfToken } from "../tokens/judged.ts";
import { type JudgedTraits, TRAITS } from "../tokens/traits.ts";
import type { SetRecipe } from "./recipes.ts";

export interface SetToken extends TruthOfToken {
  /** Creation code; null for a token that is judged at its address. */
  readonly code: HexText | null;
}

export interface ReadSet {
  readonly tokens: readonly SetToken[];
  /** Rows that were not read, by reason. */
  readonly refused: ReadonlyMap<string, number>;
}

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const CODE = /^(?:0x)?(?:[0-9a-f]{2})+$/i;
const PLAIN = /^[\w-]+$/;
/** Of the truth about a trap: the least level that warns. */
const WARNS = { level: "high", finding: "" } as const;
const UNKNOWN = Object.fromEntries(TRAITS.map((trait) => [trait, null])) as unknown as JudgedTraits; // every trait is there

type CsvRow = Readonly<Record<string, string>>;

/** The truth of a row, or why it has none. */
const truthOf = (row: CsvRow, labels: SetRecipe["labels"]): Pick<TruthOfToken, "trap" | "traits"> | string => {
  const said: (boolean | null)[] = [];
  let traits: JudgedTraits = UNKNOWN;
  for (const [column, values] of Object.entries(labels)) {
    const value = row[column]?.trim().toLowerCase();
    if (value === undefined) return `has no column ${column}`;
    const truth = values[value];
    if (truth === undefined) return `has an unknown value in ${column}`;
    said.push(truth.is_trap);
    traits = { ...traits, ...truth.traits };
  }
  if (said.every((one) => one === null)) return "says nothing about a trap";
  return { trap: said.includes(true) ? WARNS : null, traits };
};

const readCode = (path: string): HexText | null => {
  const text = existsSync(path) ? readFileSync(path, "utf8").trim() : "";
  return CODE.test(text) ? `0x${text.replace(/^0x/i, "").toLowerCase()}` : null;
};

const tokenOf = (row: CsvRow, { id, codes, labels }: SetRecipe, folder: string): SetToken | string => {
  const contract = row[id]?.trim() ?? "";
  if (contract === "") return `has no ${id}`;
  const truth = truthOf(row, labels);
  if (typeof truth === "string") return truth;
  if (codes === undefined)
    return ADDRESS.test(contract) ? { contract: contract.toLowerCase(), ...truth, code: null } : "has no address";
  const code = PLAIN.test(contract) ? readCode(join(folder, codes, `${contract}.hex`)) : null;
  return code === null ? "has no creation code in hex" : { contract, ...truth, code };
};

/** @throws Error if the file is not there, or is no CSV */
export const readSet = (recipe: SetRecipe, folder: string): ReadSet => {
  const refused = new Map<string, number>();
  const tokens = new Map<string, SetToken>();
  for (const row of csvRows(readFileSync(join(folder, recipe.file), "utf8"))) {
    const token = tokenOf(row, recipe, folder);
    const fault = typeof token !== "string" && tokens.has(token.contract) ? "names a token again" : token;
    if (typeof fault === "string") refused.set(fault, (refused.get(fault) ?? 0) + 1);
    else tokens.set(fault.contract, fault);
  }
  return { tokens: [...tokens.values()], refused };
};
