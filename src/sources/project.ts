import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toHex } from "../lib/bytes.ts";
import { isRecord } from "../lib/record.ts";
import { splitCode } from "./metadata_tail.ts";
import { recompile, type SourceCandidate } from "./recompile.ts";
import type { SourceProvider } from "./source.ts";

/**
 * A project in Assay's format: `*.sol` files, and `artifacts/*.json` with the compiler settings of each. It serves one network;
 * the hash of the sources at the end of the code identifies a contract at any address.
 */

/** A file of a project, preceded by all files that it imports by `./name.sol`, each once: file name -> text. */
export const sourceClosure = (
  folder: string,
  file: string,
  seen: Map<string, string> = new Map(),
): ReadonlyMap<string, string> => {
  if (seen.has(file)) return seen;
  const text = readFileSync(join(folder, file), "utf8");
  for (const [, path] of text.matchAll(/^import .*"\.\/(.+\.sol)";$/gm)) {
    if (path !== undefined) sourceClosure(folder, path, seen);
  }
  return seen.set(file, text);
};

/** Settings of a compilation, from the artifact. */
export const projectSettings = (evm_version: string, optimizer_runs: number) => ({
  optimizer: { enabled: true, runs: optimizer_runs },
  evmVersion: evm_version,
});

interface Artifact {
  readonly name: string;
  readonly source: string;
  readonly version: string;
  readonly evm_version: string;
  readonly optimizer_runs: number;
  /** Metadata at the end of the code, hex. */
  readonly tail: string;
}

/** Null for an artifact without an EVM version, which older compilers do not write. */
const artifactIn = (text: string): Artifact | null => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || !isRecord(value.compiler)) return null;
  const { name, source, deployed_bytecode } = value;
  const { version, evm_version, optimizer_runs } = value.compiler;
  if (typeof name !== "string" || typeof source !== "string" || typeof deployed_bytecode !== "string") return null;
  if (typeof version !== "string" || typeof evm_version !== "string" || typeof optimizer_runs !== "number") return null;
  const { tail } = splitCode(Buffer.from(deployed_bytecode.slice(2), "hex"));
  return tail === null ? null : { name, source, version, evm_version, optimizer_runs, tail: toHex(tail) };
};

const readArtifacts = (folder: string): ReadonlyMap<string, Artifact> => {
  const files = readdirSync(join(folder, "artifacts")).filter((file) => file.endsWith(".json"));
  const artifacts = files.map((file) => artifactIn(readFileSync(join(folder, "artifacts", file), "utf8")));
  return new Map(artifacts.flatMap((artifact) => (artifact === null ? [] : [[artifact.tail, artifact]])));
};

const candidateOf = (folder: string, artifact: Artifact): SourceCandidate => ({
  input: {
    language: "Solidity",
    sources: Object.fromEntries(
      [...sourceClosure(folder, artifact.source)].map(([path, content]) => [path, { content }]),
    ),
    settings: projectSettings(artifact.evm_version, artifact.optimizer_runs),
  },
  target: { path: artifact.source, name: artifact.name },
  version: artifact.version,
});

/** Sources of a project for the contracts of one network. Artifacts only name the source, which is compiled again. */
export const projectSources = (folder: string, chain_id: number): SourceProvider => {
  let artifacts: ReadonlyMap<string, Artifact> | null = null;
  const candidates = new Map<string, SourceCandidate>();
  return {
    id: "project",
    serves: (asked) => asked === chain_id,
    find: async ({ code }) => {
      const { tail } = splitCode(code);
      artifacts ??= readArtifacts(folder);
      const artifact = tail === null ? undefined : artifacts.get(toHex(tail));
      if (artifact === undefined) return { kind: "unverified" };
      const candidate = candidates.get(artifact.tail) ?? candidateOf(folder, artifact);
      candidates.set(artifact.tail, candidate);
      return recompile(candidate, code);
    },
  };
};
