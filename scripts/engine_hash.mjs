// Says so when the engine of this platform is in package-lock.json without a hash: npm then installs what the registry
// gives, whatever that is. Called by `./assay` with what `uname -s` and `uname -m` say.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const lock = JSON.parse(readFileSync(join(dirname(fileURLToPath(import.meta.url)), "..", "package-lock.json"), "utf8"));
const [system = "", machine = ""] = process.argv.slice(2);
const os = system.toLowerCase();
const cpu = { x86_64: "x64", amd64: "x64", aarch64: "arm64", arm64: "arm64" }[machine] ?? machine;

const engines = Object.keys(lock.packages["node_modules/chdb"]?.optionalDependencies ?? {});
for (const name of engines) {
  const entry = lock.packages[`node_modules/${name}`];
  if (entry === undefined || entry.integrity !== undefined) continue;
  if (!(entry.os ?? [os]).includes(os) || !(entry.cpu ?? [cpu]).includes(cpu)) continue;
  process.stderr.write(
    `assay: the engine ${name}@${entry.version} was installed without a hash: what the registry gave was not checked.\n`,
  );
}
