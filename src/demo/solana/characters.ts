/**
 * The characters of the demo world of Solana. Keys follow from their seeds, so addresses never change: docs, lists and
 * tests name them; a test makes the keys and compares. A character with a namesake in the demo on EVM plays the same
 * role here.
 */
import { createHash } from "node:crypto";
import { type Address, address } from "@solana/kit";
import { toBase58 } from "../../lib/base58.ts";
import { TOKEN, TOKEN_2022, WRAPPED } from "./made_transaction.ts";

interface Character {
  /** Value of every byte of the secret key. */
  readonly seed: number;
  readonly role: string;
}

export const CHARACTERS = {
  bank: { seed: 1, role: "receives all coins of the first block and distributes them" },
  alice: { seed: 2, role: "trader: pays, is paid, deposits with the exchange" },
  bob: { seed: 3, role: "saver; simple books; is robbed of a part of his dollars" },
  carol: { seed: 4, role: "is paid in dollars and spends some; simple books" },
  dave: { seed: 5, role: "developer of the token Lantern, of Token-2022 with a fee on transfers" },
  erin: { seed: 6, role: "wraps and unwraps SOL; simple books" },
  frank: { seed: 7, role: "most of his transactions fail; simple books" },
  peggy: { seed: 8, role: "treasury: pays five salaries every week" },
  exchange: { seed: 9, role: "hot wallet of an exchange" },
  deposit: { seed: 10, role: "the exchange's deposit address for alice; all of it goes on to the hot wallet" },
  trent: { seed: 11, role: "issues dollars, freezes and thaws" },
  mallory: { seed: 12, role: "thief; her dollars are frozen" },
  victor: { seed: 13, role: "his dollars were frozen and freed again" },
  ivan: { seed: 14, role: "is paid by the thief before she is frozen" },
  nina: { seed: 15, role: "pays the exchange every day at the same hour" },
  validator: { seed: 16, role: "produces the blocks: half of the fees and the rewards are his" },
} as const satisfies Readonly<Record<string, Character>>;

export type CharacterName = keyof typeof CHARACTERS;

/** Seeds of the mints. */
export const TOKENS = {
  usdc: { seed: 101, program: TOKEN, decimals: 6, name: "USD Coin", symbol: "USDC", uri: "" },
  lamp: { seed: 102, program: TOKEN_2022, decimals: 6, name: "Lantern", symbol: "LAMP", uri: "" },
  wsol: { mint: address(WRAPPED), program: TOKEN, decimals: 9, name: "Wrapped SOL", symbol: "SOL", uri: "" },
} as const;

export type TokenName = keyof typeof TOKENS;

/** People whom the scenario only pays. Their keys are unknown. */
export const BYSTANDERS: readonly Address[] = Array.from({ length: 16 }, (_, n) =>
  address(toBase58(createHash("sha256").update(`bystander ${n}`).digest())),
);
