import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { settings } from "../config/settings.ts";
import { currentLists } from "../store/lists.ts";
import type { FactsStore } from "../store/open.ts";
import type { ListDraft, ListImporter } from "../surfaces/operator/list_imports.ts";
import { enabledNetwork } from "./enabled_network.ts";
import { openListImports } from "./list_imports.ts";
import { openFactsOnly } from "./stores.ts";

const ADDRESS = (n: number): string => `0x${n.toString(16).padStart(40, "0")}`;
const HEAD = "address,network,label,category";

let folder: string;
let store: FactsStore;
let imports: ListImporter;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "assay-imports-"));
  store = await openFactsOnly(settings.parse({}), folder);
  const { ethereum } = settings.parse({ networks: { ethereum: { rpc: ["http://127.0.0.1:9"] } } }).networks;
  if (ethereum === undefined) throw new Error("the network was configured");
  const enabled = [enabledNetwork("ethereum", ethereum)];
  imports = openListImports({
    ...{ store, enabled: () => enabled, choice: { enabled: false, leave_out: [] }, now_ms: Date.now },
  });
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

const draft = (list: string, rows: readonly string[]): ListDraft => ({
  ...{ list, format: "labels-csv", licence: "CC0-1.0", origin: "office", networks: [] },
  text: [HEAD, ...rows].join("\n"),
});

const row = (n: number, category = "exchange", label = `Name ${n}`): string =>
  `${ADDRESS(n)},ethereum,${label},${category}`;

const take = async (one: ListDraft) => {
  const trail: unknown[] = [];
  const { basis } = await imports.preview(one);
  const done = await imports.take(one, basis, async (before, after) => void trail.push([before, after]));
  return { done, trail };
};

test("a preview counts new, changed, unchanged and removed rows, names refused lines, and writes nothing", async () => {
  const rows = [row(1), row(2), row(3), "", `${ADDRESS(4)},ethereum,Name,nonsense`, 'x,ethereum,"a\nb",mixer'];
  const first = draft("mine", rows);
  const preview = await imports.preview(first);
  expect(preview).toMatchObject({ kind: "labels", accepted: 3, added: 3, changed: 0, unchanged: 0, removed: 0 });
  // The heading is line 1, so the empty line is 5.
  expect(preview.refused).toMatchObject([
    { reason: "the category is not a word of the taxonomy", count: 1, places: [6] },
    { reason: "not an address of its network, or its checksum is wrong", count: 1, places: [7] },
  ]);
  expect(await currentLists(store)).toEqual([]);
  expect(await store.engine.query("SELECT count() FROM labels")).toEqual([["0"]]);

  const { done, trail } = await take(first);
  expect(done).toMatchObject({ added: 3, changed: 0, removed: 0 });
  expect(trail).toEqual([[null, { version: preview.version, rows: 3 }]]);
  // Row 1 stays, 2 has another category, 3 is gone, 4 is new.
  const second = await imports.preview(draft("mine", [row(1), row(2, "mixer"), row(4)]));
  expect(second).toMatchObject({ accepted: 3, added: 1, changed: 1, unchanged: 1, removed: 1 });
});

test("a label with another category than that of another list is a conflict, also for a label of every EVM network", async () => {
  await take(draft("theirs", [row(11, "mixer", "Their mixer"), row(12)]));
  const text = [HEAD, row(11), row(12), `${ADDRESS(11)},evm,Desk,fund`].join("\n");
  const { conflict_count, conflicts } = await imports.preview({ ...draft("ours", []), text });
  expect(conflict_count).toBe(conflicts.length);
  const other = { other_list: "theirs", other_label: "Their mixer", other_category: "mixer" };
  expect(conflicts).toEqual([
    { network: "ethereum", address: ADDRESS(11), label: "Name 11", category: "exchange", ...other },
    { network: "evm", address: ADDRESS(11), label: "Desk", category: "fund", ...other },
  ]);
});

test("an import needs the preview of the same file and of the stored list as it is now", async () => {
  const wish = draft("race", [row(21)]);
  const { basis } = await imports.preview(wish);
  const never = () => Promise.reject(new Error("recorded"));
  await expect(imports.take({ ...wish, text: `${wish.text}\n${row(22)}` }, basis, never)).rejects.toMatchObject({
    code: "LIST_CHANGED",
  });
  await take(draft("race", [row(23)]));
  await expect(imports.take(wish, basis, never)).rejects.toMatchObject({ code: "LIST_CHANGED" });
});

test("of two imports at one time the second is refused, and the list is the first one's", async () => {
  const [one, two] = [draft("both", [row(31)]), draft("both", [row(32)])];
  const [first, second] = [await imports.preview(one), await imports.preview(two)];
  const done = await Promise.allSettled([
    imports.take(one, first.basis, async () => undefined),
    imports.take(two, second.basis, async () => undefined),
  ]);
  expect(done.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
  expect(done[1]).toMatchObject({ reason: { code: "LIST_CHANGED" } });
  expect(await imports.preview(one)).toMatchObject({ added: 0, unchanged: 1, removed: 0 });
});

test("what a list cannot be is refused with a message", async () => {
  const refused = (change: Partial<ListDraft>) =>
    imports.preview({ ...draft("mine", [row(1)]), ...change }).then(
      () => null,
      (error: { code: string; public: string }) => `${error.code}: ${error.public}`,
    );
  expect(await refused({ list: "burn" })).toBe("BAD_LIST: 'burn' is the name of a list of this program");
  expect(await refused({ format: "xml" })).toMatch(/^BAD_LIST: The format is one of labels-json, /);
  expect(await refused({ text: HEAD })).toBe("BAD_LIST: the file holds no row that can be taken");
  expect(await refused({ networks: ["nowhere"] })).toBe("BAD_LIST: Network nowhere is not known.");
  expect(await refused({ format: "labels-json", text: "{" })).toMatch(/^BAD_LIST: the file: the file is not JSON/);
});
