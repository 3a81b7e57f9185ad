// Writes the bill of materials (CycloneDX 1.5) and the licences. The same lock file gives the same bytes: unlike `npm sbom`, it adds no time
// and no random number.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Workshop } from "./generated.ts";
import { refOf, type ShippedPackage, shippedPackages, type Use } from "./lock_packages.ts";

const purlOf = ({ name, version }: Pick<ShippedPackage, "name" | "version">): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** One licence by its id, several as an expression. */
const licensesOf = (licence: string | null): object =>
  licence === null
    ? {}
    : { licenses: [/ (OR|AND|WITH) /.test(licence) ? { expression: licence } : { license: { id: licence } }] };

const hashesOf = (integrity: string | null): object => {
  const [, content] = /^sha512-(.+)$/.exec(integrity ?? "") ?? [];
  if (content === undefined) return {};
  return { hashes: [{ alg: "SHA-512", content: Buffer.from(content, "base64").toString("hex") }] };
};

const componentOf = (one: ShippedPackage): object => ({
  type: "library",
  "bom-ref": refOf(one),
  name: one.name,
  version: one.version,
  scope: one.use === "optional" ? "optional" : "required",
  ...hashesOf(one.integrity),
  ...licensesOf(one.licence),
  purl: purlOf(one),
});

const own = (root: string): { name: string; version: string; license: string } & Readonly<Record<string, unknown>> =>
  // Our own package.json.
  JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** A UUID derived from the content (RFC 9562, version 8). */
const serialOf = (text: string): string => {
  const hex = createHash("sha256").update(text).digest("hex");
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export const writeSbom = ({ root }: Pick<Workshop, "root">): string => {
  const packages = shippedPackages(root);
  const { name, version, license, dependencies, optionalDependencies } = own(root);
  const direct = Object.keys({ ...Object(dependencies), ...Object(optionalDependencies) });
  const top = packages.filter((one) => direct.includes(one.name) && !one.name.includes("/node_modules/"));
  const body = {
    metadata: {
      component: {
        type: "application",
        "bom-ref": `${name}@${version}`,
        name,
        version,
        licenses: [{ license: { id: license } }],
        purl: purlOf({ name, version }),
      },
    },
    components: packages.map(componentOf),
    dependencies: [
      { ref: `${name}@${version}`, dependsOn: top.map(refOf) },
      ...packages.map((one) => ({ ref: refOf(one), dependsOn: one.needs })),
    ],
  };
  const head = { bomFormat: "CycloneDX", specVersion: "1.5", serialNumber: serialOf(JSON.stringify(body)), version: 1 };
  return `${JSON.stringify({ ...head, ...body }, null, 2)}\n`;
};

const USES: Readonly<Record<Use, string>> = {
  service: "Packages of the service",
  page: "Packages built into the portal",
  optional: "Optional packages: the demo's chains, and other platforms",
};

const UNSTATED = "not stated in the lock file";

const tableOf = (packages: readonly ShippedPackage[]): string => {
  const licences = [...new Set(packages.map(({ licence }) => licence ?? UNSTATED))].sort();
  const rows = licences.map((licence) => {
    const names = packages
      .filter((one) => (one.licence ?? UNSTATED) === licence)
      .map((one) => refOf(one).replaceAll("|", "\\|"));
    return `| ${licence} | ${names.length} | ${names.join(", ")} |`;
  });
  return `| Licence | Packages | |\n|---|---|---|\n${rows.join("\n")}\n`;
};

export const writeLicences = ({ root }: Pick<Workshop, "root">): string => {
  const packages = shippedPackages(root);
  const parts = (["service", "page", "optional"] as const)
    .map((use) => [use, packages.filter((one) => one.use === use)] as const)
    .filter(([, some]) => some.length > 0)
    .map(([use, some]) => `## ${USES[use]}\n\n${tableOf(some)}`);
  return `# Licences of packages

Assay itself is Apache-2.0. This page lists the packages of \`package-lock.json\` that it includes. [sbom.json](sbom.json) (CycloneDX 1.5)
adds hashes and dependencies. [labels.md](labels.md) lists the sources of the labels.

${parts.join("\n")}`;
};
