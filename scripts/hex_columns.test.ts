import { expect, test } from "vitest";
import { hexColumns, hexParameters } from "./hex_columns.ts";

const columns = (sql: string) => [...hexColumns(sql)].sort();

test("recognizes lower-case hex, also inside a condition and of list items", () => {
  expect(
    columns(`SELECT lower(hex(t.token)) AS token, if(day = 0, lower(hex(s.pool)), '') AS pool,
      arrayMap(found -> lower(hex(found)), groupArray(holder)) AS doubtful, t.symbol AS symbol, count() AS rows`),
  ).toEqual(["doubtful", "pool", "token"]);
});

test("recognizes hex that another SELECT renames or collects, and no other expression of it", () => {
  expect(
    columns(`SELECT m.bucket AS token, groupArray(m.peer) AS peers, concat(m.peer, '-') AS mark, length(m.peer) AS size
      FROM (SELECT lower(hex(l.token)) AS bucket, lower(hex(l.peer)) AS peer FROM ledger AS l) AS m`),
  ).toEqual(["bucket", "peer", "peers", "token"]);
});

test("ignores upper-case hex, comments and expressions beside hex", () => {
  expect(columns("-- lower(hex(a)) AS a\nSELECT hex(a) AS b, lower(hex(c)) AS d, e AS f")).toEqual(["d"]);
});

test("recognizes parameters that become bytes, single or in a list, and no others", () => {
  expect([
    ...hexParameters(`SELECT 1 WHERE network = {network:String} AND token = unhex({token:String})
      AND address IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted) AND {kind:String} = ''`),
  ]).toEqual(["token", "wallets"]);
});
