import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { join as joinPlaces } from "node:path/posix";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { tools } from "../../tools/index.ts";
import { htmlOf } from "./markdown.ts";
import { DocsSite } from "./site.ts";

const ROOT = join(import.meta.dirname, "../../..");
const site = new DocsSite(join(ROOT, "docs"));
const textOf = (path: string): string => site.file(path)?.bytes.toString("utf8") ?? "";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "assay-docs-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const siteOf = (files: Readonly<Record<string, string>>): DocsSite => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return new DocsSite(folder);
};

describe("the documentation of the product", () => {
  test("every link of every page leads to a file and a heading that are there", () => {
    const dead: string[] = [];
    for (const path of site.paths().filter((one) => one.endsWith(".html"))) {
      for (const [, link = ""] of textOf(path).matchAll(/(?:href|src)="([^"]*)"/g)) {
        if (/^(https?|mailto):/.test(link)) continue;
        const [file = "", anchor] = link.split("#", 2);
        const target = file === "" ? path : joinPlaces(path, "..", file);
        const is_there = site.paths().includes(target);
        if (!is_there || (anchor !== undefined && !textOf(target).includes(`id="${anchor}"`)))
          dead.push(`${path}: ${link}`);
      }
    }
    expect(dead).toEqual([]);
  });

  test("every link of the texts beside it leads to something that is there", () => {
    const dead = readdirSync(ROOT)
      .filter((file) => file.endsWith(".md"))
      .flatMap((file) =>
        [...readFileSync(join(ROOT, file), "utf8").matchAll(/\]\(([^)#\s]+)/g)]
          .map(([, link = ""]) => link)
          .filter((link) => !/^https?:/.test(link) && !existsSync(join(ROOT, link)))
          .map((link) => `${file}: ${link}`),
      );
    expect(dead).toEqual([]);
  });

  test("every tool has a page, a text and a line for language models", () => {
    const index = textOf("llms.txt");
    const whole = textOf("llms-full.txt");
    for (const { name, title } of tools) {
      expect(textOf(`tools/${name}.html`)).toContain(`<h1 id="${name}">`);
      expect(textOf(`tools/${name}.md`)).toContain(`# ${name}\n\n${title}`);
      expect(index).toMatch(new RegExp(`^- \\[${name}\\]\\(/docs/tools/${name}\\.md\\): .{20,}$`, "m"));
      expect(whole).toContain(`<!-- /docs/tools/${name} -->\n# ${name}\n`);
    }
  });

  test("no page has a style or a script of its own, or anything of another origin", () => {
    for (const path of site.paths().filter((one) => one.endsWith(".html"))) {
      const html = textOf(path);
      expect([
        path,
        html.match(/<style|style=|<script(?! src="[^":]*" defer><\/script>)|\son\w+=|src="https?:/g),
      ]).toEqual([path, null]);
    }
  });

  test("the search knows every page with the words of its text", () => {
    const text = textOf("site/pages.js");
    const rows: { path: string; text: string }[] = JSON.parse(text.slice(text.indexOf("["), text.lastIndexOf(";")));
    expect(rows.map(({ path }) => `${path}.html`).sort()).toEqual(
      site
        .paths()
        .filter((path) => path.endsWith(".html") && path !== "index.html")
        .sort(),
    );
    expect(rows.find(({ path }) => path === "operating/keys")?.text).toContain("svc_live_");
  });
});

test("a page is found with and without its ending, and nothing outside the documentation", () => {
  const own = siteOf({
    "start.md": "# Begin\n\nHere.",
    "a/b.md": "# B\n\n[back](../start.md#begin)",
    "secret.key": "no",
  });
  expect(own.file("a/b")?.bytes).toEqual(own.file("a/b.html")?.bytes);
  expect(own.file("")?.bytes.toString()).toContain('<h1 id="begin">');
  expect(own.file("a/b.html")?.bytes.toString()).toContain('<a href="../start.html#begin">back</a>');
  expect(own.file("a/b.md")).toMatchObject({ type: "text/markdown; charset=utf-8" });
  for (const path of ["secret.key", "../package.json", "a/../../x", "a", "%2e%2e/x", "constructor"])
    expect(own.file(path)).toBeNull();
});

test("HTML, scripts and strange addresses of a text are shown as text", () => {
  const html = htmlOf(
    [
      "# <b>T</b> & `x<y>`",
      "<script>alert(1)</script>",
      "a <img src=x onerror=alert(1)> b",
      "[go](javascript:alert(1)) [data](data:text/html,x) [ok](https://example.org/?a=1&b=2)",
      '![p](javascript:x) ![q](a.png "t")',
      "```js\"><script>\nlet a = '<';\n```",
      "| a | <i> |\n| --- | --- |\n| `<u>` | x |",
      "<!-- kept to itself -->",
    ].join("\n\n"),
    (link) => link,
  );
  expect(html.match(/<(?!\/?(?:h1|a|p|pre|code|div|table|thead|tbody|tr|th|td|img)[\s>])[^>]*>?/g)).toBeNull();
  expect(html).not.toMatch(/javascript:|data:text|<img[^>]*onerror|kept to itself/);
  expect(html).toContain('<a href="https://example.org/?a=1&amp;b=2">ok</a>');
  expect(html).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
});
