/** Sends what is due: signed, through the guarded way out, again until it is taken or too old. */
import type { Delivery, Ending, WatchDeliveries } from "../accounts/watch/deliveries.ts";
import { messageOf } from "../lib/errors.ts";
import type { Log } from "../lib/log.ts";
import type { Web } from "../web/web.ts";
import { signatureHeaders } from "./sign.ts";

const IN_FLIGHT_MAX = 32;
/** Of one account: a receiver that hangs keeps nobody else waiting. */
const ACCOUNT_IN_FLIGHT_MAX = 4;
const MINUTE_MS = 60_000;
/** Status by which a receiver ends its rule. */
const GONE = 410;

export interface SenderParts {
  readonly deliveries: WatchDeliveries;
  /** The guarded way out; null where nothing may be sent. */
  readonly web: Web | null;
  readonly now_ms: () => number;
  /** In [0, 1). */
  readonly random: () => number;
  readonly per_minute: number;
  /** Pause before the second attempt, and the longest one. */
  readonly retry_first_ms: number;
  readonly retry_most_ms: number;
  /** From the first attempt on. */
  readonly horizon_ms: number;
  readonly log: Log;
  /** Each attempt by its ending. */
  readonly count: (ending: Ending["kind"]) => void;
  /** Called between steps: tests end the process there. */
  readonly step?: (name: "sent" | "noted") => void;
}

export class Sender {
  readonly #parts: SenderParts;
  /** By rule: one at a time, in order. */
  readonly #flying = new Map<string, { readonly account_id: string; readonly ends: Promise<void> }>();
  readonly #recent = new Map<string, number[]>();

  constructor(parts: SenderParts) {
    this.#parts = parts;
  }

  /** Begins what is due and may be begun. @returns how many. */
  async round(signal: AbortSignal): Promise<number> {
    const { deliveries, web } = this.#parts;
    if (web === null) return 0;
    const room = IN_FLIGHT_MAX - this.#flying.size;
    if (room <= 0) return 0;
    let begun = 0;
    for (const delivery of await deliveries.due(room, this.#busy())) {
      const { rules, accounts } = this.#busy();
      if (signal.aborted || rules.includes(delivery.rule_id) || accounts.includes(delivery.account_id)) continue;
      const wait_until = this.#takePlace(delivery.account_id);
      if (wait_until !== null) {
        await deliveries.defer(delivery.event_id, wait_until);
        continue;
      }
      this.#begin(delivery, web, signal);
      begun += 1;
    }
    return begun;
  }

  /** Until everything that was begun has ended. */
  async settled(): Promise<void> {
    await Promise.all([...this.#flying.values()].map(({ ends }) => ends));
  }

  #begin(delivery: Delivery, web: Web, signal: AbortSignal): void {
    const { account_id, rule_id } = delivery;
    const ends = this.#deliver(delivery, web, signal)
      .catch((error: unknown) => {
        // It was not noted how it ended: it is sent once more under the same id, which receivers know.
        if (!signal.aborted)
          this.#parts.log.warn({ rule: rule_id, error: messageOf(error) }, "a webhook was not noted");
      })
      .finally(() => void this.#flying.delete(rule_id));
    this.#flying.set(rule_id, { account_id, ends });
  }

  async #deliver(delivery: Delivery, web: Web, signal: AbortSignal): Promise<void> {
    const { now_ms, deliveries, count, step } = this.#parts;
    const { event_id: id, body, secrets, url } = delivery;
    const headers = signatureHeaders({ id, body, secrets, time: Math.floor(now_ms() / 1000) });
    const answer = await web.fetch({ url, method: "POST", body, headers, signal });
    step?.("sent");
    const ending = this.#endingOf(delivery, answer);
    await deliveries.note(delivery, ending);
    step?.("noted");
    count(ending.kind);
  }

  #endingOf(delivery: Delivery, answer: Awaited<ReturnType<Web["fetch"]>>): Ending {
    if (answer.kind !== "answer") return this.#again(delivery, { status: null, fault: answer.reason });
    const { status } = answer;
    if (status >= 200 && status < 300) return { kind: "delivered", status };
    if (status === GONE) return { kind: "gone", status, fault: "The receiver answered 410 Gone" };
    return this.#again(delivery, { status, fault: `The receiver answered ${status}.` });
  }

  /** Exponential, with jitter: many that failed together do not come back together. */
  #again({ attempts, first_at }: Delivery, said: { readonly status: number | null; readonly fault: string }): Ending {
    const { now_ms, random, retry_first_ms, retry_most_ms, horizon_ms } = this.#parts;
    const pause_ms = Math.min(retry_first_ms * 2 ** attempts, retry_most_ms) * (0.5 + random());
    const next_at = Math.round(now_ms() + pause_ms);
    return next_at > first_at + horizon_ms ? { kind: "dead", ...said } : { kind: "again", ...said, next_at };
  }

  #busy() {
    const flying = [...this.#flying.values()].map(({ account_id }) => account_id);
    const crowded = (one: string) => flying.filter((other) => other === one).length >= ACCOUNT_IN_FLIGHT_MAX;
    return { rules: [...this.#flying.keys()], accounts: [...new Set(flying)].filter(crowded) };
  }

  /** Null when the account may send now, else when it may. */
  #takePlace(account_id: string): number | null {
    const { now_ms, per_minute } = this.#parts;
    const now = now_ms();
    const recent = (this.#recent.get(account_id) ?? []).filter((at) => at > now - MINUTE_MS);
    this.#recent.set(account_id, recent);
    if (recent.length >= per_minute) return (recent[0] ?? now) + MINUTE_MS;
    recent.push(now);
    return null;
  }
}
