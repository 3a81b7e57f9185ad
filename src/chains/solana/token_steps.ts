/**
 * Token program and Token-2022: a tag of one byte, then packed fields (spl-token instruction.rs; spl-token-2022
 * extension/transfer_fee/instruction.rs). Both programs share tags 0 to 24.
 */
import type { Bytes, Hex } from "../../lib/bytes.ts";
import { keyAt, u64At } from "./integers.ts";
import type { InstructionInput, InstructionStep } from "./step.ts";

const OWNER_AUTHORITY = 2;
const TRANSFER_FEE_EXTENSION = 26;
const TRANSFER_CHECKED_WITH_FEE = 1;

/** Null for an instruction that changes no balance, owner or freeze, or whose bytes end too early. */
export const tokenStep = (program: Hex, input: InstructionInput): InstructionStep | null => {
  const { data } = input;
  switch (data[0]) {
    case 0: // InitializeMint
    case 20: // InitializeMint2
      return createMint(program, input);
    case 1: // InitializeAccount: the owner is an account
      return open(program, input, ownerAccount(input));
    case 16: // InitializeAccount2
    case 18: // InitializeAccount3
      return open(program, input, keyAt(data, 1));
    case 3: // Transfer
      return send(input, { from: 0, to: 1 });
    case 12: // TransferChecked
      return send(input, { from: 0, to: 2 });
    case 4: // Approve
      return approve(input, 1);
    case 13: // ApproveChecked
      return approve(input, 2);
    case 7: // MintTo
    case 14: // MintToChecked
      return send(input, { from: null, to: 1 });
    case 8: // Burn
    case 15: // BurnChecked
      return send(input, { from: 0, to: null });
    case 6: // SetAuthority
      return handOver(input);
    case 9: // CloseAccount
      return close(input);
    case 10: // FreezeAccount
      return freeze("freeze", input);
    case 11: // ThawAccount
      return freeze("unfreeze", input);
    case 17: // SyncNative
      return sync(input);
    case TRANSFER_FEE_EXTENSION:
      return data[1] === TRANSFER_CHECKED_WITH_FEE ? sendWithFee(input) : null;
    default:
      return null;
  }
};

const bytesAt = ({ at, accounts }: InstructionInput, place: number): Bytes | null => {
  const position = at(place);
  return position === null ? null : accounts.bytes(position);
};

const ownerAccount = (input: InstructionInput): Bytes | null => bytesAt(input, 2);

const open = (program: Hex, input: InstructionInput, owner: Bytes | null): InstructionStep | null => {
  const account = input.at(0);
  const mint = bytesAt(input, 1);
  return account === null || mint === null || owner === null ? null : { does: "open", account, mint, owner, program };
};

const send = (
  { data, at }: InstructionInput,
  places: { from: number | null; to: number | null },
): InstructionStep | null => {
  const amount = u64At(data, 1);
  const from = places.from === null ? null : at(places.from);
  const to = places.to === null ? null : at(places.to);
  if (amount === null || (from === null && places.from !== null) || (to === null && places.to !== null)) return null;
  return { does: "send", from, to, amount, fee: null };
};

/** [source, mint, destination, authority]; amount, decimals, fee. */
const sendWithFee = ({ data, at }: InstructionInput): InstructionStep | null => {
  const amount = u64At(data, 2);
  const fee = u64At(data, 11);
  const from = at(0);
  const to = at(2);
  if (amount === null || fee === null || from === null || to === null || fee > amount) return null;
  return { does: "send", from, to, amount, fee };
};

const handOver = ({ data, at }: InstructionInput): InstructionStep | null => {
  const account = at(0);
  // An option: 1 and the key.
  const owner = data[1] === OWNER_AUTHORITY && data[2] === 1 ? keyAt(data, 3) : null;
  return account === null || owner === null ? null : { does: "hand_over", account, owner };
};

const approve = (input: InstructionInput, delegate_at: number): InstructionStep | null => {
  const account = input.at(0);
  const delegate = bytesAt(input, delegate_at);
  const amount = u64At(input.data, 1);
  return account === null || delegate === null || amount === null
    ? null
    : { does: "approve", account, delegate, amount };
};

const close = ({ at }: InstructionInput): InstructionStep | null => {
  const account = at(0);
  const to = at(1);
  return account === null || to === null ? null : { does: "close", account, to };
};

const freeze = (effect: "freeze" | "unfreeze", input: InstructionInput): InstructionStep | null => {
  const account = input.at(0);
  const mint = bytesAt(input, 1);
  return account === null || mint === null ? null : { does: "freeze", effect, account, mint };
};

const sync = ({ at }: InstructionInput): InstructionStep | null => {
  const account = at(0);
  return account === null ? null : { does: "sync", account };
};

/** Decimals, mint authority, and an option: 1 and the freeze authority. */
const createMint = (program: Hex, input: InstructionInput): InstructionStep | null => {
  const mint = bytesAt(input, 0);
  const mint_authority = keyAt(input.data, 2);
  const decimals = input.data[1];
  if (mint === null || mint_authority === null || decimals === undefined) return null;
  const freeze_authority = input.data[34] === 1 ? keyAt(input.data, 35) : null;
  return { does: "create_mint", mint, decimals, mint_authority, freeze_authority, program };
};
