/** `assay case verify`: repeats every call of a case as of the same block, and compares the answers byte by byte. */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import type { CaseFile, CaseResult } from "../case/format.ts";
import {
  type CasePlan,
  type CaseVerdict as Comparison,
  compared,
  unasked as notAsked,
  OUTCOME_WORDS,
  planOf,
} from "../case/verify.ts";
import { pause } from "../lib/pause.ts";
import { isRecord } from "../lib/record.ts";
import { cleanText } from "../lib/text.ts";
import { tools } from "../tools/index.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, printData, UsageFault } from "./command.ts";
import { callerKey, type HttpResponse, sendRequest, serviceUrl } from "./http.ts";

/** A verdict with its cost. */
interface CaseVerdict extends Comparison {
  readonly credits: number;
  /** The exit code when the call is not repeated. */
  readonly exit?: number;
}

interface Plan extends CasePlan {
  readonly verdict: CaseVerdict | null;
}

interface CaseService {
  readonly url: string;
  readonly key: string;
  readonly io: CommandIo;
}

/** Times that a call is tried again while the key's calls of the last minute are too many, and the pause between. */
const RATE = { tries: 14, pause_ms: 5_000 };
const REASON_BYTES_MAX = 300;

export const verifyCase = async (file: CaseFile, args: CommandArgs, io: CommandIo): Promise<number> => {
  const service = { url: serviceUrl(args, io), key: callerKey(args, io), io };
  const plans = await plansOf(file, service);
  if ((await agreed(plans, { is_told: flag(args, "yes") !== null, io })) === false) return EXIT.usage;
  const verdicts: CaseVerdict[] = [];
  for (const [i, plan] of plans.entries()) {
    const verdict = plan.verdict ?? (await verdictOf(plan, service));
    verdicts.push(verdict);
    line(plan.entry, verdict, { number: i + 1, io });
  }
  if (io.json) return exitOf(verdicts);
  const of = (outcome: CaseVerdict["outcome"]): number => verdicts.filter((one) => one.outcome === outcome).length;
  io.out(`${of("same")} same, ${of("differs")} differ, ${of("cannot_be_asked")} cannot be repeated\n`);
  return exitOf(verdicts);
};

const exitOf = (verdicts: readonly CaseVerdict[]): number => {
  if (verdicts.some(({ outcome }) => outcome === "differs")) return EXIT.error;
  const unasked = verdicts.filter(({ outcome }) => outcome === "cannot_be_asked");
  return unasked.length === 0 ? EXIT.ok : Math.max(...unasked.map(({ exit }) => exit ?? EXIT.no_data));
};

const unasked = (reason: string, exit: number = EXIT.no_data): CaseVerdict => ({
  ...notAsked(cleanText(reason, REASON_BYTES_MAX)),
  ...{ credits: 0, exit },
});

const plansOf = async (file: CaseFile, service: CaseService): Promise<readonly Plan[]> => {
  const answer = await sendRequest(`${service.url}/api/tools`, {
    headers: { authorization: `Bearer ${service.key}` },
    signal: service.io.signal,
  });
  if (answer.status !== 200)
    return file.entries.map((entry) => ({
      ...planOf(entry, null),
      verdict: unasked(`the service refused the list of tools: ${detailOf(answer)}`, refusalExit(answer.status)),
    }));
  // The discovery body of our own service.
  const { tools: cards } = answer.body as { readonly tools: readonly Card[] };
  return file.entries.map((entry) => planWith(entry, cards.find(({ name }) => name === entry.tool) ?? null));
};

interface Card {
  readonly name: string;
  readonly credits: number | null;
  readonly input_schema: { readonly properties: Readonly<Record<string, unknown>> };
}

const planWith = (entry: CaseResult, card: Card | null): Plan => {
  const plan = planOf(entry, card === null ? null : listedTool(card));
  const { verdict } = plan;
  return { ...plan, verdict: verdict === null ? null : { ...verdict, credits: 0, exit: EXIT.no_data } };
};

/** The paths that may differ are those of this release: a service may be older than they are. */
const listedTool = ({ name, credits, input_schema }: Card) => ({
  ...{ name, credits, takes_block: Object.hasOwn(input_schema.properties, "as_of_block") },
  live_fields: tools.find((tool) => tool.name === name)?.live_fields ?? [],
});

const agreed = async (plans: readonly Plan[], told: { is_told: boolean; io: CommandIo }): Promise<boolean> => {
  const { io } = told;
  const asked = plans.filter(({ verdict }) => verdict === null);
  const credits = asked.reduce((sum, plan) => sum + plan.credits, 0);
  const sentence = `${asked.length} of ${plans.length} calls will be repeated, for at most ${credits} credits`;
  if (told.is_told || asked.length === 0) {
    io.err(`${sentence}\n`);
    return true;
  }
  if (!process.stdin.isTTY) throw new UsageFault(`${sentence}; add --yes to confirm`);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`${sentence}. Go on? [y/N] `, { signal: io.signal })).trim());
  } finally {
    lines.close();
  }
};

const verdictOf = async (plan: Plan, { url, key, io }: CaseService): Promise<CaseVerdict> => {
  const answer = await patiently(io, () =>
    sendRequest(`${url}/api/tools/${encodeURIComponent(plan.entry.tool)}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "idempotency-key": randomUUID(),
      },
      body: JSON.stringify(plan.arguments),
      signal: io.signal,
    }),
  );
  const credits = Number(answer.headers.get("x-credits-charged") ?? 0);
  if (answer.status !== 200 || !isRecord(answer.body))
    return { ...unasked(`refused: ${detailOf(answer)}`, refusalExit(answer.status)), credits };
  const { body } = answer;
  if (body.status === "error" || Object.hasOwn(body, "error"))
    return { ...unasked(`${String(body.code ?? "error")}: ${String(body.message ?? "")}`), credits };
  const { reason, ...verdict } = compared(plan, body);
  const cleaned = reason === null ? null : cleanText(reason, REASON_BYTES_MAX);
  const exit = verdict.outcome === "cannot_be_asked" ? { exit: EXIT.no_data } : {};
  return { ...verdict, ...exit, reason: cleaned, credits };
};

/** The limit of calls in a minute is waited for; every other answer is the answer. */
const patiently = async (io: CommandIo, call: () => Promise<HttpResponse>): Promise<HttpResponse> => {
  for (let tries = 1; ; tries++) {
    const answer = await call();
    const is_rate = answer.status === 429 && isRecord(answer.body) && typeof answer.body.detail === "string";
    if (!is_rate || tries >= RATE.tries) return answer;
    await pause(RATE.pause_ms, io.signal);
  }
};

const refusalExit = (status: number): number => {
  if (status === 401) return EXIT.auth;
  return status === 429 ? EXIT.refused : EXIT.no_data;
};

const detailOf = ({ status, body }: HttpResponse): string => {
  const detail = isRecord(body) ? body.detail : null;
  const sentence = isRecord(detail) ? detail.message : detail;
  return `${status} ${typeof sentence === "string" ? sentence : ""}`.trim();
};

/** @param number of the result, from 1. */
const line = (entry: CaseResult, verdict: CaseVerdict, { number, io }: { number: number; io: CommandIo }): void => {
  if (io.json) {
    const { exit: _, ...shown } = verdict;
    printData(io, { entry: entry.id, tool: entry.tool, ...shown });
    return;
  }
  const what = verdict.differing.length === 0 ? "" : `: ${verdict.differing.join(" ")}`;
  const why = verdict.reason === null ? "" : ` (${verdict.reason})`;
  const besides = verdict.besides.length === 0 ? "" : `; beside it, as it may: ${verdict.besides.join(" ")}`;
  io.out(`${number}. ${entry.tool}  ${OUTCOME_WORDS[verdict.outcome]}${cleanText(`${what}${why}${besides}`, 4_000)}\n`);
};
