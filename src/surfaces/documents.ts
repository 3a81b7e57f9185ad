import type { Catalog } from "../accounts/meter.ts";

/** JSON text that is built once and sent often. */
export class Prebuilt {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What changes only with the prices: built anew for each version of the catalog. */
export const perVersion = <T>(build: (catalog: Catalog) => T): ((catalog: Catalog) => T) => {
  let built: { readonly version: string; readonly value: T } | null = null;
  return (catalog) => {
    if (built?.version !== catalog.version) built = { version: catalog.version, value: build(catalog) };
    return built.value;
  };
};
