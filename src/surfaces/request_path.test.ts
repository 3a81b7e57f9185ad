/**
 * The files that a tool call passes between the socket and the tool. The engine counts the functions that ran: from the first byte of the
 * request to the first line of the tool. ARCHITECTURE.md draws the same files.
 */

import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { GOOD } from "../../test/contract/bench.ts";
import { benchTools } from "../../test/contract/bench_tools.ts";
import { openService } from "../../test/contract/service.ts";
import { importsOf, projectPaths, ROOT } from "../../test/project_files.ts";
import type { AnyTool } from "../tools/tool.ts";

const FILES_MAX = 10;

/** Tools below the path: bytes, JSON, connections, deadlines, slots. They know no account, no tool and no route (next test). */
const LEAF_FOLDERS = ["src/surfaces/http", "src/surfaces/limits"];

const isLeaf = (path: string): boolean => LEAF_FOLDERS.some((folder) => path.startsWith(`${folder}/`));

/** Opens the profiler. `ran` returns the project's files with a function that ran since the last call. */
const openCoverage = async () => {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  onTestFinished(() => session.disconnect());
  return {
    ran: async (): Promise<readonly string[]> => {
      const { result } = await session.post("Profiler.takePreciseCoverage");
      return result
        .filter(({ functions }) =>
          functions.some(({ functionName, ranges }) => functionName !== "" || ranges.length > 0),
        )
        .map(({ url }) => (url.startsWith("file:") ? fileURLToPath(url) : url))
        .map((path) => relative(ROOT, path))
        .filter((path) => /^src\/(?:surfaces|web|tools)\/.*\.ts$/.test(path) && !path.endsWith(".test.ts"));
    },
  };
};

/** The files that run for one call, from the request to the tool. */
const filesToTool = async (): Promise<readonly string[]> => {
  const found: { files: readonly string[] } = { files: [] };
  const [show] = benchTools;
  if (show === undefined) throw new Error("the bench has tools");
  const coverage = await openCoverage();
  const tools: readonly AnyTool[] = [
    {
      ...show,
      run: async (input, context) => {
        found.files = await coverage.ran();
        return show.run(input, context);
      },
    },
  ];
  const { url, customer, close } = await openService({ tools });
  onTestFinished(close);
  const call = () =>
    fetch(`${url}/api/tools/${show.name}`, {
      method: "POST",
      headers: { authorization: `Bearer ${customer.key.secret}`, "content-type": "application/json" },
      body: JSON.stringify(GOOD),
    });
  // The first call fills caches and ends work of the start.
  expect((await call()).status).toBe(200);
  await coverage.ran();
  expect((await call()).status).toBe(200);
  return found.files;
};

test(`a tool call passes at most ${FILES_MAX} files between the socket and the tool, as ARCHITECTURE.md draws them`, async () => {
  const path = (await filesToTool()).filter((file) => !isLeaf(file)).map((file) => relative("src/surfaces", file));
  expect(path.length).toBeGreaterThan(4);
  expect(path.length, path.join(" ")).toBeLessThanOrEqual(FILES_MAX);
  const text = readFileSync(join(ROOT, "ARCHITECTURE.md"), "utf8");
  const drawn = [...text.matchAll(/^ +\d+ +([\w/]+\.ts)/gm)].map(([, file]) => file);
  expect([...path].sort()).toEqual([...drawn].sort());
});

test("the folders below the path import only each other and lib", () => {
  const strays = projectPaths(...LEAF_FOLDERS)
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .flatMap((path) =>
      importsOf(readFileSync(join(ROOT, path), "utf8"))
        .map(({ target }) => (target.startsWith(".") ? relative(ROOT, join(ROOT, path, "..", target)) : target))
        .filter((target) => target.startsWith("src/") && !isLeaf(target) && !target.startsWith("src/lib/"))
        .map((target) => `${path} imports ${target}`),
    );
  expect(strays).toEqual([]);
});
