import { demoSolanaNetwork, demoTronNetwork, ofTron } from "../src/commands/demo_chains.ts";
import { type CastMember, castOfSolana } from "../src/demo/cast.ts";
import { startSolanaWorld } from "../src/demo/solana/world.ts";
import { startTronDemo } from "../src/demo/tron/world.ts";
import type { Service } from "../src/main.ts";
import { toJson } from "../src/surfaces/json.ts";
import { tools } from "../src/tools/index.ts";
import { type Questions, solanaQuestions } from "../test/fixtures/solana_questions.ts";
import { tronQuestions } from "../test/fixtures/tron_questions.ts";
import type { Workshop } from "./gen.ts";
import { onDemos, T0 } from "./on_demos.ts";

/** What the page shows, by network. */
const SHOWN = {
  "demo-solana": ["get_wallet_token_holdings", "get_token_info", "get_wallet_account_meta"],
  "demo-tron": ["get_wallet_token_holdings", "get_token_info", "is_address_blacklisted_by_stablecoin"],
} as const;

interface Shown {
  readonly network: keyof typeof SHOWN;
  readonly questions: Questions;
}

const answerOf = async (service: Service, name: string, example: object): Promise<string> => {
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const outcome = await service.tryTool({ ...tool, example });
  if (outcome.kind !== "data") throw new Error(`${name} ${JSON.stringify(example)}: ${outcome.kind}`);
  return JSON.stringify(JSON.parse(toJson(outcome.data)), null, 2);
};

const callsOf = async (service: Service, { network, questions }: Shown): Promise<string> => {
  const parts: string[] = [];
  for (const name of SHOWN[network]) {
    const args = { ...questions[name], network };
    const line = Object.entries(args).map(([field, value]) => `${field}=${value}`);
    parts.push(`\`\`\`\n./assay call ${name} ${line.join(" ")}\n\`\`\`\n`);
    parts.push(`\`\`\`json\n${await answerOf(service, name, args)}\n\`\`\`\n`);
  }
  return parts.join("\n");
};

const rows = (cast: readonly CastMember[]): string =>
  [
    "| Who | Address | What they do |",
    "| --- | --- | --- |",
    ...cast.map(({ who, address, role }) => `| ${who} | \`${address}\` | ${role} |`),
  ].join("\n");

/** Who plays in the demos of Solana and Tron, and what six calls really answer there. */
export const writeDemoPage = async ({ root }: Workshop): Promise<string> => {
  const [solana, tron] = await Promise.all([startSolanaWorld(T0), startTronDemo(T0)]);
  try {
    const networks = [demoSolanaNetwork(solana), demoTronNetwork(tron)];
    const [onSolana, onTron] = await onDemos({ root, networks }, async (service) => [
      await callsOf(service, { network: "demo-solana", questions: solanaQuestions(solana) }),
      await callsOf(service, { network: "demo-tron", questions: tronQuestions(tron.stage) }),
    ]);
    const cast = { solana: rows(castOfSolana(solana)), tron: rows(ofTron(tron).cast) };
    return page({ ...cast, onSolana, onTron });
  } finally {
    await Promise.all([solana.stop(), tron.stop()]);
  }
};

const page = (parts: Readonly<Record<"solana" | "tron" | "onSolana" | "onTron", string | undefined>>): string =>
  `# The demo

Without a configuration \`./assay up\` builds three chains with ninety days of history each, indexes and serves them:
\`demo\` (EVM, on anvil), \`demo-solana\` (the real programs of Solana, on litesvm) and \`demo-tron\` (contracts on anvil behind
the API of java-tron). Addresses are the same at every start; times move along with the day of the first start.
Which tool serves which family is in [networks](networks.md); the demo on EVM is what every [tool's page](prices.md) shows.

## Solana

${parts.solana}

${parts.onSolana}
## Tron

${parts.tron}

${parts.onTron}`;
