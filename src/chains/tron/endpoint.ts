/** One java-tron node behind one URL: its HTTP API with `/wallet`, `/walletsolidity` and perhaps `/jsonrpc`. */
import { BadAnswer, fieldsOf, type JsonFields } from "../node/answer.ts";
import { Connection } from "../node/connection.ts";
import { parseLossless } from "../node/lossless_json.ts";
import { NodeRefusal } from "../node/refusal.ts";
import { parseBlocks, parseInfos } from "./scan/answers.ts";

interface TronRequest {
  readonly path: string;
  readonly question: object;
  /** @throws BadAnswer */
  readonly read: (text: Buffer) => unknown;
}

export interface TronAnswer {
  readonly json: unknown;
  /** Size of the text, in bytes. */
  readonly bytes: number;
}

export const LISTS_OF_ACCOUNTS = "/v1/accounts";
const ERROR_CHARACTERS_MAX = 200;
const RATE = /rate|exceed|frequency|too many/i;

export class TronEndpoint extends Connection {
  /**
   * Calls one method, such as `/wallet/getblock`.
   * @throws Refusal, Slow, BadAnswer (also for the node's own errors), or the connection's error
   */
  ask(path: string, question: object, signal: AbortSignal): Promise<TronAnswer> {
    return this.#asked({ path, question, read: (text) => parseLossless(text.toString("utf8")) }, signal);
  }

  /**
   * Blocks from `startNum` to `endNum`, the end excluded; their transactions as `parseBlocks` returns them. @throws as
   * `ask`
   */
  askBlocks(question: { startNum: number; endNum: number }, signal: AbortSignal): Promise<TronAnswer> {
    return this.#asked({ path: "/wallet/getblockbylimitnext", question, read: parseBlocks }, signal);
  }

  /** Infos of the transactions of a block, as `parseInfos` returns them. @throws as `ask` */
  askInfos(num: number, signal: AbortSignal): Promise<TronAnswer> {
    return this.#asked({ path: "/wallet/gettransactioninfobyblocknum", question: { num }, read: parseInfos }, signal);
  }

  /**
   * An answer of the service that lists the transactions of accounts (TronGrid's API v1). `path` may have a query, which no
   * trace shows.
   * @throws as `ask`
   */
  list(path: string, signal: AbortSignal): Promise<JsonFields> {
    return this.paced(1, signal, async () => {
      const text = await this.step(LISTS_OF_ACCOUNTS, () => this.get(path, signal));
      const fields = fieldsOf(parseLossless(text.toString("utf8")), "list");
      if (fields.success === true) return fields;
      throw new BadAnswer(`${LISTS_OF_ACCOUNTS}: ${String(fields.error ?? "no list").slice(0, ERROR_CHARACTERS_MAX)}`);
    });
  }

  #asked({ path, question, read }: TronRequest, signal: AbortSignal): Promise<TronAnswer> {
    return this.paced(1, signal, async () => {
      const text = await this.step(path, () => this.post(path, JSON.stringify(question), signal));
      const json = read(text);
      const refusal = refusalIn(json, path);
      if (refusal !== null) throw refusal;
      return { json, bytes: text.length };
    });
  }
}

/** The node reports its own faults with status 200 and one member, `Error`. */
const refusalIn = (json: unknown, path: string): Error | null => {
  if (typeof json !== "object" || json === null || !("Error" in json)) return null;
  const words = String(json.Error).slice(0, ERROR_CHARACTERS_MAX);
  return RATE.test(words) ? new NodeRefusal("rate", words) : new BadAnswer(`${path}: ${words}`);
};
