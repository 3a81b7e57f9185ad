import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { notesOf, versionsOf } from "./release_notes.ts";

const CHANGELOG = `# Changelog

What a user can notice, newest first.

## Unreleased

- New ([docs](docs/sdk.md), [mail](mailto:a@b.c)).

## 0.2.0, 2026-12-01

- Second.
  With a line more.

## 0.1.0

`;

test("the notes of a version are its part of the changelog, with links that work elsewhere", () => {
  expect(notesOf(CHANGELOG, "0.2.0", "")).toBe("- Second.\n  With a line more.\n");
  expect(notesOf(CHANGELOG, "Unreleased", "https://example.org/assay/")).toBe(
    "- New ([docs](https://example.org/assay/docs/sdk.md), [mail](mailto:a@b.c)).\n",
  );
});

test("a version that is unknown or has no text has no notes", () => {
  for (const version of ["0.1.0", "0.3.0", "0.2", ""]) expect(notesOf(CHANGELOG, version, "")).toBeNull();
  expect(versionsOf(CHANGELOG)).toEqual(["Unreleased", "0.2.0", "0.1.0"]);
});

test("the changelog of this project has something to say", () => {
  const own = readFileSync(join(import.meta.dirname, "../CHANGELOG.md"), "utf8");
  expect(versionsOf(own)[0]).toBe("Unreleased");
  expect(notesOf(own, "Unreleased", "")).toMatch(/^### Added\n\n- /);
});
