/** The page that people look at, as files of one folder: what the build made, each also compressed. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

/** What is smaller than this gains nothing from being compressed. */
const COMPRESSED_FROM_BYTES = 1_024;

export type Coding = "br" | "gzip" | "identity";

export interface PortalFile {
  readonly type: string;
  /** True for a name that holds a hash of what is in it. */
  readonly is_hashed: boolean;
  readonly bytes: Buffer;
}

/** Names of the build: `<word>-<hash>.<ending>`. */
const HASHED = /-[\w-]{8}\.\w+$/;

const codedAs = (bytes: Buffer, coding: Coding): Buffer => {
  if (coding === "gzip") return gzipSync(bytes, { level: 9 });
  // The best that brotli does takes ten times as long, for some 2 %.
  if (coding === "br") return brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return bytes;
};

/** The best coding of those that a client takes. */
export const codingFor = (accepted: string | undefined): Coding => {
  const taken = (accepted ?? "")
    .split(",")
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0+)?$/.test(part))
    .map((part) => part.split(";", 1)[0]?.trim() ?? "");
  if (taken.includes("br")) return "br";
  return taken.includes("gzip") ? "gzip" : "identity";
};

/** Files are read when the first is asked for; each is compressed when it is first asked for so, and kept. */
export class PortalSite {
  readonly #files = new Map<string, PortalFile>();
  readonly #coded = new Map<string, Buffer>();

  constructor(folder: string) {
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const whole = join(entry.parentPath, entry.name);
      const path = whole.slice(folder.length + 1).replaceAll("\\", "/");
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      this.#files.set(path, { type, is_hashed: HASHED.test(path), bytes: readFileSync(whole) });
    }
  }

  paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  file(path: string): PortalFile | null {
    return this.#files.get(path) ?? null;
  }

  /** The bytes of a file in a coding, and the coding that they really have. */
  coded(path: string, wanted: Coding): { readonly bytes: Buffer; readonly coding: Coding } | null {
    const file = this.#files.get(path);
    if (file === undefined) return null;
    if (wanted === "identity" || file.bytes.length < COMPRESSED_FROM_BYTES || file.type.startsWith("font/"))
      return { bytes: file.bytes, coding: "identity" };
    const name = `${wanted} ${path}`;
    const bytes = this.#coded.get(name) ?? codedAs(file.bytes, wanted);
    this.#coded.set(name, bytes);
    return { bytes, coding: wanted };
  }
}
