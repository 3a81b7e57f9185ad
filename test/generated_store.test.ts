import { expect, test } from "vitest";
import { ROOT, staleFiles } from "../scripts/generated.ts";
import { STORE, withTables } from "../scripts/generated_store.ts";

test("the types of tables and questions are those that the engine tells", async () => {
  expect(await withTables((engine) => staleFiles(STORE, { root: ROOT, engine }))).toEqual([]);
});
