// @check
/** An address or a signature is written in one file. The number of those that are in several files may only shrink. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { projectPaths, ROOT } from "./project_files.ts";

/** Written in two files or more. Lower the number with each that goes. */
const BASELINE = { addresses: 120, signatures: 127 };

const paths = projectPaths("src", "knowledge")
  .filter((path) => /^src\/.*\.ts$|^knowledge\/.*\.yaml$/.test(path))
  // The demo has separate worlds: their addresses are no knowledge of real networks.
  .filter((path) => !/\.(test|gen)\.ts$|^src\/demo\/|\/testing\//.test(path));

const ADDRESS = /(?<![0-9a-zA-Z])(?:0x)?([0-9a-fA-F]{40})(?![0-9a-zA-Z])/g;
const SIGNATURE = /^[A-Za-z_]\w*\([a-z0-9,[\]()]*\)$/;

/** An event as its interface declares it becomes its signature. */
const plain = (text: string): string =>
  text.replace(
    /\((.*)\)$/,
    (_, list: string) =>
      `(${list
        .split(", ")
        .map((one) => one.split(" ")[0])
        .join(",")})`,
  );

/** The texts of a YAML file; of test vectors none. */
const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === "vectors" ? [] : textsOf(member)));
};

const writtenIn = (path: string) => {
  const text = readFileSync(join(ROOT, path), "utf8");
  const texts = path.endsWith(".yaml")
    ? textsOf(parse(text))
    : [...text.matchAll(/"([^"\n]*)"|`([^`$]*)`/g)].map(([, quoted, template]) => quoted ?? template ?? "");
  return {
    addresses: new Set(
      texts.flatMap((one) => [...one.matchAll(ADDRESS)].map(([, digits]) => String(digits).toLowerCase())),
    ),
    signatures: new Set(texts.map(plain).filter((one) => SIGNATURE.test(one))),
  };
};

const files = paths.map(writtenIn);

test.each(["addresses", "signatures"] as const)("writes no more %s in two files than before", (kind) => {
  const counts = new Map<string, number>();
  for (const file of files) for (const one of file[kind]) counts.set(one, (counts.get(one) ?? 0) + 1);
  const twice = [...counts].filter(([, count]) => count > 1).map(([one]) => one);
  expect(counts.size).toBeGreaterThan(400);
  expect({ twice: twice.length, some: twice.length > BASELINE[kind] ? twice.sort() : [] }).toEqual({
    twice: BASELINE[kind],
    some: [],
  });
});
