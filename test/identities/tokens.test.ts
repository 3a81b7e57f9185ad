import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { demoSolanaNetwork, demoTronNetwork } from "../../src/commands/demo_chains.ts";
import { type SolanaWorld, startSolanaWorld } from "../../src/demo/solana/world.ts";
import { startTronDemo, type TronDemoWorld } from "../../src/demo/tron/world.ts";
import { caughtUp, openStage, openWorldStage, type Stage, T0, type WorldStage } from "../e2e/stage.ts";
import { type Answer, contradictions, poolContradictions, type TokenAnswers } from "./token_figures.ts";

/** Every token of a world, all tools that say something of it, and every equation between what they say. */

let evm: WorldStage;
let others: Stage;
let solana: SolanaWorld;
let tron: TronDemoWorld;
const found: Record<string, TokenAnswers[]> = {};

/** Tokens of which somebody holds something, by address as shown, and their holders' wallets are not of interest. */
const askAbout = async (stage: Stage, network: string, address: string): Promise<TokenAnswers | null> => {
  const of = { token_address: address, network };
  const ask = async (tool: string, args: object = of): Promise<Answer> => (await stage.ask(tool, { ...args })).body;
  const info = await ask("get_token_info");
  if (info.status !== undefined) return null;
  const named = info.symbol === null ? null : await ask("resolve_token_symbol", { symbol: info.symbol, network, limit: 25 });
  const made =
    info.creator === null
      ? null
      : await ask("get_wallet_deployed_contracts", { address: info.creator, network, kind: "token", records_per_page: 100 });
  const [market, risk, holders, flows] = await Promise.all([
    ask("get_token_market_analysis"),
    ask("get_token_risk_traits"),
    ask("get_token_holders_traders", { ...of, limit: 1 }),
    ask("get_token_flows", { ...of, records_per_page: 1 }),
  ]);
  const match = named?.matches?.find(({ token_address }: Answer) => token_address === info.address) ?? null;
  const row = made?.data?.find(({ contract_address }: Answer) => contract_address === info.address) ?? null;
  return { name: `${info.symbol} ${info.address}`, info, market, risk, holders, flows, match, deployed: row?.token ?? null };
};

/** Tokens that the listed addresses turn out to be; what is none says so itself. */
const askAll = async (stage: Stage, network: string, addresses: readonly string[]): Promise<TokenAnswers[]> => {
  const all: TokenAnswers[] = [];
  for (const address of [...new Set(addresses)]) {
    const answers = await askAbout(stage, network, address);
    if (answers !== null) all.push(answers);
  }
  return all;
};

/** Every contract that was ever made, and the coin. */
const contractsOf = (world: WorldStage["world"]): readonly string[] => ["native", ...Object.values(world.contracts)];

beforeAll(async () => {
  evm = await openWorldStage();
  found.evm = await askAll(evm, "demo", contractsOf(evm.world));
  [solana, tron] = await Promise.all([startSolanaWorld(T0), startTronDemo(T0)]);
  const networks = [demoSolanaNetwork(solana), demoTronNetwork(tron)].map((one) => ({ ...one, poll_ms: 50 }));
  others = await openStage({ networks, listed: networks.map(({ network }) => network) });
  await caughtUp(others.service);
  found.solana = await askAll(others, "demo-solana", SOLANA_TOKENS(solana));
  found.tron = await askAll(others, "demo-tron", TRON_TOKENS(tron));
});
afterAll(async () => {
  await others?.close();
  await tron?.stop();
  await solana?.stop();
  await evm?.close();
});
