/** Effects of an instruction, from its bytes or from the node's parsed form. */
import { toHex } from "../../lib/bytes.ts";
import type { Accounts } from "./accounts.ts";
import { parsedStep } from "./parsed_steps.ts";
import { isTokenProgram, LOADER_V4, SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from "./programs.ts";
import type { InstructionInput, InstructionStep } from "./step.ts";
import { systemStep } from "./system_steps.ts";
import { tokenStep } from "./token_steps.ts";
import type { SolanaInstruction } from "./transaction.ts";
import { dataOf } from "./wire.ts";

/**
 * Effects of an instruction, in order: one step or, for a batch, several; none if it moves nothing that Assay follows.
 * Never throws on untrusted content.
 */
export const stepsOf = ({ program, call }: SolanaInstruction, accounts: Accounts): readonly InstructionStep[] => {
  const id = accounts.hex(program);
  if (id !== SYSTEM_PROGRAM && !isLoader(id) && !isTokenProgram(id)) return NONE;
  // Nodes do not parse instructions of loader v4.
  if ("type" in call) return id === LOADER_V4 ? NONE : listed(parsedStep(id, call, accounts));
  const data = typeof call.data === "string" ? dataOf(call.data, "data") : call.data;
  const input = { data, at: (place: number): number | null => call.accounts[place] ?? null, accounts };
  if (id === SYSTEM_PROGRAM) return listed(systemStep(input));
  if (id === UPGRADEABLE_LOADER) return listed(upgradeableStep(input));
  if (id === LOADER_V4) return listed(loaderV4Step(input));
  return data[0] === BATCH
    ? batched(input).flatMap((part) => listed(tokenStep(id, part)))
    : listed(tokenStep(id, input));
};

const NONE: readonly InstructionStep[] = [];
const listed = (step: InstructionStep | null): readonly InstructionStep[] => (step === null ? NONE : [step]);

const BATCH = 255;

/**
 * Splits a batch of the token program: for each part the number of its accounts, the length of its data, and the data;
 * the accounts follow each other (solana-program/token, p-token processor/batch.rs). Empty for a truncated batch.
 */
const batched = ({ data, at, accounts }: InstructionInput): readonly InstructionInput[] => {
  const parts: InstructionInput[] = [];
  let first = 0;
  for (let from = 1; from < data.length; ) {
    const [count, length] = [data[from] ?? 0, data[from + 1]];
    if (length === undefined || from + 2 + length > data.length) return [];
    const start = first;
    const own = (place: number): number | null => (place < count ? at(start + place) : null);
    parts.push({ data: data.subarray(from + 2, from + 2 + length), at: own, accounts });
    first += count;
    from += 2 + length;
  }
  return parts;
};

const isLoader = (program: string): boolean => program === UPGRADEABLE_LOADER || program === LOADER_V4;

const DEPLOY = "02000000";
const UPGRADE = "03000000";

/**
 * Upgradeable loader: [payer, program data, program, buffer, rent, clock, system, authority], and the same without the
 * payer.
 */
const upgradeableStep = ({ data, at, accounts }: InstructionInput): InstructionStep | null => {
  const tag = toHex(data.subarray(0, 4));
  if (tag !== DEPLOY && tag !== UPGRADE) return null;
  const program = at(tag === DEPLOY ? 2 : 1);
  const authority = at(tag === DEPLOY ? 7 : 6);
  if (program === null || authority === null) return null;
  const is_upgrade = tag === UPGRADE;
  return { does: "deploy", program: accounts.bytes(program), authority: accounts.bytes(authority), is_upgrade };
};

const DEPLOY_V4 = "03000000";

/**
 * Loader v4: [program, authority] (solana-loader-v4-interface, instruction.rs). The same instruction deploys for the
 * first time and again, and does not show which.
 */
const loaderV4Step = ({ data, at, accounts }: InstructionInput): InstructionStep | null => {
  const [program, authority] = [at(0), at(1)];
  if (toHex(data.subarray(0, 4)) !== DEPLOY_V4 || program === null || authority === null) return null;
  return { does: "deploy", program: accounts.bytes(program), authority: accounts.bytes(authority), is_upgrade: false };
};
