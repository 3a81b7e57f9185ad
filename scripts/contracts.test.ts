import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type ArtifactFile, CONTRACTS, compile, SHIPPED, shippedText, sourceFiles, sourcesHash } from "./contracts.ts";

const artifacts = readdirSync(join(CONTRACTS, "artifacts")).map(
  // Written by scripts/contracts.ts.
  (file) => JSON.parse(readFileSync(join(CONTRACTS, "artifacts", file), "utf8")) as ArtifactFile,
);

test("every artifact belongs to the sources as they are now", () => {
  const stale = artifacts.filter(({ source, sources_sha256 }) => sourcesHash(source) !== sources_sha256);
  expect(stale.map(({ name }) => name)).toEqual([]);
});

test("every contract that a source defines has an artifact", () => {
  const defined = sourceFiles().flatMap((file) =>
    [...readFileSync(join(CONTRACTS, file), "utf8").matchAll(/^contract (\w+)/gm)].map(([, name]) => name),
  );
  expect(defined.sort()).toEqual(artifacts.map(({ name }) => name).sort());
});

test("compiling a source again gives the committed bytecode", () => {
  const [fresh] = compile("Disperser.sol");
  expect(fresh).toEqual(artifacts.find(({ name }) => name === "Disperser"));
});

test.each(SHIPPED)("the code of $name that the product carries is the compiled one", ({ name, file, constant }) => {
  const artifact = artifacts.find((one) => one.name === name);
  expect(artifact && shippedText(constant, artifact)).toBe(readFileSync(file, "utf8"));
});
