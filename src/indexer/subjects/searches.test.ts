import { expect, test } from "vitest";
import { hex } from "../../lib/bytes.ts";
import { Searches } from "./searches.ts";
import type { SubjectHistory } from "./subject_history.ts";

const TO = { number: 9, hash: hex("aa"), parent_hash: hex("bb"), time: 1 };
const how = { once: false, signal: new AbortController().signal };

/** Addresses that no record is there of yet; the search of each ends when the test says. */
const searching = (count: number) => {
  const begun: { readonly end: () => void; readonly fail: () => void }[] = [];
  const histories = Array.from({ length: count }, () => {
    const history = {
      ...{ record: { state: "searching" }, blocks_max: 0, asked_by: "", is_searched: false, is_resting: false },
      search: null as Promise<void> | null,
      begin() {
        const search = new Promise<void>((resolve, reject) => {
          begun.push({ end: resolve, fail: () => reject(new Error("the store is away")) });
        }).finally(() => {
          history.search = null;
          history.is_searched = true;
        });
        history.search = search;
        return search;
      },
    };
    return history;
  });
  // Only these parts are used.
  const parts = { follow_ms: 0 } as unknown as ConstructorParameters<typeof Searches>[0];
  return { begun, searches: new Searches(parts, () => histories as unknown as readonly SubjectHistory[]) };
};

const turn = () => new Promise((resolve) => setImmediate(resolve));

test("four searches run at once, and the next one begins when one ends", async () => {
  const { begun, searches } = searching(6);
  searches.begin(TO, how);
  expect(begun).toHaveLength(4);
  begun[1]?.end();
  await turn();
  expect(begun).toHaveLength(5);
  expect(searches.running).toHaveLength(4);
});

test("a search that the store cannot record ends no process, and waiting for it fails", async () => {
  const { begun, searches } = searching(5);
  searches.begin(TO, how);
  const waited = searches.wait(60_000, how.signal);
  begun[0]?.fail();
  await expect(waited).rejects.toThrow("the store is away");
  expect(begun).toHaveLength(4);
  // No caller waits for this one: an unhandled rejection fails the test run.
  begun[1]?.fail();
  await turn();
  searches.begin(TO, how);
  expect(begun).toHaveLength(5);
});
