import type { Catalog } from "../accounts/meter.ts";

/** A body that is built once and sent often: however many clients are slow to take it, it is in memory once. */
export class Prebuilt {
  readonly bytes: Buffer;
  constructor(content: string | Buffer) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
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
