import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { DocsSite } from "../surfaces/docs_site/site.ts";
import { type CommandArgs, type CommandIo, EXIT, UsageFault, word } from "./command.ts";

/** Writes the documentation as files that a browser reads without a service. */
export const run = async (args: CommandArgs, io: CommandIo): Promise<number> => {
  const folder = resolve(word(args, 0, "the folder to write into"));
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new UsageFault(`${folder} is not empty: name a new folder`);
  const site = new DocsSite(join(io.checkout, "docs"));
  const paths = site.paths();
  for (const path of paths) {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, site.file(path)?.bytes ?? "");
  }
  io.err(`wrote ${paths.length} files: open ${join(folder, "index.html")}\n`);
  return EXIT.ok;
};
