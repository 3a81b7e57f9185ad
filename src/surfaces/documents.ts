import { createHash } from "node:crypto";
import type { Catalog } from "../accounts/meter.ts";
import { type Coding, codedAs } from "./coding.ts";

/** A body that is built once and sent often: however many clients are slow to take it, it is in memory once. */
export class Prebuilt {
  readonly bytes: Buffer;
  constructor(content: string | Buffer) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
  }
}

/** A body that is the same for every client until it changes: it goes out compressed, and only where the client has another one. */
export class Document extends Prebuilt {
  readonly #coded = new Map<Coding, Buffer>();
  #hash: string | null = null;

  /** Compressed when it is first asked for so, and kept. */
  coded(coding: Coding): Buffer {
    const bytes = this.#coded.get(coding) ?? codedAs(this.bytes, coding);
    this.#coded.set(coding, bytes);
    return bytes;
  }

  /** Strong: the bytes of another coding have another tag (RFC 9110, section 8.8.3). */
  etag(coding: Coding): string {
    this.#hash ??= createHash("sha256").update(this.bytes).digest("base64url").slice(0, 27);
    return `"${this.#hash}${coding === "identity" ? "" : `-${coding}`}"`;
  }
}

/** What changes with the prices, and with what `of` returns: built anew for each version of the catalog and each other value of that. */
export const perVersion = <T, O>(of: () => O, build: (catalog: Catalog, of: O) => T): ((catalog: Catalog) => T) => {
  let built: { readonly version: string; readonly of: O; readonly value: T } | null = null;
  return (catalog) => {
    const now = of();
    if (built?.version !== catalog.version || built.of !== now)
      built = { version: catalog.version, of: now, value: build(catalog, now) };
    return built.value;
  };
};
