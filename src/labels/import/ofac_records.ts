import { dayOf } from "./parsed_list.ts";

/** One address of the SDN list, with its owner. */
export interface OfacAddress {
  readonly asset_code: string;
  readonly address: string;
  readonly entity: string;
  readonly programs: readonly string[];
  readonly listed_on: string;
}

/** One complete element, with its ancestors. Names are local (without namespace prefix). */
export interface EndedElement {
  readonly name: string;
  readonly parent: string;
  readonly text: string;
  readonly attribute: (of: string, name: string) => string;
  readonly inside: (name: string) => boolean;
}

/** Reads one of the SDN file formats element by element. */
export interface OfacVariant {
  ended(element: EndedElement): void;
  /** Day of publication; '' = unknown. */
  readonly published_on: string;
  readonly addresses: readonly OfacAddress[];
}

const PREFIX = "Digital Currency Address - ";

/** `XBT` of `Digital Currency Address - XBT`; null for any other kind of feature. */
const assetOf = (kind: string): string | null => (kind.startsWith(PREFIX) ? kind.slice(PREFIX.length).trim() : null);

const two = (number: string): string => number.padStart(2, "0");

/** SDN.XML: sdnEntry > idList > id > idType, idNumber. */
export class PlainSdn implements OfacVariant {
  published_on = "";
  readonly addresses: OfacAddress[] = [];
  #first = "";
  #last = "";
  #programs: string[] = [];
  #id: { kind: string; number: string } = { kind: "", number: "" };
  #own: { asset_code: string; address: string }[] = [];

  ended({ name, parent, text }: EndedElement): void {
    if (name === "Publish_Date") {
      const [, month = "", day = "", year = ""] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
      this.published_on = dayOf(`${year}-${two(month)}-${two(day)}`);
    } else if (name === "firstName" && parent === "sdnEntry") this.#first = text;
    else if (name === "lastName" && parent === "sdnEntry") this.#last = text;
    else if (name === "program" && parent === "programList") this.#programs.push(text);
    else if (name === "idType") this.#id.kind = text;
    else if (name === "idNumber") this.#id.number = text;
    else if (name === "id" && parent === "idList") {
      const asset_code = assetOf(this.#id.kind);
      if (asset_code !== null) this.#own.push({ asset_code, address: this.#id.number });
      this.#id = { kind: "", number: "" };
    } else if (name === "sdnEntry") this.#endEntry();
  }

  #endEntry(): void {
    const entity = [this.#first, this.#last].filter((part) => part !== "").join(" ");
    const programs = this.#programs;
    for (const own of this.#own) this.addresses.push({ ...own, entity, programs, listed_on: "" });
    this.#first = "";
    this.#last = "";
    this.#programs = [];
    this.#own = [];
  }
}

interface SdnProfile {
  readonly parts: string[];
  readonly own: { asset_code: string; address: string }[];
  readonly programs: string[];
  listed_on: string;
}

/** SDN_ADVANCED.XML: feature types by id, profiles with features, entries with dates and programs afterwards. */
export class AdvancedSdn implements OfacVariant {
  published_on = "";
  readonly #assets = new Map<string, string>();
  readonly #profiles = new Map<string, SdnProfile>();
  #date = { Year: "", Month: "", Day: "" };

  get addresses(): readonly OfacAddress[] {
    return [...this.#profiles.values()].flatMap(({ parts, own, programs, listed_on }) =>
      own.map((one) => ({ ...one, entity: parts.join(" "), programs, listed_on })),
    );
  }

  #profile(id: string): SdnProfile {
    const known = this.#profiles.get(id) ?? { parts: [], own: [], programs: [], listed_on: "" };
    this.#profiles.set(id, known);
    return known;
  }

  #day(): string {
    const { Year, Month, Day } = this.#date;
    return dayOf(`${Year}-${two(Month)}-${two(Day)}`);
  }

  ended({ name, parent, text, attribute, inside }: EndedElement): void {
    if (name === "Year" || name === "Month" || name === "Day") this.#date[name] = text;
    else if (name === "DateOfIssue") this.published_on = this.#day();
    else if (name === "FeatureType") {
      const asset = assetOf(text);
      if (asset !== null) this.#assets.set(attribute("FeatureType", "ID"), asset);
    } else if (name === "VersionDetail") {
      const asset_code = this.#assets.get(attribute("Feature", "FeatureTypeID"));
      if (asset_code !== undefined) this.#profile(attribute("Profile", "ID")).own.push({ asset_code, address: text });
    } else if (name === "NamePartValue" && attribute("Alias", "Primary") === "true") {
      this.#profile(attribute("Profile", "ID")).parts.push(text);
    } else if (inside("SanctionsEntry")) this.#endOfEntry(name, parent, { text, attribute });
  }

  #endOfEntry(name: string, parent: string, { text, attribute }: Pick<EndedElement, "text" | "attribute">): void {
    const profile = this.#profile(attribute("SanctionsEntry", "ProfileID"));
    const day = name === "Date" && parent === "EntryEvent" ? this.#day() : "";
    if (day !== "" && (profile.listed_on === "" || day < profile.listed_on)) profile.listed_on = day;
    if (name === "Comment" && parent === "SanctionsMeasure" && text !== "") profile.programs.push(text);
  }
}

/** SDN_ENHANCED.XML: entity > features > feature > type, value. */
export class EnhancedSdn implements OfacVariant {
  published_on = "";
  readonly addresses: OfacAddress[] = [];
  #name = "";
  #listed_on = "";
  #programs: string[] = [];
  #feature = { kind: "", value: "" };
  #own: { asset_code: string; address: string }[] = [];

  ended({ name, parent, text, attribute }: EndedElement): void {
    if (name === "dataAsOf") this.published_on = dayOf(text);
    else if (name === "formattedFullName" && this.#name === "") this.#name = text;
    else if (name === "sanctionsProgram") this.#programs.push(text);
    else if (name === "sanctionsList") this.#listed_on = dayOf(attribute("sanctionsList", "datePublished"));
    else if (name === "type" && parent === "feature") this.#feature.kind = text;
    else if (name === "value" && parent === "feature") this.#feature.value = text;
    else if (name === "feature") {
      const asset_code = assetOf(this.#feature.kind);
      if (asset_code !== null) this.#own.push({ asset_code, address: this.#feature.value });
      this.#feature = { kind: "", value: "" };
    } else if (name === "entity" && parent === "entities") this.#endEntity();
  }

  #endEntity(): void {
    const said = { entity: this.#name, programs: this.#programs, listed_on: this.#listed_on };
    for (const own of this.#own) this.addresses.push({ ...own, ...said });
    this.#name = "";
    this.#listed_on = "";
    this.#programs = [];
    this.#own = [];
  }
}
