/** Asks a running service about every token of the catalogue, and compares the answers with the truth. */
import type { JudgedToken } from "./catalogue.ts";
import { type JudgedTraits, TRAITS, type Trait } from "./traits.ts";

/** An answer, as far as it is compared. */
export interface TokenAnswer {
  readonly contract: string;
  readonly traits: JudgedTraits;
  readonly level: string;
  /** Null when it is withheld. */
  readonly score: number | null;
  /** Codes of the alerts. */
  readonly findings: readonly string[];
  /** Milliseconds of the first and of the second call. */
  readonly took_ms: readonly [number, number];
  /** Of the first call. */
  readonly work: NodeWork;
}

/** Work of a node. */
export interface NodeWork {
  /** Requests of `eth_call` and `eth_simulateV1`. */
  readonly calls: number;
  /** Gas of simulated transactions. */
  readonly gas: number;
}

export interface ToolBody {
  readonly risk_overview: { readonly risk_level: string; readonly security_score?: number };
  readonly alerts: readonly { readonly code: string }[];
  readonly security_flags: Readonly<Record<string, boolean | null>>;
}

export type AskTool = (args: Readonly<Record<string, unknown>>) => Promise<ToolBody>;

export interface AskedToken {
  readonly contract: string;
  readonly token_address: string;
}

/** `workSoFar`: of the node, at any time. */
export const askAbout = async (
  ask: AskTool,
  { contract, token_address }: AskedToken,
  workSoFar: () => NodeWork,
): Promise<TokenAnswer> => {
  const before = workSoFar();
  const times: number[] = [];
  const timed = async (): Promise<ToolBody> => {
    const began = performance.now();
    const body = await ask({ token_address, network: "ethereum" });
    times.push(performance.now() - began);
    return body;
  };
  const body = await timed();
  const after = workSoFar();
  await timed();
  const [first = 0, again = 0] = times;
  const work = { calls: after.calls - before.calls, gas: after.gas - before.gas };
  return readAnswer(body, { contract, took_ms: [first, again], work });
};

/** An answer of the tool, as far as it is compared. */
export const readAnswer = (body: ToolBody, asked: Pick<TokenAnswer, "contract" | "took_ms" | "work">): TokenAnswer => {
  const flags = TRAITS.map((trait): [Trait, boolean | null] => [trait, body.security_flags[trait] ?? null]);
  return {
    ...asked,
    // Every trait is among them.
    traits: Object.fromEntries(flags) as JudgedTraits,
    level: body.risk_overview.risk_level,
    score: body.risk_overview.security_score ?? null,
    findings: body.alerts.map(({ code }) => code),
  };
};

export interface Confusion {
  readonly trait: Trait;
  /** Found where it is; found where it is not; missed; denied where it is not; unknown. */
  readonly right: number;
  readonly wrong: number;
  readonly missed: number;
  readonly denied: number;
  readonly unknown: number;
}

/** The truth about a token, from its source or a public set. */
export type TruthOfToken = Pick<JudgedToken, "contract" | "traits" | "trap">;

export type JudgedPair = readonly [token: TruthOfToken, answer: TokenAnswer];

const truthOf = ({ traits }: TruthOfToken, trait: Trait): boolean | null => {
  const truth = traits[trait];
  return truth === undefined ? false : truth;
};

export const confusionOf = (pairs: readonly JudgedPair[]): readonly Confusion[] =>
  TRAITS.map((trait) => {
    const known = pairs.filter(([token]) => truthOf(token, trait) !== null);
    const count = (truth: boolean, answer: boolean | null): number =>
      known.filter(([token, { traits }]) => truthOf(token, trait) === truth && traits[trait] === answer).length;
    return {
      trait,
      ...{ right: count(true, true), wrong: count(false, true), denied: count(false, false) },
      missed: count(true, false) + count(true, null),
      unknown: count(false, null),
    };
  });

/** Area under the curve: how often a trap scores below a token that takes nothing. A withheld score counts as a half. */
export const areaUnder = (pairs: readonly JudgedPair[]): number | null => {
  const scores = (is_trap: boolean) =>
    pairs.filter(([{ trap }]) => (trap !== null) === is_trap).map(([, { score }]) => score);
  const [traps, controls] = [scores(true), scores(false)];
  if (traps.length === 0 || controls.length === 0) return null;
  const wins = traps.flatMap((trap) =>
    controls.map((control) => (trap === null || control === null || trap === control ? 0.5 : Number(trap < control))),
  );
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
};

const LEVELS = ["low", "medium", "high", "critical"];
/** No token with a power that a trial used has a higher score. */
const USED_SCORE_MAX = 60;
/** Limits of what one answer needs from a node: they hold on a busy machine too, as seconds do not. */
const CALLS_MAX = 200;
const GAS_MAX = 1_000_000_000;
const POWERS: readonly Trait[] = ["is_mintable", "owner_can_change_balance", "has_blacklist", "transfer_pausable"];

/** Contradictions between an answer and the truth, in words. */
export const faultsOf = ([token, answer]: JudgedPair): readonly string[] => {
  const { contract, trap } = token;
  const rank = LEVELS.indexOf(answer.level);
  const wrong = TRAITS.filter((trait) => {
    const truth = truthOf(token, trait);
    return truth !== null && answer.traits[trait] !== truth;
  });
  const used = POWERS.filter((power) => answer.traits[power] === true);
  const rows: readonly (readonly [boolean, string])[] = [
    ...wrong.map((trait) => [true, `${trait} is ${answer.traits[trait]}`] as const),
    [trap === null && rank > LEVELS.indexOf("medium"), `takes nothing and is ${answer.level}`],
    // A withheld level is not a good one.
    [
      trap !== null && rank >= 0 && rank < LEVELS.indexOf(trap.level),
      `is ${answer.level}, and at least ${trap?.level}`,
    ],
    [
      trap !== null && trap.finding !== "" && !answer.findings.includes(trap.finding),
      `has no finding ${trap?.finding}`,
    ],
    [answer.traits.is_honeypot === true && answer.level !== "critical", `cannot be sold and is ${answer.level}`],
    [
      trap !== null && used.length > 0 && (answer.score ?? 0) > USED_SCORE_MAX,
      `has the power ${used.join(", ")} and a score of ${answer.score}`,
    ],
    [answer.work.calls > CALLS_MAX, `needs ${answer.work.calls} calls of the node`],
    [answer.work.gas > GAS_MAX, `needs ${answer.work.gas} gas of simulated transactions`],
  ];
  return rows.filter(([is_so]) => is_so).map(([, words]) => `${contract}: ${words}`);
};
