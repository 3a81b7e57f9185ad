// @check
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { violationsIn } from "./banned_phrases.ts";
import { ROOT } from "./project_files.ts";
import { proseOf } from "./prose.ts";

const SECTIONS = ["Added", "Changed", "Fixed", "Security"];
const LINE_MAX = 300;

interface Release {
  /** `Unreleased`, or a version. */
  readonly name: string;
  readonly date: string | null;
  readonly sections: readonly string[];
  readonly lines: readonly string[];
}

/** Releases in the order of `changelog`. A line of a section is every line that is neither empty nor a heading. */
const releasesOf = (changelog: string): readonly Release[] =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((text) => {
      const [heading = "", ...lines] = text.split("\n");
      const [name = "", date = null] = heading.split(", ");
      return {
        name,
        date,
        sections: lines.flatMap((line) => (line.startsWith("### ") ? [line.slice(4)] : [])),
        lines: lines.filter((line) => line !== "" && !line.startsWith("### ")),
      };
    });

const numberOf = (version: string): number => {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);
  return parts === undefined ? Number.NaN : parts.reduce((sum, part) => sum * 1000 + part, 0);
};

/** Faults of a changelog, each with its release. */
const faultsOf = (releases: readonly Release[]): readonly string[] =>
  releases.flatMap(({ name, date, sections, lines }, at) => {
    const older = releases[at + 1];
    return [
      at === 0 && name !== "Unreleased" ? "the first release is not 'Unreleased'" : null,
      at > 0 && Number.isNaN(numberOf(name)) ? "the name is not a version" : null,
      at > 0 && !/^\d{4}-\d\d-\d\d$/.test(date ?? "") ? "the release has no date" : null,
      at > 0 && older !== undefined && numberOf(name) <= numberOf(older.name) ? "versions do not descend" : null,
      at > 0 && older?.date != null && (date ?? "") < older.date ? "dates do not descend" : null,
      sections.join() === SECTIONS.filter((section) => sections.includes(section)).join() ? null : "sections",
      ...lines.flatMap((line) => [
        /^- [A-Z`[].*\.$/.test(line) ? null : `not a bullet with a full stop: ${line}`,
        line.length > LINE_MAX ? `longer than ${LINE_MAX} characters: ${line}` : null,
        ...proseOf(".md", line)
          .flatMap(violationsIn)
          .map(({ name: phrase, excerpt }) => `${phrase}: ${excerpt}`),
      ]),
    ]
      .filter((fault) => fault !== null)
      .map((fault) => `${name}: ${fault}`);
  });

const own = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");

test("each kind of fault in a changelog is found", () => {
  const line = "- Fixed: it works.";
  const of = (text: string) => faultsOf(releasesOf(`# Changelog\n\n${text}`)).length;
  const good = `## Unreleased\n\n## 0.2.0, 2026-11-02\n\n### Added\n\n${line}\n\n## 0.1.0, 2026-11-01\n`;
  expect(of(good)).toBe(0);
  expect(of(good.replace("## Unreleased\n\n", ""))).toBe(1);
  expect(of(good.replace("0.2.0", "0.0.9"))).toBe(1);
  expect(of(good.replace("0.2.0", "next"))).toBe(1);
  expect(of(good.replace(", 2026-11-01", ""))).toBe(1);
  expect(of(good.replace("2026-11-02", "2026-10-31"))).toBe(1);
  expect(of(good.replace("### Added", "### Performance"))).toBe(1);
  expect(of(good.replace("### Added", "### Fixed\n\n### Added"))).toBe(1);
  expect(of(good.replace(line, "It works."))).toBe(1);
  expect(of(good.replace(line, "- It works"))).toBe(1);
  expect(of(good.replace(line, `- ${"A".repeat(LINE_MAX)}.`))).toBe(1);
  expect(of(good.replace(line, `- It ${"stands"}.`))).toBe(1);
});

test("the changelog names versions in descending order, with four sections and plain sentences", () => {
  const releases = releasesOf(own);
  expect(releases.length).toBeGreaterThan(1);
  expect(faultsOf(releases)).toEqual([]);
});

test("the newest release is the version of the package", () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(releasesOf(own)[1]?.name).toBe(version);
});
