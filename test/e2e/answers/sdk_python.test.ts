import { readdirSync, writeFileSync } from "node:fs";
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
