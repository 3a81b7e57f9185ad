import { formatAddress } from "../src/chains/tron/address.ts";
import { demoSolanaNetwork, demoTronNetwork } from "../src/commands/demo_chains.ts";
import { CHARACTERS } from "../src/demo/evm/characters.ts";
import { CHARACTERS as ON_SOLANA } from "../src/demo/solana/characters.ts";
import { type SolanaWorld, startSolanaWorld } from "../src/demo/solana/world.ts";
import { startTronDemo, type TronDemoWorld } from "../src/demo/tron/world.ts";
import { hex } from "../src/lib/bytes.ts";
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

const rows = (list: readonly (readonly [name: string, address: string, role: string])[]): string =>
  ["| Who | Address | What they do |", "| --- | --- | --- |", ...list.map((row) => `| ${row.join(" | ")} |`)].join(
    "\n",
  );

const castOfSolana = ({ characters, mints }: SolanaWorld): string =>
  rows([
    ...Object.entries(characters).map(([name, address]) => {
      const role = ON_SOLANA[name as keyof typeof ON_SOLANA].role; // the same names
      return [name, `\`${address}\``, role] as const;
    }),
    ["usdc", `\`${mints.usdc}\``, "mint of the first token program: trent's dollars"],
    ["lamp", `\`${mints.lamp}\``, "mint of Token-2022: dave's Lantern, two and a half percent stay behind"],
  ]);

const PLAYING = ["bank", "alice", "bob", "carol", "dave", "erin", "frank", "peggy", "exchange", "trent"] as const;
const PLAYING_TOO = ["mallory", "victor", "ivan", "nina", "oscar"] as const;
const ROLES_ON_TRON: Readonly<Record<string, string>> = {
  alice: "trader: TRX, dollars, Beacon; issues the TRC-10 token Lantern Oil, stakes, votes",
  bob: "saver; is robbed of a part of his dollars",
  carol: "is paid in TRX and dollars by turns",
  dave: "developer of the token Beacon, of which he can make more",
  erin: "wraps and unwraps TRX",
  peggy: "treasury: pays five salaries every week",
  mallory: "thief; her dollars are frozen",
  ivan: "is paid by the thief before she is frozen",
  nina: "pays the exchange every day at the same hour",
  oscar: "deploys the infrastructure",
};

const castOfTron = ({ stage }: TronDemoWorld): string => {
  const at = (name: string): string => `\`${formatAddress(hex(stage.address(name).slice(2).toLowerCase()))}\``;
  return rows([
    ...[...PLAYING, ...PLAYING_TOO].map(
      (name) => [name, at(name), ROLES_ON_TRON[name] ?? CHARACTERS[name].role] as const,
    ),
    ["usdt", at("usdt"), "contract: trent's dollars, in the manner of Tether"],
    ["beacon", at("beacon"), "contract: dave's Beacon"],
    ["sunswap", at("sunswap"), "contract: factory of pools, TRX and Beacon against dollars"],
  ]);
};

/** Who plays in the demos of Solana and Tron, and what six calls really answer there. */
export const writeDemoPage = async ({ root }: Workshop): Promise<string> => {
  const [solana, tron] = await Promise.all([startSolanaWorld(T0), startTronDemo(T0)]);
  try {
    const networks = [demoSolanaNetwork(solana), demoTronNetwork(tron)];
    const [onSolana, onTron] = await onDemos({ root, networks }, async (service) => [
      await callsOf(service, { network: "demo-solana", questions: solanaQuestions(solana) }),
      await callsOf(service, { network: "demo-tron", questions: tronQuestions(tron.stage) }),
    ]);
    return page({ solana: castOfSolana(solana), tron: castOfTron(tron), onSolana, onTron });
  } finally {
    await Promise.all([solana.stop(), tron.stop()]);
  }
};

const page = (parts: Readonly<Record<"solana" | "tron" | "onSolana" | "onTron", string | undefined>>): string =>
  `# The demo

Without a configuration \`./assay up\` builds three chains with ninety days of history each, indexes and serves them:
\`demo\` (EVM, on anvil), \`demo-solana\` (the real programs of Solana, on litesvm) and \`demo-tron\` (contracts on anvil behind
the API of java-tron). Addresses are the same at every start; times move along with the day of the first start.
Which tool serves which family is in [networks](networks.md); the demo on EVM is what every [tool's page](tools) shows.

## Solana

${parts.solana}

${parts.onSolana}
## Tron

${parts.tron}

${parts.onTron}`;
