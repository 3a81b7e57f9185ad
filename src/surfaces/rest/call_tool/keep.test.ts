import { afterAll, expect, test } from "vitest";
import { bench, benchHere, creditsOf, GOOD } from "../../../../test/contract/bench.ts";
import { requestFingerprint } from "../../http/idempotency_key.ts";

const service = await bench();
const KEEP = { headers: { "x-keep-answer": "1" } };
const FIND = "/api/account/answers/find";

interface FoundAnswers {
  readonly answers: readonly (Record<string, unknown> | null)[];
}

type Service = Pick<Awaited<ReturnType<typeof bench>>, "url">;

const find = async ({ url }: Service, secret: string, questions: readonly unknown[]) => {
  const response = await fetch(`${url}${FIND}`, {
    method: "POST",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
    body: JSON.stringify({ questions }),
  });
  return { status: response.status, body: (await response.json()) as FoundAnswers };
};

/** The answers are kept beside the calls, so they are there a moment later. */
const found = async (secret: string, questions: readonly unknown[], is_there: boolean) => {
  for (let attempts = 0; ; attempts += 1) {
    const { status, body } = await find(service, secret, questions);
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
    if (body.answers.every((one) => (one !== null) === is_there) || attempts === 50) return body.answers;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

const { store, customer } = service;
const own = async (account_id = customer.account.id): Promise<string> =>
  (await store.keys.create({ account_id, scopes: ["api:call"] })).secret;

test("a paid answer is kept on request, and found by its arguments in any order, without a charge", async () => {
  const secret = await own();
  const called = await service.post("show", { ...GOOD, page: 2 }, KEEP);
  const { address, ...rest } = GOOD;
  const [answer] = await found(secret, [{ tool: "show", arguments: { page: 2, ...rest, address } }], true);
  expect(answer).toMatchObject({ body: called.body, credits: 3 });
  const { remaining } = creditsOf(called);
  expect(creditsOf(await service.post("show", { ...GOOD, page: 3 })).remaining).toBe((remaining ?? 0) - 3);
});

test("nothing else is kept: a call without the header, other arguments, and an answer that costs nothing", async () => {
  const secret = await own();
  await service.post("show", { ...GOOD, page: 4 });
  await service.post("fail_softly", { ...GOOD, page: 5 }, KEEP);
  await service.post("show", { ...GOOD, page: 0 }, KEEP);
  await service.post("show", { ...GOOD, page: 6 }, KEEP);
  await found(secret, [{ tool: "show", arguments: { ...GOOD, page: 6 } }], true);
  const questions = [
    { tool: "show", arguments: { ...GOOD, page: 4 } },
    { tool: "fail_softly", arguments: { ...GOOD, page: 5 } },
    { tool: "show", arguments: { ...GOOD, page: 0 } },
    { tool: "find_nothing", arguments: { ...GOOD, page: 6 } },
  ];
  expect((await find(service, secret, questions)).body.answers).toEqual([null, null, null, null]);
});

test("another account finds nothing, and a key without the right to call is refused", async () => {
  const question = { tool: "show", arguments: { ...GOOD, page: 7 } };
  await service.post("show", question.arguments, KEEP);
  await found(await own(), [question], true);
  const other = await store.accounts.create({ name: "Other", plan: "business" });
  expect((await find(service, await own(other.id), [question])).body.answers).toEqual([null]);
  const { secret } = await store.keys.create({ account_id: customer.account.id, scopes: ["cases:read"] });
  expect((await find(service, secret, [question])).status).toBe(403);
});

test("answers of more than 8 MB in all are left out, however often one is named", async () => {
  const args = { ...GOOD, page: 8 };
  await service.post("show", args, KEEP);
  const one = { tool: "show", arguments: args };
  const [kept] = await found(await own(), [one], true);
  const question = requestFingerprint("show", args);
  const body = JSON.stringify({ text: "x".repeat(1_500_000) });
  await store.answers.keep(
    { account_id: customer.account.id, question },
    { tool: "show", request_id: "r", credits: 3, body },
  );
  const { answers } = (
    await find(
      service,
      await own(),
      Array.from({ length: 30 }, () => one),
    )
  ).body;
  // Five of 1.5 MB fit, a sixth does not.
  expect(answers.map((answer) => answer !== null)).toEqual(Array.from({ length: 30 }, (_, i) => i < 5));
  expect(kept).not.toBeNull();
});

test("switched off by the operator, nothing is stored", async () => {
  const terms = { days: 0, answers_per_account: 10, bytes_per_account: 1e6 };
  const off = await benchHere({ accounts: { answers: terms } });
  afterAll(() => off.close());
  await off.post("show", GOOD, KEEP);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const { secret } = await off.store.keys.create({ account_id: off.customer.account.id, scopes: ["api:call"] });
  expect((await find(off, secret, [{ tool: "show", arguments: GOOD }])).body.answers).toEqual([null]);
  expect((await off.store.accounts.show(off.customer.account.id)).credits_used).toBe(3);
});
