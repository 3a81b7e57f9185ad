import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Where package `name` is installed for code in `folder`; null when it is not. */
const installedPath = (name: string, folder: string): string | null => {
  const place = join(folder, "node_modules", name);
  if (existsSync(join(place, "package.json"))) return place;
  return dirname(folder) === folder ? null : installedPath(name, dirname(folder));
};

const optionalOf = (folder: string): readonly string[] => {
  // A package.json: ours, or npm's copy of another package's.
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  };
  return Object.keys(optionalDependencies);
};

/** Engines that are native programs: each brings one package for each platform, which npm calls optional. */
const NATIVE = ["chdb", "libsql"];

/** Engines of which this platform's part is not installed. */
export const missingEngines = (checkout: string): readonly string[] =>
  NATIVE.filter((name) => {
    const place = installedPath(name, checkout);
    return place === null || optionalOf(place).every((one) => installedPath(one, place) === null);
  });

/** Packages that only the demo needs, and that are not installed here: who serves chains of his own may do without them. */
export const missingDemoPackages = (checkout: string): readonly string[] =>
  optionalOf(checkout).filter((name) => installedPath(name, checkout) === null);

export const enginesText = (names: readonly string[]): string =>
  [
    `assay: no engine of ${process.platform} ${process.arch} is installed of:`,
    ...names.map((name) => `  ${name}`),
    "npm calls these optional, since each platform has its own: run 'npm install' again without --omit=optional.",
    "",
  ].join("\n");

export const demoText = (names: readonly string[]): string =>
  [
    "assay: the demo makes chains of its own, and packages that it makes them with are not installed here:",
    ...names.map((name) => `  ${name}`),
    `'npm install ${names.join(" ")}' brings them.`,
    "Chains of your own need none of them: 'assay network add NAME --new --rpc URL', then 'assay up'.",
    "",
  ].join("\n");
