// @check
import { readFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { functionsIn } from "./function_limits.ts";
import { hexCastsIn } from "./hex_casts.ts";
import { importsOf, projectPaths, ROOT } from "./project_files.ts";

/** Folder -> folders of src it may import. The architecture, in one table. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  lib: [],
  knowledge: ["lib"],
  chains: ["lib", "knowledge"],
  protocols: ["lib", "knowledge", "chains:types"],
  labels: ["lib", "knowledge"],
  web: ["lib"],
  case: ["lib", "charts"],
  sources: ["lib", "web"],
  store: ["lib"],
  domain: ["lib", "knowledge", "labels", "protocols", "sources", "web", "chains:types", "store:types"],
  indexer: ["lib", "knowledge", "chains", "protocols", "labels", "domain", "store"],
  tools: ["lib", "domain", "labels", "web", "sources", "chains:types", "store:types"],
  accounts: ["lib"],
  charts: ["lib"],
  watch: ["lib", "accounts", "domain", "web:types", "chains:types", "store:types"],
  demo: ["lib", "chains", "web"],
  config: ["lib", "chains:types", "knowledge", "labels", "accounts"],
  surfaces: ["lib", "tools", "charts", "case", "domain:types", "accounts", "chains:types", "store:types"],
};

/** Folder -> packages it may use. Node's own modules are free. */
const MAY_USE: Record<string, readonly string[]> = {
  lib: ["@noble/hashes", "@scure/base", "pino"],
  knowledge: [],
  chains: ["ox", "undici"],
  protocols: [],
  labels: ["sax", "yaml"],
  web: ["undici", "ipaddr.js", "parse5", "tldts"],
  case: [],
  sources: ["solc"],
  store: ["chdb"],
  domain: ["@adraffy/ens-normalize", "evmole", "ox"],
  indexer: ["toad-cache"],
  demo: ["viem", "@solana/kit", "litesvm", "undici"],
  config: ["zod"],
  tools: ["zod"],
  accounts: ["libsql", "pg", "zod", "@redis/client"],
  charts: ["d3-array", "d3-scale", "d3-shape", "d3-hierarchy", "d3-sankey"],
  watch: [],
  surfaces: ["fastify", "zod", "prom-client", "@modelcontextprotocol/server", "marked"],
};

const [LINES_MAX, FUNCTION_LINES_MAX, PARAMETERS_MAX] = [300, 60, 3];
/** Average lines of a tool, without tests; a new tool raises the total. About ten of them are its compact view (docs/design/mcp_and_sdks.md). */
const TOOL_LINES_MAX = 360;
const BANNED_NAMES = ["utils", "util", "helpers", "helper", "manager", "service", "base", "common", "misc"];

/** Folders whose queries belong to them. */
const ROOMS = ["domain", "tools", "indexer"];
const paths = projectPaths();
const sources = paths.filter(
  (path) => /^(src|scripts|test|bench|assembly|portal|sdk)\/.*\.tsx?$/.test(path) && !path.endsWith(".gen.ts"),
);
const files = sources.map((path) => ({ path, text: readFileSync(join(ROOT, path), "utf8") }));
const inSrc = files.filter(({ path }) => path.startsWith("src/"));
const product = inSrc.filter(({ path }) => !path.endsWith(".test.ts"));
/** The portal is part of the product too; it is next to `src` because a browser runs it. */
const withPage = files.filter(({ path }) => /^(src|portal)\//.test(path) && !path.endsWith(".test.ts"));

const folderOf = (path: string): string => relative("src", path).split("/")[0] ?? "";

const packageOf = (target: string): string =>
  target
    .split("/")
    .slice(0, target.startsWith("@") ? 2 : 1)
    .join("/");

describe("imports", () => {
  test("follow the table in every folder", () => {
    const faults: string[] = [];
    for (const { path, text } of product) {
      const from = folderOf(path);
      const allowed = MAY_IMPORT[from];
      if (allowed === undefined) continue; // main, config, cli and commands may import everything
      for (const { typeOnly, target } of importsOf(text)) {
        if (!target.startsWith(".")) continue;
        const to = folderOf(join(dirname(path), target));
        if (to === from || allowed.includes(to) || (typeOnly && allowed.includes(`${to}:types`))) continue;
        faults.push(`${path} imports ${target}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("use only the folder's own packages", () => {
    const faults: string[] = [];
    for (const { path, text } of product) {
      const allowed = MAY_USE[folderOf(path)];
      if (allowed === undefined) continue;
      for (const { target } of importsOf(text)) {
        if (target.startsWith(".") || target.startsWith("node:") || allowed.includes(packageOf(target))) continue;
        faults.push(`${path} uses ${target}`);
      }
    }
    expect(faults).toEqual([]);
  });

  test("keep chdb in store/embedded, evmole and ox where code and calls are encoded, viem in the demo", () => {
    const homes = Object.entries({
      chdb: ["src/store/embedded/"],
      evmole: ["src/domain/token/powers/"],
      ox: ["src/chains/evm/", "src/domain/token/powers/"],
      viem: ["src/demo/"],
    });
    const strays = product.filter(({ path, text }) => {
      const used = new Set(importsOf(text).map(({ target }) => packageOf(target)));
      return homes.some(([name, folders]) => used.has(name) && !folders.some((home) => path.startsWith(home)));
    });
    expect(strays.map(({ path }) => path)).toEqual([]);
  });

  test("never reach into another tool's folder: code that two tools need is next to them", () => {
    const list = files.find(({ path }) => path === "src/tools/index.ts")?.text ?? "";
    const names = new Set(
      importsOf(list)
        .filter(({ typeOnly }) => !typeOnly)
        .map(({ target }) => target.split("/")[1]?.replace(".ts", "") ?? ""),
    );
    const ownerOf = (path: string): string => relative("src/tools", path).split(/[/.]/)[0] ?? "";
    const strays = product
      .filter(({ path }) => path.startsWith("src/tools/") && path !== "src/tools/index.ts")
      .flatMap(({ path, text }) =>
        importsOf(text)
          .filter(({ target }) => target.startsWith("."))
          .map(({ target }) => ownerOf(join(dirname(path), target)))
          .filter((owner) => names.has(owner) && owner !== ownerOf(path))
          .map((owner) => `${path} imports ${owner}`),
      );
    expect(names.size).toBeGreaterThan(20);
    expect(strays).toEqual([]);
  });

  test("never reach tests from the product, or main from below it", () => {
    const strays = product.filter(({ path, text }) =>
      importsOf(text).some(({ target }) => {
        const to = target.startsWith(".") ? join(dirname(path), target) : target;
        return (
          to.startsWith("test/") ||
          to.endsWith(".test.ts") ||
          (to === "src/main.ts" && !/^src\/(commands\/|cli)/.test(path))
        );
      }),
    );
    expect(strays.map(({ path }) => path)).toEqual([]);
  });
});

describe("size and names", () => {
  test(`limits files to ${LINES_MAX} lines`, () => {
    const long = files.filter(({ text }) => text.split("\n").length - 1 > LINES_MAX);
    expect(long.map(({ path, text }) => `${path}: ${text.split("\n").length - 1}`)).toEqual([]);
  });

  const functions = withPage.flatMap(({ path, text }) => functionsIn(path, text).map((size) => ({ path, ...size })));

  test(`limits functions of the product to ${FUNCTION_LINES_MAX} lines`, () => {
    const long = functions.filter(({ lines }) => lines > FUNCTION_LINES_MAX);
    expect(long.map(({ path, line, lines }) => `${path}:${line} has ${lines}`)).toEqual([]);
    expect(functions.length).toBeGreaterThan(withPage.length);
  });

  test(`limits functions of the product to ${PARAMETERS_MAX} parameters`, () => {
    const many = functions.filter(({ parameters }) => parameters > PARAMETERS_MAX);
    expect(many.map(({ path, line, parameters }) => `${path}:${line} takes ${parameters}`)).toEqual([]);
  });

  test("casts no text to hex, which only bytes, a query or a check can produce", () => {
    // Words as addresses, for tests that only compare them.
    const casts = files.filter(({ path }) => path !== "test/named.ts");
    expect(casts.flatMap(({ path, text }) => hexCastsIn(path, text).map((line) => `${path}:${line}`))).toEqual([]);
  });

  test("has file names in snake_case", () => {
    const odd = sources.filter((path) => {
      const name =
        path
          .split("/")
          .at(-1)
          ?.replace(/(\.test|\.gen|\.d|\.config)?\.tsx?$/, "") ?? "";
      const is_network = path.startsWith("src/chains/networks/"); // named by the network's id, and one is called base
      return (
        !/^[a-z0-9]+(_[a-z0-9]+)*$/.test(name) ||
        (!is_network && name.split("_").some((part) => BANNED_NAMES.includes(part)))
      );
    });
    expect(odd.filter((path) => !path.startsWith("test/contract/"))).toEqual([]);
    const folders = new Set(paths.flatMap((path) => path.split("/").slice(0, -1)));
    expect(BANNED_NAMES.filter((name) => folders.has(name))).toEqual([]);
  });
});

describe("words", () => {
  const banned: readonly (readonly [RegExp, string])[] = [
    [/\bTODO\b|\bFIXME\b|\bXXX\b/, "finish it or write an issue"],
    [/@ts-ignore|@ts-nocheck/, "mend the type"],
    [/\bconsole\.(log|error|warn|info)\b/, "use the log, or io of a command"],
  ];
  test.each(banned)("%s does not occur in the product", (pattern, advice) => {
    const strays = withPage.filter(({ text }) => pattern.test(text)).map(({ path }) => path);
    expect(
      strays.filter((path) => path !== "src/tools/tool.ts"),
      advice,
    ).toEqual([]);
  });

  test("names no machine path and no registry host in the tree", () => {
    const text = paths.filter(
      (path) =>
        /\.(ts|mjs|md|json|sql|sol|sh)$|^assay$|^\.ci\//.test(path) &&
        path !== "package-lock.json" &&
        path !== "test/tidy.test.ts",
    );
    const strays = text.filter((path) =>
      /(^|[^\w./-])\/(work|root|farm)\/|registry\.npmjs|deb\.debian/.test(readFileSync(join(ROOT, path), "utf8")),
    );
    expect(strays).toEqual([]);
  });
});

describe("tools", () => {
  const tools = product.filter(({ path }) => path.startsWith("src/tools/"));

  test(`have at most ${TOOL_LINES_MAX} lines each on average: only cards and shaping, the rest belongs to the domain`, () => {
    const cards = tools.filter(({ text }) => text.includes("= defineTool")).length;
    const lines = tools.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0);
    expect(lines / cards).toBeLessThan(TOOL_LINES_MAX);
  });

  test("parse no arguments, which binding has done", () => {
    const strays = tools.filter(({ text }) => /\bparse(Address|Hash|Name)\(/.test(text));
    expect(strays.map(({ path }) => path)).toEqual([]);
  });

  test("leave the choice between no_data and COVERAGE_INCOMPLETE to emptyOutcome", () => {
    const strays = tools.filter(({ text }) => /\bnoData\(/.test(text) && /failed\(\s*"COVERAGE_INCOMPLETE"/.test(text));
    expect(strays.map(({ path }) => path)).toEqual([]);
    expect(tools.filter(({ text }) => text.includes("emptyOutcome(")).length).toBeGreaterThan(15);
  });
});

/** Names of queries (folder and file) -> their folder of src. */
const questionFolders = (): ReadonlyMap<string, string> =>
  new Map(
    paths
      .filter((path) => path.endsWith(".sql") && ROOMS.includes(folderOf(path)))
      .map((path) => [`${basename(dirname(path))}/${basename(path, ".sql")}`, dirname(path)]),
  );

/** They state which queries are cached, and which ones a network on demand answers, and run none. */
const QUERY_LISTS = ["src/store/cache/cached_queries.ts", "src/store/subjects/query_rules.ts"];

test("runs a query, and names its rows, only in files of the query's folder", () => {
  const folders = questionFolders();
  const askers = product.filter(({ path }) => !QUERY_LISTS.includes(path));
  const asked = askers.flatMap(({ path, text }) =>
    [...text.matchAll(/["'`]([a-z0-9_]+\/[a-z0-9_]+)["'`]/g)].flatMap(([, name = ""]) =>
      folders.has(name) ? [{ name, path, is_home: folders.get(name) === dirname(path) }] : [],
    ),
  );
  const strays = asked.filter(({ is_home }) => !is_home).map(({ name, path }) => `${path} asks ${name}`);
  expect(strays).toEqual([]);
  const unasked = [...folders.keys()].filter((name) => !asked.some((one) => one.name === name));
  expect(unasked, "queries that no file runs").toEqual([]);
});

test("has unique query names: no two folders of one name have files of one name", () => {
  const places = paths.filter((path) => path.endsWith(".sql") && ROOMS.includes(folderOf(path)));
  expect(questionFolders().size).toBe(places.length);
  expect(places.length).toBeGreaterThan(50);
});

test("SQL files hold one statement at most and start with a sentence", () => {
  const odd = paths
    .filter((path) => /^src\/.*\.sql$/.test(path) && !path.includes("/schema/"))
    .filter((path) => {
      const text = readFileSync(join(ROOT, path), "utf8");
      return !/^-- [A-Z].*/.test(text) || text.replaceAll(/--.*$/gm, "").includes(";");
    });
  expect(odd).toEqual([]);
});
