import { expect, test } from "vitest";
import { writesFrom } from "../writes.ts";
import { tableChangedBy, WriteCount } from "./write_count.ts";

test.each([
  ["INSERT INTO labels (a, b) FORMAT RowBinary", "labels"],
  ["-- why\n  insert into TABLE `assay`.`labels` SELECT * FROM lists", "labels"],
  ["INSERT INTO tail_drops (a) SELECT a FROM input('a String') WHERE 1 FORMAT RowBinary", "tail_drops"],
  ["ALTER TABLE blocks_head DROP PART 'a', DROP PART 'b'", "blocks_head"],
  ["ALTER TABLE pools_final DELETE WHERE 1", "pools_final"],
  ["DELETE FROM pools_final WHERE 1", "pools_final"],
  ["TRUNCATE TABLE IF EXISTS prices", "prices"],
  ["DROP TABLE IF EXISTS migrating SYNC", "migrating"],
  ["CREATE TABLE IF NOT EXISTS x AS labels ENGINE = Memory", "x"],
  // Rows go to another table, to several, or nobody knows where.
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
  const marks = () => ["labels", "pools"].map((table) => writesFrom(String(count)).of([table]));
  const seen = [marks()];
  await count.around("INSERT INTO labels FORMAT RowBinary", async () => seen.push(marks()));
  seen.push(marks());
  const failed = count.around("INSERT INTO labels FORMAT RowBinary", async () => {
    seen.push(marks());
    throw new Error("no");
  });
  await expect(failed).rejects.toThrow("no");
  seen.push(marks());
  expect(new Set(seen.map(([labels]) => labels)).size).toBe(5);
  expect(new Set(seen.map(([, pools]) => pools)).size).toBe(1);
  await count.around("SELECT * FROM labels", async () => undefined);
  await count.around("TRUNCATE TABLE stage_ab_cd_labels", async () => undefined);
  expect(marks()).toEqual(seen.at(-1));
  await count.around("RENAME TABLE a TO b", async () => undefined);
  expect(marks()[1]).not.toBe(seen[0]?.[1]);
  expect(writesFrom(String(new WriteCount())).of(["labels"])).not.toBe(seen[0]?.[0]);
});
