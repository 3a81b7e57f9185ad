import { connect, createServer, type NetConnectOpts, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type ProxyDirection = "to_server" | "to_client";

/** A proxy to a server that can be made to fail. */
export interface FaultyProxy {
  readonly port: number;
  /** Target of new connections. */
  aim(target: NetConnectOpts): void;
  /** Cuts the connection of the next `commit`: before it reaches the server, or after the server has answered it. */
  cutCommit(when: "before" | "after"): void;
  /** Number of connections that ended at their `commit`. */
  readonly commits_cut: number;
  /** Cuts every connection that is open now. */
  cutAll(): void;
  /** While set, data in that direction (or in both) is silently lost. */
  hold(held: ProxyDirection | "both" | null): void;
  /** Delays all further data by this time, in order; 0 ends it. */
  delay(ms: number): void;
  /**
   * Sets the highest bit of one byte in each of the next `pieces`, at a position that `random` (0 to below 1) draws. In
   * these protocols the result is never another valid text: a changed amount would be, and only TLS protects from that.
   */
  garble(pieces: number, random: () => number): void;
  close(): Promise<void>;
}

/** Type `Q`, length, text and a zero: how PostgreSQL's client library sends `commit`. */
const COMMIT = Buffer.concat([Buffer.from("Q\0\0\0\x0b", "latin1"), Buffer.from("commit\0")]);

interface ProxyConnection {
  readonly client: Socket;
  readonly server: Socket;
  /** Resolves when all earlier data has been passed on. */
  readonly sent: Record<ProxyDirection, Promise<void>>;
  /** The server's next response ends the connection. */
  is_last_word: boolean;
}

interface State {
  target: NetConnectOpts;
  next_commit: "before" | "after" | null;
  held: ProxyDirection | "both" | null;
  delay_ms: number;
  garbled: { pieces: number; readonly random: () => number };
  commits_cut: number;
}

export const openFaultyProxy = async (target: NetConnectOpts): Promise<FaultyProxy> => {
  const pairs = new Set<ProxyConnection>();
  const state: State = {
    target,
    next_commit: null,
    held: null,
    delay_ms: 0,
    garbled: { pieces: 0, random: () => 0 },
    commits_cut: 0,
  };
  const listener = createServer((client) => {
    const server = connect(state.target);
    const sent = { to_server: Promise.resolve(), to_client: Promise.resolve() };
    const pair: ProxyConnection = { client, server, sent, is_last_word: false };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      cut(pair);
    };
    client.on("data", (bytes) => pass(state, pair, { direction: "to_server", bytes }));
    server.on("data", (bytes) => pass(state, pair, { direction: "to_client", bytes }));
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  const cutAll = () => {
    for (const pair of pairs) cut(pair);
  };
  return {
    port: address.port,
    aim: (next) => void Object.assign(state, { target: next }),
    cutCommit: (when) => void Object.assign(state, { next_commit: when }),
    get commits_cut() {
      return state.commits_cut;
    },
    cutAll,
    hold: (held) => void Object.assign(state, { held }),
    delay: (delay_ms) => void Object.assign(state, { delay_ms }),
    garble: (pieces, random) => void Object.assign(state, { garbled: { pieces, random } }),
    close() {
      cutAll();
      return new Promise((resolve) => listener.close(() => resolve()));
    },
  };
};

const cut = ({ client, server }: ProxyConnection): void => {
  client.destroy();
  server.destroy();
};

/** Whether the connection ends here, before `bytes` are passed on. */
const ends = (
  state: State,
  pair: ProxyConnection,
  { direction, bytes }: { direction: ProxyDirection; bytes: Buffer },
): boolean => {
  if (direction === "to_client") return pair.is_last_word;
  if (state.next_commit === null || !bytes.includes(COMMIT)) return false;
  const when = state.next_commit;
  state.next_commit = null;
  state.commits_cut += 1;
  pair.is_last_word = when === "after";
  return when === "before";
};

const pass = (
  state: State,
  pair: ProxyConnection,
  { direction, bytes }: { direction: ProxyDirection; bytes: Buffer },
): void => {
  if (state.held === direction || state.held === "both") return;
  if (ends(state, pair, { direction, bytes })) {
    cut(pair);
    return;
  }
  const { garbled, delay_ms } = state;
  if (garbled.pieces > 0) {
    garbled.pieces -= 1;
    const place = Math.floor(garbled.random() * bytes.length);
    bytes.writeUInt8((bytes[place] ?? 0) | 0x80, place);
  }
  const target = direction === "to_server" ? pair.server : pair.client;
  // After all earlier data, also when that was delayed and this is not.
  pair.sent[direction] = pair.sent[direction]
    .then(() => (delay_ms === 0 ? undefined : sleep(delay_ms)))
    .then(() => void (target.destroyed || target.write(bytes)));
};
