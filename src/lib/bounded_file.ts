import { closeSync, fstatSync, openSync, readSync } from "node:fs";

/** The path is no regular file, or the file exceeds its limit. `message` is a clause that starts with "it is". */
export class FileFault extends Error {}

/**
 * Reads the text of a file of at most `bytes_max`. Checks the size before reading, and reads no more than that even when the file
 * grows in the meantime.
 * @throws FileFault, and the error of `open` when the file does not exist
 */
export const readBoundedFile = (path: string, bytes_max: number): string => {
  const descriptor = openSync(path, "r");
  try {
    const stat = fstatSync(descriptor);
    if (stat.isDirectory()) throw new FileFault("it is a folder");
    if (stat.size > bytes_max) throw tooLarge(bytes_max);
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (;;) {
      const piece = Buffer.allocUnsafe(Math.min(1 << 20, bytes_max + 1 - bytes));
      const count = readSync(descriptor, piece, 0, piece.length, null);
      if (count === 0) break;
      bytes += count;
      if (bytes > bytes_max) throw tooLarge(bytes_max);
      pieces.push(piece.subarray(0, count));
    }
    return Buffer.concat(pieces).toString("utf8");
  } finally {
    closeSync(descriptor);
  }
};

const tooLarge = (bytes_max: number): FileFault => new FileFault(`it is larger than ${sizeOf(bytes_max)}`);

const MIB = 1024 * 1024;

const sizeOf = (bytes: number): string => (bytes % MIB === 0 ? `${bytes / MIB} MB` : `${bytes} bytes`);
