// @check
/** An address or a signature is written in one file; other files name it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { plainSignature } from "../scripts/protocol_files.ts";
import { projectPaths, ROOT } from "./project_files.ts";

const paths = projectPaths("src", "knowledge")
  .filter((path) => /^src\/.*\.ts$|^knowledge\/.*\.yaml$/.test(path))
  // The demo has separate worlds: their addresses are no knowledge of real networks.
  .filter((path) => !/\.(test|gen)\.ts$|^src\/demo\/|\/testing\//.test(path));

const ADDRESS = /(?<![0-9a-zA-Z])(?:0x)?([0-9a-fA-F]{40})(?![0-9a-zA-Z])/g;
const SIGNATURE = /^[A-Za-z_]\w*\([a-z0-9,[\]()]*\)$/;

/** The texts of a YAML file; of test vectors none. */
const textsOf = (value: unknown): readonly string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (name === "vectors" ? [] : textsOf(member)));
};

/** A comment may explain with a signature. */
const withoutComments = (code: string): string => code.replace(/^\s*(?:\/\/|\/?\*).*$/gm, "");

const writtenIn = (path: string) => {
  const text = readFileSync(join(ROOT, path), "utf8");
  const texts = path.endsWith(".yaml")
    ? textsOf(parse(text))
    : [...withoutComments(text).matchAll(/"([^"\n]*)"|`([^`$]*)`/g)].map(
        ([, quoted, template]) => quoted ?? template ?? "",
      );
  return {
    addresses: new Set(
      texts.flatMap((one) => [...one.matchAll(ADDRESS)].map(([, digits]) => String(digits).toLowerCase())),
    ),
    signatures: new Set(texts.map(plainSignature).filter((one) => SIGNATURE.test(one))),
  };
};

const files = paths.map((path) => ({ path, written: writtenIn(path) }));

test.each(["addresses", "signatures"] as const)("no two files contain the same %s", (kind) => {
  const places = new Map<string, readonly string[]>();
  for (const { path, written } of files)
    for (const one of written[kind]) places.set(one, [...(places.get(one) ?? []), path]);
  expect(places.size).toBeGreaterThan(400);
  expect([...places].filter(([, paths_of_one]) => paths_of_one.length > 1)).toEqual([]);
});
