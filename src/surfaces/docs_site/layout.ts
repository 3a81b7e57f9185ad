import { relative } from "node:path/posix";
import { escapeHtml } from "./markdown.ts";
import type { DocPage } from "./outline.ts";

/** The way from one place of the documentation to another: it holds wherever the documentation lies, also on a disk. */
export const wayTo = (from: string, to: string): string => {
  const folder = from.includes("/") ? from.slice(0, from.lastIndexOf("/")) : "";
  return relative(`/${folder}`, `/${to}`);
};

interface PageLayout {
  readonly page: DocPage;
  readonly article: string;
  readonly outline: readonly DocPage[];
}

const sections = ({ page, outline }: PageLayout): string =>
  [...new Set(outline.map(({ section }) => section))]
    .map((section) => {
      const items = outline
        .filter((one) => one.section === section)
        .map(({ path, title }) => {
          const here = path === page.path ? ' aria-current="page"' : "";
          const name = escapeHtml(title).replaceAll("_", "_<wbr>");
          return `<li><a href="${wayTo(page.path, `${path}.html`)}"${here}>${name}</a></li>`;
        });
      const open = section === page.section ? " open" : "";
      return `<details${open}><summary>${escapeHtml(section)}</summary><ul>${items.join("")}</ul></details>`;
    })
    .join("\n");

const neighbours = ({ page, outline }: PageLayout): string => {
  const at = outline.indexOf(page);
  const link = (one: DocPage | undefined, rel: string, word: string) =>
    one === undefined
      ? ""
      : `<a rel="${rel}" href="${wayTo(page.path, `${one.path}.html`)}">${word}: ${escapeHtml(one.title)}</a>`;
  return `<nav class="neighbours" aria-label="Neighbours">${link(outline[at - 1], "prev", "Before")}${link(outline[at + 1], "next", "Next")}</nav>`;
};

/** One page as a whole document. It names no other origin, and holds no style and no script of its own. */
export const layOut = (laid: PageLayout): string => {
  const { page, article } = laid;
  const to = (path: string) => wayTo(page.path, path);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(page.title)} · Assay</title>
<link rel="icon" type="image/svg+xml" href="${to("site/icon.svg")}">
<link rel="stylesheet" href="${to("site/docs.css")}">
<link rel="alternate" type="text/markdown" href="${to(`${page.path}.md`)}">
<script src="${to("site/docs.js")}" defer></script>
</head>
<body data-root="${to("") || "."}" data-page="${escapeHtml(page.path)}">
<a class="skip" href="#text">To the text</a>
<header>
<a class="home" href="${to("index.html")}">Assay docs</a>
<search><label>Search <input id="search" type="search" autocomplete="off" spellcheck="false"></label><ol id="found" class="found" hidden></ol></search>
</header>
<div class="sides">
<nav class="pages" aria-label="Pages">
${sections(laid)}
</nav>
<main id="text">
${article}
<p class="source"><a href="${to(`${page.path}.md`)}">This page as Markdown</a></p>
${neighbours(laid)}
</main>
</div>
</body>
</html>
`;
};
