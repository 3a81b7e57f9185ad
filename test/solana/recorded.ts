import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseLossless } from "../../src/chains/node/lossless_json.ts";
import type { AnsweredTransaction } from "../../src/demo/solana/equation.ts";
import { toBase58 } from "../../src/lib/base58.ts";

const FOLDER = join(import.meta.dirname, "../../../shared/data/solana");

export interface RecordedBlock {
  readonly name: string;
  readonly slot: number;
  readonly json: { readonly parentSlot: number; readonly transactions: readonly AnsweredTransaction[] };
}

export interface RecordedTransaction {
  readonly name: string;
  readonly json: AnsweredTransaction;
}

export interface RecordedInstruction {
  readonly name: string;
  /** Base58. */
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: string;
}

export interface SolanaRecording {
  readonly blocks: readonly RecordedBlock[];
  readonly transactions: readonly RecordedTransaction[];
  readonly instructions: readonly RecordedInstruction[];
}

/** Null if the recorded data is not beside the project. */
export const readRecordedSolana = (): SolanaRecording | null => {
  if (!existsSync(FOLDER)) {
    process.emitWarning(`recorded Solana data is not tested: there is no ${FOLDER}`);
    return null;
  }
  return {
    blocks: filesIn("blocks").map(([name, text]) => {
      const json = parseLossless(text) as RecordedBlock["json"]; // recorded getBlock answers
      return { name, json, slot: json.parentSlot + 1 };
    }),
    transactions: filesIn("tx").map(([name, text]) => ({ name, json: transactionIn(parseLossless(text)) })),
    instructions: filesIn("ix").flatMap(([name, text]) => (text === "" ? [] : instructionsIn(name, JSON.parse(text)))),
  };
};

const filesIn = (folder: string): [string, string][] =>
  readdirSync(join(FOLDER, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name, readFileSync(join(FOLDER, folder, name), "utf8")]);

interface MetaOnly {
  readonly preBalances: readonly number[];
  readonly loadedAddresses: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  readonly innerInstructions: readonly { readonly index: number }[];
}

/** A `getTransaction` answer, a block subscription's transaction, or meta data alone. */
const transactionIn = (json: unknown): AnsweredTransaction => {
  const answer = json as { result?: AnsweredTransaction; transaction?: unknown } & MetaOnly; // the three shapes of the folder
  if (answer.result !== undefined) return answer.result;
  if (answer.transaction !== undefined) return answer as unknown as AnsweredTransaction; // the second shape
  return withMadeUpMessage(answer);
};

/** Meta data alone names accounts by position only: the message gets generated addresses. */
const withMadeUpMessage = (meta: MetaOnly): AnsweredTransaction => {
  const loaded = meta.loadedAddresses.writable.length + meta.loadedAddresses.readonly.length;
  const count = meta.preBalances.length - loaded;
  const accountKeys = Array.from({ length: count }, (_, i) => toBase58(Buffer.alloc(32, i + 1)));
  const outer = Math.max(0, ...meta.innerInstructions.map(({ index }) => index + 1));
  const instructions = Array.from({ length: outer }, () => ({ programIdIndex: 0, accounts: [], data: "" }));
  const transaction = { signatures: [toBase58(Buffer.alloc(64, 1))], message: { accountKeys, instructions } };
  return { transaction, meta: meta as unknown as AnsweredTransaction["meta"] }; // the same meta data as in an answer
};

interface VixenInstruction {
  readonly program: readonly number[];
  readonly accounts: readonly (readonly number[])[];
  readonly data: readonly number[];
  readonly inner: readonly VixenInstruction[];
}

interface CarbonInstruction {
  readonly program_id: string;
  readonly accounts: readonly { readonly pubkey: string }[];
  readonly data: string;
}

const instructionsIn = (name: string, json: unknown): RecordedInstruction[] => {
  if (typeof json === "object" && json !== null && "program_id" in json) {
    const { program_id, accounts, data } = json as unknown as CarbonInstruction; // carbon's fixture shape
    const bytes = toBase58(Buffer.from(data, "hex"));
    return [{ name, program: program_id, accounts: accounts.map(({ pubkey }) => pubkey), data: bytes }];
  }
  const list = Array.isArray(json) ? json : Reflect.get(Object(json), "instructions");
  const flat = ({ program, accounts, data, inner }: VixenInstruction): RecordedInstruction[] => [
    {
      name,
      program: toBase58(Buffer.from(program)),
      accounts: accounts.map((account) => toBase58(Buffer.from(account))),
      data: toBase58(Buffer.from(data)),
    },
    ...inner.flatMap(flat),
  ];
  return Array.isArray(list) ? (list as VixenInstruction[]).flatMap(flat) : []; // vixen's; accounts of carbon have none
};
