/** Renders Markdown as HTML. Raw HTML in the text is dropped, and only plain addresses become links. */
import { Marked, type Tokens } from "marked";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** The anchor of a heading, as code hosts derive it: lower case, spaces as hyphens, no other punctuation. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");

/** Anchors of headings, in order; a repeated anchor gets a number. */
const anchors = (): ((heading: string) => string) => {
  const seen = new Map<string, number>();
  return (heading) => {
    const name = anchorOf(heading);
    const times = seen.get(name) ?? 0;
    seen.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  };
};

const plainOf = (tokens: readonly Tokens.Generic[]): string =>
  tokens.map((token) => (token.tokens === undefined ? String(token.text ?? "") : plainOf(token.tokens))).join("");

const isPlain = (address: string): boolean => /^(https?:|mailto:|[^:]*$)/i.test(address);

/**
 * @param target maps a link of the text to its address on the page
 */
export const htmlOf = (markdown: string, target: (link: string) => string): string => {
  const anchor = anchors();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      html: ({ text }) => (/^\s*<!--[\s\S]*-->\s*$/.test(text) ? "" : escapeHtml(text)),
      heading({ tokens, depth }) {
        const id = escapeHtml(anchor(plainOf(tokens)));
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${text}</a></h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        return isPlain(href) ? `<a href="${escapeHtml(target(href))}">${text}</a>` : text;
      },
      image: ({ href, text }) =>
        isPlain(href) ? `<img src="${escapeHtml(target(href))}" alt="${escapeHtml(text)}">` : "",
      code: ({ text, lang }) =>
        `<pre tabindex="0"><code class="language-${escapeHtml(anchorOf(lang ?? ""))}">${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const row = (cells: readonly Tokens.TableCell[], tag: "th" | "td") =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        const body = rows.map((cells) => row(cells, "td")).join("\n");
        return `<div class="wide" tabindex="0"><table><thead>${row(header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
};

/** Words of a text without punctuation, for the search. */
export const wordsOf = (markdown: string): string =>
  markdown
    .replace(/\]\([^)]*\)/g, " ")
    .replace(/[`*#|>[\]{}"]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();

/** Headings of a text with their anchors. */
export const headingsOf = (markdown: string): readonly { readonly text: string; readonly anchor: string }[] => {
  const anchor = anchors();
  return new Marked({ gfm: true })
    .lexer(markdown)
    .filter((token): token is Tokens.Heading => token.type === "heading")
    .map(({ tokens }) => {
      const text = plainOf(tokens);
      return { text, anchor: anchor(text) };
    });
};
