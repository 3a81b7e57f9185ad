/** Mints and programs that came into being: who made them, and the program that did it for somebody. */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { NativeCreation } from "../native_creation.ts";
import type { Step } from "./step.ts";

export interface Caller {
  /** Pays for the transaction. */
  readonly payer: Bytes;
  /** The program that called; null when the transaction itself did. */
  readonly program: Bytes | null;
}

/** A mint is its payer's, for a launchpad signs in nobody's name; a program is that of whoever may deploy it. */
export const creationOf = (step: Step, { payer, program }: Caller): NativeCreation | null => {
  const factory = program ?? EMPTY;
  if (step.does === "create_mint") return { address: step.mint, creator: payer, factory, is_upgrade: false };
  if (step.does !== "deploy") return null;
  return { address: step.program, creator: step.authority, factory, is_upgrade: step.is_upgrade };
};
