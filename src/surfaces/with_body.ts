import type { IncomingMessage } from "node:http";
import type { Admission, Shed } from "./admission.ts";
import type { Answer } from "./answer.ts";
import * as answers from "./answer.ts";
import { readBytes } from "./body.ts";
import type { Transport } from "./transport.ts";

interface Sent {
  readonly raw: IncomingMessage;
  readonly account_id: string;
  readonly parts: {
    readonly admission: Admission;
    readonly transport: Transport;
    readonly body_bytes_max: number;
    readonly shed: (why: Shed) => void;
  };
}

/**
 * Reads the body, and only then goes on: who does not send one takes no slot. What it takes of memory is the account's
 * until that has ended. Null when the client is gone.
 */
export const withBody = async (
  { raw, account_id, parts }: Sent,
  next: (body: Buffer) => Promise<Answer>,
): Promise<Answer | null> => {
  const { held } = parts.admission;
  let bytes = 0;
  const room = (more: number): boolean => {
    if (held.isFull(account_id)) return false;
    held.take(account_id, more);
    bytes += more;
    return true;
  };
  try {
    const hasSent = parts.transport.connections.asks(raw.socket);
    const read = await readBytes(raw, { bytes_max: parts.body_bytes_max, room });
    hasSent();
    if (read.kind === "gone") return null;
    if (read.kind === "too_large") return answers.tooLarge;
    if (read.kind === "body") return await next(read.body);
    parts.shed("memory");
    return answers.crowded;
  } finally {
    held.give(account_id, bytes);
  }
};
