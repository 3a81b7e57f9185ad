import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Connections on each of which a request stands with a part of its body. */
export interface PartialConnections {
  /** What the service has said on them so far. */
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

/** Opens them one hundred at a time; resolves when all that was to be sent has left. */
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
        // Closed by the service: that is seen as one that is no longer open.
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
