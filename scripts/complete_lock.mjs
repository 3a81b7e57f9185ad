// Adds the optional packages of other platforms to package-lock.json. A registry mirror that holds only some platforms
// leaves them out when the lock is written, and `npm ci` then rejects it. Then requests from the registry the hash of every
// package that has none; a package that the registry lacks stays without one (test/lock_file.test.ts lists them). Run after every
// `npm install`, and before a release where the registry holds all platforms: node scripts/complete_lock.mjs [LOCK]
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const file = process.argv[2] ?? join(dirname(fileURLToPath(import.meta.url)), "..", "package-lock.json");
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

/** The name of a platform's package contains the platform: `cli-linux-x64-musl`. */
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

/** Returns the hash that npm reports for a package, or null if the registry does not hold it. Throws for any other result. */
const integrityOf = (name, version) => {
  const asked = ["view", `${name}@${version}`, "dist.integrity", "--json"];
  const { status, stdout, stderr, error } = spawnSync("npm", asked, { encoding: "utf8" });
  if (error !== undefined) throw error;
  if (status === 0) {
    const told = stdout.trim() === "" ? null : JSON.parse(stdout);
    if (told === null || /^sha512-[A-Za-z0-9+/]{86}==$/.test(told)) return told;
    throw new Error(`npm reports no hash of ${name}@${version}: ${String(told).slice(0, 80)}`);
  }
  if (/\bE404\b/.test(stdout + stderr)) return null;
  throw new Error(`npm view ${name}@${version} failed: ${(stderr || stdout).trim().split("\n").at(-1)}`);
};

/** The entry with its hash after the version, where npm writes it. */
const withIntegrity = ({ version, ...rest }, integrity) => ({ version, integrity, ...rest });

let filled = 0;
const open = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (path === "" || entry.link === true || entry.integrity !== undefined) continue;
  const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const integrity = integrityOf(name, entry.version);
  if (integrity === null) open.push(name);
  else {
    lock.packages[path] = withIntegrity(entry, integrity);
    filled += 1;
  }
}
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
process.stderr.write(`package-lock.json: ${added} packages of other platforms added, ${filled} hashes filled in\n`);
if (open.length > 0) process.stderr.write(`without a hash, this registry does not hold them: ${open.join(", ")}\n`);
