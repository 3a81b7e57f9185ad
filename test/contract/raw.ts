import { connect } from "node:net";

export interface RawReply {
  /** 0 when the connection was closed without an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Everything that came, answers to pipelined requests included. */
  readonly text: string;
}

export interface RawOptions {
  /** Sent after the first piece, in order, with this pause before each. */
  readonly later?: readonly string[];
  readonly pause_ms?: number;
  /** Stop listening after this; the server is expected to close before. */
  readonly patience_ms?: number;
}

const parse = (text: string): RawReply => {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
  return { status: Number(first.split(" ")[1] ?? 0), headers, body: rest.join("\r\n\r\n"), text };
};

/** Sends exactly these bytes and reads until the server closes the connection. */
export const rawRequest = (port: number, first: string | Buffer, options: RawOptions = {}): Promise<RawReply> =>
  new Promise((resolve) => {
    const { later = [], pause_ms = 20, patience_ms = 5_000 } = options;
    const socket = connect(port, "127.0.0.1");
    let text = "";
    const finish = () => {
      clearTimeout(patience);
      socket.destroy();
      resolve(parse(text));
    };
    const patience = setTimeout(finish, patience_ms);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("end", finish).on("close", finish);
    // A server that closes while we still send resets the connection; its earlier answer counts.
    socket.on("error", () => undefined);
    socket.write(first);
    later.forEach((piece, at) => {
      setTimeout(() => socket.writable && socket.write(piece), pause_ms * (at + 1));
    });
  });

/** A POST of `body` to a tool, byte for byte, on a connection of its own. */
export const rawPost = (path: string, secret: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\n` +
  `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`;
