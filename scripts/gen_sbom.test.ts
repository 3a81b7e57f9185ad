import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeLicences, writeSbom } from "./gen_sbom.ts";

const root = join(import.meta.dirname, "..");

interface Bom {
  readonly components: readonly {
    readonly "bom-ref": string;
    readonly purl: string;
    readonly scope: string;
    readonly hashes?: readonly { readonly content: string }[];
    readonly licenses?: readonly object[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

const ours: Bom = JSON.parse(writeSbom({ root }));

test("the bill of materials lists the same packages as npm's, with the same hashes, licences and dependencies", () => {
  const args = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only", "--omit", "dev", "--offline"];
  const npms: Bom = JSON.parse(execFileSync("npm", args, { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 }));
  const fixed = ours.components.filter((one) => npms.components.some(({ purl }) => purl === one.purl));
  // npm counts packages built into the portal as development packages, so only Assay's list has them.
  expect(fixed.length).toBe(npms.components.length);
  const byRef = (bom: Bom) => new Map(bom.components.map((one) => [one.purl, one]));
  const [left, right] = [byRef(ours), byRef(npms)];
  for (const [purl, { hashes = [], licenses = [] }] of right) {
    const same = left.get(purl);
    expect([purl, same?.hashes ?? []]).toEqual([purl, hashes]);
    expect([purl, same?.licenses ?? []]).toEqual([purl, licenses]);
  }
  const needs = new Map(ours.dependencies.map(({ ref, dependsOn }) => [ref, [...dependsOn].sort()]));
  for (const { ref, dependsOn } of npms.dependencies.slice(1))
    expect([ref, needs.get(ref)]).toEqual([ref, expect.arrayContaining([...dependsOn])]);
});

test("lists every package once, and every dependency as a package", () => {
  const refs = ours.components.map((one) => one["bom-ref"]);
  expect(new Set(refs).size).toBe(refs.length);
  const unknown = ours.dependencies.flatMap(({ dependsOn }) => dependsOn.filter((ref) => !refs.includes(ref)));
  expect(unknown).toEqual([]);
});

test("the same lock file yields the same bytes, without the address of a registry", () => {
  expect(writeSbom({ root })).toBe(writeSbom({ root }));
  expect(writeSbom({ root })).not.toMatch(/https?:\/\//);
});

test("no package that the service needs has a licence that demands the source of the whole", () => {
  const [, service = ""] = /## Packages of the service\n\n([\s\S]*?)(?:\n## |$)/.exec(writeLicences({ root })) ?? [];
  expect(service).toContain("| Apache-2.0 |");
  expect(service).not.toMatch(/\| [^|]*(GPL|BUSL|SSPL)[^|]* \|/);
});
