import { existsSync } from "node:fs";
import { mkdir, rename, rm, symlink } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { pepperId } from "../accounts/secret.ts";
import { newestAccountsSchema, readAccountsMarks } from "../accounts/snapshot.ts";
import type { LoadedSettings } from "../config/settings.ts";
import { Secret } from "../lib/log.ts";
import { makePrivateFolder } from "../lib/private_folder.ts";
import { newestFactsSchema, readFactsMarks } from "../store/marks.ts";
import { operations } from "../surfaces/operator/operations.ts";
import { openFactsOnly } from "../wiring/stores.ts";
import { withOperator } from "./accounts_store.ts";
import { copySummed, eachOf, type Manifest, readSoundManifest, refuseBackup } from "./backup_manifest.ts";
import { type CommandArgs, type CommandIo, EXIT, printData, word } from "./command.ts";

/** Refuses what this program cannot serve, and a place that is not empty. */
const checkFit = ({ accounts, facts }: Manifest, { settings, data_dir }: LoadedSettings): void => {
  if (accounts !== null && accounts.schema > newestAccountsSchema())
    throw refuseBackup(`the accounts were written by a newer release (schema ${accounts.schema}): use that one`);
  const newest = facts?.migrations.at(-1)?.number ?? 0;
  if (newest > newestFactsSchema())
    throw refuseBackup(`the facts were written by a newer release (migration ${newest}): use that one`);
  if (
    (accounts !== null && settings.accounts.engine !== "embedded") ||
    (facts !== null && settings.facts.engine !== "embedded")
  )
    throw refuseBackup("the backup is of embedded stores, and the configuration names a server");
  // The engine takes a log of other accounts for one of the restored file, and writes it into that.
  for (const name of ["accounts.db", "accounts.db-wal", "accounts.db-shm", "accounts.db-journal", "facts"])
    if (existsSync(join(data_dir, name)))
      throw refuseBackup(`${data_dir} holds ${name} already: restore into an empty folder and move nothing over`);
};

/** Copies the files beside their places and moves them there when all are complete. */
const installFiles = async (from: string, content: Manifest, data_dir: string): Promise<void> => {
  makePrivateFolder(data_dir);
  const draft = join(data_dir, "restoring");
  await rm(draft, { recursive: true, force: true });
  try {
    await eachOf(content.files, async (file) => {
      // The engine's files lie one folder deeper than in the backup, beside its lock and its log.
      const target = join(draft, file.path.replace(/^facts\//, "facts/engine/"));
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      if ("target" in file) {
        await symlink(file.target, target);
        return;
      }
      const { sha256 } = await copySummed(join(from, file.path), target);
      if (sha256 !== file.sha256) throw refuseBackup(`${file.path} changed while it was read`);
    });
    if (content.facts !== null) await rename(join(draft, "facts"), join(data_dir, "facts"));
    if (content.accounts !== null) await rename(join(draft, "accounts.db"), join(data_dir, "accounts.db"));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
};

const differing = (wanted: Readonly<Record<string, number>>, found: Readonly<Record<string, number>>) =>
  Object.keys(wanted)
    .filter((name) => wanted[name] !== found[name])
    .map((name) => ({ table: name, backup: wanted[name] ?? 0, restored: found[name] ?? null }));

/** Opens what was restored and compares it with the manifest. */
const checkRestored = async (content: Manifest, io: CommandIo) => {
  const { settings, data_dir } = io.settings();
  const accounts = content.accounts === null ? null : await readAccountsMarks(join(data_dir, "accounts.db"));
  const rows = accounts === null ? [] : differing(content.accounts?.rows ?? {}, accounts.rows);
  if (content.facts !== null) {
    const store = await openFactsOnly(settings, data_dir);
    try {
      rows.push(...differing(content.facts.rows, (await readFactsMarks(store.engine)).rows));
    } finally {
      await store.close();
    }
  }
  const verified = accounts === null ? null : await withOperator(io, (desk) => operations.verify_ledger.run(desk, {}));
  return { differing: rows, ledger: verified };
};

/** Peppers that keys of the backup need and the configuration lacks. */
const missingPeppers = ({ accounts }: Manifest, { settings }: LoadedSettings): readonly string[] => {
  const { pepper, previous_peppers } = settings.keys;
  const known = [pepper, ...previous_peppers].flatMap((text) =>
    text === undefined ? [] : [pepperId(new Secret(text))],
  );
  return (accounts?.pepper_ids ?? []).filter((id) => !known.includes(id));
};

export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const folder = resolve(word(args, 0, "the folder of the backup"));
  const loaded = io.settings();
  const content = await readSoundManifest(folder);
  checkFit(content, loaded);
  await installFiles(folder, content, loaded.data_dir);
  const looked = await checkRestored(content, io);
  const missing = missingPeppers(content, loaded);
  const ok = looked.differing.length === 0 && looked.ledger?.ok !== false;
  printData(io, { ok, data_dir: loaded.data_dir, created_at: content.created_at, ...looked, missing_peppers: missing });
  if (missing.length > 0)
    io.err("Some keys were hashed with a pepper that the configuration lacks, and open nothing until it is there.\n");
  io.err(
    ok ? "Restored; every invariant of the ledger holds.\n" : "Restored, but not what the backup says: see above.\n",
  );
  return ok ? EXIT.ok : EXIT.error;
};
