import { expect, test } from "vitest";
import { hexColumns, hexParameters } from "./hex_columns.ts";

const columns = (sql: string) => [...hexColumns(sql)].sort();

test("what is written in lower-case hex is, also behind a condition and one by one", () => {
  expect(
    columns(`SELECT lower(hex(t.token)) AS token, if(day = 0, lower(hex(s.pool)), '') AS pool,
      arrayMap(found -> lower(hex(found)), groupArray(holder)) AS doubtful, t.symbol AS symbol, count() AS rows`),
  ).toEqual(["doubtful", "pool", "token"]);
});

test("so is what another SELECT renames or gathers, and nothing else that it computes", () => {
  expect(
    columns(`SELECT m.bucket AS token, groupArray(m.peer) AS peers, concat(m.peer, '-') AS mark, length(m.peer) AS size
      FROM (SELECT lower(hex(l.token)) AS bucket, lower(hex(l.peer)) AS peer FROM ledger AS l) AS m`),
  ).toEqual(["bucket", "peer", "peers", "token"]);
});

test("capital hex, comments and what stands beside hex are not", () => {
  expect(columns("-- lower(hex(a)) AS a\nSELECT hex(a) AS b, lower(hex(c)) AS d, e AS f")).toEqual(["d"]);
});

test("parameters that become bytes are hex, one or a list of them, and no others", () => {
  expect([
    ...hexParameters(`SELECT 1 WHERE network = {network:String} AND token = unhex({token:String})
      AND address IN (SELECT unhex(arrayJoin({wallets:Array(String)})) AS wanted) AND {kind:String} = ''`),
  ]).toEqual(["token", "wallets"]);
});
