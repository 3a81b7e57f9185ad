import { existsSync } from "node:fs";
import { lstat, mkdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { snapshotAccounts } from "../accounts/snapshot.ts";
import type { LoadedSettings } from "../config/settings.ts";
import { snapshotFiles } from "../store/embedded/snapshot.ts";
import { readFactsMarks } from "../store/marks.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import {
  BACKUP_FORMAT,
  type BackupFile,
  copySummed,
  eachOf,
  type Manifest,
  pathsBelow,
  refuseBackup,
  sumOf,
  writeManifest,
} from "./backup_manifest.ts";
import { type CommandArgs, type CommandIo, EXIT, printData, word } from "./command.ts";
import { programVersion } from "./version.ts";

/** A store's part of a backup; null for a server with its own backups. */
type StoreBackup<T> = { readonly marks: T; readonly files: readonly BackupFile[] } | null;

const backUpAccounts = async (
  { settings, data_dir }: LoadedSettings,
  to: string,
): Promise<StoreBackup<NonNullable<Manifest["accounts"]>>> => {
  if (settings.accounts.engine !== "embedded") return null;
  const path = join(data_dir, "accounts.db");
  if (!existsSync(path)) throw refuseBackup(`there are no accounts in ${data_dir}: start the service once`);
  const target = join(to, "accounts.db");
  const { pepper_ids, ...marks } = await snapshotAccounts(path, target);
  const files = [{ path: "accounts.db", ...(await sumOf(target)) }];
  return { marks: { ...marks, pepper_ids: [...pepper_ids] }, files };
};

const backUpFacts = async (
  { settings, data_dir }: LoadedSettings,
  to: string,
): Promise<StoreBackup<NonNullable<Manifest["facts"]>>> => {
  if (settings.facts.engine !== "embedded") return null;
  const store = await openFactsOnly(settings, data_dir);
  try {
    const { files: snapshot, seen } = await snapshotFiles(join(data_dir, "facts"), () => readFactsMarks(store.engine));
    try {
      const files = await eachOf(await pathsBelow(snapshot.folder), (name) =>
        copyEntry(join(snapshot.folder, name), { to, path: join("facts", name) }),
      );
      return { marks: { ...seen, migrations: [...seen.migrations] }, files };
    } finally {
      await snapshot.remove();
    }
  } finally {
    await store.close();
  }
};

const copyEntry = async (from: string, { to, path }: { to: string; path: string }): Promise<BackupFile> => {
  const target = join(to, path);
  if (!(await lstat(from)).isSymbolicLink()) return { path, ...(await copySummed(from, target)) };
  const link = await readlink(from);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await symlink(link, target);
  return { path, target: link };
};

/** Writes a backup of both stores into a folder that is not there yet. */
const backUp = async (io: CommandIo, folder: string): Promise<Manifest> => {
  const loaded = io.settings();
  if (existsSync(folder)) throw refuseBackup(`${folder} already exists: a backup needs a new folder`);
  // Under its name there is never half a backup.
  const draft = `${folder}.unfinished`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  try {
    const facts = await backUpFacts(loaded, draft);
    // Last, so that a key made meanwhile is in it.
    const accounts = await backUpAccounts(loaded, draft);
    if (accounts === null && facts === null)
      throw refuseBackup("both stores are servers of their own: back them up with their own means");
    const content: Manifest = {
      format: BACKUP_FORMAT,
      assay: programVersion(io.checkout),
      created_at: new Date().toISOString(),
      accounts: accounts?.marks ?? null,
      facts: facts?.marks ?? null,
      files: [...(accounts?.files ?? []), ...(facts?.files ?? [])],
    };
    await writeManifest(draft, content);
    await rename(draft, folder);
    return content;
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  }
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const folder = resolve(word(args, 0, "the folder to write"));
  const { accounts, facts, files, created_at } = await backUp(io, folder);
  const bytes = files.reduce((sum, file) => sum + ("bytes" in file ? file.bytes : 0), 0);
  printData(io, { folder, created_at, accounts, facts, files: files.length, bytes });
  if (accounts === null) io.err("The accounts are in a server of their own: back it up with its own means.\n");
  if (facts === null) io.err("The facts are in a server of their own: back it up with its own means.\n");
  io.err("The configuration and its secrets (keys.pepper) are not in a backup: keep them apart.\n");
  return EXIT.ok;
};
