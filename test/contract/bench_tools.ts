import * as z from "zod";
import { AssayError } from "../../src/lib/errors.ts";
import { data, failed, noData } from "../../src/lib/outcome.ts";
import { isoDay } from "../../src/lib/time.ts";
import * as fields from "../../src/tools/fields.ts";
import { metadataFor } from "../../src/tools/metadata.ts";
import { type AnyTool, defineTool } from "../../src/tools/tool.ts";

export const WALLET = "0x00000000219ab540356cBB839Cbe05303d7705Fa";

const output = z.strictObject({
  type: z.literal("shown"),
  arguments: z.record(z.string(), z.unknown()),
  metadata: fields.metadata({ address: z.string() }),
});

const input = z.strictObject({
  address: fields.address("The wallet."),
  network: fields.networks(),
  from_date: fields.date("First day."),
  to_date: fields.date("Last day."),
  page: fields.page(),
  records_per_page: fields.recordsPerPage(),
  timeframe: z.enum(["5m", "1h", "1d"]).default("1d").meta({ description: "Window." }),
  include_spam: fields.includeSpam(),
  token_address: fields.token("A token.").optional(),
  as_of_block: fields.asOfBlock(),
});

const example = { address: WALLET, network: "demo" };

const toolThat = (name: string, credits: number, run: AnyTool["run"]): AnyTool =>
  defineTool({
    name,
    title: `Tool ${name}`,
    description: "Exists only in tests of the contract.",
    credits,
    families: ["evm"],
    input,
    output,
    example,
    check: ({ address }) =>
      address.toLowerCase() === "0x000000000000000000000000000000000000dead" ? "that address is burnt." : null,
    run,
  });

/** The caller's original text of bound values. */
const writtenOf = (asked: object) =>
  Object.fromEntries(
    Object.entries(asked).map(([field, value]) => {
      if (field.endsWith("_date")) return [field, isoDay(value)];
      return [field, value !== null && typeof value === "object" && "text" in value ? value.text : value];
    }),
  );

const answer: AnyTool["run"] = async (args, context) => {
  const network = args.network === "all" || args.network === "evm" ? "demo" : args.network;
  const snapshot = await context.facts.snapshot(network, args.as_of_block ?? null);
  const metadata = metadataFor(context.chain(network), snapshot, {
    echo: { address: args.address.text },
    methodology: "show@1",
  });
  return data({ type: "shown" as const, arguments: writtenOf(args), metadata });
};

/** One tool for each way in which a run can end. Prices differ, so that a mix-up becomes visible. */
export const benchTools: readonly AnyTool[] = [
  toolThat("show", 3, answer),
  toolThat("find_nothing", 5, async () =>
    noData({ type: "shown", message: "Nothing has it.", metadata: { address: WALLET } }),
  ),
  toolThat("fail_softly", 8, async () => ({
    ...failed("CHECK_INCOMPLETE", "One list is too old.", { address: WALLET }),
    partial: { frozen: true, message: "never this" },
  })),
  toolThat("answer_with_error", 8, async () => data({ type: "shown", arguments: {}, error: "odd", metadata: {} })),
  toolThat("break_loudly", 15, async () => {
    throw new Error("the inner secret");
  }),
  toolThat("lose_facts", 15, async () => {
    throw new AssayError({ code: "FACTS_UNAVAILABLE", message: "the inner secret", retryable: true });
  }),
  toolThat("lose_node", 15, async () => {
    throw new AssayError({ code: "UPSTREAM_UNAVAILABLE", message: "the inner secret", public: "The node is away." });
  }),
  toolThat("meet_own_bug", 15, async () => {
    throw new AssayError({ code: "BUG", message: "the inner secret" });
  }),
  toolThat("hang", 25, () => new Promise(() => undefined)),
  toolThat("wait", 25, async (args, context) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return answer(args, context);
  }),
];
