import { describe, expect, test } from "vitest";
import { bench, GOOD } from "./bench.ts";
import { type RawReply, rawRequest } from "./raw.ts";

const service = await bench();
const secret = service.customer.key.secret;
const args = JSON.stringify(GOOD);

/** A request that an attacker hides behind one whose length two servers read differently. */
const hidden = `POST /api/tools/show HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${args.length}\r\n\r\n${args}`;

const post = (path: string, lines: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n${lines}\r\n${body}`;

const used = async (): Promise<number> => (await service.store.accounts.show(service.customer.account.id)).credits_used;

const statuses = ({ text }: RawReply): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => Number(match[1]));

/** Header lines that leave the length of the body in doubt, and a body that holds a second request under one reading. */
const SHAPES: readonly (readonly [what: string, lines: string, body: string])[] = [
  ["length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${hidden}`],
  ["chunks and length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${hidden}`],
  ["two different lengths", `Content-Length: 0\r\nContent-Length: ${hidden.length}\r\n`, hidden],
  ["a list of lengths", `Content-Length: 0, ${hidden.length}\r\n`, hidden],
  ["a signed length", "Content-Length: +0\r\n", hidden],
  ["a negative length", "Content-Length: -1\r\n", hidden],
  ["a hexadecimal length", "Content-Length: 0x0\r\n", hidden],
  ["a length beyond all integers", `Content-Length: ${"9".repeat(40)}\r\n`, hidden],
  ["a space before the colon", "Content-Length: 0\r\nTransfer-Encoding : chunked\r\n", `0\r\n\r\n${hidden}`],
  ["an unknown encoding", "Transfer-Encoding: xchunked\r\n", `0\r\n\r\n${hidden}`],
  ["an encoding after chunked", "Transfer-Encoding: chunked, identity\r\n", `0\r\n\r\n${hidden}`],
  ["chunked twice", "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${hidden}`],
  ["a folded header", "Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${hidden}`],
  ["a vertical tab in the value", "Transfer-Encoding:\u000bchunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${hidden}`],
  ["a chunk size with a sign", "Transfer-Encoding: chunked\r\n", `+0\r\n\r\n${hidden}`],
  ["a chunk size with a prefix", "Transfer-Encoding: chunked\r\n", `0x0\r\n\r\n${hidden}`],
  ["a chunk size that overflows", "Transfer-Encoding: chunked\r\n", `10000000000000000\r\n\r\n${hidden}`],
  ["a chunk that ends in a bare line feed", "Transfer-Encoding: chunked\r\n", `0\n\n${hidden}`],
  ["a bare carriage return in a header", "X-A: b\rContent-Length: 0\r\nContent-Length: 3\r\n", hidden],
];

describe.each(["/api/tools/show", "/mcp"])("%s", (path) => {
  test.each(SHAPES)("%s: one refusal in JSON, and no hidden request runs", async (_, lines, body) => {
    const before = await used();
    const reply = await rawRequest(service.port, Buffer.from(post(path, lines, body), "latin1"), {
      patience_ms: 1_500,
    });
    expect(statuses(reply).length, reply.text).toBe(1);
    expect([400, 413, 415, 422]).toContain(reply.status);
    expect(reply.headers["content-type"]).toBe("application/json");
    expect(await used()).toBe(before);
  });

  test("three requests in one piece are answered in order, each once", async () => {
    const lines = `Content-Length: ${args.length}\r\n`;
    const last = post("/api/tools/nothing", `${lines}Connection: close\r\n`, args);
    const reply = await rawRequest(service.port, post(path, lines, args) + post(path, lines, args) + last);
    const first = path === "/mcp" ? 400 : 200;
    expect(statuses(reply)).toEqual([first, first, 404]);
  });

  test("a body that arrives byte by byte is one body", async () => {
    const text = post(path, `Content-Length: ${args.length}\r\nConnection: close\r\n`, "");
    const reply = await rawRequest(service.port, text, { later: [...args], pause_ms: 2 });
    expect(statuses(reply)).toEqual([path === "/mcp" ? 400 : 200]);
  });

  test("a name that only looks like a length is a header like any other", async () => {
    const lines = `Content_Length: 0\r\nX-Content-Length: 0\r\nContent-Length: ${args.length}\r\nConnection: close\r\n`;
    expect(statuses(await rawRequest(service.port, post(path, lines, args))).length).toBe(1);
  });
});

test("the ledger verifies afterwards", async () => {
  expect(await service.store.ledger.verify()).toEqual([]);
});
