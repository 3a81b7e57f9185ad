import { readBoundedFile } from "../lib/bounded_file.ts";
import { AssayError } from "../lib/errors.ts";
import { DOCUMENT_BOUNDS, JsonFault, readJson } from "../lib/json_bounds.ts";
import { STANDARD_ENVIRONMENT } from "./telemetry.ts";

/** Settings before they are checked, by name. */
export type SettingsTree = { [name: string]: unknown };

export const isTree = (value: unknown): value is SettingsTree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const PREFIX = "ASSAY_";
/** Ends the name of a variable that holds the path of a file with the value, as containers hand over secrets. */
const FILE = "_FILE";
/** Variables of ours that are not settings. */
const NOT_SETTINGS = ["ASSAY_URL", "ASSAY_KEY"];
/** Variables of the tests. */
const OF_TESTS = "ASSAY_TEST_";

/**
 * Lays the environment over the settings of the file, and notes in `origins` which variable said what.
 * `ASSAY_FACTS__ENGINE=x` sets facts.engine: a value that is JSON is read as JSON, anything else as text.
 * `ASSAY_KEYS__PEPPER_FILE=/path` sets keys.pepper to the text of that file.
 * @throws AssayError CONFIG for a file that cannot be read, and for a value that is given in both ways
 */
export const overlayEnvironment = (
  tree: SettingsTree,
  env: NodeJS.ProcessEnv,
  origins: Record<string, string>,
): void => {
  for (const [name, text] of Object.entries(env)) {
    if (!name.startsWith(PREFIX) || name.startsWith(OF_TESTS)) continue;
    if (NOT_SETTINGS.includes(name) || text === undefined) continue;
    const is_file = name.endsWith(FILE);
    const plain = is_file ? name.slice(0, -FILE.length) : name;
    if (is_file && env[plain] !== undefined) throw refuse(`${plain} and ${name} are both set: one of them is enough`);
    const path = plain.slice(PREFIX.length).toLowerCase().split("__");
    set(tree, path, is_file ? textOf(text, name) : parsed(text));
    origins[path[0] ?? ""] = name;
  }
  overlayStandard(tree, env, origins);
};

/** After our own names, which count before it. */
const overlayStandard = (tree: SettingsTree, env: NodeJS.ProcessEnv, origins: Record<string, string>): void => {
  const { variable, path } = STANDARD_ENVIRONMENT;
  const [group, name] = path;
  const value = env[variable];
  const own: SettingsTree = isTree(tree[group]) ? tree[group] : {};
  if (value === undefined || value === "" || own[name] !== undefined) return;
  set(tree, path, value);
  origins[group] = variable;
};

const refuse = (message: string) => new AssayError({ code: "CONFIG", message, public: message });

const set = (tree: SettingsTree, path: readonly string[], value: unknown): void => {
  let at = tree;
  for (const step of path.slice(0, -1)) {
    const next = at[step];
    const child: SettingsTree = isTree(next) ? next : {};
    at[step] = child;
    at = child;
  }
  at[path.at(-1) ?? ""] = value;
};

const parsed = (text: string): unknown => {
  try {
    return readJson(text, DOCUMENT_BOUNDS);
  } catch (error) {
    if (error instanceof JsonFault) return text;
    throw error;
  }
};

/** The text of a file without the line feed at its end: always text, whatever it looks like. */
const textOf = (path: string, name: string): string => {
  try {
    return readBoundedFile(path, DOCUMENT_BOUNDS.length_max).trimEnd();
  } catch {
    throw refuse(`${name}: the file ${path} cannot be read`);
  }
};
