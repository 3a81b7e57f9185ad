import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";

/** A way to a server's Unix socket that can be made to fail. */
export interface CuttingProxy {
  readonly port: number;
  /** The next `commit` ends its connection: before it reaches the server, or when the server has answered it. */
  cutCommit(when: "before" | "after"): void;
  /** How many connections ended at their `commit`. */
  readonly commits_cut: number;
  /** Cuts every connection that is open now. */
  cutAll(): void;
  /** While set, nothing passes in either direction and nobody is told. */
  hold(held: boolean): void;
  close(): Promise<void>;
}

/** Type `Q`, length, text and a zero: how the client library sends `commit`. */
const COMMIT = Buffer.concat([Buffer.from("Q\0\0\0\x0b", "latin1"), Buffer.from("commit\0")]);

export const openCuttingProxy = async (folder: string): Promise<CuttingProxy> => {
  const pairs = new Set<{ client: Socket; server: Socket }>();
  let next: "before" | "after" | null = null;
  let held = false;
  let commits_cut = 0;

  const listener = createServer((client) => {
    const server = connect(join(folder, ".s.PGSQL.5432"));
    const pair = { client, server };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      client.destroy();
      server.destroy();
    };
    let is_last_word = false;
    client.on("data", (bytes) => {
      if (held) return;
      const cut = next !== null && bytes.includes(COMMIT) ? next : null;
      if (cut !== null) {
        next = null;
        commits_cut += 1;
      }
      if (cut === "before") return end();
      if (cut === "after") is_last_word = true;
      server.write(bytes);
    });
    server.on("data", (bytes) => {
      if (is_last_word) return end();
      if (!held) client.write(bytes);
    });
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const cutAll = () => {
    for (const { client, server } of pairs) {
      client.destroy();
      server.destroy();
    }
  };
  return {
    port: address.port,
    cutCommit(when) {
      next = when;
    },
    get commits_cut() {
      return commits_cut;
    },
    cutAll,
    hold(on) {
      held = on;
    },
    close() {
      cutAll();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
};
