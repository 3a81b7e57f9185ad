import { demoSolanaNetwork, demoTronNetwork, ofTron } from "../src/commands/demo_chains.ts";
import { type DemoActor, solanaActors } from "../src/demo/actors.ts";
import type { SolanaWorld } from "../src/demo/solana/world.ts";
import type { TronDemoWorld } from "../src/demo/tron/world.ts";
import type { RunningService } from "../src/main.ts";
import { tools } from "../src/tools/index.ts";
import { type Questions, solanaQuestions } from "../test/fixtures/solana_questions.ts";
import { tronQuestions } from "../test/fixtures/tron_questions.ts";
import { onDemos, type WriteText } from "./on_demos.ts";

/** Calls that the page shows, by network. */
const SHOWN = {
  "demo-solana": ["get_wallet_token_holdings", "get_token_info", "get_wallet_account_meta"],
  "demo-tron": ["get_wallet_token_holdings", "get_token_info", "is_address_blacklisted_by_stablecoin"],
} as const;

interface ShownDemo {
  readonly network: keyof typeof SHOWN;
  readonly questions: Questions;
}

/** Asks a tool and writes its answer. */
type ToolCaller = (name: string, example: object) => Promise<string>;

const toolCaller =
  (service: RunningService, write: WriteText): ToolCaller =>
  async (name, example) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    const outcome = await service.tryTool({ ...tool, example });
    if (outcome.kind !== "data") throw new Error(`${name} ${JSON.stringify(example)}: ${outcome.kind}`);
    return JSON.stringify(JSON.parse(write(outcome.data)), null, 2);
  };

const callsOf = async (ask: ToolCaller, { network, questions }: ShownDemo): Promise<string> => {
  const parts: string[] = [];
  for (const name of SHOWN[network]) {
    const args = { ...questions[name], network };
    const line = Object.entries(args).map(([field, value]) => `${field}=${value}`);
    parts.push(`\`\`\`\n./assay call ${name} ${line.join(" ")}\n\`\`\`\n`);
    parts.push(`\`\`\`json\n${await ask(name, args)}\n\`\`\`\n`);
  }
  return parts.join("\n");
};

const rows = (cast: readonly DemoActor[]): string =>
  [
    "| Name | Address | Role |",
    "| --- | --- | --- |",
    ...cast.map(({ who, address, role }) => `| ${who} | \`${address}\` | ${role} |`),
  ].join("\n");

/** The running demo worlds of the families beside EVM, and an index of them where there is one. */
export interface FamilyWorlds {
  readonly solana: SolanaWorld;
  readonly tron: TronDemoWorld;
  readonly index?: string;
}

/** The accounts of the Solana and Tron demos, and six answers there. */
export const writeDemoPage = async ({ solana, tron, ...index }: FamilyWorlds): Promise<string> => {
  const networks = [demoSolanaNetwork(solana), demoTronNetwork(tron)];
  const [onSolana, onTron] = await onDemos({ ...index, networks }, async (service, write) => {
    const ask = toolCaller(service, write);
    return [
      await callsOf(ask, { network: "demo-solana", questions: solanaQuestions(solana) }),
      await callsOf(ask, { network: "demo-tron", questions: tronQuestions(tron.stage) }),
    ];
  });
  const cast = { solana: rows(solanaActors(solana)), tron: rows(ofTron(tron).cast) };
  return page({ ...cast, onSolana, onTron });
};

const page = (parts: Readonly<Record<"solana" | "tron" | "onSolana" | "onTron", string | undefined>>): string =>
  `# The demo

Without a configuration, \`./assay up\` builds three chains with ninety days of history each, indexes and serves them:
\`demo\` (EVM, on anvil), \`demo-solana\` (the real programs of Solana, on litesvm) and \`demo-tron\` (contracts on anvil behind
the API of java-tron). Addresses are the same at every start; times are relative to the day of the first start.
[Networks](networks.md) lists the tools of each family. Every [tool's page](prices.md) shows an answer from \`demo\`.

## Something that happens

From its start on, nina pays the exchange a thousandth of an ether every minute on \`demo\`, in a block of its own. The demo's account watches her, so
[\`/app/watches\`](operating/watch.md#in-the-portal) shows a new event each minute. Watching is on there, free of charge and without webhooks: events are listed and
streamed. A section \`watch\` in a configuration replaces these settings. A rebuilt chain does not have these blocks, so a later start reads the chain again if some of
them had become final.

## Solana

${parts.solana}

${parts.onSolana}
## Tron

${parts.tron}

${parts.onTron}`;
