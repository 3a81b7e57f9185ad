import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, describe, expect, test } from "vitest";
import { CHARACTERS } from "../../../src/demo/evm/characters.ts";
import { tools } from "../../../src/tools/index.ts";
import type { AnyTool } from "../../../src/tools/tool.ts";
import { namesIn } from "../../../src/tools/view.ts";
import { digitsOf, everythingIn, rowsIn } from "../../compact_rows.ts";
import { eachNth } from "../../long.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

let stage: SharedWorldService;
beforeAll(async () => {
  stage = await sharedWorld();
});

const TOOLS = tools.map((tool) => [tool.name, tool] as const);
const exampleOf = ({ example }: AnyTool): Record<string, unknown> => ({ ...example });

type CompactReply = Awaited<ReturnType<typeof requestForms>>;
const known = new Map<string, Promise<CompactReply>>();

/** The example of a tool in both forms over REST, and over MCP, called once. */
const cachedForms = (tool: AnyTool): Promise<CompactReply> => {
  const asking = known.get(tool.name) ?? requestForms(tool, exampleOf(tool));
  known.set(tool.name, asking);
  return asking;
};

const requestForms = async (tool: AnyTool, args: Record<string, unknown>) => {
  const full = await stage.told(tool.name, args);
  const compact = await stage.ask(`${tool.name}?view=compact`, args);
  const { result } = await stage.askMcp(tool.name, args);
  const [text, beside] = result.content.map((part) => (part.type === "text" ? part.text : ""));
  return { full, compact, result, text: text ?? "", beside: beside ?? "" };
};

/** Tokens of the whole text of a result. */
const tokensOf = (text: string, beside: string): number => countTokens(text) + countTokens(beside);

const HEAVIEST = tools.filter(({ view }) => view?.tokens !== undefined);

test("declares a view for every tool, at most three with more than 1,500 tokens, none with more than 2,000", () => {
  expect(tools.filter(({ view }) => view === undefined).map(({ name }) => name)).toEqual([]);
  expect(HEAVIEST.length).toBeLessThanOrEqual(3);
  expect(HEAVIEST.map(({ view }) => view?.tokens)).toEqual(HEAVIEST.map(() => 2_000));
});

const isShort = (value: unknown): boolean =>
  typeof value !== "number" || Number.isInteger(value) || digitsOf(value) <= 8;

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

describe.each(TOOLS)("%s", (_, tool) => {
  test("is over REST byte for byte the text and structuredContent of MCP, within its tokens and at its price", async () => {
    const { full, compact, result, text, beside } = await cachedForms(tool);
    expect(JSON.stringify(result.structuredContent)).toBe(compact.text);
    expect(text).toBe(compact.text);
    expect(tokensOf(text, beside)).toBeLessThanOrEqual(tool.view?.tokens ?? 1_500);
    const charged = [full.headers, compact.headers].map((headers) => headers.get("x-credits-charged"));
    expect([...charged, String(result._meta?.["assay/credits_charged"])]).toEqual(Array(3).fill(String(tool.credits)));
  });

  test("has no empty members, no base units, no evidence, and numbers of eight digits; coverage and block stay", async () => {
    const { full, compact } = await cachedForms(tool);
    const all = everythingIn(compact.body);
    expect(all.filter(([path, value]) => !path.includes(".rows[]") && isEmpty(value))).toEqual([]);
    expect(all.filter(([path]) => /_raw$|evidence/.test(path))).toEqual([]);
    expect(all.filter(([, value]) => !isShort(value))).toEqual([]);
    const { as_of, coverage, networks, warnings } = full.body.metadata;
    expect(compact.body.metadata.as_of?.block_number).toBe(as_of?.block_number);
    expect(compact.body.metadata.coverage?.complete).toBe(coverage?.complete);
    expect(compact.body.metadata.networks?.length).toBe(networks?.length);
    expect(compact.body.warnings?.length ?? 0).toBe(warnings.length);
  });
});

/** Lists that are pages, or whose rows no answer omits, by tool. */
const WHOLE = TOOLS.flatMap(([name, tool]) =>
  Object.entries(tool.view?.drawn ?? {}).flatMap(([member, drawn]) =>
    typeof drawn === "object" && ["page", "alerts"].includes(drawn.is ?? "") && !member.includes(".")
      ? [[name, member, tool] as const]
      : [],
  ),
);

test.each(WHOLE)("%s: has every row of %s, with the values of the full answer", async (_, member, tool) => {
  const { full, compact } = await cachedForms(tool);
  const whole = full.body[member];
  const drawn = rowsIn(compact.body, member);
  const rows: Record<string, unknown>[] = Array.isArray(whole)
    ? whole
    : Object.values(whole).filter((row) => row !== null);
  expect(drawn.length).toBe(rows.length);
  drawn.forEach((row, at) => {
    for (const [column, cell] of Object.entries(row)) {
      const value = column.split(".").reduce<unknown>((inside, step) => Reflect.get(Object(inside), step), rows[at]);
      if (typeof value === "number") expect(cell, column).toBe(Number(value.toPrecision(8)));
      else if (typeof value === "string" && column.endsWith("_at"))
        expect(value.startsWith(String(cell)), column).toBe(true);
      else if (typeof value === "string" || typeof value === "boolean")
        expect(String(value).startsWith(String(cell)), column).toBe(true);
    }
  });
});

const WALLETS = Object.entries(CHARACTERS).map(([name, { address }]) => [name, address] as const);
const OF_WALLETS = tools.filter(({ input }) => "address" in input.shape || "wallet_address" in input.shape);

/** The same wallet under the tool's name for it. */
const walletArgs = ({ input }: AnyTool, address: string) => ({
  ["address" in input.shape ? "address" : "wallet_address"]: address,
  ...("network" in input.shape && { network: "demo" }),
});

/** In a slice every tool reads one wallet, each a different one. */
const WALLET_CASES = WALLETS.map(
  ([name, address], at) => [name, address, eachNth(OF_WALLETS, WALLETS.length, at)] as const,
).filter(([, , asked_tools]) => asked_tools.length > 0);

test.each(WALLET_CASES)("keeps the default answers about %s within their tokens", async (_, address, asked_tools) => {
  for (const tool of asked_tools) {
    const { body, text } = await stage.ask(`${tool.name}?view=compact`, walletArgs(tool, address));
    if (body.status === "error") continue;
    expect([tool.name, countTokens(text) <= (tool.view?.tokens ?? 1_500)]).toEqual([tool.name, true]);
  }
});

const PAGED = tools.filter(({ input }) => "page" in input.shape).map((tool) => [tool.name, tool] as const);

/** Columns that distinguish a row from the others. */
const ROW_KEYS = [
  ...["timestamp", "direction", "tx_hash", "usd_value"],
  ...["contract_address", "token_address", "token_id", "peer.address", "date"],
];

/** Those columns of a tool's view. */
const keysOf = ({ view }: AnyTool): readonly string[] => {
  const { data } = view?.drawn ?? {};
  const columns = typeof data === "object" ? namesIn(data.columns ?? "") : [];
  return ROW_KEYS.filter((key) => columns.includes(key));
};

const valueAt = (row: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((inside, step) => Reflect.get(Object(inside), step), row);

const formatValue = (value: unknown): string =>
  typeof value === "number" ? String(Number(value.toPrecision(8))) : String(value ?? "");

/** Every row of the full answer, page by page of a hundred. */
const allRows = async (tool: AnyTool, args: Record<string, unknown>): Promise<readonly string[]> => {
  const keys: string[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await stage.ask(tool.name, { ...args, records_per_page: 100, page });
    keys.push(
      ...body.data.map((row: unknown) =>
        keysOf(tool)
          .map((path) => formatValue(valueAt(row, path)))
          .join(" "),
      ),
    );
    if (!body.pagination.has_more_data) return keys;
  }
};

test.each(eachNth(PAGED, 3))("reaches every row exactly once with the cursor of %s", async (_, tool) => {
  const args = exampleOf(tool);
  const keys: string[] = [];
  let next: Record<string, unknown> | undefined = {};
  for (let page = 1; next !== undefined; page += 1) {
    const { body } = await stage.ask(`${tool.name}?view=compact`, { ...args, records_per_page: 4, ...next });
    expect(body.pagination.page).toBe(page);
    keys.push(
      ...rowsIn(body, "data").map((row) =>
        keysOf(tool)
          .map((path) => formatValue(row[path]))
          .join(" "),
      ),
    );
    next = body.next;
    if (next !== undefined) expect(next).toMatchObject({ page: page + 1, as_of_block: stage.world.head.number });
  }
  expect(keys.length).toBeGreaterThan(4);
  expect(keys).toEqual(await allRows(tool, args));
});

test("keeps the whole list of tools below 15,000 tokens", async () => {
  const { tools: listed } = await stage.listMcp();
  expect(listed.length).toBe(tools.length);
  expect(countTokens(JSON.stringify({ tools: listed }))).toBeLessThan(15_000);
});
