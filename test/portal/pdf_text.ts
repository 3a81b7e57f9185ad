/** The text of a page as its browser prints it: the glyphs of the PDF by the tables that its fonts carry. */
import { inflateSync } from "node:zlib";
import type { Page } from "playwright-core";

const OBJECT = /(\d+) 0 obj\b([\s\S]*?)endobj/g;
const STREAM = /stream\r?\n([\s\S]*?)\r?\nendstream/;

const streamOf = (object: string): string => {
  const [, raw] = STREAM.exec(object) ?? [];
  if (raw === undefined) return "";
  const bytes = Buffer.from(raw, "latin1");
  return object.includes("/FlateDecode") ? inflateSync(bytes).toString("latin1") : raw;
};

const textOfUtf16 = (hex: string): string => Buffer.from(hex, "hex").swap16().toString("utf16le");

/** Texts by glyph of a font's `ToUnicode` table. */
const glyphsOf = (table: string): ReadonlyMap<number, string> => {
  const glyphs = new Map<number, string>();
  for (const [, chars = ""] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g)) {
    for (const [, glyph = "", text = ""] of chars.matchAll(/<([0-9A-Fa-f]+)>\s*<([0-9A-Fa-f]+)>/g))
      glyphs.set(Number.parseInt(glyph, 16), textOfUtf16(text));
  }
  for (const [, ranges = ""] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g)) {
    for (const [, from = "", to = "", text = ""] of ranges.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g)) {
      const first = Number.parseInt(from, 16);
      // A ligature is one glyph of several letters; the last one counts on.
      const [before, last] = [textOfUtf16(text.slice(0, -4)), Number.parseInt(text.slice(-4), 16)];
      for (let glyph = first; glyph <= Number.parseInt(to, 16); glyph += 1)
        glyphs.set(glyph, before + String.fromCodePoint(last + glyph - first));
    }
  }
  return glyphs;
};

/** Chromium names a font after its object: `/F4` is `4 0 obj`. */
const textOfPdf = (pdf: Buffer): string => {
  const objects = new Map([...pdf.toString("latin1").matchAll(OBJECT)].map(([, id = "", body = ""]) => [id, body]));
  const fonts = new Map(
    [...objects].flatMap(([id, body]) => {
      const [, table] = /\/ToUnicode (\d+) 0 R/.exec(body) ?? [];
      return table === undefined ? [] : [[id, glyphsOf(streamOf(objects.get(table) ?? ""))] as const];
    }),
  );
  const lines = [...objects.values()].map(streamOf).filter((content) => /\bTf\b/.test(content));
  return lines
    .map((content) => {
      let glyphs: ReadonlyMap<number, string> = new Map();
      let text = "";
      for (const [, font, shown] of content.matchAll(/\/F(\d+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
        if (font !== undefined) glyphs = fonts.get(font) ?? new Map();
        for (const [code] of (shown ?? "").matchAll(/.{4}/g)) text += glyphs.get(Number.parseInt(code, 16)) ?? "";
      }
      return text;
    })
    .join("\n");
};

export const printedText = async (page: Page): Promise<string> =>
  textOfPdf(await page.pdf({ format: "A4" })).normalize("NFKC");
