import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { cleanText } from "../lib/text.ts";
import { isSameAddress } from "./address.ts";
import type { TlsFacts } from "./web.ts";

/** Target of a connection: a checked address, never a name. */
export interface Endpoint {
  readonly address: string;
  readonly port: number;
}

/** Opens a TCP connection. */
export type Connect = (to: Endpoint, signal: AbortSignal) => Promise<Socket>;

/** The request got no usable answer. Assay writes `message`; it quotes nothing from the host. */
export class Unreachable extends Error {}

/** The connection reached another address than the checked one. */
export class RedirectedConnection extends Error {}

/** Waits for an event of a socket; the abort of `signal` or an error of the socket ends it. */
const opened = (socket: Socket, event: "connect" | "secureConnect", signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (end: () => void) => () => {
      signal.removeEventListener("abort", aborted);
      socket.off("error", broken).off("close", broken).off(event, ready);
      end();
    };
    const ready = settle(resolve);
    const fail = () => {
      // An error after the wait ended must not end the process.
      socket.on("error", () => undefined);
      socket.destroy();
    };
    const broken = settle(() => {
      fail();
      reject(new Unreachable("the connection could not be made"));
    });
    const aborted = settle(() => {
      fail();
      reject(signal.reason);
    });
    socket.once(event, ready).once("error", broken).once("close", broken);
    signal.addEventListener("abort", aborted, { once: true });
    if (signal.aborted) aborted();
  });

export const tcpConnect: Connect = async ({ address, port }, signal) => {
  const socket = connectTcp({ host: address, port, autoSelectFamily: false });
  await opened(socket, "connect", signal);
  return socket;
};

/** Time of a certificate as Node writes it, in ISO 8601. */
const isoOf = (text: string | undefined): string | null => {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? null : `${new Date(time).toISOString().slice(0, 19)}Z`;
};

const ISSUER_BYTES_MAX = 128;

const certificateFacts = (socket: TLSSocket): TlsFacts => {
  const { issuer, valid_from, valid_to, subjectaltname } = socket.getPeerCertificate();
  const named = issuer?.O ?? issuer?.CN;
  const text = cleanText([named ?? ""].flat().join(", "), ISSUER_BYTES_MAX);
  return {
    is_valid: socket.authorized,
    issuer: text === "" ? null : text,
    valid_from: isoOf(valid_from),
    valid_to: isoOf(valid_to),
    san_count: subjectaltname === undefined ? null : subjectaltname.split(", ").length,
  };
};

export interface WebConnection {
  readonly socket: Socket;
  readonly tls: TlsFacts | null;
}

export interface LineOptions {
  readonly to: Endpoint;
  /** The name in the URL: sent as the TLS server name and compared with the certificate. */
  readonly host: string;
  readonly is_tls: boolean;
  readonly connect: Connect;
  /** PEM of additional trusted certificate authorities. */
  readonly authorities: readonly string[];
  readonly signal: AbortSignal;
}

/** A connection to one checked address, with its peer verified and, over https, its certificate read. */
export const openLine = async (options: LineOptions): Promise<WebConnection> => {
  const { to, host, is_tls, connect, authorities, signal } = options;
  const plain = await connect(to, signal);
  if (!isSameAddress(plain.remoteAddress ?? "", to.address)) {
    plain.destroy();
    throw new RedirectedConnection();
  }
  if (!is_tls) return { socket: plain, tls: null };
  const socket = connectTls({
    socket: plain,
    host,
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ...(authorities.length === 0 ? {} : { ca: [...authorities] }),
    ALPNProtocols: ["http/1.1"],
    // certificateFacts reports an invalid certificate: some callers continue, others stop.
    rejectUnauthorized: false,
  });
  await opened(socket, "secureConnect", signal);
  return { socket, tls: certificateFacts(socket) };
};
