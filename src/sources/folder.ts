import { lstat, readdir, readFile, realpath, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { AssayError, codeOf } from "../lib/errors.ts";
import { readJsonOrNull, SOURCE_BOUNDS } from "../lib/json_bounds.ts";
import { isRecord } from "../lib/record.ts";
import { recompile, type SourceCandidate } from "./recompile.ts";
import type { CompileTarget, StandardInput } from "./solc.ts";
import { type SourceProvider, unknownBecause } from "./source.ts";

/**
 * Sources in the operator's folder: `<folder>/<chain id>/<address>/` with `metadata.json` and `sources/`, like Sourcify's
 * repository (also below `contracts/full_match` and `contracts/partial_match`), or with `standard_json_input.json`.
 * The address may be in any letter case.
 */

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const FILES_MAX = 2_000;
const BRANCHES = ["", "contracts/full_match", "contracts/partial_match", "full_match", "partial_match"];

const isMissing = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");

/** Null when the entry does not exist. */
const orNull = async <T>(reading: Promise<T>): Promise<T | null> => {
  try {
    return await reading;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Text of a file below `root`, with links resolved. Null when it is missing, outside `root`, or too large. */
const readWithin = async (root: string, path: string): Promise<string | null> => {
  const real = await orNull(realpath(join(root, path)));
  if (real === null || relative(root, real).split(sep)[0] === "..") return null;
  const { size } = await stat(real);
  return size > FILE_BYTES_MAX ? null : readFile(real, "utf8");
};

const readJson = async (root: string, path: string): Promise<Readonly<Record<string, unknown>> | null> => {
  const text = await readWithin(root, path);
  if (text === null) return null;
  // Invalid JSON is not metadata.
  const value = readJsonOrNull(text, SOURCE_BOUNDS);
  return isRecord(value) ? value : null;
};

const contentsOf = (sources: unknown): Readonly<Record<string, { content: string }>> | null => {
  if (!isRecord(sources)) return null;
  const entries = Object.entries(sources).slice(0, FILES_MAX);
  const found = entries.flatMap(([path, source]): [string, { content: string }][] =>
    isRecord(source) && typeof source.content === "string" ? [[path, { content: source.content }]] : [],
  );
  return found.length === entries.length ? Object.fromEntries(found) : null;
};

const fromStandardJson = (input: Readonly<Record<string, unknown>>): SourceCandidate | null => {
  const sources = contentsOf(input.sources);
  if (sources === null || typeof input.language !== "string") return null;
  const settings = isRecord(input.settings) ? input.settings : {};
  return { input: { language: input.language, sources, settings }, target: null, version: null };
};

/** Metadata lists libraries as `path:Name` -> address, standard JSON as path -> Name -> address. */
const librariesOf = (said: unknown): Readonly<Record<string, Readonly<Record<string, unknown>>>> => {
  const nested: Record<string, Record<string, unknown>> = {};
  for (const [key, address] of Object.entries(isRecord(said) ? said : {})) {
    const at = key.lastIndexOf(":");
    const path = at < 0 ? "" : key.slice(0, at);
    nested[path] = { ...nested[path], [key.slice(at + 1)]: address };
  }
  return nested;
};

const targetIn = (settings: Readonly<Record<string, unknown>>): CompileTarget | null => {
  const [entry] = Object.entries(isRecord(settings.compilationTarget) ? settings.compilationTarget : {});
  return entry !== undefined && typeof entry[1] === "string" ? { path: entry[0], name: entry[1] } : null;
};

/** A source's text is in the metadata or below `sources/`; solc's metadata (version 1). */
const sourcesOf = async (root: string, said: unknown): Promise<StandardInput["sources"] | null> => {
  const entries = Object.entries(isRecord(said) ? said : {}).slice(0, FILES_MAX);
  const found: [string, { content: string }][] = [];
  for (const [path, source] of entries) {
    const inline = isRecord(source) && typeof source.content === "string" ? source.content : null;
    const content = inline ?? (await readWithin(root, join("sources", path)));
    if (content === null) return null;
    found.push([path, { content }]);
  }
  return found.length === 0 ? null : Object.fromEntries(found);
};

const fromMetadata = async (
  root: string,
  metadata: Readonly<Record<string, unknown>>,
): Promise<SourceCandidate | null> => {
  const sources = await sourcesOf(root, metadata.sources);
  const settings = isRecord(metadata.settings) ? metadata.settings : {};
  const compiler = isRecord(metadata.compiler) ? metadata.compiler : {};
  if (sources === null || typeof metadata.language !== "string") return null;
  return {
    input: {
      language: metadata.language,
      sources,
      settings: { ...settings, libraries: librariesOf(settings.libraries) },
    },
    target: targetIn(settings),
    version: typeof compiler.version === "string" ? compiler.version : null,
  };
};

/** The folder of an address, in any letter case. */
const addressFolder = async (folder: string, address: string): Promise<string | null> => {
  const wanted = `0x${address}`;
  const names = (await orNull(readdir(folder))) ?? [];
  const name = names.find((entry) => entry.toLowerCase() === wanted);
  if (name === undefined) return null;
  const path = join(folder, name);
  return (await lstat(path)).isDirectory() ? realpath(path) : null;
};

type StoredSource =
  | { readonly kind: "kept"; readonly candidate: SourceCandidate }
  | { readonly kind: "unreadable" }
  | null;

const readStored = async (folder: string, chain_id: number, address: string): Promise<StoredSource> => {
  for (const branch of BRANCHES) {
    const root = await addressFolder(join(folder, branch, String(chain_id)), address);
    if (root === null) continue;
    const standard = await readJson(root, "standard_json_input.json");
    const metadata = standard === null ? await readJson(root, "metadata.json") : null;
    const candidate =
      standard !== null ? fromStandardJson(standard) : metadata === null ? null : await fromMetadata(root, metadata);
    return candidate === null ? { kind: "unreadable" } : { kind: "kept", candidate };
  }
  return null;
};

/** Reads the folder for each lookup, so that added sources apply at once. Compiles each source again. */
export const folderSources = (folder: string): SourceProvider => ({
  id: "local",
  serves: () => true,
  find: async ({ chain_id, address, code }) => {
    let kept: StoredSource;
    try {
      kept = await readStored(folder, chain_id, address);
    } catch (error) {
      throw new AssayError({
        code: "UPSTREAM_UNAVAILABLE",
        message: "the folder of sources cannot be read",
        cause: error,
      });
    }
    if (kept === null) return { kind: "unverified" };
    if (kept.kind === "unreadable")
      return unknownBecause("NOT_COMPILED", "the sources in the operator's folder are incomplete");
    return recompile(kept.candidate, code);
  },
});
