/** System program: a tag of four bytes, then bincode (solana-sdk, system-interface instruction.rs). */
import { u32At, u64At } from "./integers.ts";
import type { InstructionInput, InstructionStep } from "./step.ts";

const CREATE_ACCOUNT = 0;
const TRANSFER = 2;
const CREATE_ACCOUNT_WITH_SEED = 3;
const WITHDRAW_NONCE_ACCOUNT = 5;
const TRANSFER_WITH_SEED = 11;

const TAG_BYTES = 4;
const SEED_LENGTH_BYTES = 8;
const LAMPORTS_BYTES = 8;
/** Length of the base address in front of the seed. */
const KEY_BYTES = 32;

/** Null for an instruction that moves no lamports, or whose bytes end too early. */
export const systemStep = (input: InstructionInput): InstructionStep | null => {
  const { data } = input;
  switch (u32At(data, 0)) {
    case CREATE_ACCOUNT:
      return create(input, TAG_BYTES);
    case TRANSFER:
    case WITHDRAW_NONCE_ACCOUNT:
      return pay(input, u64At(data, TAG_BYTES), 1);
    case CREATE_ACCOUNT_WITH_SEED:
      return create(input, seedEnd(input, TAG_BYTES + KEY_BYTES));
    case TRANSFER_WITH_SEED:
      return pay(input, u64At(data, TAG_BYTES), 2);
    default:
      return null;
  }
};

type Pay = Extract<InstructionStep, { does: "pay" }>;

const pay = ({ at }: InstructionInput, lamports: bigint | null, destination: number): Pay | null => {
  const from = at(0);
  const to = at(destination);
  return lamports === null || from === null || to === null ? null : { does: "pay", from, to, lamports, space: null };
};

/** Space follows lamports. */
const create = (input: InstructionInput, start: number | null): Pay | null => {
  const paid = start === null ? null : pay(input, u64At(input.data, start), 1);
  return start === null || paid === null ? null : { ...paid, space: u64At(input.data, start + LAMPORTS_BYTES) };
};

/** The first byte after a seed. */
const seedEnd = ({ data }: InstructionInput, start: number): number | null => {
  const length = u64At(data, start);
  if (length === null || length > BigInt(data.length)) return null;
  return start + SEED_LENGTH_BYTES + Number(length);
};
