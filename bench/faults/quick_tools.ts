/** Tools that only end, in each possible way. Prices differ, so that a mix-up shows. */
import * as z from "zod";
import { data, failed, noData } from "../../src/lib/outcome.ts";
import { type AnyTool, defineTool } from "../../src/tools/tool.ts";

/** Duration of `wait`: long enough to be running when a fault strikes. */
const WAIT_MS = 250;

/** Duration of one turn of `work` on its shared resource; a service sets it at its start. */
export const turn = { ms: 10 };

const input = z.strictObject({
  // No name here can become another by a garbled byte.
  nonce: z
    .string()
    .regex(/^[0-9a-z-]{1,40}$/)
    .meta({ description: "Names this call; the answer repeats it." }),
});

const output = z.strictObject({ type: z.literal("echo"), nonce: z.string() });

const toolThat = (name: string, credits: number, run: AnyTool["run"]): AnyTool =>
  defineTool({
    name,
    title: `Tool ${name}`,
    description: "Exists only in tests of the accounts.",
    credits,
    families: ["evm"],
    input,
    output,
    example: { nonce: "a" },
    run,
  });

const echo = ({ nonce }: z.output<typeof input>) => data({ type: "echo" as const, nonce });

/** Message of `find_nothing`. */
export const NOTHING_FOUND = "Nothing.";

export const QUICK_TOOLS: readonly AnyTool[] = [
  toolThat("answer", 1, async (args) => echo(args)),
  toolThat("find_nothing", 5, async ({ nonce }) =>
    noData({ type: "echo", message: NOTHING_FOUND, metadata: { nonce } }),
  ),
  toolThat("fail_softly", 8, async ({ nonce }) => failed("CHECK_INCOMPLETE", "One list is too old.", { nonce })),
  toolThat("break_loudly", 15, async () => {
    throw new Error("the inner secret");
  }),
  toolThat("wait", 25, async (args) => {
    await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    return echo(args);
  }),
  toolThat("work", 3, async (args, { signal }) => {
    await takeTurn(signal);
    return echo(args);
  }),
];

/** The exclusive resource of all calls of `work`, like the engine for real tools: turns in sequence. */
let turns: Promise<void> = Promise.resolve();

/** A stopped call takes no further turn. */
const takeTurn = (signal: AbortSignal): Promise<void> => {
  const own = turns.then(async () => {
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, turn.ms));
    signal.throwIfAborted();
  });
  turns = own.catch(() => undefined);
  return own;
};

/** Tools for callers to draw from: mostly the cheap one; each outcome occurs. */
export const USUAL_MIX: readonly string[] = [
  ...Array.from({ length: 11 }, () => "answer"),
  ...["find_nothing", "fail_softly", "break_loudly", "wait"],
];
