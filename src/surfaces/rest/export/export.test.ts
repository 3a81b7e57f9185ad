import { describe, expect, test } from "vitest";
import * as z from "zod";
import { bench, benchHere } from "../../../../test/contract/bench.ts";
import { WALLET } from "../../../../test/contract/bench_tools.ts";
import { data, failed, noData } from "../../../lib/outcome.ts";
import * as fields from "../../../tools/fields.ts";
import { metadataFor } from "../../../tools/metadata.ts";
import { type AnyTool, defineTool } from "../../../tools/tool.ts";

const ROWS = 250;
/** Rows that a spreadsheet or a line reader would misread. */
const NOTES = ['=HYPERLINK("x")', "a,b", 'say "no"', "two\nlines", "plain"];

const row = z.strictObject({
  id: z.int(),
  amount: z.number().nullable(),
  amount_raw: z.string(),
  note: z.string(),
  peer: z.strictObject({ address: z.string(), tags: z.array(z.string()) }).nullable(),
});

const rowOf = (id: number) => ({
  id,
  amount: id % 3 === 0 ? null : id / 2,
  amount_raw: `${BigInt(id) * 10n ** 30n}`,
  note: NOTES[id % NOTES.length] ?? "",
  peer: id % 2 === 0 ? { address: WALLET, tags: ["x", "y"] } : null,
});

let calls: { page: number; size: number; block: unknown }[] = [];

/** A tool of 250 rows; a page beyond `good_pages` fails. */
const rowsTool = (name: string, good_pages = Number.POSITIVE_INFINITY): AnyTool =>
  defineTool({
    name,
    title: "Rows",
    description: "Exists only here.",
    credits: 2,
    families: ["evm"],
    input: z.strictObject({
      address: fields.address("The wallet."),
      network: fields.network(),
      page: fields.page(),
      records_per_page: fields.recordsPerPage(),
      as_of_block: fields.asOfBlock(),
    }),
    output: z.strictObject({
      summary: z.strictObject({ best: z.array(z.strictObject({ id: z.int() })) }),
      data: z.array(row),
      pagination: fields.pagination,
      metadata: fields.metadata({ address: z.string() }),
    }),
    example: { address: WALLET, network: "demo" },
    view: { members: "data", drawn: { data: { is: "page", columns: "id amount note peer.address" } } },
    run: async ({ address, network, page, records_per_page, as_of_block }, context) => {
      calls.push({ page, size: records_per_page, block: as_of_block ?? null });
      if (address.text.startsWith("0x1111"))
        return noData({ type: "rows", message: "Nothing has it.", metadata: { address: address.text } });
      if (page > good_pages) return failed("CHECK_INCOMPLETE", "The page is lost.", null);
      const snapshot = await context.facts.snapshot(network, as_of_block ?? null);
      const from = (page - 1) * records_per_page;
      const ids = Array.from({ length: ROWS }, (_, id) => id).slice(from, from + records_per_page);
      const more = from + ids.length < ROWS;
      return data({
        summary: { best: [{ id: 7 }, { id: 8 }] },
        data: ids.map(rowOf),
        pagination: {
          ...{
            page,
            per_page: records_per_page,
            returned_count: ids.length,
            has_more_data: more,
            is_complete: true,
            network,
          },
        },
        metadata: metadataFor(context.chain(network), snapshot, {
          echo: { address: address.text },
          methodology: "rows@1",
        }),
      });
    },
  });

const tools = [rowsTool("list_rows"), rowsTool("lose_page", 1)];
const service = await bench({ tools });
const ARGS = { address: WALLET, network: "demo" };

interface ExportOptions {
  readonly accept?: string;
  readonly query?: string;
  readonly args?: object;
  readonly headers?: Record<string, string>;
}

const send = (tool: string, { accept = "text/csv", query = "", args = ARGS, headers = {} }: ExportOptions = {}) => {
  calls = [];
  return fetch(`${service.url}/api/tools/${tool}${query}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${service.customer.key.secret}`,
      "content-type": "application/json",
      accept,
      ...headers,
    },
    body: JSON.stringify(args),
  });
};

const usedOf = async (): Promise<number> =>
  (await service.store.accounts.show(service.customer.account.id)).credits_used;

describe("CSV", () => {
  test("has every row of all pages at one block, once, under one header line", async () => {
    const before = await usedOf();
    const response = await send("list_rows");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("x-as-of-block")).toMatch(/^demo=\d+$/);
    expect(response.headers.get("x-coverage-complete")).toMatch(/^(true|false)$/);
    const text = await response.text();
    const lines = text.split("\r\n");
    expect(lines[0]).toBe("id,amount,amount_raw,note,peer.address,peer.tags");
    // By hand: a formula is text, a comma, a quote and a line break are quoted, null is empty.
    expect(lines[1]).toBe(`0,,0,"'=HYPERLINK(""x"")",${WALLET},"x; y"`);
    expect(lines[2]).toBe('1,0.5,1000000000000000000000000000000,"a,b",,');
    expect(text.match(/^\d+,/gm)?.map((id) => Number(id.slice(0, -1)))).toEqual(
      Array.from({ length: ROWS }, (_, id) => id),
    );
    expect(calls.map(({ page, size }) => [page, size])).toEqual([
      [1, 100],
      [2, 100],
      [3, 100],
    ]);
    // Two credits a page.
    expect((await usedOf()) - before).toBe(6);
    expect(await service.store.ledger.verify()).toEqual([]);
  });

  test("takes the page size and the first page of the caller, and another list by name", async () => {
    const text = await (await send("list_rows", { args: { ...ARGS, page: 3, records_per_page: 90 } })).text();
    expect(text.match(/^\d+,/gm)).toHaveLength(70);
    const before = await usedOf();
    const other = await (await send("list_rows", { query: "?list=summary.best" })).text();
    // Each page repeats this list, which has no pages of its own.
    expect(other).toBe("id\r\n7\r\n8\r\n");
    expect((await usedOf()) - before).toBe(2);
  });

  test("breaks off when a later page fails, so that no client takes it for the whole", async () => {
    const response = await send("lose_page");
    expect(response.status).toBe(200);
    await expect(response.text()).rejects.toThrow();
    expect(await service.store.ledger.verify()).toEqual([]);
  });
});

describe("lines", () => {
  test("begin with the metadata and end with the sum", async () => {
    const response = await send("list_rows", { accept: "application/x-ndjson" });
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ list: "data", metadata: { methodology: "rows@1" } });
    expect(lines.slice(1, -1)).toEqual(Array.from({ length: ROWS }, (_, id) => rowOf(id)));
    expect(lines.at(-1)).toEqual({ complete: true, rows: 250, pages: 3, credits_charged: 6 });
  });

  test("end with the reason when the accounts fail for a later page", async () => {
    let charges = 0;
    const failing = await benchHere({
      tools,
      wrap: (meter) => ({
        ...meter,
        charge: (request) => {
          charges += 1;
          return charges === 2 ? Promise.reject(new Error("the accounts are away")) : meter.charge(request);
        },
      }),
    });
    const response = await fetch(`${failing.url}/api/tools/list_rows`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${failing.customer.key.secret}`,
        "content-type": "application/json",
        accept: "application/x-ndjson",
      },
      body: JSON.stringify(ARGS),
    });
    const lines = (await response.text()).trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ complete: false, rows: 100, http_status: 503 });
  });

  test("say why they end early", async () => {
    const response = await send("lose_page", { accept: "application/x-ndjson" });
    const lines = (await response.text()).trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      ...{ complete: false, rows: 100, pages: 1, credits_charged: 2, http_status: 200 },
      answer: { status: "error", code: "CHECK_INCOMPLETE" },
    });
  });
});

describe("no stream begins", () => {
  test("when the first page has no data: the answer is the same as without Accept", async () => {
    const args = { ...ARGS, address: `0x${"11".repeat(20)}` };
    const [listed, plain] = [await send("list_rows", { args }), await send("list_rows", { args, accept: "*/*" })];
    expect(listed.headers.get("content-type")).toBe("application/json");
    expect(await listed.json()).toEqual(await plain.json());
    expect(listed.headers.get("x-credits-charged")).toBe("2");
    const wrong = await send("list_rows", { args: { ...ARGS, address: "0x1" } });
    expect([wrong.status, wrong.headers.get("x-credits-charged")]).toEqual([422, "0"]);
  });

  test("for an unknown list, a tool without lists, or a long key", async () => {
    expect((await send("list_rows", { query: "?list=metadata.sources" })).status).toBe(422);
    expect((await send("list_rows", { headers: { "idempotency-key": "k".repeat(61) } })).status).toBe(422);
    expect(calls).toEqual([]);
    const plain = await benchHere();
    const response = await fetch(`${plain.url}/api/tools/show`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${plain.customer.key.secret}`,
        "content-type": "application/json",
        accept: "text/csv",
      },
      body: JSON.stringify(ARGS),
    });
    expect(response.status).toBe(422);
  });

  test("for JSON that is named first, and for wildcards", async () => {
    for (const accept of ["application/json, text/csv", "*/*", "text/*", "text/html"]) {
      const response = await send("list_rows", { accept });
      expect([accept, response.headers.get("content-type")]).toEqual([accept, "application/json"]);
      await response.text();
    }
  });
});

test("a page is charged once under the key of the request and its number", async () => {
  const headers = { "idempotency-key": "export" };
  await (await send("list_rows", { headers })).text();
  const before = await usedOf();
  const again = await send("list_rows", { headers });
  expect(again.status).toBe(409);
  expect(await usedOf()).toBe(before);
});
