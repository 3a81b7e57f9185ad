import type { Catalog } from "../accounts/meter.ts";

/** A body that is built once and sent often: however many clients are slow to take it, it is in memory once. */
export class Prebuilt {
  readonly bytes: Buffer;
  constructor(content: string | Buffer) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
  }
}

/** What changes with the prices, and with what `of` returns: built anew for each version of the catalog and each other value of that. */
export const perVersion = <T, O>(of: () => O, build: (catalog: Catalog, of: O) => T): ((catalog: Catalog) => T) => {
  let built: { readonly version: string; readonly of: O; readonly value: T } | null = null;
  return (catalog) => {
    const now = of();
    if (built?.version !== catalog.version || built.of !== now)
      built = { version: catalog.version, of: now, value: build(catalog, now) };
    return built.value;
  };
};
