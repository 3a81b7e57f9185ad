import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { writeActTables } from "./gen_act_tables.ts";
import { writeFees } from "./gen_fees.ts";
import { writeIssuers } from "./gen_issuers.ts";
import { writeNetworks } from "./gen_networks.ts";
import { writeNames, writeProtocolTables } from "./gen_protocol_tables.ts";
import { writeProxies } from "./gen_proxies.ts";
import { writeTokens } from "./gen_tokens.ts";

const ROOT = join(import.meta.dirname, "..");
let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "assay-knowledge-"));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const GENERATED = [
  ["src/knowledge/proxies.gen.ts", writeProxies],
  ["src/knowledge/fees.gen.ts", writeFees],
  ["src/knowledge/protocols.gen.ts", writeProtocolTables],
  ["src/knowledge/acts.gen.ts", writeActTables],
  ["src/knowledge/names.gen.ts", writeNames],
  ["src/knowledge/issuers.gen.ts", writeIssuers],
  ["src/knowledge/tokens.gen.ts", writeTokens],
  ["src/chains/networks/known.gen.ts", writeNetworks],
] as const;

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
  return () => GENERATED.map(([, write]) => write({ root }));
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
  [
    "a token that a network has twice",
    "tokens.yaml",
    ["token: uni_token }", "token: oneinch_token }"],
    "knowledge/tokens.yaml has 111111111117dc0aa78b770fa6a738034120c302 twice on ethereum",
  ],
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
    "a label without a category",
    "protocols/aave.yaml",
    ["category: lending\n", ""],
    "the label Aave v2 lending pool has no category",
  ],
  [
    "a signature that no interface has",
    "acts/lending.yaml",
    ["erc4626.redeem", "erc4626.redeemAll"],
    "knowledge/interfaces.yaml has no erc4626.redeemAll",
  ],
  [
    "an address that no row names",
    "protocols/multicall.yaml",
    ["[multicall3]", "[multicall4]"],
    "knowledge/addresses.yaml has no multicall4",
  ],
  [
    "a stablecoin that no issuer has there",
    "networks/linea.yaml",
    ["[USDC, USDT]", "[USDC, DAI]"],
    "linea lists DAI, which knowledge/issuers lacks there",
  ],
  [
    "a coin of an unknown freeze family",
    "issuers/fidd.yaml",
    ["families: [fidelity]", "families: [fidelities]"],
    "FIDD names the freeze family fidelities, which no file has",
  ],
])("refuses %s", (_, file, change, message) => {
  expect(written(file, change)).toThrow(message);
});

test.each(GENERATED)("%s is what its generator writes", (path, write) => {
  expect(write({ root: ROOT })).toBe(readFileSync(join(ROOT, path), "utf8"));
});
