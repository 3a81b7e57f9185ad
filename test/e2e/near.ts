import { expect } from "vitest";

/** Checks that `got` has the numbers of `wanted`, to nine digits or to `share` of the number. */
export const expectNear = (got: object, wanted: Readonly<Record<string, number>>, share = 1e-9): void => {
  for (const [field, value] of Object.entries(wanted)) {
    const found = (got as Readonly<Record<string, unknown>>)[field]; // read by name, whatever it is
    expect([field, typeof found]).toEqual([field, "number"]);
    const error = Math.abs(Number(found) - value) / Math.max(1e-3, Math.abs(value));
    expect([field, found, error < share]).toEqual([field, found, true]);
  }
};
