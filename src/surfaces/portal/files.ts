/** The files of the built portal. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { Document } from "../http/cached_body.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".woff2": "font/woff2",
};

export interface PortalFile {
  readonly type: string;
  /** True for a name that contains a hash of the file. */
  readonly is_hashed: boolean;
  readonly document: Document;
}

/** Names that the build writes: `<word>-<hash>.<ending>`. */
const HASHED = /-[\w-]{8}\.\w+$/;

/** All files of a folder, read when it is opened. */
export class PortalFiles {
  readonly #files = new Map<string, PortalFile>();

  constructor(folder: string) {
    if (!existsSync(folder)) return;
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const whole = join(entry.parentPath, entry.name);
      const path = whole.slice(folder.length + 1).replaceAll("\\", "/");
      const type = TYPES[extname(path)] ?? "application/octet-stream";
      this.#files.set(path, { type, is_hashed: HASHED.test(path), document: new Document(readFileSync(whole)) });
    }
  }

  paths(): readonly string[] {
    return [...this.#files.keys()];
  }

  file(path: string): PortalFile | null {
    return this.#files.get(path) ?? null;
  }
}
