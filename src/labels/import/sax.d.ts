/** The part of the package `sax` that this project uses; it has no types of its own. */
declare module "sax" {
  interface Tag {
    readonly name: string;
    readonly attributes: Readonly<Record<string, string>>;
  }
  interface SaxParser {
    onopentag: (tag: Tag) => void;
    onclosetag: (name: string) => void;
    ontext: (text: string) => void;
    oncdata: (text: string) => void;
    onerror: (error: Error) => void;
    write(text: string): SaxParser;
    close(): SaxParser;
  }
  const sax: { parser(strict: boolean, options: { readonly trim: boolean }): SaxParser };
  export default sax;
}
