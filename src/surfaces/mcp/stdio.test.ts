import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, onTestFinished, test } from "vitest";
import { bench, benchHere, GOOD } from "../../../test/contract/bench.ts";
import { legacyMessage, modernMessage } from "../../../test/contract/mcp_messages.ts";
import { bridgeMessages } from "../../commands/mcp_bridge.ts";

const CLI = join(import.meta.dirname, "../../../dist/bundle/cli.js");
const service = await bench();
const key = service.customer.key.secret;

/** `assay mcp` with its key in the environment, as an assistant starts it. */
const started = (url: string) => ({
  command: process.execPath,
  args: [CLI, "mcp"],
  env: { ASSAY_URL: url, ASSAY_KEY: key, ASSAY_DATA_DIR: "/nowhere" },
});

describe.each([
  ["2026-07-28", "auto"],
  ["2025-11-25", "legacy"],
] as const)("the client of revision %s over stdio", (revision, mode) => {
  test("lists and calls as over HTTP", async () => {
    const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
    await client.connect(new StdioClientTransport({ ...started(service.url), stderr: "ignore" }));
    onTestFinished(() => client.close());
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect((await client.listTools()).tools.length).toBe(10);
    const results = await Promise.all([
      client.callTool({ name: "wait", arguments: GOOD }),
      client.callTool({ name: "show", arguments: GOOD }),
      client.callTool({ name: "fail_softly", arguments: GOOD }),
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, true]);
    expect(results[1]?.structuredContent).toEqual((await service.post("show?view=compact")).body);
    await expect(client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow("Tool 'nothing' not found");
  });
});

/** The output of `assay mcp` for lines of input, to its end. */
const written = async (url: string, lines: readonly string[], words: readonly string[] = []) => {
  const { command, args: own, env } = started(url);
  const args = [...own, ...words];
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  child.stdin.end(lines.join("\n"));
  const [code] = await once(child, "close");
  return { code, out, err };
};

/** The same, read as messages. */
const passed = async (url: string, lines: readonly string[], words: readonly string[] = []) => {
  const { code, out, err } = await written(url, lines, words);
  return {
    code,
    err,
    messages: out
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line)),
  };
};

test("with --tools it offers these tools only, and shows them in its ready lines", async () => {
  const words = ["--tools", "show,fail_softly"];
  const { messages } = await passed(service.url, [JSON.stringify(legacyMessage("tools/list"))], words);
  expect(messages[0].result.tools.map(({ name }: { name: string }) => name)).toEqual(["show", "fail_softly"]);
  expect((await written(service.url, [], ["--setup", ...words])).out).toContain("mcp --tools show,fail_softly");
});

test("without a message, and with --setup, it shows ready lines for every client, and no secret", async () => {
  const silent = await written(service.url, []);
  const asked = await written(service.url, [], ["--setup"]);
  expect([silent.code, asked.code, silent.out]).toEqual([0, 0, asked.out]);
  const program = join(import.meta.dirname, "../../../assay");
  const env = `--env ASSAY_URL=${service.url} --env ASSAY_KEY=KEY`;
  expect(asked.out).toContain(`Claude Code\n  claude mcp add assay ${env} -- ${program} mcp\n`);
  expect(asked.out).toContain(`Codex\n  codex mcp add assay ${env} -- ${program} mcp\n`);
  for (const client of ["Claude Desktop, in claude_desktop_config.json", "Cursor, in ~/.cursor/mcp.json", "VS Code"])
    expect(asked.out).toContain(client);
  expect(`${asked.out}${asked.err}${silent.err}`).not.toContain(key);
  const { out } = await written(service.url, [], ["--setup", "--json"]);
  const entry = { command: program, args: ["mcp"], env: { ASSAY_URL: service.url, ASSAY_KEY: "KEY" } };
  const setups: { client: string; kind: string; text: string }[] = JSON.parse(out);
  expect(setups.map(({ client, kind }) => [client, kind])).toEqual([
    ["Claude Code", "run"],
    ["Claude Desktop", "file"],
    ["Cursor", "file"],
    ["VS Code", "run"],
    ["Codex", "run"],
  ]);
  for (const { text } of setups.filter(({ kind }) => kind === "file"))
    expect(JSON.parse(text)).toEqual({ mcpServers: { assay: entry } });
});

test("prompts and resources pass through, their names in the headers that the protocol wants", async () => {
  const lines = [
    JSON.stringify(modernMessage("resources/read", { uri: "assay://prices" }).body),
    JSON.stringify(legacyMessage("prompts/list", {}, 2)),
  ];
  const { messages } = await passed(service.url, lines);
  const resultOf = (asked: number) => JSON.stringify(messages.find(({ id }) => id === asked)?.result ?? null);
  expect(resultOf(1)).toContain("catalog_version");
  expect(resultOf(2)).toContain("prompts");
});

test("stdout contains only the protocol, and every message is answered before the end", async () => {
  const call = modernMessage("tools/call", { name: "wait", arguments: GOOD });
  const lines = [
    JSON.stringify(call.body),
    "rubbish",
    JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }),
    JSON.stringify(legacyMessage("ping", {}, "p\u2028")),
  ];
  const { code, messages } = await passed(service.url, lines);
  expect(code).toBe(0);
  expect(messages.map(({ id, result, error }) => [id, result?.isError ?? error?.code ?? "pong"])).toEqual(
    expect.arrayContaining([
      [1, false],
      [null, -32700],
      ["p\u2028", "pong"],
    ]),
  );
  expect(messages.length).toBe(3);
});

test("a service that is away, and a key that it refuses, are errors of the message", async () => {
  const away = await passed("http://127.0.0.1:9", [JSON.stringify(legacyMessage("ping"))]);
  expect(away.messages).toEqual([
    { jsonrpc: "2.0", id: 1, error: { code: -32000, message: expect.stringContaining("is 'assay up' running?") } },
  ]);
  expect(away.err).toContain("nothing answers at http://127.0.0.1:9/mcp");
  const stranger = await benchHere();
  const refused = await passed(stranger.url, [JSON.stringify(legacyMessage("ping"))]);
  expect(refused.messages[0].error).toEqual({ code: -32000, message: "The API key is not valid for this service" });
  expect(`${away.err}${refused.err}`).not.toContain(key);
});

test("a cancelled message gets no answer, and a finished call is charged", async () => {
  const other = await benchHere();
  const written: string[] = [];
  const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  const used = async () => (await other.store.accounts.show(other.customer.account.id)).credits_used_mcp;
  async function* input() {
    yield Buffer.from(`${JSON.stringify(modernMessage("tools/call", { name: "wait", arguments: GOOD }).body)}\n`);
    // Charged: it runs.
    await expect.poll(used, { timeout: 60_000 }).toBe(25);
    yield Buffer.from(`${JSON.stringify(cancel)}\n`);
  }
  await bridgeMessages(input(), {
    peer: () => ({ url: `${other.url}/mcp`, key: other.customer.key.secret }),
    write: (line) => void written.push(line),
    complain: (sentence) => void written.push(sentence),
    signal: new AbortController().signal,
  });
  expect(written).toEqual([]);
  expect(await used()).toBe(25);
});

test("messages in pieces and messages at once are separated", async () => {
  const text = `${JSON.stringify(legacyMessage("ping", {}, "é"))}\r\n${JSON.stringify(legacyMessage("ping", {}, 2))}\n`;
  const bytes = Buffer.from(text);
  const ids: unknown[] = [];
  async function* input() {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  }
  await bridgeMessages(input(), {
    peer: () => ({ url: `${service.url}/mcp`, key }),
    write: (line) => void ids.push(JSON.parse(line).id),
    complain: () => undefined,
    signal: new AbortController().signal,
  });
  expect(new Set(ids)).toEqual(new Set(["é", 2]));
});
