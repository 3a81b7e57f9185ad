/** The documentation as files: pages in HTML and Markdown, their assets, the search, and the texts for language models. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { dirname, normalize } from "node:path/posix";
import { layOut, wayTo } from "./layout.ts";
import { llmsFull, llmsIndex } from "./llms.ts";
import { headingsOf, htmlOf, wordsOf } from "./markdown.ts";
import { type DocPage, readOutline } from "./outline.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".md": "text/markdown; charset=utf-8",
  ".toml": "text/plain; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".yaml": "text/plain; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

export interface SiteFile {
  readonly type: string;
  readonly bytes: Buffer;
}

const FIRST_PAGE = "start";

/** A link of a page for HTML: links to other pages lead to their HTML, all other links stay unchanged. */
const targetFrom =
  (page: DocPage, pages: ReadonlySet<string>) =>
  (link: string): string => {
    const [file = "", anchor] = link.split("#", 2);
    if (file === "" || /^[a-z]+:/i.test(file)) return link;
    const place = normalize(join(dirname(page.path), file));
    const path = place.replace(/\.md$/, "");
    const way = pages.has(path) ? wayTo(page.path, `${path}.html`) : wayTo(page.path, place);
    return anchor === undefined ? way : `${way}#${anchor}`;
  };

const searchIndex = (outline: readonly DocPage[]): string => {
  const rows = outline.map(({ path, title, section, markdown }) => ({
    path,
    title,
    section,
    headings: headingsOf(markdown).slice(1),
    text: wordsOf(markdown),
  }));
  // Sequences that would end a script element, and line ends that JSON allows and older scripts do not.
  const json = JSON.stringify(rows).replace(
    /[<\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return `globalThis.assay_pages = ${json};\n`;
};

/** The documentation of one folder. Files are rendered on first request and cached. */
export class DocsSite {
  readonly #made = new Map<string, SiteFile>();
  readonly #makers = new Map<string, () => string | Buffer>();

  constructor(docs: string) {
    const outline = readOutline(docs);
    const paths = new Set(outline.map(({ path }) => path));
    const put = (path: string, make: () => string | Buffer) => this.#makers.set(path, make);
    if (existsSync(docs))
      for (const file of readdirSync(docs, { recursive: true, encoding: "utf8" }))
        if (TYPES[extname(file)] !== undefined) put(file.replaceAll("\\", "/"), () => readFileSync(join(docs, file)));
    for (const page of outline) {
      const html = () => layOut({ page, outline, article: htmlOf(page.markdown, targetFrom(page, paths)) });
      put(`${page.path}.html`, html);
      if (page.path === FIRST_PAGE) put("index.html", html);
    }
    put("site/pages.js", () => searchIndex(outline));
    put("llms.txt", () => llmsIndex(outline));
    put("llms-full.txt", () => llmsFull(outline));
  }

  /** Paths of all files. */
  paths(): readonly string[] {
    return [...this.#makers.keys()];
  }

  /** Null if the file does not exist. A page is also found without its extension. */
  file(path: string): SiteFile | null {
    const known = this.#makers.has(path) ? path : path === "" ? "index.html" : `${path}.html`;
    const made = this.#made.get(known);
    if (made !== undefined) return made;
    const make = this.#makers.get(known);
    if (make === undefined) return null;
    const file = { type: TYPES[extname(known)] ?? "application/octet-stream", bytes: Buffer.from(make()) };
    this.#made.set(known, file);
    return file;
  }
}
