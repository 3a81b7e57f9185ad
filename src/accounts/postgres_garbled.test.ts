import { createServer, type Server } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Secret } from "../lib/log.ts";
import { openPostgres } from "./postgres.ts";

/** AuthenticationOk and ReadyForQuery (PostgreSQL's manual, Message Formats). */
const WELCOME = Buffer.from("R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I", "latin1");

let server: Server;
let answer: Buffer;
beforeEach(async () => {
  server = createServer((socket) => {
    let is_known = false;
    socket.on("error", () => undefined);
    socket.on("data", () => {
      socket.write(is_known ? answer : WELCOME);
      is_known = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterEach(() => new Promise<void>((resolve) => server.close(() => resolve())));

const urlOf = (): Secret => {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return new Secret(`postgres://assay@127.0.0.1:${address.port}/postgres`);
};

/** A description of one text column `a`, and the end of a statement that found one row, without the row. */
const ROWLESS = Buffer.concat([
  Buffer.from("1\0\0\0\x042\0\0\0\x04", "latin1"),
  Buffer.from("T\0\0\0\x1a\0\x01a\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0", "latin1"),
  Buffer.from("C\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I", "latin1"),
]);

/** The same description with the given name, type (bigint 20 instead of text 25) and value; "C" ends it. */
const answered = (name: number, type: number, value: string): Buffer =>
  Buffer.concat([
    ROWLESS.subarray(0, 10),
    Buffer.from([...Buffer.from("T\0\0\0\x1a\0\x01", "latin1"), name, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, type]),
    Buffer.from("\xff\xff\xff\xff\xff\xff\0\0", "latin1"),
    Buffer.from([...Buffer.from("D\0\0\0", "latin1"), 10 + value.length, 0, 1, 0, 0, 0, value.length]),
    Buffer.from(`${value}C\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I`, "latin1"),
  ]);

test.each([
  ["a column with an invalid name", answered(0xe1, 25, "on")],
  ["a column of an unknown type", answered(0x61, 0x94, "1")],
  ["an invalid number", answered(0x61, 20, "\xb1")],
  ["a number without digits", answered(0x61, 20, "")],
  ["a row that is counted but missing", ROWLESS],
  // Int16 -1 as the number of columns.
  ["a row with a negative number of columns", Buffer.from("T\0\0\0\x06\xff\xff", "latin1")],
  ["a message of an unknown kind", Buffer.from("\xd4\0\0\0\x06\0\0", "latin1")],
])("loses the connection, not the process, at bytes that no server sends (%s)", async (_, bytes) => {
  answer = bytes;
  await expect(openPostgres({ url: urlOf(), connections: 1 })).rejects.toMatchObject({
    code: "ACCOUNTS_UNAVAILABLE",
    retryable: true,
  });
});

test("reads the same bytes uncorrupted", async () => {
  answer = answered(0x61, 25, "on");
  const database = await openPostgres({ url: urlOf(), connections: 1 });
  expect(await database.get("show a")).toEqual({ a: "on" });
  answer = answered(0x61, 20, "-12");
  expect(await database.get("show a")).toEqual({ a: -12 });
  await database.close();
});
