/** New mints and programs: the creator, and the program that acted on its behalf. */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { NativeCreation } from "../native_creation.ts";
import type { Step } from "./step.ts";

export interface Caller {
  /** Pays for the transaction. */
  readonly payer: Bytes;
  /** The calling program; null if the transaction itself called. */
  readonly program: Bytes | null;
}

/** A mint belongs to its payer, because a launchpad signs for no user; a program belongs to its upgrade authority. */
export const creationOf = (step: Step, { payer, program }: Caller): NativeCreation | null => {
  const factory = program ?? EMPTY;
  if (step.does === "create_mint") return { address: step.mint, creator: payer, factory, is_upgrade: false };
  if (step.does !== "deploy") return null;
  return { address: step.program, creator: step.authority, factory, is_upgrade: step.is_upgrade };
};
