import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

export type BodyRead =
  | { readonly kind: "body"; readonly body: Buffer }
  | { readonly kind: "too_large" }
  /** The account uses too much memory already. */
  | { readonly kind: "crowded" }
  /** The client is gone or its request was broken: there is no connection to answer on. */
  | { readonly kind: "gone" };

/** Limits of a body. */
export interface BodyLimits {
  readonly bytes_max: number;
  /** Called with the bytes as they arrive; false when there is no room for them. */
  readonly room: (bytes: number) => boolean;
}

/** Reads a body of at most `bytes_max`; of a larger one nothing more than that. */
export const readBytes = (request: IncomingMessage, { bytes_max, room }: BodyLimits): Promise<BodyRead> => {
  // A connection that was lost before the listeners were added emits no event.
  if (request.destroyed) return Promise.resolve({ kind: "gone" });
  if (Number(request.headers["content-length"] ?? 0) > bytes_max) return Promise.resolve({ kind: "too_large" });
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    const finish = (read: BodyRead) => {
      request.off("data", onData).off("end", onEnd).off("close", onGone);
      resolve(read);
    };
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > bytes_max) finish({ kind: "too_large" });
      else if (!room(chunk.length)) finish({ kind: "crowded" });
    };
    const onEnd = () => finish({ kind: "body", body: Buffer.concat(chunks) });
    const onGone = () => finish({ kind: "gone" });
    // The error listener stays: a reset after the cap was passed must not be an uncaught error.
    request.on("data", onData).on("end", onEnd).on("close", onGone).on("error", onGone);
  });
};

/** How long and how much of a refused body is still taken, so that the client gets to read the refusal. */
const LINGER_MS = 1_000;
const LINGER_BYTES_MAX = 1 << 20;

/**
 * Sends a complete answer, then takes a little more of the unread body before the connection closes: closing at once
 * would make the kernel reset the connection and throw the answer away.
 */
export const sendAndLinger = async (
  request: IncomingMessage,
  response: ServerResponse,
  message: { status: number; headers: Readonly<Record<string, string>>; body: Buffer },
): Promise<void> => {
  response.writeHead(message.status, { ...message.headers, "content-length": message.body.length });
  response.write(message.body);
  let bytes = 0;
  const drained = new Promise<void>((resolve) => {
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > LINGER_BYTES_MAX) resolve();
    };
    request.on("data", onData).once("end", resolve).once("close", resolve).once("error", resolve);
    request.resume();
  });
  await Promise.race([drained, sleep(LINGER_MS)]);
  request.pause();
  response.end();
};
