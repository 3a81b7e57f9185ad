import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeFees } from "./gen_fees.ts";
import { writeProtocolTables } from "./gen_protocol_tables.ts";
import { writeProxies } from "./gen_proxies.ts";

const ROOT = join(import.meta.dirname, "..");
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "assay-knowledge-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The generators over a copy of `knowledge/` in which one text stands for another. */
const written = (file: string, [instead_of, text]: readonly [string, string]) => {
  cpSync(join(ROOT, "knowledge"), join(root, "knowledge"), { recursive: true });
  const path = join(root, "knowledge", file);
  const before = readFileSync(path, "utf8");
  expect(before).toContain(instead_of);
  writeFileSync(
    path,
    before.replace(instead_of, () => text),
  );
  return () => [writeProxies({ root }), writeFees({ root }), writeProtocolTables({ root })];
};

test.each<readonly [string, string, readonly [string, string], string]>([
  [
    "a word that answers do not have",
    "proxies.yaml",
    ["kind: minimal", "kind: clone"],
    "knowledge/proxies.yaml does not fit its schema: /shapes/0/kind must be equal to one of the allowed values",
  ],
  [
    "a row without a source",
    "fees.yaml",
    ["    source: https", "    origin: https"],
    "must have required property 'source'",
  ],
  ["an id that two rows have", "proxies.yaml", ["id: clone_0age", "id: eip1167"], "has two rows with the id eip1167"],
  ["an unknown placeholder", "proxies.yaml", ["{any:2}", "{some:2}"], "has an unknown placeholder {some:2}"],
  [
    "a shape whose code has no implementation",
    "proxies.yaml",
    ["d73{implementation}5af43d3d93803e603457", "d7300000000000000000000000000000000000000005af43d3d93803e603457"],
    "erc3448 must have its implementation either in its code or in a slot",
  ],
  [
    "a receipt field that the block scanner cannot look for",
    "fees.yaml",
    ["receipt: l1Fee }", "receipt: aNameOfMoreThan24Characters }"],
    "/parts/0/amount/receipt must match pattern",
  ],
  [
    "a role of a parameter that the event does not have",
    "protocols/aave.yaml",
    ["position_of: onBehalfOf", "position_of: holder"],
    "aave_v2_deposit names holder, which is no parameter of it",
  ],
  [
    "an account that is not indexed where it must be",
    "protocols/aave.yaml",
    ["position_of: onBehalfOf", "position_of: user"],
    "aave_v2_deposit has w0 where a t must be",
  ],
  [
    "a label on a network without a contract",
    "protocols/aave.yaml",
    ["{ network: ethereum, label: Aave v3 pool", "{ network: bsc, label: Aave v3 pool"],
    "Aave labels a contract that bsc lacks",
  ],
])("refuses %s", (_, file, change, message) => {
  expect(written(file, change)).toThrow(message);
});

test("what is committed is what the generators write", () => {
  const files = ["proxies", "fees", "protocols"].map((name) =>
    readFileSync(join(ROOT, `src/knowledge/${name}.gen.ts`), "utf8"),
  );
  expect([writeProxies({ root: ROOT }), writeFees({ root: ROOT }), writeProtocolTables({ root: ROOT })]).toEqual(files);
});
