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

/** A description of one column `a` of text, and the end of a statement that found one row; the row itself is missing. */
const ROWLESS = Buffer.concat([
  Buffer.from("1\0\0\0\x042\0\0\0\x04", "latin1"),
  Buffer.from("T\0\0\0\x1a\0\x01a\0\0\0\0\0\0\0\0\0\0\x19\xff\xff\xff\xff\xff\xff\0\0", "latin1"),
  Buffer.from("C\0\0\0\x0dSELECT 1\0Z\0\0\0\x05I", "latin1"),
]);

test.each([
  ["a row that is counted and not there", ROWLESS],
  // Int16 -1 where the number of columns stands.
  ["a row of fewer than no columns", Buffer.from("T\0\0\0\x06\xff\xff", "latin1")],
  ["a message of a kind that is not", Buffer.from("\xd4\0\0\0\x06\0\0", "latin1")],
])("bytes that no server sends (%s) lose the connection, not the process", async (_, bytes) => {
  answer = bytes;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  const url = new Secret(`postgres://assay@127.0.0.1:${address.port}/postgres`);
  await expect(openPostgres({ url, connections: 1 })).rejects.toMatchObject({
    code: "ACCOUNTS_UNAVAILABLE",
    retryable: true,
  });
});
