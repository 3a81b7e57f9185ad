/** Many calls at once, spread over services. */
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { PATIENCE_MS, sendRequest } from "./clients.ts";
import type { ClientAttempt } from "./histories.ts";

export interface FaultRequest {
  readonly secret: string;
  readonly tool: string;
  readonly idempotency_key: string | null;
}

/** A thousand calls of one account wait for each other: the test does not measure how long on a busy machine. */
const CROWD_PATIENCE_MS = 600_000;

/** A connection to one service. */
export interface ServiceCaller {
  call(asked: FaultRequest): Promise<ClientAttempt["end"]>;
  /** Calls until the key is rejected. @returns the time of the rejection on this process's clock */
  untilRefused(secret: string): Promise<number>;
}

export interface Callers {
  /** Makes `count` calls at once, in turn to each service, and counts their endings. */
  all(count: number, asked: FaultRequest): Promise<Readonly<Record<ClientAttempt["end"], number>>>;
  each<T>(work: (caller: ServiceCaller) => T): T[];
  close(): Promise<void>;
}

/** @param connections to each service */
export const openCallers = (ports: readonly number[], connections: number): Callers => {
  const limits = { connections, headersTimeout: CROWD_PATIENCE_MS, bodyTimeout: PATIENCE_MS };
  const pools = ports.map((port) => new Pool(`http://127.0.0.1:${port}`, limits));
  const callers = pools.map(callerOf);
  return {
    async all(count, asked) {
      const ends = { charged: 0, returned: 0, refused: 0, unknown: 0 };
      const each = Array.from({ length: count }, (_, n) => callers[n % callers.length]?.call(asked));
      for (const end of await Promise.all(each)) if (end !== undefined) ends[end] += 1;
      return ends;
    },
    each: (work) => callers.map(work),
    close: async () => void (await Promise.all(pools.map((pool) => pool.destroy()))),
  };
};

let calls = 0;

const callerOf = (pool: Pool): ServiceCaller => {
  const call = async ({ secret, tool, idempotency_key }: FaultRequest): Promise<ClientAttempt["end"]> => {
    calls += 1;
    const wish = { account_id: "", tool, nonce: `call-${calls}`, idempotency_key, attempts: [] };
    const { attempt, odd } = await sendRequest(pool, wish, secret);
    if (odd !== null) throw new Error(`no working service answers ${odd}`);
    return attempt.end;
  };
  return {
    call,
    async untilRefused(secret) {
      while ((await call({ secret, tool: "answer", idempotency_key: null })) === "charged") await sleep(5);
      return performance.now();
    },
  };
};
