import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  AssayError,
  getContractCreation,
  getTokenInfo,
  getWalletTransactions,
  getWalletTransactionsPages,
  getWalletTransactionsRows,
  openAssay,
} from "../../../sdk/src/index.ts";
import { emptyFolder, exampleOf, pack, run } from "../../sdk/packed.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

let stage: SharedWorldService;
let url: string;
const temporary = emptyFolder();
beforeAll(async () => {
  stage = await sharedWorld();
  url = stage.service.url ?? "";
});
afterAll(() => temporary.remove());

const open = () => openAssay({ url, key: stage.key });
const ASKED = { address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC", network: "demo" } as const;

test("returns the service's whole answer, with the card's types", async () => {
  const result = await getWalletTransactions(open(), { ...ASKED, direction: "in", records_per_page: 3 });
  if (result.kind !== "data") throw new Error(result.kind);
  const { body } = await stage.ask("get_wallet_transactions", { ...ASKED, direction: "in", records_per_page: 3 });
  expect(result.data).toEqual(body);
  // The compiler has checked the type of each of these.
  const directions: readonly ("in" | "out" | "self" | null)[] = result.data.data.map(({ direction }) => direction);
  expect(directions).toEqual(["in", "in", "in"]);
  expect(result.call).toMatchObject({ credits_charged: 25, attempts: 1 });
});

test("returns separate kinds of results for no data and for no answer, with their cost", async () => {
  const nobody = "0x00000000000000000000000000000000000000A1";
  const none = await getWalletTransactions(open(), { ...ASKED, address: nobody });
  expect(none).toMatchObject({ kind: "no_data", type: "transactions", metadata: { chain: "demo" } });
  expect(none.call.credits_charged).toBe(25);
  const failed = await getTokenInfo(open(), { token_address: ASKED.address, network: "demo" });
  expect(failed).toMatchObject({ kind: "error", code: "NOT_A_TOKEN", call: { credits_charged: 0 } });
  const refused = getContractCreation(open(), { contract_address: "0x12", network: "demo" });
  await expect(refused).rejects.toSatisfy((error) => error instanceof AssayError && error.status === 422);
});

test("returns the rows of longer pages over all pages, each once, as of the first page's block", async () => {
  const first = await getWalletTransactions(open(), ASKED);
  if (first.kind !== "data") throw new Error(first.kind);
  // Not the newest block: the calls keep their block.
  const as_of_block = (first.data.metadata.as_of?.block_number ?? 0) - 1;
  const rows = [];
  for await (const row of getWalletTransactionsRows(open(), { ...ASKED, records_per_page: 30, as_of_block }))
    rows.push(row);
  const long = async (page: number) => {
    const { body } = await stage.ask("get_wallet_transactions", { ...ASKED, records_per_page: 100, as_of_block, page });
    return body.data;
  };
  expect(rows).toEqual([...(await long(1)), ...(await long(2))]);
  expect(rows.length).toBeGreaterThan(100);

  const blocks = new Set();
  const pages = [];
  for await (const page of getWalletTransactionsPages(open(), { ...ASKED, records_per_page: 10 })) {
    if (page.kind !== "data") throw new Error(page.kind);
    pages.push(page.data.pagination.page);
    blocks.add(page.data.metadata.as_of?.block_number);
    if (pages.length === 3) break;
  }
  expect([pages, blocks.size]).toEqual([[1, 2, 3], 1]);
});

test("works as its README shows after it is packed and installed into an empty folder without a network", async () => {
  const { file } = await pack("sdk", temporary.folder);
  const { code, printed } = exampleOf("sdk/README.md", "js");
  writeFileSync(join(temporary.folder, "package.json"), '{"private":true}');
  writeFileSync(join(temporary.folder, "example.mjs"), code);
  const at = { cwd: temporary.folder };
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", file], at);
  const env = { ASSAY_URL: url, ASSAY_KEY: stage.key };
  const { stdout, stderr } = await run(process.execPath, ["example.mjs"], { ...at, env });
  expect([stdout, stderr]).toEqual([printed, ""]);
  // The packed files alone give TypeScript users the cards' types.
  const typed = `import { getTokenInfo, openAssay } from "@assay/sdk";
const assay = openAssay({ url: "", key: "" });
const result = await getTokenInfo(assay, { token_address: "native", network: "demo" });
export const decimals: number | null = result.kind === "data" ? result.data.decimals : null;
// @ts-expect-error: a tool for tokens takes no wallet
export const wrong = await getTokenInfo(assay, { wallet_address: "", network: "demo" });
`;
  writeFileSync(join(temporary.folder, "typed.mts"), typed);
  const options = "--noEmit --strict --target es2022 --module nodenext --types  --lib es2022,dom,dom.asynciterable";
  const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
  await run(process.execPath, [tsc, ...options.split(" "), "typed.mts"], at);

  // CommonJS loads the same module, with the same types and without a remark of Node.js.
  const common = `import sdk = require("@assay/sdk");
const assay: sdk.Assay = sdk.openAssay({ url: process.env.ASSAY_URL ?? "", key: process.env.ASSAY_KEY ?? "" });
sdk.getTokenInfo(assay, { token_address: "native", network: "demo" }).then((result) => {
  const decimals: number | null = result.kind === "data" ? result.data.decimals : null;
  console.log(decimals);
});
`;
  const globals = "declare const process: { env: Record<string, string | undefined> };\n";
  writeFileSync(join(temporary.folder, "common.cts"), `${globals}${common}`);
  await run(process.execPath, [tsc, ...options.replace("--noEmit ", "").split(" "), "common.cts"], at);
  expect(await run(process.execPath, ["common.cjs"], { ...at, env })).toEqual({ stdout: "18\n", stderr: "" });
});
