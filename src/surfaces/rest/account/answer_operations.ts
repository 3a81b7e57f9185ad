/** Paid answers that the account keeps, for the portal (docs/operating/portal.md). */
import * as z from "zod";
import { isRecord } from "../../../lib/record.ts";
import { iso } from "../../../lib/time.ts";
import { requestFingerprint } from "../../http/idempotency_key.ts";
import { definer } from "../../operations/operation.ts";
import type { AccountContext } from "./operations.ts";

const define = definer<AccountContext>();

/** Questions of one request: those of a page. */
const QUESTIONS_MAX = 30;

const members = z.record(z.string(), z.unknown());

const question = z.strictObject({
  tool: z.string().min(1).max(64),
  arguments: members.meta({ description: "Exactly as in the call; the order of the members does not matter." }),
});

const answer = z.strictObject({
  request_id: z.string(),
  credits: z.int().meta({ description: "Price of the call." }),
  kept_at: z.string(),
  body: members.meta({ description: "The answer as it was sent." }),
});

const bodyOf = (json: string): Record<string, unknown> => {
  const body: unknown = JSON.parse(json);
  return isRecord(body) ? { ...body } : {};
};

export const answerOperations = {
  find_answers: define({
    method: "POST",
    path: "/api/account/answers/find",
    summary: "Find the paid answers that the account keeps, free of charge; calls with `X-Keep-Answer: 1` are kept.",
    input: z.strictObject({ questions: z.array(question).min(1).max(QUESTIONS_MAX) }),
    output: z.strictObject({
      answers: z.array(answer.nullable()).meta({
        description: "In the order of the questions; null where none is kept, or where it has expired.",
      }),
    }),
    async run({ store, caller: { account_id } }, { questions }) {
      const found = await Promise.all(
        questions.map(({ tool, arguments: args }) =>
          store.answers.find({ account_id, question: requestFingerprint(tool, args) }),
        ),
      );
      return {
        answers: found.map((kept) =>
          kept === null
            ? null
            : {
                ...{ request_id: kept.request_id, credits: kept.credits },
                ...{ kept_at: iso(Math.floor(kept.kept_at / 1_000)), body: bodyOf(kept.body) },
              },
        ),
      };
    },
  }),
};
