// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { ADDRESSES, DEMO_CONTRACTS, DEPOSIT_ADDRESS } from "../../src/demo/evm/characters.ts";
import { packVersion } from "../../src/labels/pack/index.ts";
import { hex } from "../../src/lib/bytes.ts";
import { suppress } from "../../src/store/lists.ts";
import { openDemoWorld, type WorldService } from "./served_world.ts";

let stage: WorldService;
beforeAll(async () => {
  stage = await openDemoWorld();
}, 240_000);
afterAll(() => stage?.close());

const readRecord = (wallet_address: string) => stage.ask("get_wallet_osint_record", { wallet_address });
const recordParts = (records: readonly { kind: string; value: string; source: string }[]) =>
  records.map(({ kind, value, source }) => [kind, value, source]);

test("identifies alice by her verified name and by the texts that she published with it", async () => {
  const { body, headers } = await readRecord(ADDRESSES.alice);
  expect(headers.get("x-credits-charged")).toBe("1");
  // names.ts: alice.eth resolves back to her; url and com.github are the only texts.
  expect(recordParts(body.records)).toEqual([
    ["name", "alice.eth", "ens"],
    ["social", "github: alice-example", "ens"],
    ["website", "https://alice.example", "ens"],
  ]);
  expect(body.names).toEqual({ ens: "alice.eth", basename: null, sns: null });
  expect(body.text_records).toEqual({
    com_twitter: null,
    com_github: "alice-example",
    url: "https://alice.example",
    email: null,
    description: null,
  });
  expect(body).toMatchObject({ entity: null, reports_summary: { count: 0, categories: [] } });
});

test("identifies the exchange by the operator's list, with list and version as evidence", async () => {
  const { body } = await readRecord(ADDRESSES.exchange);
  expect(recordParts(body.records)).toEqual([
    ["label", "Harbour Exchange hot wallet", "demo-labels"],
    ["entity", "Harbour Exchange", "demo-labels"],
  ]);
  expect(body.records[0]).toMatchObject({
    category: "exchange",
    source_type: "operator",
    licence: "CC0-1.0",
    confidence: 0.95,
    last_verified: "2026-08-01T00:00:00Z",
  });
  expect(body.records[0].evidence).toMatchObject([{ kind: "list", ref: "demo-labels@2026-08-01" }]);
  expect(body.entity).toBe("Harbour Exchange");
  expect(body.metadata.sources).toEqual([
    { id: "labels/demo-labels", version: "2026-08-01", updated_at: "2026-08-01T00:00:00Z" },
    { id: "sanctions/demo-sanctions", version: "2026-08-01", updated_at: "2026-08-01T00:00:00Z" },
    { id: "labels/pack", version: packVersion(), updated_at: `${packVersion()}T00:00:00Z` },
    { id: "tokens/demo-tokens", version: "1.0.0", updated_at: "2026-08-01T00:00:00Z" },
  ]);
});

test("finds alice's deposit address by its behaviour, from the second midnight after its third sweep", async () => {
  const { body } = await readRecord(DEPOSIT_ADDRESS);
  // habits.ts: swept on days 54, 60 and 66; the third one is the evidence.
  expect(recordParts(body.records)).toEqual([
    ["label", "Deposit address of Harbour Exchange", "deposits"],
    ["entity", "Harbour Exchange", "deposits"],
  ]);
  expect(body.records[0]).toMatchObject({ category: "exchange_deposit", source_type: "derived", confidence: 0.75 });
  expect(body.records[0].evidence).toMatchObject([{ kind: "tx", ref: expect.stringMatching(/^0x[0-9a-f]{64}$/) }]);
});

test("lists olaf as sanctioned since the list's date", async () => {
  const { body } = await readRecord(ADDRESSES.olaf);
  expect(body.records).toMatchObject([
    {
      kind: "sanction",
      value: "Olaf Trading House · DEMO-EVASION",
      network: null,
      category: "sanctioned",
      first_seen: "2026-05-04T00:00:00Z",
      ended_on: null,
      evidence: [{ kind: "list", ref: "demo-sanctions@2026-08-01" }],
    },
  ]);
});

test("shows an entry that was removed from the list as history", async () => {
  const { body } = await readRecord("0x4d1b3bb4b6bd0d6b1c2ec7e8e6b0a3c7a6d1f201");
  expect(body.records).toMatchObject([{ kind: "sanction", ended_on: "2025-03-21" }]);
});

test("shows victor's freeze and its end with their transactions", async () => {
  const { body } = await readRecord(ADDRESSES.victor);
  // freezes.ts: day 40 and day 47 at 14:30; day 0 is 2026-08-01.
  expect(body.records).toMatchObject([
    { kind: "freeze", value: "USDC frozen", first_seen: "2026-09-10T14:30:00Z" },
    { kind: "freeze", value: "USDC unfrozen", first_seen: "2026-09-17T14:30:00Z" },
  ]);
  expect(body.records[0].evidence[0]).toMatchObject({ kind: "tx" });
});

test("shows a listed token as a project, beside its built-in label", async () => {
  const { body } = await readRecord(DEMO_CONTRACTS.usdc);
  expect(recordParts(body.records)).toEqual([
    ["label", "USDC", "network"],
    ["project", "USD Coin (USDC)", "demo-tokens"],
  ]);
});

test("has no data for an unknown address, and charges it", async () => {
  const { body, headers } = await readRecord("0x1212121212121212121212121212121212121212");
  expect(body).toMatchObject({ status: "no_data", type: "osint_record" });
  expect(headers.get("x-credits-charged")).toBe("1");
});

test("shows only sanctions and freezes of a suppressed address", async () => {
  const hide = (is_removed: boolean, now_ms: number) =>
    suppress(
      stage.service.facts,
      [ADDRESSES.alice, ADDRESSES.olaf].map((address) => ({
        family: "evm",
        address: hex(address.slice(2).toLowerCase()),
        reason: "asked",
        is_removed,
      })),
      now_ms,
    );
  await hide(false, 1_000);
  const alice = await readRecord(ADDRESSES.alice);
  expect(alice.body).toMatchObject({ status: "no_data" });
  expect(alice.body.metadata.warnings).toMatchObject([{ code: "ADDRESS_SUPPRESSED" }]);
  expect((await readRecord(ADDRESSES.olaf)).body.records).toMatchObject([{ kind: "sanction" }]);
  await hide(true, 2_000);
  expect((await readRecord(ADDRESSES.alice)).body.names.ens).toBe("alice.eth");
});

test("reports an incomplete check without a sanctions list for an address without records, and refunds it", async () => {
  const { engine } = stage.service.facts;
  await engine.command("TRUNCATE TABLE lists");
  const nobody = await readRecord("0x1212121212121212121212121212121212121212");
  expect(nobody.body).toMatchObject({ status: "error", code: "CHECK_INCOMPLETE" });
  expect(nobody.headers.get("x-credits-charged")).toBe("0");
  const alice = await readRecord(ADDRESSES.alice);
  expect(alice.body.metadata.warnings).toMatchObject([{ code: "SANCTIONS_UNCHECKED" }]);
});

test("rejects an invalid address", async () => {
  for (const address of ["0x12", "alice.eth", ADDRESSES.alice.replace("C", "c")]) {
    expect((await readRecord(address)).status).toBe(422);
  }
  expect((await stage.ask("get_wallet_osint_record", { address: ADDRESSES.alice })).status).toBe(422);
});
