import { expect, test } from "vitest";
import { writeId } from "../final_statements.ts";
import { writesFrom } from "../writes.ts";
import { tableChangedBy, WriteCount } from "./write_count.ts";

test.each([
  ["INSERT INTO labels (a, b) FORMAT RowBinary", "labels"],
  ["-- why\n  insert into TABLE `assay`.`labels` SELECT * FROM lists", "labels"],
  ["INSERT INTO tail_drops (a) SELECT a FROM input('a String') WHERE 1 FORMAT RowBinary", "tail_drops"],
  ["ALTER TABLE blocks DROP PART 'a', DROP PART 'b'", "blocks"],
  ["ALTER TABLE pools DELETE WHERE 1", "pools"],
  ["DELETE FROM pools WHERE 1", "pools"],
  ["TRUNCATE TABLE IF EXISTS prices", "prices"],
  ["DROP TABLE IF EXISTS migrating SYNC", "migrating"],
  ["CREATE TABLE IF NOT EXISTS x AS labels ENGINE = Memory", "x"],
  // Rows go to another table, to several, or to an unknown one.
  ["ALTER TABLE a MOVE PARTITION 1 TO TABLE labels", null],
  ["DROP TABLE some, labels", null],
  ["DROP TABLE assay.some, labels", null],
  ["EXCHANGE TABLES a AND labels", null],
  ["RENAME TABLE a TO labels", null],
  ["INSERT INTO FUNCTION remote('x', assay, labels) SELECT 1", null],
  ["INSERT INTO TABLE FUNCTION remote('x', assay, labels) SELECT 1", null],
  ["DROP DATABASE assay", null],
  ["CREATE MATERIALIZED VIEW v TO labels AS SELECT 1", null],
])("%s changes %s", (sql, table) => {
  expect(tableChangedBy(sql)).toBe(table);
});

test("a statement counts when it begins and when it ends, also when it fails; a question and rows on their way do not", async () => {
  const count = new WriteCount();
  const marks = () => ["labels", "pools"].map((table) => writesFrom(String(count)).of([table], null));
  const seen = [marks()];
  await count.around({ sql: "INSERT INTO labels FORMAT RowBinary", id: "" }, async () => seen.push(marks()));
  seen.push(marks());
  const failed = count.around({ sql: "INSERT INTO labels FORMAT RowBinary", id: "" }, async () => {
    seen.push(marks());
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  seen.push(marks());
  expect(new Set(seen.map(([labels]) => labels)).size).toBe(5);
  expect(new Set(seen.map(([, pools]) => pools)).size).toBe(1);
  await count.around({ sql: "SELECT * FROM labels", id: "" }, async () => undefined);
  await count.around({ sql: "TRUNCATE TABLE stage_ab_cd_labels", id: "" }, async () => undefined);
  expect(marks()).toEqual(seen.at(-1));
  await count.around({ sql: "RENAME TABLE a TO b", id: "" }, async () => undefined);
  expect(marks()[1]).not.toBe(seen[0]?.[1]);
  expect(writesFrom(String(new WriteCount())).of(["labels"], null)).not.toBe(seen[0]?.[0]);
});

test("an indexer's writes invalidate only its own network, all other writes every network", async () => {
  const count = new WriteCount();
  const marks = () => ["one", "two", null].map((network) => writesFrom(String(count)).of(["labels"], network));
  const write = async (id: string): Promise<readonly boolean[]> => {
    const before = marks();
    await count.around({ sql: "INSERT INTO labels FORMAT RowBinary", id }, async () => undefined);
    return marks().map((mark, at) => mark !== before[at]);
  };
  expect(await write(writeId("one"))).toEqual([true, false, true]);
  expect(await write("assay-index:two:7")).toEqual([false, true, true]);
  // A process that backfills a range.
  expect(await write(writeId("two@0-127"))).toEqual([false, true, true]);
  expect(await write("assay-index:one@128-255:7")).toEqual([true, false, true]);
  expect(await write("")).toEqual([true, true, true]);
  expect(await write("somebody's own")).toEqual([true, true, true]);
});
