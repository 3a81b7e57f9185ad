import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestFacts, type TestFacts } from "../../test/facts_store.ts";
import { hex } from "../lib/bytes.ts";
import { AssayError } from "../lib/errors.ts";
import { readPriceWishes, writeDemandedPrices } from "../store/subjects/price_records.ts";
import { readUse } from "../store/subjects/records.ts";
import { whenPriced } from "./price_calls.ts";

const TOKEN = hex("00000000000000000000000000000000000000aa");
const HOUR = 1_700_006_400;
const question = { token: TOKEN, hour: HOUR, at_block: 0 };
const { signal } = new AbortController();

let store: TestFacts;
beforeAll(async () => {
  store = await openTestFacts();
});
afterAll(() => store?.close());

const ask = (hour: number, mayAsk: () => Promise<void> = async () => undefined) =>
  whenPriced(
    { facts: store, mayAsk, refusal: (network, so_far) => new Error(`${network}: ${so_far}`) },
    { network: "n", asked: [{ ...question, hour }], account: "acc_1", until_ms: performance.now(), signal },
  );

const answer = (hour: number, state: "priced" | "failed", now_ms: number) =>
  writeDemandedPrices(store.writer, { network: "n", now_ms }, [
    {
      ...{ ...question, hour, state, price_usd: 2, depth_usd: 9, cost_to_move_usd: -1, sell_reserve: -1 },
      ...{ sell_payout_usd: -1, method: "market", confidence: "low", since: 0, asked_by: "acc_1", requests: 7 },
    },
  ]);

const wished = async (): Promise<readonly number[]> =>
  (await readPriceWishes(store.engine, "n", 0)).map(({ hour }) => hour);

test("a price that is not read is wished once, and the call says how far the reading is", async () => {
  await expect(ask(HOUR)).rejects.toThrow("n: 0 of 1 prices read");
  await expect(ask(HOUR)).rejects.toThrow("n: 0 of 1 prices read");
  expect(await wished()).toEqual([HOUR]);
  await answer(HOUR, "priced", Date.now());
  expect(await ask(HOUR)).toMatchObject([{ token: TOKEN, hour: HOUR, state: "priced", price_usd: 2 }]);
  expect(await wished()).toEqual([]);
});

test("its requests count for the account", async () => {
  const since = Math.floor(Date.now() / 1_000) - 60;
  expect(await readUse(store.engine, "acc_1", since)).toEqual({ subjects: 0, requests: 7, blocks: 0 });
  expect(await readUse(store.engine, "acc_2", since)).toEqual({ subjects: 0, requests: 0, blocks: 0 });
});

test("a price that the node did not tell answers at once, and is wished again after a minute", async () => {
  const hour = HOUR + 3_600;
  await answer(hour, "failed", Date.now() - 30_000);
  expect(await ask(hour)).toMatchObject([{ state: "failed" }]);
  expect(await wished()).toEqual([]);
  const later = HOUR + 7_200;
  await answer(later, "failed", Date.now() - 90_000);
  expect(await ask(later)).toMatchObject([{ state: "failed" }]);
  expect(await wished()).toEqual([later]);
});

test("an account beyond its limit wishes nothing", async () => {
  const hour = HOUR + 10_800;
  const refuse = async (): Promise<void> => {
    throw new AssayError({ code: "SUBJECT_LIMIT", message: "spent" });
  };
  await expect(ask(hour, refuse)).rejects.toMatchObject({ code: "SUBJECT_LIMIT" });
  expect(await wished()).not.toContain(hour);
});
