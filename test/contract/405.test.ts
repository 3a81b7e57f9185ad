import { METHODS } from "node:http";
import { expect, test } from "vitest";
import { bench } from "./bench.ts";
import { rawRequest } from "./raw.ts";

const service = await bench();

const PATHS: readonly (readonly [path: string, allow: string])[] = [
  ["/api/tools", "GET"],
  ["/api/tools/openapi.json", "GET"],
  ["/api/tools/show", "POST"],
  ["/api/tools/nothing", "POST"],
  ["/healthz", "GET"],
  ["/readyz", "GET"],
  ["/metrics", "GET"],
  ["/docs", "GET"],
  ["/docs/start.html", "GET"],
  ["/llms.txt", "GET"],
  ["/llms-full.txt", "GET"],
];

test.each(PATHS)("%s answers any method but %s with 405 and Allow, without a key", async (path, allow) => {
  for (const method of METHODS) {
    if (method === allow || method === "CONNECT") continue;
    const body = "length: 0\r\n";
    const reply = await rawRequest(
      service.port,
      `${method} ${path} HTTP/1.1\r\nHost: a\r\nContent-${body}Connection: close\r\n\r\n`,
    );
    expect(reply.status, method).toBe(405);
    expect(reply.headers.allow, method).toBe(allow);
    expect(reply.headers["content-type"], method).toBe("application/json");
    if (method !== "HEAD") expect(reply.body, method).toBe('{"detail":"Method Not Allowed"}');
  }
});

test("a body and its type do not matter to a method that is not allowed", async () => {
  for (const type of ["application/json", "nonsense", "a/b;"]) {
    const { status } = await service.ask("/api/tools", { method: "PUT", body: "{", headers: { "content-type": type } });
    expect(status).toBe(405);
  }
});

test("CONNECT is answered like the rest", async () => {
  const reply = await rawRequest(service.port, "CONNECT example.org:443 HTTP/1.1\r\nHost: example.org:443\r\n\r\n");
  expect(reply.status).toBe(405);
  expect(JSON.parse(reply.body)).toEqual({ detail: "Method Not Allowed" });
});
