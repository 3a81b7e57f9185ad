import type { Catalog } from "../accounts/meter.ts";
import { toJson } from "./json.ts";

/** JSON text that is built once and sent often. */
export class Prebuilt {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** JSON text for the prices in force. */
export type Document = (catalog: Catalog) => string;

/** The text of a document that changes only with the prices. */
export const perVersion = (build: (catalog: Catalog) => unknown): Document => {
  let built: { readonly version: string; readonly text: string } | null = null;
  return (catalog) => {
    if (built?.version !== catalog.version) built = { version: catalog.version, text: toJson(build(catalog)) };
    return built.text;
  };
};
