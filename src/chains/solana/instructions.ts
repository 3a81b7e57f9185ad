/** From an instruction, in bytes or as the node read it, to what it does. */
import { toHex } from "../../lib/bytes.ts";
import type { Accounts } from "./accounts.ts";
import { parsedStep } from "./parsed_steps.ts";
import { isTokenProgram, SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from "./programs.ts";
import type { Input, Step } from "./step.ts";
import { systemStep } from "./system_steps.ts";
import { tokenStep } from "./token_steps.ts";
import type { Instruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

/** Null for an instruction that moves nothing that we follow. Never throws on what a stranger put into it. */
export const stepOf = ({ program, call }: Instruction, accounts: Accounts): Step | null => {
  const id = accounts.hex(program);
  if (id !== SYSTEM_PROGRAM && id !== UPGRADEABLE_LOADER && !isTokenProgram(id)) return null;
  if ("type" in call) return parsedStep(id, call, accounts);
  const data = typeof call.data === "string" ? dataOf(call.data, "data") : call.data;
  const input = { data, at: (place: number): number | null => call.accounts[place] ?? null, accounts };
  if (id === SYSTEM_PROGRAM) return systemStep(input);
  return id === UPGRADEABLE_LOADER ? loaderStep(input) : tokenStep(id, input);
};

const DEPLOY = "02000000";
const UPGRADE = "03000000";

/** Upgradeable loader: [payer, program data, program, buffer, rent, clock, system, authority] and without the payer. */
const loaderStep = ({ data, at, accounts }: Input): Step | null => {
  const tag = toHex(data.subarray(0, 4));
  if (tag !== DEPLOY && tag !== UPGRADE) return null;
  const program = at(tag === DEPLOY ? 2 : 1);
  const authority = at(tag === DEPLOY ? 7 : 6);
  if (program === null || authority === null) return null;
  const is_upgrade = tag === UPGRADE;
  return { does: "deploy", program: accounts.bytes(program), authority: accounts.bytes(authority), is_upgrade };
};
