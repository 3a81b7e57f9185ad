import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";

/** The protocol's own client, connected; closed after the test. */
export const connectClient = (url: string, key: string, mode: VersionNegotiationMode = "auto"): Promise<Client> =>
  connectClientAt(`${url}/mcp`, key, mode);

/** The same at an address of its own, such as one with toolsets. */
export const connectClientAt = async (
  address: string,
  key: string,
  mode: VersionNegotiationMode = "auto",
): Promise<Client> => {
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(address), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  );
  onTestFinished(() => client.close());
  return client;
};

export interface RpcReply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; contract tests read only members that they assert. */
  // biome-ignore lint/suspicious/noExplicitAny: bodies of many shapes, each asserted where it is read.
  readonly body: any;
}

interface McpPost {
  /** JSON, unless it is text or bytes. */
  readonly body: unknown;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends one POST to `/mcp` with Accept, Content-Type and only the given headers. */
export const postMcp = async (url: string, { body, key, headers }: McpPost): Promise<RpcReply> => {
  const response = await fetch(`${url}/mcp`, {
    method: "POST",
    headers: {
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: text === "" ? null : JSON.parse(text) };
};
