/** Paid answers that the account keeps, for the portal (docs/operating/portal.md). */
import * as z from "zod";
import type { KeptAnswer } from "../../../accounts/answers/open.ts";
import { isRecord } from "../../../lib/record.ts";
import { iso } from "../../../lib/time.ts";
import { requestFingerprint } from "../../http/idempotency_key.ts";
import { definer } from "../../operations/operation.ts";
import type { AccountContext } from "./operations.ts";

const define = definer<AccountContext>();

/** Questions of one request: those of a page. */
const QUESTIONS_MAX = 30;

/** Bytes of all answers of one response. Of more, the rest is null: the portal then offers the call. */
const BODIES_BYTES_MAX = 8 * 1_048_576;

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

const shown = ({ request_id, credits, kept_at, body }: KeptAnswer): z.input<typeof answer> => ({
  ...{ request_id, credits },
  ...{ kept_at: iso(Math.floor(kept_at / 1_000)), body: bodyOf(body) },
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
        description:
          "In the order of the questions; null where none is kept, where it has expired, and beyond 8 MB in all.",
      }),
    }),
    async run({ store, caller: { account_id } }, { questions }) {
      const answers: z.input<typeof answer | z.ZodNull>[] = [];
      let bytes = 0;
      // One after another: a request must not have all of them in memory before it is known that they are too many.
      for (const { tool, arguments: args } of questions) {
        const question = requestFingerprint(tool, args);
        const kept = bytes > BODIES_BYTES_MAX ? null : await store.answers.find({ account_id, question });
        bytes += kept === null ? 0 : Buffer.byteLength(kept.body);
        answers.push(kept === null || bytes > BODIES_BYTES_MAX ? null : shown(kept));
      }
      return { answers };
    },
  }),
};
