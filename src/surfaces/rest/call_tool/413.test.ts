import { expect, test } from "vitest";
import { bench, creditsOf, GOOD } from "../../../../test/contract/bench.ts";
import { rawRequest } from "../../../../test/contract/raw.ts";

const service = await bench();
const CAP = 65_536;

const padded = (bytes: number): string => {
  const text = JSON.stringify(GOOD);
  return text + " ".repeat(bytes - text.length);
};

test("64 KiB are read, one byte more is too large and closes the connection", async () => {
  expect((await service.post("show", padded(CAP))).status).toBe(200);
  const reply = await service.post("show", padded(CAP + 1));
  expect({ status: reply.status, body: reply.body }).toEqual({
    status: 413,
    body: { detail: "Request body too large" },
  });
  expect(reply.headers.get("connection")).toBe("close");
  expect(creditsOf(reply).charged).toBe(0);
  expect(creditsOf(reply).remaining).not.toBeNull();
});

test("a body of half a megabyte is refused in words, not by a reset connection", async () => {
  for (let round = 0; round < 5; round += 1) expect((await service.post("show", padded(500_000))).status).toBe(413);
});

const head = (path: string, secret: string, length: string) =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

test("a length that is announced only is refused without waiting for the body", async () => {
  const started = Date.now();
  const reply = await rawRequest(
    service.port,
    head("/api/tools/show", service.customer.key.secret, "Content-Length: 9999999999"),
  );
  expect(reply.status).toBe(413);
  expect(JSON.parse(reply.body)).toEqual({ detail: "Request body too large" });
  expect(Date.now() - started).toBeLessThan(3_000);
});

test("chunks are counted as they come", async () => {
  const chunk = `8000\r\n${" ".repeat(0x8000)}\r\n`;
  const reply = await rawRequest(
    service.port,
    head("/api/tools/show", service.customer.key.secret, "Transfer-Encoding: chunked") + chunk + chunk,
    { later: [chunk] },
  );
  expect(reply.status).toBe(413);
});

test("401 and 404 come first even with a huge length", async () => {
  const huge = "Content-Length: 9999999999\r\nConnection: close";
  expect((await rawRequest(service.port, head("/api/tools/show", "wrong", huge))).status).toBe(401);
  const unknown = await rawRequest(service.port, head("/api/tools/none", service.customer.key.secret, huge));
  expect(unknown.status).toBe(404);
});
