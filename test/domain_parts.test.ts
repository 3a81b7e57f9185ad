// @check
import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { importsOf, projectPaths, ROOT } from "./project_files.ts";

/** Parts of `src/domain` from the lowest to the highest: each imports itself, lower parts, and the files and folders below all parts. */
const PARTS = ["address", "valuation", "token", "transaction", "wallet", "compliance", "watch", "search"];
/** Below all parts: the files of `src/domain` itself, and this folder. */
const COMMON = ["window"];
const DOMAIN = join(ROOT, "src/domain");

interface DomainImport {
  readonly from: string;
  readonly to: string;
}

/** Imports of domain files by domain files, type imports included; paths below `src/domain`. */
const domainImports = (): readonly DomainImport[] =>
  projectPaths("src/domain")
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .flatMap((path) => {
      const from = relative(DOMAIN, join(ROOT, path));
      return importsOf(readFileSync(join(ROOT, path), "utf8"))
        .filter(({ target }) => target.startsWith("."))
        .map(({ target }) => ({ from, to: relative(DOMAIN, join(ROOT, dirname(path), target)) }))
        .filter(({ to }) => !to.startsWith(".."));
    });

/** The part of a path; null below all parts. */
const partOf = (path: string): string | null => {
  const [folder = ""] = path.includes("/") ? path.split("/") : [];
  return folder === "" || COMMON.includes(folder) ? null : folder;
};

/** `part/room`, or the part of files outside rooms. */
const moduleOf = (path: string): string =>
  path
    .split("/")
    .slice(0, 2)
    .slice(0, path.split("/").length - 1)
    .join("/");

/** The rooms of one cycle; empty without one. */
const circleIn = (edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] => {
  const done = new Set<string>();
  const visit = (room: string, path: readonly string[]): readonly string[] => {
    if (path.includes(room)) return [...path.slice(path.indexOf(room)), room];
    if (done.has(room)) return [];
    for (const next of edges.get(room) ?? []) {
      const circle = visit(next, [...path, room]);
      if (circle.length > 0) return circle;
    }
    done.add(room);
    return [];
  };
  for (const room of edges.keys()) {
    const circle = visit(room, []);
    if (circle.length > 0) return circle;
  }
  return [];
};

const edgesOf = (imports: readonly DomainImport[]): ReadonlyMap<string, ReadonlySet<string>> => {
  const edges = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [room, other] = [moduleOf(from), moduleOf(to)];
    if (room !== other) edges.set(room, (edges.get(room) ?? new Set()).add(other));
  }
  return edges;
};

const imports = domainImports();

test("has a part for every folder of the domain, and a folder for every part", () => {
  const folders = new Set(
    imports.flatMap(({ from, to }) => [partOf(from), partOf(to)]).filter((part) => part !== null),
  );
  expect([...folders].sort()).toEqual([...PARTS].sort());
});

test("lets a part import only itself, lower parts and modules below all parts", () => {
  const rank = (path: string): number => PARTS.indexOf(partOf(path) ?? "");
  const strays = imports.filter(({ from, to }) => rank(to) > rank(from)).map(({ from, to }) => `${from} -> ${to}`);
  expect(strays).toEqual([]);
  expect(imports.length).toBeGreaterThan(300);
});

test("lets no room import itself through others", () => {
  expect(circleIn(edgesOf(imports))).toEqual([]);
});

test("finds a cycle of rooms, across parts and inside one", () => {
  const circle = [
    { from: "token/holders/a.ts", to: "token/market/b.ts" },
    { from: "token/market/b.ts", to: "valuation/prices/c.ts" },
    { from: "valuation/prices/c.ts", to: "token/holders/d.ts" },
  ];
  expect(circleIn(edgesOf(circle))).toEqual(["token/holders", "token/market", "valuation/prices", "token/holders"]);
  expect(circleIn(edgesOf(circle.slice(0, 2)))).toEqual([]);
});
