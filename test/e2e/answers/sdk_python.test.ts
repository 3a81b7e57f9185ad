import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tools } from "../../../src/tools/index.ts";
import { eachNth } from "../../long.ts";
import { emptyFolder, exampleOf, ROOT, run } from "../../sdk/packed.ts";
import { missingPackages, PYTHON, startChecks } from "../../sdk/python.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

// The wheel, built and installed without a network, asks the running service.
const missing = missingPackages();
const title = (name: string) => (missing === null ? name : `${name} (not run: apt-get install ${missing})`);
const tested = test.skipIf(missing !== null);

let stage: SharedWorldService;
let url: string;
let installed: string;
let checks: ReturnType<typeof startChecks>;
const temporary = emptyFolder();
beforeAll(async () => {
  if (missing !== null) return;
  stage = await sharedWorld();
  url = stage.service.url ?? "";
  const at = { cwd: temporary.folder };
  await run("cp", ["-r", join(ROOT, "sdk-python"), "source"], at);
  await run(PYTHON, ["-m", "build", "--wheel", "--no-isolation", "--outdir", ".", "source"], at);
  const [wheel = ""] = readdirSync(temporary.folder).filter((file) => file.endsWith(".whl"));
  installed = join(temporary.folder, "installed");
  await run(PYTHON, ["-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--target", installed, wheel], at);
  checks = startChecks(installed);
});
afterAll(() => {
  checks?.close();
  temporary.remove();
});

tested(title("the wheel holds the library, its types and nothing else"), () => {
  expect(readdirSync(installed).sort()).toEqual(["assay_sdk", expect.stringMatching(/^assay_sdk-.*\.dist-info$/)]);
  expect(readdirSync(join(installed, "assay_sdk"))).toContain("py.typed");
});

tested(title("the source package holds what the wheel is built from, and its wheel is the same"), async () => {
  const at = { cwd: temporary.folder };
  await run(PYTHON, ["-m", "build", "--sdist", "--no-isolation", "--outdir", "sdist", "source"], at);
  const [packed = ""] = readdirSync(join(temporary.folder, "sdist"));
  await run("tar", ["xzf", join("sdist", packed)], at);
  const unpacked = packed.replace(".tar.gz", "");
  await run(PYTHON, ["-m", "build", "--wheel", "--no-isolation", "--outdir", "again", unpacked], at);
  const [wheel = ""] = readdirSync(join(temporary.folder, "again"));
  const target = join(temporary.folder, "reinstalled");
  const install = ["-m", "pip", "install", "--no-index", "--no-deps", "--quiet", "--target", target];
  await run(PYTHON, [...install, join("again", wheel)], at);
  const sources = (place: string) =>
    readdirSync(join(place, "assay_sdk"))
      .filter((name) => /\.py$|\.typed$/.test(name))
      .map((name) => [name, readFileSync(join(place, "assay_sdk", name), "utf8")]);
  expect(sources(target)).toEqual(sources(installed));
  expect(sources(target).length).toBeGreaterThan(3);
});

tested(title("mypy --strict accepts a program that uses the installed package"), async () => {
  const program = `from assay_sdk import Assay, Data

with Assay("http://127.0.0.1:1", "key") as assay:
    result = assay.get_wallet_pnl(address="0x", network="demo")
    if isinstance(result, Data) and result.data.summary is not None:
        profit: float | None = result.data.summary.total_pnl_usd
        # Strict: an ignored error that does not exist is an error.
        wrong: str = result.data.summary.total_pnl_usd  # type: ignore[assignment]
`;
  writeFileSync(join(temporary.folder, "typed.py"), program);
  const { stdout } = await run(PYTHON, ["-m", "mypy", "--strict", "--cache-dir=/dev/null", "typed.py"], {
    cwd: temporary.folder,
    env: { MYPYPATH: installed },
  });
  expect(stdout).toMatch(/^Success: no issues found/);
});

tested(title("it does what its README shows"), async () => {
  const { code, printed } = exampleOf("sdk-python/README.md", "python");
  writeFileSync(join(temporary.folder, "example.py"), code);
  const env = { ASSAY_URL: url, ASSAY_KEY: stage.key, PYTHONPATH: installed };
  const { stdout, stderr } = await run(PYTHON, ["example.py"], { cwd: temporary.folder, env });
  expect([stdout, stderr]).toEqual([printed, ""]);
});

tested(title("every tool's example is read as its dataclass, to the last member"), async () => {
  const asked = eachNth(tools, 3);
  const examples = Object.fromEntries(asked.map(({ name, example }) => [name, example]));
  const told = await checks.ask({ do: "examples", url, key: stage.key, examples }, asked.length);
  const of = (name: string) => name.replace(/(?:^|_)([a-z])/g, (_, sign: string) => sign.toUpperCase());
  expect(told).toEqual(asked.map(({ name }) => ({ tool: name, ends: "data", of: of(name) })));
});

tested(title("rows of all pages are those of longer pages, with both clients"), async () => {
  const args = { address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", network: "demo", records_per_page: 50 };
  const [told] = await checks.ask({ do: "walk", url, key: stage.key, args });
  const pages = [1, 2].map((page) => stage.ask("get_wallet_transactions", { ...args, records_per_page: 100, page }));
  const rows = (await Promise.all(pages)).flatMap(({ body }) => body.data);
  expect(told).toEqual({
    rows: rows.map(({ tx_hash, direction, amount }) => [tx_hash, direction, amount]),
    is_same: true,
    // 121 movements, 50 a page.
    pages: ["data", "data", "data"],
    tools: tools.map(({ name }) => name),
  });
});
