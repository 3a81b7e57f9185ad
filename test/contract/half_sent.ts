import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connections, each with a request whose body is sent only in part. */
export interface PartialConnections {
  /** Answers of the service on them so far. */
  readonly answers: readonly string[];
  readonly open: () => number;
  close(): Promise<void>;
}

interface HalfSentOptions {
  readonly port: number;
  readonly secret: string;
  readonly count: number;
  /** Announced and sent bytes of each body. */
  readonly bytes: readonly [announced: number, sent: number];
}

/** Opens them one hundred at a time; resolves once all bytes are sent. */
export const openPartial = async ({
  port,
  secret,
  count,
  bytes: [announced, sent],
}: HalfSentOptions): Promise<PartialConnections> => {
  const head = `POST /api/tools/show HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${announced}\r\n\r\n`;
  const piece = Buffer.from(`${head}${"{".padEnd(sent, " ")}`);
  const sockets: Socket[] = [];
  const answers: string[] = [];
  for (let made = 0; made < count; made += 100) {
    const some = Array.from({ length: Math.min(100, count - made) }, () => connect(port, "127.0.0.1"));
    sockets.push(...some);
    await Promise.all(
      some.map(async (socket) => {
        // The service closed the connection; `open` no longer counts it.
        socket.on("error", () => undefined);
        socket.on("data", (chunk) => answers.push(chunk.toString("latin1")));
        await once(socket, "connect");
        await new Promise((resolve) => socket.write(piece, resolve));
      }),
    );
  }
  return {
    answers,
    open: () => sockets.filter(({ readyState }) => readyState === "open").length,
    async close() {
      const closed = sockets.filter(({ closed }) => !closed).map((socket) => once(socket, "close"));
      for (const socket of sockets) socket.destroy();
      await Promise.all(closed);
    },
  };
};
