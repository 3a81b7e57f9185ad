import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { is_long } from "./long.ts";
import { type FileEdits, IMPORTED, OF_KNOWLEDGE, RECIPES } from "./recipes.ts";

/** The recipes of CONTRIBUTING.md, applied to a copy of the project: how many files a developer must edit, and that nothing else is missing. */

const ROOT = join(import.meta.dirname, "..");
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "assay-recipes-"));
  const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: ROOT,
    encoding: "utf8",
  });
  for (const path of listed.split("\n").filter((one) => one !== "" && existsSync(join(ROOT, one)))) {
    mkdirSync(dirname(join(copy, path)), { recursive: true });
    cpSync(join(ROOT, path), join(copy, path));
  }
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

const put = (path: string, instead_of: string, text: string): void => {
  const before = readFileSync(join(copy, path), "utf8");
  expect([path, before.split(instead_of).length]).toEqual([path, 2]);
  writeFileSync(
    join(copy, path),
    before.replace(instead_of, () => text),
  );
};

const write = (recipe: FileEdits): void => {
  for (const [path, text] of Object.entries(recipe)) {
    if (typeof text === "string") writeFileSync(join(copy, path), text);
    else put(path, text[0], text[1]);
  }
};

/** Runs a script of the copy, as a developer would. Its output is shown if it fails. */
const run = (...args: readonly string[]): void => {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST_)/.test(name)));
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: "utf8", env });
  expect({ args, status, said: status === 0 ? "" : `${stdout}${stderr}`.slice(-3_000) }).toEqual({
    args,
    status: 0,
    said: "",
  });
};

const VITEST = "node_modules/vitest/vitest.mjs";
const TESTS = [
  "src/tools/get_network_head.test.ts",
  "src/chains/networks/networks.test.ts",
  "src/labels/issuers/issuers.test.ts",
  "src/domain/transaction/headline/words/words.test.ts",
  "src/protocols/index.test.ts",
  "src/chains/fee_vectors.test.ts",
  "src/domain/address/code/proxies.test.ts",
  "src/domain/address/code/proxies_on_anvil.test.ts",
];

test("CONTRIBUTING.md names the one file of each recipe of knowledge", () => {
  const text = readFileSync(join(ROOT, "CONTRIBUTING.md"), "utf8");
  const named = [...text.matchAll(/^\| (an? [^|]+?) \| `(knowledge\/[^`]+)`/gm)];
  expect(named.map(([, thing]) => thing)).toEqual(Object.keys(OF_KNOWLEDGE));
  for (const [, thing = "", file = ""] of named) {
    const pattern = new RegExp(`^${file.replace(/<\w+>/, "\\w+").replace(".", "\\.")}$`);
    expect(Object.keys(OF_KNOWLEDGE[thing] ?? {})).toEqual([expect.stringMatching(pattern)]);
  }
});

test("touches as many files by hand as each recipe states, and generates the rest", () => {
  const files = Object.fromEntries(Object.entries(RECIPES).map(([name, recipe]) => [name, Object.keys(recipe).length]));
  const of_knowledge = Object.fromEntries(Object.keys(OF_KNOWLEDGE).map((name) => [name, 1]));
  expect(files).toEqual({ TOOL: 3, FIELD: 2, ...of_knowledge });
  for (const recipe of Object.values(RECIPES)) write(recipe);
  put("src/tools/index.ts", ...IMPORTED);
  // The order of `npm run gen`: the store's generators run the code that the knowledge produced.
  for (const part of ["--knowledge", "--store"]) {
    run("scripts/build.mjs", "--untyped");
    run("dist/scripts/gen.js", part);
  }
  const generated = (name: string): string => readFileSync(join(copy, `src/knowledge/${name}.gen.ts`), "utf8");
  expect(generated("proxies")).toContain('id: "lantern_clone"');
  expect(generated("fees")).toContain('amount: { field: "proofFee" }');
  expect(generated("protocols")).toContain('"entity":"Lantern Lend"');
  expect(readFileSync(join(copy, "assembly/fee_fields.gen.ts"), "utf8")).toContain(" proofFee");
  expect(generated("protocols")).toContain('"venue":"lantern_swap"');
  expect(generated("protocols")).toContain('"name":"Lantern Route","version":null,"role":"router"');
  expect(generated("acts")).toContain("lanternRoute(address,address,uint256,uint256,bytes)");
  expect(generated("issuers")).toContain('"symbol":"LUSDX","issuer":"Lantern"');
  expect(generated("issuers")).toContain('"signature":"Undimmed(address)"');
  const networks = readFileSync(join(copy, "src/chains/networks/known.gen.ts"), "utf8");
  const dollar = '{"symbol":"LUSDX","address":"1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1e1f","peg":"USD"}';
  expect(networks).toMatch(/^export const lantern = defineEvm\(/m);
  expect(networks).toContain(`"stablecoins":[${dollar}]`);
  expect(readFileSync(join(copy, "src/store/queries.gen.ts"), "utf8")).toMatch(
    /"cohorts\/members": \{[^}]*\};\s+readonly row: \{\s+readonly trader: Hex;/,
  );
}, 600_000);

test.skipIf(!is_long)(
  "passes the type check and the tests of the copy",
  () => {
    run("node_modules/typescript/bin/tsc", "--noEmit");
    run(VITEST, "run", ...TESTS);
  },
  600_000,
);

test.skipIf(!is_long)(
  "generates pages, prices and the OpenAPI document of the copy, and passes the tests of all tools",
  () => {
    run("scripts/build.mjs");
    run("dist/scripts/gen.js", "--docs");
    expect(existsSync(join(copy, "docs/tools/get_network_head.md"))).toBe(true);
    expect(readFileSync(join(copy, "docs/networks.md"), "utf8")).toContain("lantern");
    expect(readFileSync(join(copy, "docs/fees.md"), "utf8")).toContain("[Proofs](https://lantern.example/fees)");
    const protocols = readFileSync(join(copy, "docs/protocols.md"), "utf8");
    expect(protocols).toContain("| Lantern Lend | ethereum |");
    expect(protocols).toContain("| Lantern Route | ethereum | swap |");
    for (const path of ["sdk/src/tools.gen.ts", "sdk-python/src/assay_sdk/_async_tools_gen.py"])
      expect([path, readFileSync(join(copy, path), "utf8").includes("get_network_head")]).toEqual([path, true]);
    execFileSync("git", ["init", "-q"], { cwd: copy });
    run(VITEST, "run", "test/catalog.test.ts", "test/tidy.test.ts");
  },
  600_000,
);
