/** Measures when a service writes its answers to their connections, below all code of the product. */
import { Server, ServerResponse } from "node:http";

/** Counts so far. */
export interface TransactionAnswers {
  answered: number;
  /** Of those, answers that named a charge, */
  charged: number;
  /** that were written after their deadline, */
  charged_late: number;
  /** or not accepted by the system at once. */
  charged_unwritten: number;
  /** From the last header of a request to its answer. */
  longest_ms: number;
}

/**
 * Watches every HTTP server of this process from now on. The clock of each request starts when Node has read its
 * headers.
 */
export const watchAnswers = (deadline_ms: number): TransactionAnswers => {
  const seen: TransactionAnswers = { answered: 0, charged: 0, charged_late: 0, charged_unwritten: 0, longest_ms: 0 };
  const arrived = new WeakMap<object, number>();
  const charges = new WeakMap<object, boolean>();
  const before = {
    emit: Server.prototype.emit,
    writeHead: ServerResponse.prototype.writeHead,
    end: ServerResponse.prototype.end,
  };
  // Typed by the overloads of Node; every form passes its arguments on unchanged.
  Server.prototype.emit = function (this: Server, ...event: unknown[]) {
    if (event[0] === "request") arrived.set(Object(event[2]), performance.now());
    return Reflect.apply(before.emit, this, event);
  } as typeof before.emit;
  ServerResponse.prototype.writeHead = function (this: ServerResponse, ...head: unknown[]) {
    charges.set(this, Number(Reflect.get(Object(head.at(-1)), "x-credits-charged")) > 0);
    return Reflect.apply(before.writeHead, this, head);
  } as typeof before.writeHead;
  ServerResponse.prototype.end = function (this: ServerResponse, ...last: unknown[]) {
    const response = Reflect.apply(before.end, this, last);
    const took_ms = performance.now() - (arrived.get(this) ?? Number.NaN);
    seen.answered += 1;
    seen.longest_ms = Math.max(seen.longest_ms, took_ms);
    if (charges.get(this) !== true) return response;
    seen.charged += 1;
    if (!(took_ms <= deadline_ms)) seen.charged_late += 1;
    if (this.socket !== null && !this.socket.destroyed && !this.writableFinished) seen.charged_unwritten += 1;
    return response;
  } as typeof before.end;
  return seen;
};
