import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isRecord } from "../lib/record.ts";
import { runCompiler } from "./compiler_process.ts";

/** Runs the installed compiler in a child process with limited time and memory. */

/** Sources of the largest verified contracts are a few megabytes. */
const INPUT_BYTES_MAX = 8 * 1024 * 1024;
/** Maximum waiting compilations; more are rejected at once. */
const WAITING_MAX = 128;

export interface StandardInput {
  readonly language: string;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface CompileTarget {
  readonly path: string;
  readonly name: string;
}

/** A contract in solc's standard JSON output. Unchecked: readers validate each part. */
export interface CompiledContract {
  readonly target: CompileTarget;
  readonly output: Readonly<Record<string, unknown>>;
}

export type Compilation =
  | { readonly kind: "compiled"; readonly contracts: readonly CompiledContract[] }
  /** The compiler rejects the sources. */
  | { readonly kind: "refused" }
  /** Too large, too slow, or too many at once. */
  | { readonly kind: "stopped"; readonly reason: string };

/** Version of the installed package, such as `0.8.37+commit.f401782d`. */
export const compilerVersion = (() => {
  let known: string | null = null;
  return (): string => {
    if (known !== null) return known;
    const require = createRequire(import.meta.url);
    // The npm package's version is that of the compiler; the commit is only in soljson.js, which is not loaded here.
    const { version } = JSON.parse(readFileSync(require.resolve("solc/package.json"), "utf8")) as { version: string };
    known = version;
    return known;
  };
})();

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** One compilation at a time: each occupies a processor for up to seconds. */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  waiting += 1;
  const turn = last.then(work, work);
  last = turn.catch(() => undefined); // its own caller gets the error
  try {
    return await turn;
  } finally {
    waiting -= 1;
  }
};

const OUTPUTS = [
  "abi",
  "evm.bytecode.object",
  "evm.bytecode.linkReferences",
  "evm.deployedBytecode.object",
  "evm.deployedBytecode.linkReferences",
  "evm.deployedBytecode.immutableReferences",
];
/** Settings that change the code. All others (model checker, output, remote files) are dropped. */
const SETTINGS = ["optimizer", "evmVersion", "viaIR", "libraries", "metadata", "remappings", "debug"];

const inputFor = (input: StandardInput, target: CompileTarget | null): string => {
  const settings = Object.fromEntries(
    SETTINGS.flatMap((key) => (key in input.settings ? [[key, input.settings[key]]] : [])),
  );
  const selected = target === null ? { "*": { "*": OUTPUTS } } : { [target.path]: { [target.name]: OUTPUTS } };
  const { language, sources } = input;
  return JSON.stringify({ language, sources, settings: { ...settings, outputSelection: selected } });
};

const contractsIn = (output: Readonly<Record<string, unknown>>): readonly CompiledContract[] =>
  Object.entries(isRecord(output.contracts) ? output.contracts : {}).flatMap(([path, contracts]) =>
    Object.entries(isRecord(contracts) ? contracts : {}).flatMap(([name, contract]) =>
      isRecord(contract) ? [{ target: { path, name }, output: contract }] : [],
    ),
  );

/** Compiles one target, or everything without a target. Never throws because of a source. */
export const compile = async (input: StandardInput, target: CompileTarget | null): Promise<Compilation> => {
  const text = inputFor(input, target);
  if (Buffer.byteLength(text) > INPUT_BYTES_MAX) return { kind: "stopped", reason: "the sources are too large" };
  if (waiting >= WAITING_MAX) return { kind: "stopped", reason: "too many compilations are waiting" };
  const printed = await inTurn(() => runCompiler(text));
  if (printed === null) return { kind: "stopped", reason: "the compiler exceeded its time or size limit" };
  const output: unknown = JSON.parse(printed);
  const contracts = isRecord(output) ? contractsIn(output) : [];
  return contracts.length === 0 ? { kind: "refused" } : { kind: "compiled", contracts };
};
