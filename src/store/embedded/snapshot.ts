import { copyFile, link, lstat, mkdir, mkdtemp, readdir, readlink, rm, symlink } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { AssayError, codeOf, messageOf } from "../../lib/errors.ts";
import { attach } from "./attach.ts";

/** A copy of the engine's files at one moment, in a new folder. */
export interface FilesSnapshot {
  readonly folder: string;
  remove(): Promise<void>;
}

/** Folders of the engine that hold tables; the others are scratch or shortcuts. */
const HELD = ["metadata", "store"];
/** A table whose parts were merged away while they were listed is listed again. */
const TRIES = 10;
const QUIET_TIMEOUT_MS = 120_000;

/**
 * Takes a snapshot while the engine of `data_dir` runs. Statements that write wait for the moment it takes to link the parts;
 * parts never change, so a link is a copy. `work` runs in that moment too, and may only read.
 * @throws AssayError FACTS_UNAVAILABLE when the engine does not get quiet or ends meanwhile.
 */
export const snapshotFiles = async <T>(
  data_dir: string,
  work: () => Promise<T>,
): Promise<{ readonly files: FilesSnapshot; readonly seen: T }> => {
  const attachment = await attach(data_dir);
  // Below the engine's scratch folder: the next start of an engine removes what a crash left here.
  const folder = await mkdtemp(join(data_dir, "inserts", "snapshot-"));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const quiet = await becomeQuiet(attachment.socket);
    try {
      for (const name of HELD) await linkFolder(join(data_dir, "engine", name), join(folder, name));
      const seen = await work();
      if (quiet.isLost()) throw unavailable("the engine did not stay quiet for as long as its files were copied");
      return { files: { folder, remove }, seen };
    } finally {
      quiet.end();
    }
  } catch (error) {
    await remove();
    throw error;
  } finally {
    attachment.release();
  }
};

const becomeQuiet = (socket: string): Promise<{ isLost(): boolean; end(): void }> =>
  new Promise((resolve, reject) => {
    const request = get({ socketPath: socket, path: "/quiet", agent: false });
    request.setTimeout(QUIET_TIMEOUT_MS, () => request.destroy(new Error("it went on writing")));
    request.once("error", (error) => reject(unavailable(`the engine did not get quiet: ${messageOf(error)}`)));
    request.once("response", (response: IncomingMessage) => {
      let is_lost = false;
      const lose = (): void => {
        is_lost = true;
      };
      response.once("close", lose).once("error", lose).resume();
      resolve({ isLost: () => is_lost, end: () => request.destroy() });
    });
  });

/** A merge in the background makes parts under names that begin so, and takes the old ones away minutes later. */
const isScratch = (name: string): boolean => /^(?:tmp|delete_tmp|detached$|moving$)/.test(name);

/** A part's folder, by its name: partition, first block, last block, level (ClickHouse, MergeTreePartInfo). */
const isPart = (name: string): boolean => /_\d+_\d+_\d+(?:_\d+)?$/.test(name);

const linkFolder = async (from: string, to: string, is_part = false): Promise<void> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await linkEntries({ from, to, is_part });
    } catch (error) {
      if (codeOf(error) !== "ENOENT" || is_part || tries === TRIES) throw error;
      await rm(to, { recursive: true, force: true });
    }
  }
};

const linkEntries = async ({ from, to, is_part }: { from: string; to: string; is_part: boolean }): Promise<void> => {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) {
    if (isScratch(name)) continue;
    const [source, target] = [join(from, name), join(to, name)];
    const stat = await lstat(source);
    if (stat.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (stat.isDirectory()) await linkFolder(source, target, is_part || isPart(name));
    // Files of a part never change. Anything else (metadata, logs of deduplication) is appended to or replaced.
    else if (is_part) await linkOrCopy(source, target);
    else await copyFile(source, target);
  }
};

/** Some file systems have no links. */
const linkOrCopy = async (source: string, target: string): Promise<void> => {
  try {
    await link(source, target);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && ["EPERM", "ENOTSUP", "EXDEV"].includes(String(error.code))))
      throw error;
    await copyFile(source, target);
  }
};

const unavailable = (message: string): AssayError =>
  new AssayError({
    code: "FACTS_UNAVAILABLE",
    message,
    public: "The index is not available right now.",
    retryable: true,
  });
