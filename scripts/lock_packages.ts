// The shipped packages, from package-lock.json alone: packages of the service, of the demo, and of the portal.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface LockEntry {
  readonly name?: string;
  readonly version: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export type Use =
  /** The service needs it. */
  | "service"
  /** Only the demo or one platform needs it; it may be omitted. */
  | "optional"
  /** The package is built into the portal. */
  | "page";

export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; null if the lock file has none. */
  readonly licence: string | null;
  /** `sha512-…` in base64, as npm writes it. */
  readonly integrity: string | null;
  readonly use: Use;
  /** `name@version` of its dependencies. */
  readonly needs: readonly string[];
}

export const refOf = ({ name, version }: Pick<ShippedPackage, "name" | "version">): string => `${name}@${version}`;

type LockPackages = Readonly<Record<string, LockEntry>>;

const MODULES = "node_modules/";

const nameAt = (path: string, { name }: LockEntry): string =>
  name ?? path.slice(path.lastIndexOf(MODULES) + MODULES.length);

/** Paths at which a package at `path` may find another one, nearest first, as Node resolves them. */
const found = (lock: LockPackages, path: string, name: string): string | null => {
  const place = path === "" ? `${MODULES}${name}` : `${path}/${MODULES}${name}`;
  if (lock[place] !== undefined) return place;
  if (path === "") return null;
  const at = path.lastIndexOf(`/${MODULES}`);
  return found(lock, at < 0 ? "" : path.slice(0, at), name);
};

const needsOf = (lock: LockPackages, path: string): readonly string[] => {
  const { dependencies = {}, optionalDependencies = {}, peerDependencies = {} } = lock[path] ?? {};
  return Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).flatMap(
    (name) => found(lock, path, name) ?? [],
  );
};

/** Packages that files of the page import. */
const imported = (root: string): ReadonlySet<string> => {
  const folder = join(root, "portal");
  if (!existsSync(folder)) return new Set();
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes(".test.") && !file.includes("node_modules"),
  );
  const targets = files.flatMap((file) =>
    [...readFileSync(join(folder, file), "utf8").matchAll(/(?:from|import)\s*\(?"([^"./][^"]*)"/g)].map(
      ([, name = ""]) => name,
    ),
  );
  return new Set(
    targets.map((target) =>
      target
        .split("/")
        .slice(0, target.startsWith("@") ? 2 : 1)
        .join("/"),
    ),
  );
};

/** Paths of all transitive dependencies of `first`. */
const reached = (lock: LockPackages, first: readonly string[]): ReadonlySet<string> => {
  const all = new Set(first);
  for (const path of all) for (const next of needsOf(lock, path)) all.add(next);
  return all;
};

/** Sorted by name and version; a package installed at several paths appears once. */
export const shippedPackages = (root: string): readonly ShippedPackage[] => {
  // npm's lock file, version 3: paths to packages.
  const { packages: lock } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: LockPackages;
  };
  const page = reached(
    lock,
    [...imported(root)].flatMap((name) => found(lock, "", name) ?? []),
  );
  const shipped = new Map<string, ShippedPackage>();
  for (const [path, entry] of Object.entries(lock)) {
    const is_page = page.has(path) && entry.dev === true;
    if (path === "" || (entry.dev === true && !is_page)) continue;
    const named = { name: nameAt(path, entry), version: entry.version };
    const use: Use = is_page ? "page" : entry.optional === true ? "optional" : "service";
    const before = shipped.get(refOf(named));
    const needs = needsOf(lock, path).map((at) =>
      refOf({ name: nameAt(at, lock[at] ?? entry), version: lock[at]?.version ?? "" }),
    );
    shipped.set(refOf(named), {
      ...named,
      licence: entry.license ?? null,
      integrity: entry.integrity ?? null,
      use: before?.use === "service" ? "service" : use,
      needs: [...new Set([...(before?.needs ?? []), ...needs])].sort(),
    });
  }
  return [...shipped.values()].sort((a, b) => (refOf(a) < refOf(b) ? -1 : 1));
};
