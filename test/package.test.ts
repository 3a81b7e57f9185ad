// @long: alone
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diskFolder } from "./run_folder.ts";
import { emptyFolder, ROOT, run } from "./sdk/packed.ts";

// What `npm pack` makes, and that it runs where nothing else of the project is. The packages that it needs are those that are installed
// here, without the ones of the developers: the test needs no registry.
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

/** Folders and files that a package may hold. */
const ALLOWED = /^(dist\/(bundle|src|contracts|portal)\/|docs\/|(package\.json|README\.md|CHANGELOG\.md|LICENSE)$)/;
/** What only developers need. */
const FOREIGN =
  /\.(test|bench)\.|\/testing\/|(^|\/)(test|tests|bench|scripts|node_modules|sdk|sdk-python)\/|\.ts$|\.map$|\.tsbuildinfo$|\.key$/;

describe("npm pack", () => {
  test("holds what runs and its documents: no tests, no bench, no sources, nothing of a data folder", () => {
    expect(paths.filter((path) => !ALLOWED.test(path))).toEqual([]);
    expect(paths.filter((path) => FOREIGN.test(path))).toEqual([]);
  });

  test("is smaller than 5 MB", () => {
    expect(bytes).toBeLessThan(5 << 20);
  });

  test("lacks nothing that is read where it runs: programs, questions, lists, contracts, documents", () => {
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

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean }>>;
}

const { version, optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const OF_THE_DEMO = Object.keys(optionalDependencies);

/** Installs the packed file below `place` as npm would, from the packages that are installed here, but without some. */
const install = (place: string, without: (name: string) => boolean): string => {
  const { packages }: Lock = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8"));
  for (const [path, { dev }] of Object.entries(packages)) {
    const name = path.slice("node_modules/".length);
    // Packages within packages come along with the outer one.
    const is_wanted = path !== "" && dev !== true && !name.includes("node_modules/") && !without(name);
    if (!is_wanted || !existsSync(join(ROOT, path))) continue;
    mkdirSync(join(place, dirname(path)), { recursive: true });
    execFileSync("cp", ["-al", join(ROOT, path), join(place, path)]);
  }
  execFileSync("cp", ["-a", join(folder, "package"), join(place, "node_modules/assay")]);
  writeFileSync(join(place, "package.json"), '{"private":true}');
  return join(place, "node_modules/assay/dist/bundle/cli.js");
};

/** How a run that fails ends. */
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
  test("it says its version and its commands, and keeps its data where it is called, not among the packages", async () => {
    const place = placeOf("bare");
    const cli = install(place, (name) => OF_THE_DEMO.includes(name));
    const said = await run(process.execPath, [cli, "--version"], { cwd: place });
    expect(said.stdout).toBe(`${version}\n`);
    const checked = await run(process.execPath, [cli, "account", "create", "acme", "--json"], { cwd: place });
    expect(JSON.parse(checked.stdout)).toMatchObject({ name: "acme" });
    expect(readdirSync(place).sort()).toEqual([".assay", "node_modules", "package.json"]);
    expect(existsSync(join(place, "node_modules/assay/.assay"))).toBe(false);
  });

  test("without the demo's packages the demo says what is missing, and what needs none of it", async () => {
    const place = join(folder, "bare");
    const cli = join(place, "node_modules/assay/dist/bundle/cli.js");
    const { stderr, code } = await failure(run(process.execPath, [cli, "up"], { cwd: place }));
    expect(code).toBe(1);
    for (const name of OF_THE_DEMO) expect(stderr).toContain(`  ${name}\n`);
    expect(stderr).toContain("assay network add");
    expect(stderr).not.toMatch(/ERR_MODULE|\n\s+at /);
  });

  test("without this platform's engines it says so, whichever chains it is for", async () => {
    const place = join(folder, "bare");
    for (const scope of ["@libsql", "@chdb"]) rmSync(join(place, "node_modules", scope), { recursive: true });
    const cli = join(place, "node_modules/assay/dist/bundle/cli.js");
    const { stderr, code } = await failure(run(process.execPath, [cli, "up"], { cwd: place }));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/is installed of:\n {2}chdb\n {2}libsql\n/)]);
    expect(stderr).not.toMatch(/MODULE_NOT_FOUND|\n\s+at /);
  });

  test("with them the demo has every tool ready", async () => {
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
