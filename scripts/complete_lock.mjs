// Adds the optional packages of other platforms to package-lock.json. A registry mirror that holds only some platforms
// leaves them out when the lock is written, and `npm ci` then refuses it. Run after every `npm install`.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const file = join(dirname(fileURLToPath(import.meta.url)), "..", "package-lock.json");
const lock = JSON.parse(readFileSync(file, "utf8"));

const OS = ["android", "darwin", "linux", "win32", "freebsd", "openbsd", "netbsd", "openharmony", "sunos", "aix"];
const CPU = {
  amd64: "x64",
  x64: "x64",
  arm64: "arm64",
  arm: "arm",
  ppc64: "ppc64",
  riscv64: "riscv64",
  s390x: "s390x",
  ia32: "ia32",
  loong64: "loong64",
  mips64el: "mips64el",
  wasm32: "wasm32",
};

/** A package of one platform says so in its name: `cli-linux-x64-musl`. */
const platformOf = (name) => {
  const words = name.split(/[-/]/);
  const os = words.find((word) => OS.includes(word));
  const cpu = words.map((word) => CPU[word]).find((word) => word !== undefined);
  const libc = words.includes("musl") ? "musl" : words.includes("gnu") && os === "linux" ? "glibc" : null;
  return { ...(os ? { os: [os] } : {}), ...(cpu ? { cpu: [cpu] } : {}), ...(libc ? { libc: [libc] } : {}) };
};

let added = 0;
for (const entry of Object.values(lock.packages)) {
  for (const [name, wanted] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`;
    if (lock.packages[path] !== undefined || !/^\d+\.\d+\.\d+/.test(wanted)) continue;
    const platform = platformOf(name);
    if (platform.os === undefined && platform.cpu === undefined) continue;
    lock.packages[path] = { version: wanted, ...platform, ...(entry.dev ? { dev: true } : {}), optional: true };
    added += 1;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stderr.write(`package-lock.json: ${added} packages of other platforms added\n`);
