/** `assay case verify`: repeats every call of a case as of the same block, and compares the answers byte by byte. */
import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline/promises";
import { answerHash } from "../case/canonical.ts";
import { type AnswerComparison, BLOCK_MEMBERS, compareAnswers, MAY_DIFFER } from "../case/compare.ts";
import type { CaseFile, CaseResult, JsonMembers } from "../case/format.ts";
import { blocksOf, replayArguments } from "../case/pin.ts";
import { pause } from "../lib/pause.ts";
import { isRecord } from "../lib/record.ts";
import { cleanText } from "../lib/text.ts";
import { tools } from "../tools/index.ts";
import { type CommandArgs, type CommandIo, EXIT, flag, printData, UsageFault } from "./command.ts";
import { callerKey, type HttpResponse, sendRequest, serviceUrl } from "./http.ts";

interface CaseVerdict {
  readonly outcome: "same" | "differs" | "cannot_be_asked";
  readonly reason: string | null;
  readonly differing: readonly string[];
  /** Fields that may differ (docs/operating/cases.md). */
  readonly besides: readonly string[];
  readonly credits: number;
  /** The exit code when the call is not repeated. */
  readonly exit?: number;
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

interface Plan {
  readonly entry: CaseResult;
  readonly arguments: JsonMembers;
  /** Whether the tool takes a block: otherwise it answers as of the newest. */
  readonly is_at_block: boolean;
  readonly credits: number;
  /** Known before any call. */
  readonly verdict: CaseVerdict | null;
}

const unasked = (reason: string, exit: number = EXIT.no_data): CaseVerdict => ({
  outcome: "cannot_be_asked",
  reason: cleanText(reason, REASON_BYTES_MAX),
  differing: [],
  besides: [],
  credits: 0,
  exit,
});

const plansOf = async (file: CaseFile, service: CaseService): Promise<readonly Plan[]> => {
  const answer = await sendRequest(`${service.url}/api/tools`, {
    headers: { authorization: `Bearer ${service.key}` },
    signal: service.io.signal,
  });
  if (answer.status !== 200)
    return file.entries.map((entry) => ({
      ...{ entry, arguments: entry.arguments, is_at_block: false, credits: 0 },
      verdict: unasked(`the service refused the list of tools: ${detailOf(answer)}`, refusalExit(answer.status)),
    }));
  // The discovery body of our own service.
  const { tools: cards } = answer.body as { readonly tools: readonly Card[] };
  return file.entries.map((entry) => planOf(entry, cards.find(({ name }) => name === entry.tool) ?? null));
};

interface Card {
  readonly name: string;
  readonly credits: number | null;
  readonly input_schema: { readonly properties: Readonly<Record<string, unknown>> };
}

const planOf = (entry: CaseResult, card: Card | null): Plan => {
  const asked = { entry, arguments: entry.arguments, is_at_block: false, credits: 0 };
  const altered = alterationOf(entry);
  if (altered !== null)
    return { ...asked, verdict: { ...unasked(`the file was altered: ${altered}`), outcome: "differs" } };
  if (card === null) return { ...asked, verdict: unasked("the service has no such tool") };
  if (card.credits === null) return { ...asked, verdict: unasked("the tool has no price at present") };
  const again = Object.hasOwn(card.input_schema.properties, "as_of_block") ? replayArguments(entry) : null;
  const is_at_block = again !== null;
  return { entry, arguments: again ?? entry.arguments, is_at_block, credits: card.credits, verdict: null };
};

/** The inconsistency of an entry; null when it is consistent. */
const alterationOf = ({ answer, answer_sha256, as_of }: CaseResult): string | null => {
  if (answerHash(answer) !== answer_sha256) return "the answer in it does not have the hash beside it";
  return answerHash(blocksOf(answer)) === answerHash(as_of) ? null : "its blocks are not those of the answer";
};

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
  return { ...compared(plan, body), credits };
};

/** A chain that was reorganised or reset has another block of that number: then there is nothing to compare. */
const compared = ({ entry, is_at_block }: Plan, body: JsonMembers): CaseVerdict => {
  const live = [...MAY_DIFFER, ...(tools.find(({ name }) => name === entry.tool)?.live_fields ?? [])];
  const blocks = blocksOf(body);
  const moved = entry.as_of.find(
    (was) => !blocks.some((is) => is.network === was.network && is.block_hash === was.block_hash),
  );
  if (moved === undefined || (!is_at_block && entry.as_of.length === 0))
    return judged(compareAnswers(entry.answer, body, live), null);
  const now = blocks.find(({ network }) => network === moved.network);
  if (now === undefined) return unasked(`network ${moved.network} did not answer`);
  if (is_at_block || now.block_number === moved.block_number)
    return unasked(
      `block ${moved.block_number} of ${moved.network} is another one now (${now.block_hash}, not ${moved.block_hash})`,
    );
  const newer = compareAnswers(entry.answer, body, [...live, ...BLOCK_MEMBERS]);
  const sentence = `the tool does not take a block; it answered as of ${now.block_number} of ${now.network}, not ${moved.block_number}`;
  return newer.differing.length === 0 ? judged(newer, sentence) : unasked(`${sentence}: ${newer.differing.join(", ")}`);
};

const judged = ({ differing, besides }: AnswerComparison, reason: string | null): CaseVerdict => ({
  outcome: differing.length === 0 ? "same" : "differs",
  reason,
  differing,
  besides,
  credits: 0,
});

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

const WORDS = { same: "same", differs: "differs", cannot_be_asked: "cannot be repeated" } as const;

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
  io.out(`${number}. ${entry.tool}  ${WORDS[verdict.outcome]}${cleanText(`${what}${why}${besides}`, 4_000)}\n`);
};
