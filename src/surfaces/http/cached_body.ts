import { createHash } from "node:crypto";
import { type Coding, codedAs } from "./compression.ts";

/** A body that is built once and sent often. It is in memory once, however many clients read it slowly. */
export class Prebuilt {
  readonly bytes: Buffer;
  constructor(content: string | Buffer) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
  }
}

/** A body that is the same for every client until it changes. It is sent compressed, and only to clients that have another version. */
export class Document extends Prebuilt {
  readonly #coded = new Map<Coding, Buffer>();
  #hash: string | null = null;

  /** The bytes in a coding, compressed on first use and cached. */
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
