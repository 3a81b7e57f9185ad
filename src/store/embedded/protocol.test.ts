import { expect, test } from "vitest";
import { parseRequest } from "./protocol.ts";

const parsed = (query: string, body = "rows") => {
  const url = new URL("http://engine/");
  url.searchParams.set("query", query);
  return parseRequest(url, Buffer.from(body));
};

test.each([
  "INSERT INTO labels (a, b) FORMAT RowBinary",
  "INSERT INTO blocks (a) SELECT a FROM input('a String') WHERE 1 FORMAT RowBinary",
  "INSERT INTO blocks (a, tail) SELECT a, intDiv(a, 32) + 1 FROM input('a UInt64') FORMAT RowBinary",
])("the body behind %s is rows", (query) => {
  expect(parsed(query)).toMatchObject({ query, body: Buffer.from("rows") });
});

test("an INSERT of rows that is not understood is refused: its rows would be lost without a word", () => {
  for (const query of [
    "INSERT INTO blocks (a) SELECT 'x' FROM input('a String') FORMAT RowBinary",
    "INSERT INTO FUNCTION remote('x') FORMAT Native",
  ])
    expect(() => parsed(query), query).toThrow("not an INSERT that is understood");
});
