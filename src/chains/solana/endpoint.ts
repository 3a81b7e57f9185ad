import { JsonRpcEndpoint, type RpcAnswer, type RpcCall } from "../node/json_rpc.ts";
import { type NodeRefusal, type RpcError, refusalOf } from "../node/refusal.ts";
import { parseBlockAnswer } from "./long_answer.ts";

/** Solana's own errors (agave rpc-client-api, custom_error.rs); each concerns one answer, not the request rate. */
const OWN_CODES = { from: -32_020, to: -32_001 };
const SKIPPED = -32_007;
const SKIPPED_IN_STORAGE = -32_009;

/** One Solana node: integers keep all their digits, and errors have the meaning that Solana gives them. */
export class SolanaEndpoint extends JsonRpcEndpoint {
  protected override read(text: Buffer): unknown {
    return parseBlockAnswer(text);
  }

  protected override refusal(error: RpcError): NodeRefusal | null {
    return error.code >= OWN_CODES.from && error.code <= OWN_CODES.to ? null : refusalOf(error);
  }

  /** Answer to one call. */
  async one(call: RpcCall, signal: AbortSignal): Promise<RpcAnswer> {
    const { answers } = await this.ask([call], signal);
    const [answer] = answers;
    if (answer === undefined) throw new Error("a call has no answer");
    return answer;
  }

  /** @throws RpcError */
  async result(call: RpcCall, signal: AbortSignal): Promise<unknown> {
    return resultOf(await this.one(call, signal));
  }
}

/** @throws RpcError */
export const resultOf = (answer: RpcAnswer): unknown => {
  if (!answer.ok) throw answer.error;
  return answer.result;
};

/** The node states that the slot has no block, which is an answer. */
export const isSkipped = (error: RpcError): boolean => error.code === SKIPPED || error.code === SKIPPED_IN_STORAGE;
