// The notes of a release from CHANGELOG.md: `node dist/scripts/release_notes.js 0.2.0`, or without a version the unreleased changes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const UNRELEASED = "Unreleased";

/**
 * The changelog's text for a version: the text below its heading (`## 0.2.0` or `## 0.2.0, 2026-12-01`), links made whole for readers
 * outside the checkout. Null if it has none.
 */
export const notesOf = (changelog: string, version: string, home: string): string | null => {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^[^\s,]+/.exec(text)?.[0] === version);
  const body = section?.slice(section.indexOf("\n") + 1).trim() ?? "";
  if (body === "") return null;
  const target = (link: string) =>
    /^[a-z]+:|^#/.test(link) || home === "" ? link : `${home.replace(/\/$/, "")}/${link}`;
  return `${body.replace(/\]\(([^)\s]+)\)/g, (_, link: string) => `](${target(link)})`)}\n`;
};

/** Versions of the changelog in its order, newest first. */
export const versionsOf = (changelog: string): readonly string[] =>
  [...changelog.matchAll(/^## ([^\s,]+)/gm)].map(([, version = ""]) => version);

const main = (): number => {
  const [version = UNRELEASED, home = ""] = argv.slice(2);
  const changelog = readFileSync(join(process.cwd(), "CHANGELOG.md"), "utf8");
  const notes = notesOf(changelog, version, home);
  if (notes === null) {
    process.stderr.write(`CHANGELOG.md has no notes for ${version}; it has ${versionsOf(changelog).join(", ")}\n`);
    return 1;
  }
  process.stdout.write(notes);
  return 0;
};

if (argv[1] === fileURLToPath(import.meta.url)) process.exitCode = main();
