import type { Catalog } from "../../accounts/meter.ts";

/** A value that depends on the prices and on the result of `of`: built again for each version of the catalog and each new result. */
export const perVersion = <T, O>(of: () => O, build: (catalog: Catalog, of: O) => T): ((catalog: Catalog) => T) => {
  let built: { readonly version: string; readonly of: O; readonly value: T } | null = null;
  return (catalog) => {
    const now = of();
    if (built?.version !== catalog.version || built.of !== now)
      built = { version: catalog.version, of: now, value: build(catalog, now) };
    return built.value;
  };
};
