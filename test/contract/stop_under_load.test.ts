import { expect, test } from "vitest";
import { benchHere, type ServiceReply } from "./bench.ts";

const COST: Readonly<Record<string, number>> = { show: 3, wait: 25, fail_softly: 8 };
const CLIENTS = 24;

interface LoadAttempt {
  readonly tool: string;
  /** Null: the connection was refused or closed before an answer. */
  readonly reply: ServiceReply | null;
}

test("a stop under load answers admitted calls, refuses the rest with a reason, and charges exactly the answered calls", async () => {
  const service = await benchHere({ plan: "business", accounts: { plans: { business: WIDE } } });
  const tried: LoadAttempt[] = [];
  let is_over = false;
  const client = async (number: number): Promise<void> => {
    const names = Object.keys(COST);
    for (let call = number; !is_over; call += 1) {
      const tool = names[call % names.length] ?? "show";
      const reply = await service.post(tool).catch(() => null);
      tried.push({ tool, reply });
      if (reply === null) return;
    }
  };
  const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
  const done = (count: number) => tried.filter(({ reply }) => reply?.status === 200).length >= count;
  while (!done(CLIENTS * 4)) await new Promise((resolve) => setTimeout(resolve, 5));
  await service.rest.close();
  is_over = true;
  await Promise.all(clients);

  // Every answer is a result, a refunded error or a refusal because of the stop.
  const statuses = new Set(tried.map(({ reply }) => reply?.status ?? null));
  expect([...statuses].filter((status) => ![200, 503, null].includes(status))).toEqual([]);
  const answered = tried.filter(({ reply }) => reply?.status === 200 && reply.body.status !== "error");
  const owed = answered.reduce((sum, { tool }) => sum + (COST[tool] ?? 0), 0);
  const { credits_used } = await service.store.accounts.show(service.customer.account.id);
  // A call whose connection closed without an answer may be charged only if its run had ended.
  const lost = tried.filter(({ reply }) => reply === null).reduce((sum, { tool }) => sum + (COST[tool] ?? 0), 0);
  expect(credits_used).toBeGreaterThanOrEqual(owed);
  expect(credits_used).toBeLessThanOrEqual(owed + lost);
  expect(await service.store.ledger.verify()).toEqual([]);
  // No call is left running: the sweeper refunds nothing.
  service.store.clock.at += 3_600_000;
  expect(await service.store.sweep()).toBe(0);
});

/** Wide enough that no limit is met. */
const WIDE = { monthly_credits: 100_000_000, keys_max: 10, calls_per_minute: 1_000_000 };
