/** New mints and programs: the creator, and the program that acted on its behalf. */
import { type Bytes, EMPTY } from "../../lib/bytes.ts";
import type { NativeCreation } from "../native_creation.ts";
import type { InstructionStep } from "./step.ts";

export interface CreationCaller {
  /** Pays for the transaction. */
  readonly payer: Bytes;
  /** The calling program; null if the transaction itself called. */
  readonly program: Bytes | null;
}

/** A mint belongs to its payer, because a launchpad signs for no user; a program belongs to its upgrade authority. */
export const creationOf = (step: InstructionStep, { payer, program }: CreationCaller): NativeCreation | null => {
  const factory = program ?? EMPTY;
  if (step.does === "create_mint") return { address: step.mint, creator: payer, factory, is_upgrade: false };
  if (step.does !== "deploy") return null;
  return { address: step.program, creator: step.authority, factory, is_upgrade: step.is_upgrade };
};
