import { beforeAll, expect, test } from "vitest";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

/** All holders of tokens of the demo, compared with the contract's supply and with the list of the largest. */

let stage: SharedWorldService;
beforeAll(async () => {
  stage = await sharedWorld();
});

interface HolderBalance {
  readonly address: string;
  readonly balance_raw: string;
}

interface HoldersAnswer {
  readonly holders: readonly HolderBalance[];
  readonly pagination: { readonly next: { readonly after: string } | null };
  readonly metadata: { readonly as_of: { readonly block_number: number } };
}

const call = async (args: object, headers: Record<string, string> = {}) => {
  const response = await fetch(`${stage.service.url}/api/token/holders`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.key}`, "content-type": "application/json", ...headers },
    body: JSON.stringify({ network: "demo", ...args }),
  });
  return { status: response.status, text: await response.text() };
};

const allOf = async (token_address: string, limit: number): Promise<readonly HolderBalance[]> => {
  const rows: HolderBalance[] = [];
  let args: object | null = { token_address, limit };
  while (args !== null) {
    const { status, text } = await call(args);
    expect(status).toBe(200);
    // The shape is that of the service's own document, which other tests compare.
    const { holders, pagination, metadata } = JSON.parse(text) as HoldersAnswer;
    rows.push(...holders);
    const as_of_block = metadata.as_of.block_number;
    args = pagination.next === null ? null : { token_address, limit, as_of_block, ...pagination.next };
  }
  return rows;
};

const sumOf = (rows: readonly HolderBalance[]): bigint => rows.reduce((sum, row) => sum + BigInt(row.balance_raw), 0n);

/** Coins of the demo whose contracts state their whole supply in events. */
const TOKENS = ["usdc", "harbor", "sunrise", "weth"];
const tokens = (): string[] => TOKENS.map((name) => stage.world.contracts[name] ?? "");

test("the balances of all pages add up to the supply that the contract reports, and contain the largest holders", async () => {
  for (const token_address of tokens()) {
    const rows = await allOf(token_address, 3);
    expect(new Set(rows.map((row) => row.address)).size).toBe(rows.length);
    expect(rows.map((row) => row.address.toLowerCase())).toEqual(
      rows.map((row) => row.address.toLowerCase()).toSorted(),
    );
    const { body: info } = await stage.ask("get_token_info", { network: "demo", token_address });
    expect([token_address, String(sumOf(rows))]).toEqual([token_address, info.total_supply_raw]);
    const { body } = await stage.ask("get_token_holders_traders", { network: "demo", token_address, limit: 100 });
    const largest = body.holders as readonly HolderBalance[];
    const found = new Map(rows.map((row) => [row.address, row.balance_raw]));
    expect(largest.length).toBeGreaterThan(2);
    for (const row of largest) expect([row.address, found.get(row.address)]).toEqual([row.address, row.balance_raw]);
  }
});

test("an export streams the rows of all pages as of one block", async () => {
  const [token_address = ""] = tokens();
  const rows = await allOf(token_address, 1_000);
  const { text } = await call({ token_address, limit: 4 }, { accept: "text/csv" });
  const [head, ...lines] = text.trim().split(/\r?\n/);
  expect(head).toContain("address");
  expect(lines.length).toBe(rows.length);
  expect(rows.length).toBeGreaterThan(8);
});
