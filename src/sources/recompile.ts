import type { Bytes } from "../lib/bytes.ts";
import { isRecord } from "../lib/record.ts";
import { compiledCode, matchRuntime } from "./compare.ts";
import { splitCode, tailFacts } from "./metadata_tail.ts";
import {
  type Compilation,
  type CompiledContract,
  type CompileTarget,
  compile,
  compilerVersion,
  type StandardInput,
} from "./solc.ts";
import {
  type CompiledCode,
  type Match,
  type SourceAnswer,
  type SourceFile,
  unknownBecause,
  type VerifiedSource,
} from "./source.ts";

/** Unverified sources of a contract. */
export interface SourceCandidate {
  readonly input: StandardInput;
  /** Null when any contract of the sources may match. */
  readonly target: CompileTarget | null;
  /** `0.8.37` or `0.8.37+commit…`; null when unknown: then the code itself decides. */
  readonly version: string | null;
}

/** Compilations of candidates, cached as long as the provider keeps the candidate. */
const compiled = new WeakMap<SourceCandidate, Promise<Compilation>>();

const compileOnce = async (candidate: SourceCandidate): Promise<Compilation> => {
  const known = compiled.get(candidate);
  if (known !== undefined) return known;
  const started = compile(candidate.input, candidate.target);
  compiled.set(candidate, started);
  const result = await started;
  if (result.kind === "stopped") compiled.delete(candidate); // a retry may succeed
  return result;
};

const codeOf = (contract: CompiledContract, part: "bytecode" | "deployedBytecode"): CompiledCode | null => {
  const evm = isRecord(contract.output.evm) ? contract.output.evm : {};
  const made = isRecord(evm[part]) ? evm[part] : {};
  if (typeof made.object !== "string") return null;
  const immutables = isRecord(made.immutableReferences) ? made.immutableReferences : {};
  const links = isRecord(made.linkReferences) ? made.linkReferences : {};
  return compiledCode(made.object, { immutables, links });
};

interface CompilationFit {
  readonly contract: CompiledContract;
  readonly match: Match;
}

/** The contract with this runtime code; exact matches first, then by path and name. */
const bestFit = (contracts: readonly CompiledContract[], code: Bytes): CompilationFit | null => {
  const fits = contracts.flatMap((contract): CompilationFit[] => {
    const runtime = codeOf(contract, "deployedBytecode");
    const match = runtime === null ? null : matchRuntime(code, runtime);
    return match === null ? [] : [{ contract, match }];
  });
  return fits.find(({ match }) => match === "exact_match") ?? fits[0] ?? null;
};

/** The target's file first, the others by path. */
export const orderedFiles = (sources: Readonly<Record<string, string>>, first: string | null): readonly SourceFile[] =>
  Object.entries(sources)
    .map(([path, content]) => ({ path, content }))
    .sort((a, b) => Number(b.path === first) - Number(a.path === first) || (a.path < b.path ? -1 : 1));

/** Optimizer settings; off when the settings do not mention it. */
export const optimizationOf = (settings: Readonly<Record<string, unknown>>): VerifiedSource["optimization"] => {
  const said = isRecord(settings.optimizer) ? settings.optimizer : {};
  const runs = Number.isSafeInteger(said.runs) ? Number(said.runs) : null;
  return { enabled: said.enabled === true, runs };
};

const sourceOf = ({ input }: SourceCandidate, { contract, match }: CompilationFit): VerifiedSource => {
  const { settings } = input;
  const contents = Object.fromEntries(Object.entries(input.sources).map(([path, { content }]) => [path, content]));
  return {
    provider: "local",
    match,
    runtime_match: match,
    creation_match: null,
    verified_at: null,
    contract_name: contract.target.name,
    language: input.language,
    compiler_version: compilerVersion(),
    evm_version: typeof settings.evmVersion === "string" ? settings.evmVersion : null,
    optimization: optimizationOf(settings),
    files: orderedFiles(contents, contract.target.path),
    abi: Array.isArray(contract.output.abi) ? contract.output.abi : null,
    creation: codeOf(contract, "bytecode"),
  };
};

/** The compiler version, from the sources or the code. */
const compilerVersionOf = (candidate: SourceCandidate, code: Bytes): string | null => {
  const { tail } = splitCode(code);
  return candidate.version?.replace(/^v/, "").split("+")[0] ?? (tail === null ? null : tailFacts(tail).solc_version);
};

/** Compiles a candidate and compares the code. Only the installed compiler is available; other versions stay unknown. */
export const recompile = async (candidate: SourceCandidate, code: Bytes): Promise<SourceAnswer> => {
  const wanted = compilerVersionOf(candidate, code);
  if (candidate.input.language !== "Solidity" || (wanted !== null && wanted !== compilerVersion())) {
    return unknownBecause("COMPILER_MISSING", `the sources need a compiler other than solc ${compilerVersion()}`);
  }
  const result = await compileOnce(candidate);
  if (result.kind === "stopped") return unknownBecause("NOT_COMPILED", result.reason);
  const fit = result.kind === "refused" ? null : bestFit(result.contracts, code);
  return fit === null ? { kind: "unverified" } : { kind: "verified", source: sourceOf(candidate, fit) };
};
