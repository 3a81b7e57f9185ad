import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { isRecord } from "../lib/record.ts";
import { runCompiler } from "./compiler_process.ts";

/** The one compiler that this process can run, in a child with bounded time and memory. */

/** Sources of the largest verified contracts are a few megabytes. */
const INPUT_BYTES_MAX = 8 * 1024 * 1024;
/** Compilations that may wait; more are refused at once. */
const WAITING_MAX = 128;

export interface StandardInput {
  readonly language: string;
  readonly sources: Readonly<Record<string, { readonly content: string }>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface Target {
  readonly path: string;
  readonly name: string;
}

/** A contract in solc's standard JSON output. Unchecked: whoever reads it looks at each part. */
export interface CompiledContract {
  readonly target: Target;
  readonly output: Readonly<Record<string, unknown>>;
}

export type Compilation =
  | { readonly kind: "compiled"; readonly contracts: readonly CompiledContract[] }
  /** The compiler refuses the sources. */
  | { readonly kind: "refused" }
  /** Too large, too slow, or too many at once. */
  | { readonly kind: "stopped"; readonly reason: string };

/** `0.8.37+commit.f401782d`, of the package that is installed. */
export const compilerVersion = (() => {
  let known: string | null = null;
  return (): string => {
    if (known !== null) return known;
    const require = createRequire(import.meta.url);
    // The npm package's version is that of the compiler; the commit stands in soljson.js alone, which is not loaded here.
    const { version } = JSON.parse(readFileSync(require.resolve("solc/package.json"), "utf8")) as { version: string };
    known = version;
    return known;
  };
})();

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

/** One compilation at a time: each keeps one processor busy for up to seconds. */
const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  waiting += 1;
  const turn = last.then(work, work);
  last = turn.catch(() => undefined); // its own caller hears of it
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
/** Settings that change the code. Everything else (model checker, output, remote files) is not passed on. */
const SETTINGS = ["optimizer", "evmVersion", "viaIR", "libraries", "metadata", "remappings", "debug"];

const inputFor = (input: StandardInput, target: Target | null): string => {
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

/** Compiles one target, or everything when there is none. Never throws for anything that a source can do. */
export const compile = async (input: StandardInput, target: Target | null): Promise<Compilation> => {
  const text = inputFor(input, target);
  if (Buffer.byteLength(text) > INPUT_BYTES_MAX) return { kind: "stopped", reason: "the sources are too large" };
  if (waiting >= WAITING_MAX) return { kind: "stopped", reason: "too many compilations are waiting" };
  const printed = await inTurn(() => runCompiler(text));
  if (printed === null) return { kind: "stopped", reason: "the compiler did not end in time and size" };
  const output: unknown = JSON.parse(printed);
  const contracts = isRecord(output) ? contractsIn(output) : [];
  return contracts.length === 0 ? { kind: "refused" } : { kind: "compiled", contracts };
};
