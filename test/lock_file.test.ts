import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "assay-lock-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
}
type Packages = Readonly<Record<string, LockedPackage>>;

const packagesOf = (path: string): Packages => JSON.parse(readFileSync(path, "utf8")).packages;
const own = packagesOf(join(root, "package-lock.json"));

const openOf = (packages: Packages): readonly string[] =>
  Object.entries(packages)
    .filter(([path, { integrity, link }]) => path !== "" && link !== true && integrity === undefined)
    .map(([path, { version }]) => `${path.slice(path.lastIndexOf("node_modules/") + 13)}@${version}`)
    .sort();

/**
 * Packages of other platforms that were missing from the registry when the lock file was last completed. Remove a package
 * once its hash is known, and add none without a reason.
 */
const OPEN = [
  "@chdb/lib-darwin-arm64@26.7.3-stable.1",
  "@chdb/lib-darwin-x64@26.7.3-stable.1",
  "@chdb/lib-linux-arm64-gnu@26.7.3-stable.1",
  "litesvm-darwin-arm64@1.5.0",
  "litesvm-darwin-x64@1.5.0",
  "litesvm-linux-arm64-gnu@1.5.0",
  "litesvm-linux-arm64-musl@1.5.0",
  "litesvm-linux-x64-musl@1.5.0",
];

test("has a hash of every package except the known open ones", () => {
  expect(openOf(own)).toEqual(OPEN);
});

test("names no registry", () => {
  expect(Object.values(own).flatMap(({ resolved }) => resolved ?? [])).toEqual([]);
});

/** Stubs that shadow the real programs. */
const shadowed = (name: string, programs: Readonly<Record<string, string>>): NodeJS.ProcessEnv => {
  const bin = join(folder, name);
  mkdirSync(bin);
  for (const [program, text] of Object.entries(programs))
    writeFileSync(join(bin, program), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  return { ...process.env, PATH: `${bin}${delimiter}${dirname(process.execPath)}${delimiter}${process.env.PATH}` };
};

const HASH = `sha512-${"A".repeat(86)}==`;

describe("scripts/complete_lock.mjs", () => {
  const complete = (name: string, npm: string) => {
    const path = join(folder, `${name}.json`);
    const packages = {
      "": { name: "it", version: "1.0.0" },
      "node_modules/a": {
        version: "1.0.0",
        integrity: "sha512-own",
        optionalDependencies: { "b-darwin-arm64": "2.0.0" },
      },
      "node_modules/c": { version: "3.0.0", license: "MIT" },
      "node_modules/c/node_modules/d": { version: "4.0.0" },
    };
    writeFileSync(path, JSON.stringify({ lockfileVersion: 3, packages }));
    const env = shadowed(name, { npm });
    const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/complete_lock.mjs"), path], {
      env,
      encoding: "utf8",
    });
    return { status, stderr, packages: packagesOf(path) };
  };

  test("adds packages for other platforms, fills in the registry's hashes and leaves the rest open", () => {
    const npm = `case "$2" in c@3.0.0|d@4.0.0) echo '"${HASH}"';; *) echo '{"error":{"code":"E404"}}'; exit 1;; esac`;
    const { status, stderr, packages } = complete("some", npm);
    expect(status).toBe(0);
    expect(openOf(packages)).toEqual(["b-darwin-arm64@2.0.0"]);
    expect(Object.keys(packages["node_modules/c"] ?? {})).toEqual(["version", "integrity", "license"]);
    expect(packages["node_modules/c/node_modules/d"]?.integrity).toBe(HASH);
    expect(packages["node_modules/a"]?.integrity).toBe("sha512-own");
    expect(Object.keys(packages)).toEqual([...Object.keys(packages)].sort());
    expect(stderr).toContain("1 packages of other platforms added, 2 hashes filled in");
    expect(stderr).toContain("b-darwin-arm64");
  });

  test("changes nothing when the registry is unreachable, or returns something other than a hash", () => {
    for (const [name, npm] of [
      ["away", `echo '{"error":{"code":"ETIMEDOUT"}}'; exit 1`],
      ["lie", `echo '"sha1-short"'`],
    ] as const) {
      const { status, packages } = complete(name, npm);
      expect(status).not.toBe(0);
      expect(openOf(packages)).toEqual(["c@3.0.0", "d@4.0.0"]);
    }
  });
});

describe("./assay", () => {
  /** A built copy of the project whose installation does nothing. */
  const install = (name: string, [system, machine]: readonly [string, string]) => {
    const home = join(folder, `${name}-home`);
    for (const path of ["assay", "package-lock.json", "scripts/engine_hash.mjs"])
      cpSync(join(root, path), join(home, path));
    for (const path of ["dist/bundle", "node_modules"]) mkdirSync(join(home, path), { recursive: true });
    writeFileSync(join(home, "dist/bundle/cli.js"), "process.stdout.write('started')");
    const env = shadowed(name, {
      npm: "exit 0",
      uname: `case "$1" in -s) echo ${system};; -m) echo ${machine};; esac`,
    });
    const run = () => {
      writeFileSync(join(home, "dist/.assay-built"), "");
      return spawnSync(join(home, "assay"), ["--version"], { env, encoding: "utf8" });
    };
    return { first: run(), second: run() };
  };

  test("reports once, on installing, that the engine of such a platform has no hash", () => {
    for (const [i, platform] of (
      [
        ["Linux", "aarch64"],
        ["Darwin", "arm64"],
        ["Darwin", "x86_64"],
      ] as const
    ).entries()) {
      const { first, second } = install(`open${i}`, platform);
      expect(first).toMatchObject({ status: 0, stdout: "started" });
      expect(first.stderr.match(/was installed without a hash/g)).toHaveLength(1);
      expect(second).toMatchObject({ status: 0, stdout: "started", stderr: "" });
    }
  });

  test("reports nothing when the hash is known", () => {
    const { first } = install("known", ["Linux", "x86_64"]);
    expect(first).toMatchObject({ status: 0, stdout: "started" });
    expect(first.stderr).not.toContain("without a hash");
  });
});
