/** Instructions that the node has parsed (`jsonParsed`; agave transaction-status parse_system.rs, parse_token.rs). */
import type { Bytes, Hex } from "../../lib/bytes.ts";
import { BadAnswer, type JsonFields } from "../node/answer.ts";
import type { Accounts } from "./accounts.ts";
import { SYSTEM_PROGRAM, UPGRADEABLE_LOADER } from "./programs.ts";
import type { InstructionStep } from "./step.ts";
import { keyOf, u64Of } from "./wire.ts";

interface ParsedInstruction {
  readonly type: string;
  readonly info: JsonFields;
}

/** Null for an instruction that Assay does not follow, and for one that lacks a field. */
export const parsedStep = (
  program: Hex,
  { type, info }: ParsedInstruction,
  accounts: Accounts,
): InstructionStep | null => {
  const reading: ParsedStepInput = { program, info, accounts };
  try {
    if (program === SYSTEM_PROGRAM) return SYSTEM.get(type)?.(reading) ?? null;
    return (program === UPGRADEABLE_LOADER ? LOADER : TOKEN).get(type)?.(reading) ?? null;
  } catch (error) {
    // Parsers of older nodes omit fields; the balances then show the movement.
    if (error instanceof BadAnswer) return null;
    throw error;
  }
};

interface ParsedStepInput extends Pick<ParsedInstruction, "info"> {
  readonly program: Hex;
  readonly accounts: Accounts;
}

type ParsedSend = Extract<InstructionStep, { does: "send" }>;
type Readers = ReadonlyMap<string, (reading: ParsedStepInput) => InstructionStep | null>;

/** A map, because a type from a node must not match an inherited property. */
const readers = (list: Readonly<Record<string, (reading: ParsedStepInput) => InstructionStep | null>>): Readers =>
  new Map(Object.entries(list));

const positionOf = ({ info, accounts }: ParsedStepInput, name: string): number => {
  const position = accounts.find(info[name]);
  if (position === null) throw new BadAnswer(`${name} is not an account of the transaction`);
  return position;
};

const key = ({ info }: ParsedStepInput, name: string): Bytes => keyOf(info[name], name);

/** `amount`, or the same within `tokenAmount` of the checked instructions. */
const amountOf = ({ info }: ParsedStepInput): bigint => {
  const checked = info.tokenAmount;
  const holder = typeof checked === "object" && checked !== null ? (checked as JsonFields) : info; // parsed JSON object
  return u64Of(holder.amount, "amount");
};

const pay =
  (from: string, to: string) =>
  (reading: ParsedStepInput): Extract<InstructionStep, { does: "pay" }> => ({
    does: "pay",
    from: positionOf(reading, from),
    to: positionOf(reading, to),
    lamports: u64Of(reading.info.lamports, "lamports"),
    space: null,
  });

const create = (reading: ParsedStepInput): InstructionStep => {
  const { space } = reading.info;
  return { ...pay("source", "newAccount")(reading), space: space === undefined ? null : u64Of(space, "space") };
};

const SYSTEM = readers({
  createAccount: create,
  createAccountWithSeed: create,
  transfer: pay("source", "destination"),
  transferWithSeed: pay("source", "destination"),
  withdrawFromNonce: pay("nonceAccount", "destination"),
});

const open = (reading: ParsedStepInput): InstructionStep => ({
  does: "open",
  account: positionOf(reading, "account"),
  mint: key(reading, "mint"),
  owner: key(reading, "owner"),
  program: reading.program,
});

const send = (reading: ParsedStepInput): ParsedSend => ({
  does: "send",
  from: positionOf(reading, "source"),
  to: positionOf(reading, "destination"),
  amount: amountOf(reading),
  fee: null,
});

const sendWithFee = (reading: ParsedStepInput): InstructionStep => {
  const { feeAmount } = reading.info;
  const fee = u64Of(typeof feeAmount === "object" ? Reflect.get(feeAmount ?? {}, "amount") : feeAmount, "fee");
  return { ...send(reading), fee };
};

const mintTo = (reading: ParsedStepInput): InstructionStep => ({
  does: "send",
  from: null,
  to: positionOf(reading, "account"),
  amount: amountOf(reading),
  fee: null,
});

const burn = (reading: ParsedStepInput): InstructionStep => ({
  does: "send",
  from: positionOf(reading, "account"),
  to: null,
  amount: amountOf(reading),
  fee: null,
});

const handOver = (reading: ParsedStepInput): InstructionStep | null =>
  reading.info.authorityType === "accountOwner"
    ? { does: "hand_over", account: positionOf(reading, "account"), owner: key(reading, "newAuthority") }
    : null;

const approve = (reading: ParsedStepInput): InstructionStep => ({
  does: "approve",
  account: positionOf(reading, "source"),
  delegate: key(reading, "delegate"),
  amount: amountOf(reading),
});

const freeze =
  (effect: "freeze" | "unfreeze") =>
  (reading: ParsedStepInput): InstructionStep => ({
    does: "freeze",
    effect,
    account: positionOf(reading, "account"),
    mint: key(reading, "mint"),
  });

const createMint = (reading: ParsedStepInput): InstructionStep => {
  const { decimals, freezeAuthority } = reading.info;
  return {
    does: "create_mint",
    mint: key(reading, "mint"),
    decimals: Number(u64Of(decimals, "decimals")),
    mint_authority: key(reading, "mintAuthority"),
    freeze_authority:
      freezeAuthority === undefined || freezeAuthority === null ? null : key(reading, "freezeAuthority"),
    program: reading.program,
  };
};

const TOKEN = readers({
  initializeMint: createMint,
  initializeMint2: createMint,
  initializeAccount: open,
  initializeAccount2: open,
  initializeAccount3: open,
  transfer: send,
  transferChecked: send,
  transferCheckedWithFee: sendWithFee,
  mintTo,
  mintToChecked: mintTo,
  burn,
  burnChecked: burn,
  approve,
  approveChecked: approve,
  setAuthority: handOver,
  closeAccount: (reading) => ({
    does: "close",
    account: positionOf(reading, "account"),
    to: positionOf(reading, "destination"),
  }),
  freezeAccount: freeze("freeze"),
  thawAccount: freeze("unfreeze"),
  syncNative: (reading) => ({ does: "sync", account: positionOf(reading, "account") }),
});

const deploy =
  (is_upgrade: boolean) =>
  (reading: ParsedStepInput): InstructionStep => ({
    does: "deploy",
    program: key(reading, "programAccount"),
    authority: key(reading, "authority"),
    is_upgrade,
  });

const LOADER = readers({
  deployWithMaxDataLen: deploy(false),
  upgrade: deploy(true),
});
