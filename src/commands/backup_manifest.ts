import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, openSync } from "node:fs";
import { chmod, lstat, mkdir, open, readdir, readlink, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize, relative } from "node:path";
import { Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { readBoundedFile } from "../lib/bounded_file.ts";
import { AssayError, messageOf } from "../lib/errors.ts";
import { FILE_BOUNDS, readJsonOrNull } from "../lib/json_bounds.ts";

/** The newest form of a backup that this program reads and writes. */
export const BACKUP_FORMAT = 1;

const MANIFEST = "manifest.json";
const MANIFEST_SUM = "manifest.sha256";
const SUM_BYTES_MAX = 4_096;

const rows = z.record(z.string(), z.int());

/** `manifest.json` of a backup. */
const manifest = z.strictObject({
  format: z.literal(BACKUP_FORMAT),
  assay: z.string(),
  created_at: z.string(),
  accounts: z.strictObject({ schema: z.int(), rows, pepper_ids: z.array(z.string()) }).nullable(),
  facts: z
    .strictObject({
      engine: z.string(),
      migrations: z.array(z.strictObject({ number: z.int(), hash: z.string() })),
      rows,
    })
    .nullable(),
  files: z.array(
    z.union([
      z.strictObject({ path: z.string(), bytes: z.int(), sha256: z.string() }),
      z.strictObject({ path: z.string(), target: z.string() }),
    ]),
  ),
});

export type Manifest = z.output<typeof manifest>;
export type BackupFile = Manifest["files"][number];

export const refuseBackup = (message: string): AssayError =>
  new AssayError({ code: "BACKUP", message, public: message });

/** Copies a file (new, mode 0600, on disk when this returns) and tells its size and checksum. */
export const copySummed = async (from: string, to: string): Promise<{ bytes: number; sha256: string }> => {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const hash = createHash("sha256");
  let bytes = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  const fd = openSync(to, "wx", 0o600);
  await pipeline(createReadStream(from), count, createWriteStream(to, { fd, flush: true }));
  return { bytes, sha256: hash.digest("hex") };
};

/** Files that are copied at a time: most of the time goes into waiting for the disk. */
const COPIES = 16;

/** Does `work` for each item, some at a time. @returns the results in the order of the items. */
export const eachOf = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  const rest = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of rest) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: COPIES }, worker));
  return results;
};

/** Current size and checksum of a file. */
export const sumOf = async (path: string): Promise<{ bytes: number; sha256: string }> => {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    // A stream without an encoding yields Buffers.
    const part = chunk as Buffer;
    hash.update(part);
    bytes += part.length;
  }
  return { bytes, sha256: hash.digest("hex") };
};

/** Every file and link below a folder, sorted, as paths from it. */
export const pathsBelow = async (folder: string): Promise<readonly string[]> => {
  const found: string[] = [];
  const walk = async (at: string): Promise<void> => {
    for (const name of await readdir(at)) {
      const path = join(at, name);
      if ((await lstat(path)).isDirectory()) await walk(path);
      else found.push(relative(folder, path));
    }
  };
  await walk(folder);
  return found.sort();
};

/** Writes the manifest as the last file of a backup, with a checksum of its own. */
export const writeManifest = async (folder: string, content: Manifest): Promise<void> => {
  const text = `${JSON.stringify(content, null, 1)}\n`;
  await writeFile(join(folder, MANIFEST), text, { mode: 0o600, flush: true });
  const sum = `${createHash("sha256").update(text).digest("hex")}  ${MANIFEST}\n`;
  await writeFile(join(folder, MANIFEST_SUM), sum, { mode: 0o600, flush: true });
  await chmod(folder, 0o700);
  const handle = await open(folder, "r");
  await handle.sync();
  await handle.close();
};

/**
 * The manifest of a backup whose every file is there and unchanged.
 * @throws AssayError BACKUP which says what is damaged, missing, too much, or newer than this program.
 */
export const readSoundManifest = async (folder: string): Promise<Manifest> => {
  const content = await readManifest(folder);
  const known = new Set<string>([MANIFEST, MANIFEST_SUM]);
  for (const file of content.files) {
    if (file.path !== normalize(file.path) || file.path.startsWith("..") || isAbsolute(file.path))
      throw refuseBackup(`the manifest names a path outside of the backup: ${file.path}`);
    known.add(file.path);
    const path = join(folder, file.path);
    try {
      if ("target" in file) {
        if (isAbsolute(file.target) || !normalize(join(dirname(file.path), file.target)).startsWith("facts/"))
          throw refuseBackup(`the manifest has a link out of the backup: ${file.path}`);
        if ((await readlink(path)) !== file.target) throw refuseBackup(`${file.path} is not the link of the manifest`);
        continue;
      }
      const { bytes, sha256 } = await sumOf(path);
      if (bytes !== file.bytes || sha256 !== file.sha256)
        throw refuseBackup(`${file.path} is damaged: its checksum differs`);
    } catch (error) {
      if (error instanceof AssayError) throw error;
      throw refuseBackup(`${file.path} is missing or cannot be read: ${messageOf(error)}`);
    }
  }
  const more = (await pathsBelow(folder)).find((path) => !known.has(path));
  if (more !== undefined) throw refuseBackup(`${more} is no part of the backup`);
  return content;
};

const readManifest = async (folder: string): Promise<Manifest> => {
  let text: string;
  let sum: string;
  try {
    text = readBoundedFile(join(folder, MANIFEST), FILE_BOUNDS.length_max);
    sum = readBoundedFile(join(folder, MANIFEST_SUM), SUM_BYTES_MAX);
  } catch (error) {
    throw refuseBackup(`${folder} is no complete backup: ${messageOf(error)}`);
  }
  if (sum.split(" ", 1)[0] !== createHash("sha256").update(text).digest("hex"))
    throw refuseBackup(`${MANIFEST} is damaged: its checksum differs`);
  const value = readJsonOrNull(text, FILE_BOUNDS);
  const format = Reflect.get(Object(value), "format");
  if (typeof format === "number" && format > BACKUP_FORMAT)
    throw refuseBackup(
      `the backup has form ${format}, and this program reads up to ${BACKUP_FORMAT}: use a newer release`,
    );
  const parsed = manifest.safeParse(value);
  if (!parsed.success) throw refuseBackup(`${MANIFEST} is not one of ours: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
};
