/** Transactions assembled account by account, as a node would return them in encoding `json`. */
import { toBase58 } from "../../lib/base58.ts";
import type { AnsweredTransaction } from "./equation.ts";

export const SYSTEM = "11111111111111111111111111111111";
export const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
export const TOKEN_2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb";
export const WRAPPED = "So11111111111111111111111111111111111111112";

/** An address of 32 equal bytes. */
export const madeKey = (byte: number): string => toBase58(Buffer.alloc(32, byte));

/** Little-endian integers and raw bytes, one after the other. */
export const packed = (...parts: readonly (readonly ["u8" | "u32" | "u64", number | bigint] | Uint8Array)[]): Buffer =>
  Buffer.concat(
    parts.map((part) => {
      if (part instanceof Uint8Array) return part;
      const [type, value] = part;
      const bytes = Buffer.alloc(type === "u8" ? 1 : type === "u32" ? 4 : 8);
      if (type === "u64") bytes.writeBigUInt64LE(BigInt(value));
      else if (type === "u32") bytes.writeUInt32LE(Number(value));
      else bytes.writeUInt8(Number(value));
      return bytes;
    }),
  );

export interface MadeInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Uint8Array;
  /** Inner instructions, in order. */
  readonly inner?: readonly MadeInstruction[];
}

export interface MadeBalance {
  readonly mint: string;
  readonly owner: string;
  readonly amount: bigint;
  readonly program?: string;
}

export interface MadeTransaction {
  /** Address -> lamports before and after; the first pays the fee. */
  readonly lamports: readonly (readonly [address: string, before: bigint, after: bigint])[];
  /** Token account -> balance before and after; null where it does not exist. */
  readonly tokens?: readonly (readonly [account: string, before: MadeBalance | null, after: MadeBalance | null])[];
  readonly instructions: readonly MadeInstruction[];
  readonly fee?: number;
  readonly error?: unknown;
}

export const madeTransaction = (made: MadeTransaction): AnsweredTransaction => {
  const named = made.lamports.map(([address]) => address);
  const used = ({ program, accounts, inner }: MadeInstruction): string[] => [
    ...accounts,
    program,
    ...(inner ?? []).flatMap(used),
  ];
  const accountKeys = [...new Set([...named, ...made.instructions.flatMap(used)])];
  const lamports = (at: 1 | 2): string[] =>
    accountKeys.map((address) => String(made.lamports.find(([other]) => other === address)?.[at] ?? 0n));
  const balances = (at: 1 | 2) =>
    (made.tokens ?? []).flatMap(([account, ...both]) => {
      const balance = both[at - 1] ?? null;
      if (balance === null) return [];
      const { mint, owner, amount, program } = balance;
      const accountIndex = accountKeys.indexOf(account);
      return [{ accountIndex, mint, owner, programId: program ?? TOKEN, uiTokenAmount: { amount: String(amount) } }];
    });
  const compiled = ({ program, accounts, data }: MadeInstruction) => ({
    programIdIndex: accountKeys.indexOf(program),
    accounts: accounts.map((account) => accountKeys.indexOf(account)),
    data: toBase58(data),
  });
  const called = ({ inner }: MadeInstruction, stackHeight: number): object[] =>
    (inner ?? []).flatMap((one) => [{ ...compiled(one), stackHeight }, ...called(one, stackHeight + 1)]);
  const instructions = made.instructions.map(compiled);
  const innerInstructions = made.instructions.flatMap((one, index) =>
    one.inner === undefined ? [] : [{ index, instructions: called(one, 2) }],
  );
  return {
    transaction: { signatures: [toBase58(Buffer.alloc(64, 7))], message: { accountKeys, instructions } },
    meta: {
      err: made.error ?? null,
      fee: made.fee ?? 5_000,
      preBalances: lamports(1),
      postBalances: lamports(2),
      preTokenBalances: balances(1),
      postTokenBalances: balances(2),
      innerInstructions,
    } as AnsweredTransaction["meta"],
  };
};
