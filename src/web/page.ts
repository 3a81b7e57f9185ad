import { type Token, Tokenizer, TokenizerMode } from "parse5";
import { cleanText } from "../lib/text.ts";

/** An element that accepts typed text: an input, a text area, an editable element. */
export interface PageField {
  /** `text`, `password`, …; `textarea` and `editable` for those. */
  readonly kind: string;
  /** All its names: name, id, placeholder, label. */
  readonly words: string;
}

export interface PageForm {
  /** Absolute; null when it posts to its own page or to no address. */
  readonly action: string | null;
}

export interface PageScript {
  /** Absolute; null for an inline script. */
  readonly src: string | null;
  readonly text: string;
}

export interface PageLink {
  /** Absolute http or https. */
  readonly href: string;
  readonly text: string;
}

/** Contents of a page, read from its source without running scripts. */
export interface WebPage {
  readonly title: string | null;
  readonly language: string | null;
  /** Visible text, with one space between words. */
  readonly text: string;
  readonly links: readonly PageLink[];
  readonly forms: readonly PageForm[];
  readonly fields: readonly PageField[];
  readonly scripts: readonly PageScript[];
  /** False when the reader stopped before the end of the source. */
  readonly is_whole: boolean;
}

const TITLE_BYTES_MAX = 256;
const LANGUAGE_BYTES_MAX = 35;
const LINK_TEXT_BYTES_MAX = 256;
/** Written to the tokenizer at once. It compares each attribute of a tag with all before it, so their number is watched. */
const CHUNK_CHARACTERS = 16_384;
const ATTRIBUTES_MAX = 1_000;

/** Elements whose content is not markup, and how it is read (HTML Living Standard, 13.2.6.2). */
const CONTENT: Readonly<Record<string, number>> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  noembed: TokenizerMode.RAWTEXT,
  noframes: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
};
/** Elements that may be inside a word. */
const INLINE = /^(?:a|abbr|b|bdi|bdo|code|em|font|i|mark|s|small|span|strong|sub|sup|u|wbr)$/;

const absolute = (text: string, from: string): string | null => {
  if (!URL.canParse(text, from)) return null;
  const url = new URL(text, from);
  return url.protocol === "http:" || url.protocol === "https:" ? url.href : null;
};

const collapse = (parts: readonly string[]): string => parts.join("").replace(/\s+/g, " ").trim();

/** Collects the contents of a page from its tokens. */
class PageReader {
  readonly text: string[] = [];
  readonly links: { href: string; words: string[] }[] = [];
  readonly forms: PageForm[] = [];
  readonly fields: PageField[] = [];
  readonly scripts: { src: string | null; words: string[] }[] = [];
  readonly labels: string[][] = [];
  language: string | null = null;
  title: string[] | null = null;
  #from: string;
  #inside: "text" | "title" | "script" | "nothing" = "text";
  #link: string[] | null = null;
  #label: string[] | null = null;

  constructor(url: string) {
    this.#from = url;
  }

  start({ tagName, attrs }: Token.TagToken): void {
    const get = (name: string): string => attrs.find((attribute) => attribute.name === name)?.value ?? "";
    if (!INLINE.test(tagName)) this.text.push(" ");
    if (tagName === "html") this.language ??= get("lang") || null;
    if (tagName === "base") this.#from = absolute(get("href"), this.#from) ?? this.#from;
    if (tagName === "a" || tagName === "area") this.#openLink(get("href"));
    if (tagName === "form")
      this.forms.push({ action: get("action") === "" ? null : absolute(get("action"), this.#from) });
    if (tagName === "label") this.#openLabel();
    const kind = fieldKind(tagName, get);
    if (kind !== null) {
      const words = ["name", "id", "placeholder", "aria-label", "title", "autocomplete"].map(get).join(" ");
      this.fields.push({ kind, words });
    }
    if (tagName === "script") {
      this.scripts.push({ src: get("src") === "" ? null : absolute(get("src"), this.#from), words: [] });
      this.#inside = "script";
    } else if (tagName === "title" && this.title === null) {
      this.title = [];
      this.#inside = "title";
    } else if (tagName in CONTENT) this.#inside = tagName === "textarea" ? "text" : "nothing";
  }

  end(tagName: string): void {
    if (!INLINE.test(tagName)) this.text.push(" ");
    if (tagName === "a") this.#link = null;
    if (tagName === "label") this.#label = null;
    if (tagName in CONTENT) this.#inside = "text";
  }

  characters(chars: string): void {
    if (this.#inside === "title") this.title?.push(chars);
    else if (this.#inside === "script") this.scripts.at(-1)?.words.push(chars);
    else if (this.#inside === "text") {
      this.text.push(chars);
      this.#link?.push(chars);
      this.#label?.push(chars);
    }
  }

  #openLabel(): void {
    this.#label = [];
    this.labels.push(this.#label);
  }

  #openLink(href: string): void {
    const target = absolute(href, this.#from);
    this.#link = null;
    if (href === "" || target === null) return;
    this.#link = [];
    this.links.push({ href: target, words: this.#link });
  }
}

/** Returns null for an element that accepts no typed text. */
const fieldKind = (tagName: string, get: (name: string) => string): string | null => {
  if (tagName === "textarea") return "textarea";
  if (tagName === "input") {
    const kind = get("type").toLowerCase() || "text";
    return /^(?:hidden|submit|button|image|reset|checkbox|radio|file|color|range)$/.test(kind) ? null : kind;
  }
  const editable = get("contenteditable").toLowerCase();
  return editable === "true" || editable === "plaintext-only" ? "editable" : null;
};

class WatchedTokenizer extends Tokenizer {
  /** Attributes of the tag that is being read. */
  get open_attributes(): number {
    const open = this.currentToken;
    return open !== null && "attrs" in open ? open.attrs.length : 0;
  }
}

/** Runs the tokenizer over the source; false when it had to stop early. */
const tokenize = (html: string, reader: PageReader): boolean => {
  const skip = (): void => undefined;
  const tokenizer: WatchedTokenizer = new WatchedTokenizer(
    {},
    {
      onStartTag: (token) => {
        reader.start(token);
        const mode = CONTENT[token.tagName];
        // The numbers of CONTENT are modes of the tokenizer.
        if (mode !== undefined) tokenizer.state = mode as typeof tokenizer.state;
      },
      onEndTag: ({ tagName }) => reader.end(tagName),
      onCharacter: ({ chars }) => reader.characters(chars),
      onWhitespaceCharacter: ({ chars }) => reader.characters(chars),
      onNullCharacter: skip,
      onComment: skip,
      onDoctype: skip,
      onEof: skip,
    },
  );
  for (let at = 0; at < html.length; at += CHUNK_CHARACTERS) {
    tokenizer.write(html.slice(at, at + CHUNK_CHARACTERS), at + CHUNK_CHARACTERS >= html.length);
    if (tokenizer.open_attributes > ATTRIBUTES_MAX) return false;
  }
  return true;
};

const textOrNull = (parts: readonly string[] | null, bytes_max: number): string | null => {
  const text = cleanText(collapse(parts ?? []), bytes_max);
  return text === "" ? null : text;
};

/** Reads a page's source. `url` is where it came from: relative addresses start there. Takes any text, never throws. */
export const readPage = (html: string, url: string): WebPage => {
  const reader = new PageReader(url);
  const is_whole = tokenize(html, reader);
  // Matching labels to fields would need ids and nesting, so the labels are searched as one text.
  const labels = reader.labels.map(collapse).join(" | ");
  return {
    title: textOrNull(reader.title, TITLE_BYTES_MAX),
    language: textOrNull([reader.language ?? ""], LANGUAGE_BYTES_MAX),
    text: collapse(reader.text),
    links: reader.links.map(({ href, words }) => ({ href, text: cleanText(collapse(words), LINK_TEXT_BYTES_MAX) })),
    forms: reader.forms,
    fields: reader.fields.map(({ kind, words }) => ({ kind, words: collapse([words, " ", labels]) })),
    scripts: reader.scripts.map(({ src, words }) => ({ src, text: words.join("") })),
    is_whole,
  };
};
