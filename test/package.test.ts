// @long: alone
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diskFolder } from "./run_folder.ts";
import { emptyFolder, ROOT, run } from "./sdk/packed.ts";

// The output of `npm pack`, and that it runs without the rest of the project. Its dependencies are the packages that are installed
// here, without the developers' packages: the test needs no registry.
const { folder, remove } = emptyFolder(diskFolder());
let paths: readonly string[];
let bytes: number;
beforeAll(() => {
  const args = ["pack", "--json", "--ignore-scripts", "--pack-destination", folder];
  const [packed] = JSON.parse(execFileSync("npm", args, { cwd: ROOT, encoding: "utf8" }));
  paths = packed.files.map(({ path }: { path: string }) => path);
  bytes = packed.size;
  execFileSync("tar", ["xzf", packed.filename], { cwd: folder });
});
afterAll(remove);

/** Folders and files that a package may contain. */
const ALLOWED =
  /^(dist\/(bundle|src|contracts|portal)\/|docs\/|deploy\/systemd\/|(package\.json|README\.md|CHANGELOG\.md|LICENSE)$)/;
/** Packages that only developers need. */
const FOREIGN =
  /\.(test|bench)\.|\/testing\/|(^|\/)(test|tests|bench|scripts|node_modules|sdk|sdk-python)\/|\.ts$|\.map$|\.tsbuildinfo$|\.key$/;

describe("npm pack", () => {
  test("contains the program and its documents: no tests, no bench, no sources, and no data folder", () => {
    expect(paths.filter((path) => !ALLOWED.test(path))).toEqual([]);
    expect(paths.filter((path) => FOREIGN.test(path))).toEqual([]);
  });

  test("is smaller than 7 MB", () => {
    expect(bytes).toBeLessThan(7 << 20);
  });

  test("contains every file that it reads at run time: programs, questions, lists, contracts, documents", () => {
    for (const path of [
      "dist/bundle/cli.js",
      "dist/src/main.js",
      "dist/src/store/schema/schema.sql",
      "dist/contracts/artifacts",
      "docs/start.md",
      "docs/site/docs.js",
      "docs/sbom.json",
      "docs/licences.md",
    ])
      expect([path, paths.some((one) => one === path || one.startsWith(`${path}/`))]).toEqual([path, true]);
    const sources = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" }).map(
      (path) => `dist/src/${path}`,
    );
    const read = sources.filter((path) => /\.(sql|json|tsv\.gz)$/.test(path) && !FOREIGN.test(path));
    expect(read.length).toBeGreaterThan(60);
    expect(read.filter((path) => !paths.includes(path))).toEqual([]);
  });
});

interface PackageLock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

const { version, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const OF_THE_DEMO = Object.keys(optionalDependencies);

/** Installs the packed file below `place` as npm would, from the packages that are installed here, except some. */
const install = (place: string, without: (name: string) => boolean): string => {
  const { packages }: PackageLock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  for (const [path, { dev }] of Object.entries(packages)) {
    const name = path.slice("node_modules/".length);
    // Nested packages are copied with the outer one.
    const is_wanted = path !== "" && dev !== true && !name.includes("node_modules/") && !without(name);
    if (!is_wanted || !existsSync(join(ROOT, path))) continue;
    mkdirSync(join(place, dirname(path)), { recursive: true });
    execFileSync("cp", ["-al", join(ROOT, path), join(place, path)]);
  }
  execFileSync("cp", ["-a", join(folder, "package"), join(place, "node_modules/assay")]);
  writeFileSync(join(place, "package.json"), '{"private":true}');
  return join(place, "node_modules/assay/dist/bundle/cli.js");
};

/** Result of a failed run. */
const failure = (asking: Promise<unknown>): Promise<{ readonly stderr: string; readonly code: number }> =>
  asking.then(
    () => ({ stderr: "", code: 0 }),
    (error) => error,
  );

const placeOf = (name: string): string => {
  const place = join(folder, name);
  mkdirSync(place);
  return place;
};

describe("installed without the packages of the developers", () => {
  test("prints its version and its commands, and keeps its data in the working folder, not among the packages", async () => {
    const place = placeOf("bare");
    const cli = install(place, (name) => OF_THE_DEMO.includes(name));
    const said = await run(process.execPath, [cli, "--version"], { cwd: place });
    expect(said.stdout).toBe(`${version}\n`);
    const checked = await run(process.execPath, [cli, "account", "create", "acme", "--json"], { cwd: place });
    expect(JSON.parse(checked.stdout)).toMatchObject({ name: "acme" });
    expect(readdirSync(place).sort()).toEqual([".assay", "node_modules", "package.json"]);
    expect(existsSync(join(place, "node_modules/assay/.assay"))).toBe(false);
  });

  test("reports missing packages of the demo, and runs the commands that need none of them", async () => {
    const place = join(folder, "bare");
    const cli = join(place, "node_modules/assay/dist/bundle/cli.js");
    const { stderr, code } = await failure(run(process.execPath, [cli, "up"], { cwd: place }));
    expect(code).toBe(1);
    for (const name of OF_THE_DEMO) expect(stderr).toContain(`  ${name}\n`);
    expect(stderr).toContain("assay network add");
    expect(stderr).not.toMatch(/ERR_MODULE|\n\s+at /);
  });

  test("reports missing engines of this platform, whichever chains they are for", async () => {
    const place = join(folder, "bare");
    for (const scope of ["@libsql", "@chdb"]) rmSync(join(place, "node_modules", scope), { recursive: true });
    const cli = join(place, "node_modules/assay/dist/bundle/cli.js");
    const { stderr, code } = await failure(run(process.execPath, [cli, "up"], { cwd: place }));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is installed of:\n {2}chdb\n {2}libsql\n/)]);
    expect(stderr).not.toMatch(/MODULE_NOT_FOUND|\n\s+at /);
  });

  test("has every tool ready in the demo with them", async () => {
    const place = placeOf("whole");
    const cli = install(place, () => false);
    const { spawn } = await import("node:child_process");
    const env = { ...process.env, ASSAY_LISTEN: "127.0.0.1:0" };
    const child = spawn(process.execPath, [cli, "up"], { cwd: place, env, stdio: ["ignore", "ignore", "pipe"] });
    let said = "";
    const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
    const ready = new Promise<void>((resolve) =>
      child.stderr.on("data", (text) => {
        said += text;
        if (/tools ready/.test(said)) resolve();
      }),
    );
    await Promise.race([ready, ended]);
    child.kill("SIGINT");
    expect([said.match(/(\d+) of (\d+) tools ready/)?.slice(1), await ended]).toEqual([["30", "30"], 0]);
  });
});
