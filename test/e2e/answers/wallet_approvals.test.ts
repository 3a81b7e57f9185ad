import { beforeAll, expect, test } from "vitest";
import { on } from "../../../src/demo/evm/act.ts";
import { LAST_DAY } from "../../../src/demo/evm/scenarios/market.ts";
import { assertDescribed } from "../../openapi.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";
import { openTruth, type Truth } from "../truth.ts";

let stage: SharedWorldService;
let truth: Truth;
let openapi: Record<string, unknown>;
beforeAll(async () => {
  stage = await sharedWorld();
  truth = await openTruth(stage.world);
  openapi = (await (await fetch(`${stage.service.url}/api/tools/openapi.json`)).json()) as Record<string, unknown>;
});

interface ApprovalAnswerRow {
  readonly token_address: string;
  readonly spender: { readonly address: string; readonly kind: string };
  readonly is_unlimited: boolean;
  readonly value_at_risk_usd: number | null;
  readonly balance_raw: string;
  readonly last_use: { readonly by: string; readonly tx_hash: string } | null;
  readonly findings: readonly { readonly code: string }[];
}

const approvalsOf = async (who: string, more: object = {}): Promise<{ approvals: readonly ApprovalAnswerRow[] }> => {
  const path = "/api/wallet/approvals";
  const response = await fetch(`${stage.service.url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.key}`, "content-type": "application/json" },
    body: JSON.stringify({ address: truth.addressOf(who), network: "demo", ...more }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: checked against the service's own document.
  const body: any = await response.json();
  assertDescribed(openapi, { method: "post", path }, { status: response.status, body });
  expect(response.status).toBe(200);
  return body;
};

test("lists every approval that alice ever gave: none was withdrawn", async () => {
  const { approvals } = await approvalsOf("alice");
  const pairs = approvals.map(({ token_address, spender }) => [token_address, spender.address].join(" "));
  const given = [
    ["harbor", "v2_router"],
    ["toll", "v2_router"],
    ["usdc", "v3_router"],
    ["juniper", "v3_router"],
  ];
  expect(pairs.sort()).toEqual(given.map((names) => names.map((name) => truth.addressOf(name)).join(" ")).sort());
  for (const row of approvals) expect(row).toMatchObject({ is_unlimited: true, spender: { kind: "contract" } });
});

test("the last use of an approval is the wallet's last sale through the spender", async () => {
  // A trade every third day from day 4 on; every third one is a sale, at 16 o'clock and the round modulo 4.
  const rounds = Array.from({ length: LAST_DAY }, (_, round) => round).filter(
    (round) => round % 3 === 2 && 4 + 3 * round <= LAST_DAY,
  );
  const last = rounds.at(-1) ?? Number.NaN;
  const { approvals } = await approvalsOf("alice");
  const harbor = approvals.find(({ token_address }) => token_address === truth.addressOf("harbor"));
  expect(harbor?.balance_raw).toBe(String(await truth.balance("harbor", "alice")));
  expect(harbor?.last_use).toMatchObject({ by: "call", tx_hash: truth.hashAt(on(4 + 3 * last, 16 + (last % 4))) });
});

test("an approval at risk has the value that the risk overview gives it", async () => {
  const { approvals } = await approvalsOf("heidi");
  const { body } = await stage.told("get_wallet_risk_overview", { address: truth.addressOf("heidi"), network: "demo" });
  const risky = approvals.filter(({ findings }) => findings.some(({ code }) => code.endsWith("_spender")));
  expect(risky.map(({ value_at_risk_usd }) => value_at_risk_usd)).toEqual(
    body.approvals_at_risk.map((row: { value_at_risk_usd: number }) => row.value_at_risk_usd),
  );
  expect(risky).toMatchObject([
    { token_address: truth.addressOf("honeypot"), findings: [{ code: "unverified_spender" }, { code: "unlimited" }] },
  ]);
  expect(risky[0]?.value_at_risk_usd).toBeGreaterThan(0);
});

test("an approval is open from its day on", async () => {
  const countAt = async (day: string) => (await approvalsOf("alice", { as_of_block: day })).approvals.length;
  // She gave the first three on August 4.
  expect([await countAt("2026-08-03"), await countAt("2026-08-04")]).toEqual([0, 3]);
});
