import sax from "sax";
import {
  AdvancedSdn,
  type EndedElement,
  EnhancedSdn,
  type OfacAddress,
  type OfacVariant,
  PlainSdn,
} from "./ofac_records.ts";
import {
  Collector,
  cleanListText,
  type ImportScope,
  ListFault,
  type ParsedList,
  type SanctionsEntry,
} from "./parsed_list.ts";
import { sanctionedAddress } from "./sanctioned_address.ts";
import { sanctionsKey } from "./sanctions_generic.ts";

/** Root element -> format. */
const VARIANTS: Readonly<Record<string, () => OfacVariant>> = {
  sdnList: () => new PlainSdn(),
  Sanctions: () => new AdvancedSdn(),
  sanctionsData: () => new EnhancedSdn(),
};

const TEXT_CHARACTERS_MAX = 65_536;
const DEPTH_MAX = 64;

const localName = (name: string): string => name.slice(name.indexOf(":") + 1);

interface OpenElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

/** Walks the XML in chunks and passes each complete element to the format that the root element names. */
class SdnWalk {
  readonly #parser = sax.parser(true, { trim: true });
  readonly #open: OpenElement[] = [];
  variant: OfacVariant | null = null;

  constructor() {
    this.#parser.onopentag = ({ name, attributes }) => this.#begin(localName(name), attributes);
    this.#parser.ontext = (text) => this.#say(text);
    this.#parser.oncdata = (text) => this.#say(text);
    this.#parser.onclosetag = () => this.#end();
    this.#parser.onerror = (error) => {
      throw new ListFault(`the file is not XML: ${error.message.split("\n")[0]}`);
    };
  }

  write(text: string): void {
    this.#parser.write(text);
  }

  close(): void {
    this.#parser.close();
  }

  #begin(name: string, attributes: Readonly<Record<string, string>>): void {
    if (this.#open.length === 0) {
      const make = VARIANTS[name];
      if (make === undefined) throw new ListFault(`<${cleanListText(name, 64)}> is not one of the SDN file formats`);
      this.variant = make();
    }
    if (this.#open.length >= DEPTH_MAX) throw new ListFault("the file's elements are nested too deeply");
    this.#open.push({ name, attributes, text: "" });
  }

  #say(text: string): void {
    const top = this.#open.at(-1);
    if (top !== undefined && top.text.length < TEXT_CHARACTERS_MAX) top.text += text;
  }

  #end(): void {
    const element = this.#open.at(-1);
    if (element === undefined) return;
    const ended: EndedElement = {
      name: element.name,
      parent: this.#open.at(-2)?.name ?? "",
      text: element.text.trim(),
      attribute: (of, name) => this.#open.findLast((one) => one.name === of)?.attributes[name] ?? "",
      inside: (name) => this.#open.some((one) => one.name === name),
    };
    this.variant?.ended(ended);
    this.#open.pop();
  }
}

const entryOf = (said: OfacAddress, scope: ImportScope): SanctionsEntry | string => {
  const asset_code = cleanListText(said.asset_code, 16).toUpperCase();
  const found = sanctionedAddress({ text: said.address, asset_code, family: "" }, scope);
  if (found === null) return "not an address";
  return {
    ...found,
    asset_code,
    entity: cleanListText(said.entity),
    program: cleanListText(said.programs.join(", ")),
    listed_on: said.listed_on,
    delisted_on: "",
  };
};

/**
 * The SDN list of OFAC, in any of its XML formats. A file with a default namespace or a new layout would parse as an
 * empty list: fewer than `addresses_min` addresses are a fault.
 * @throws ListFault
 */
export const parseOfac = async (
  pieces: AsyncIterable<string>,
  how: { readonly scope: ImportScope; readonly addresses_min: number },
): Promise<ParsedList> => {
  const walk = new SdnWalk();
  for await (const piece of pieces) walk.write(piece);
  walk.close();
  const collector = new Collector<SanctionsEntry>(sanctionsKey);
  for (const said of walk.variant?.addresses ?? []) collector.take(entryOf(said, how.scope), said);
  const { found } = collector;
  if (found.entries.length < how.addresses_min) {
    throw new ListFault(
      `${found.entries.length} digital currency addresses were found and at least ${how.addresses_min} are expected: the file is truncated, or its layout is new`,
    );
  }
  const published_on = walk.variant?.published_on ?? "";
  return { kind: "sanctions", ...found, version: published_on, published_on };
};
