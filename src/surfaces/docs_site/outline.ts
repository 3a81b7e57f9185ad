/** The pages of the documentation and their order: the Markdown files of `docs/`, by folder and name. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface DocPage {
  /** Path below `docs/` without the extension, such as `tools/resolve_ens`. */
  readonly path: string;
  readonly title: string;
  readonly section: string;
  readonly markdown: string;
}

/** Pages that come first in their section, in this order; all others follow. */
const FIRST: Readonly<Record<string, readonly string[]>> = {
  Start: ["start", "concepts", "over_time", "glossary", "demo"],
  Reference: [
    "reference",
    "sdk",
    "prices",
    "errors",
    "networks",
    "protocols",
    "labels",
    "licences",
    "configuration",
    "threat_model",
  ],
};

/** Section of a folder below `docs/`. */
const FOLDERS: Readonly<Record<string, string>> = {
  tools: "Tools",
  nodes: "Operating",
  operating: "Operating",
  design: "Design",
};

/** Sections in the order in which they are read. */
const SECTIONS = ["Start", "Tools", "Reference", "Operating", "Design"];

const sectionOf = (path: string): string => {
  const [folder = "", name] = path.split("/");
  if (name !== undefined) return FOLDERS[folder] ?? "Reference";
  return Object.keys(FIRST).find((section) => FIRST[section]?.includes(path)) ?? "Reference";
};

const rankOf = ({ section, path }: Pick<DocPage, "section" | "path">): readonly [number, number, string] => {
  const listed = FIRST[section]?.indexOf(path) ?? -1;
  return [SECTIONS.indexOf(section), listed < 0 ? Number.MAX_SAFE_INTEGER : listed, path];
};

const byRank = (a: DocPage, b: DocPage): number => {
  const [left, right] = [rankOf(a), rankOf(b)];
  return left[0] - right[0] || left[1] - right[1] || (left[2] < right[2] ? -1 : 1);
};

const titleOf = (markdown: string, path: string): string => /^# (.+)$/m.exec(markdown)?.[1]?.trim() ?? path;

/** All pages in reading order; empty if the folder does not exist. */
export const readOutline = (docs: string): readonly DocPage[] => {
  if (!existsSync(docs)) return [];
  const files = readdirSync(docs, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".md"));
  const pages = files.map((file) => {
    const path = file.replaceAll("\\", "/").replace(/\.md$/, "");
    const markdown = readFileSync(join(docs, file), "utf8");
    return { path, title: titleOf(markdown, path), section: sectionOf(path), markdown };
  });
  return pages.sort(byRank);
};
