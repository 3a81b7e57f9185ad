/** A service on the chain of tokens to judge. */
import { startRelay } from "../../../test/e2e/relay.ts";
import { caughtUp, openTestService } from "../../../test/e2e/served_world.ts";
import type { JudgedToken } from "./catalogue.ts";
import { compileTokens } from "./compiled.ts";
import { askAbout, type TokenAnswer } from "./judged.ts";
import { startJudgedWorld, type TokenToJudge } from "./world.ts";

export interface JudgedService {
  /** Whether the token was deployed. */
  has(contract: string): boolean;
  answer(contract: string): Promise<TokenAnswer>;
  close(): Promise<void>;
}

const OK = 200;
const PLAYED = ["eth_call", "eth_simulateV1"];

interface PlayedAnswer {
  readonly result?: unknown;
}

interface PlayedBlock {
  readonly calls?: readonly { readonly gasUsed: string }[];
}

/** Gas of simulated blocks; 0 of other answers. */
const gasIn = (text: string): number => {
  // The shape is that of JSON-RPC.
  const answers = [JSON.parse(text) as PlayedAnswer | readonly PlayedAnswer[]].flat();
  const blocks = answers.flatMap(({ result }) => (Array.isArray(result) ? (result as readonly PlayedBlock[]) : []));
  return blocks.flatMap(({ calls = [] }) => calls).reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0);
};

const toDeploy = (tokens: readonly JudgedToken[]): readonly TokenToJudge[] => {
  const codes = compileTokens();
  return tokens.map(({ contract, setup = [], args }) => {
    const code = codes.get(contract);
    if (code === undefined) throw new Error(`bench/judgement/tokens/sources has no contract ${contract}`);
    return { name: contract, code, setup, ...(args === undefined ? {} : { args }) };
  });
};

export const startJudgedService = (tokens: readonly JudgedToken[]): Promise<JudgedService> =>
  startServiceOn(toDeploy(tokens));

/** `onFailure`: of a token that cannot be deployed; throws where omitted. */
export const startServiceOn = async (
  tokens: readonly TokenToJudge[],
  onFailure?: (name: string) => void,
): Promise<JudgedService> => {
  const world = await startJudgedWorld(tokens, onFailure);
  let [calls, gas] = [0, 0];
  const [node] = world.network.rpc;
  if (typeof node !== "string") throw new Error("the chain of tokens has no node");
  const relay = await startRelay(node, (text) => {
    gas += gasIn(text);
    // Taken out: with the codes of their overrides, they are large.
    calls += relay.calls.splice(0).filter(({ method }) => PLAYED.includes(method)).length;
  });
  const workSoFar = () => ({ calls, gas });
  try {
    const stage = await openTestService({ networks: [{ ...world.network, rpc: [relay.url] }] });
    await caughtUp(stage.service);
    return {
      has: (contract) => world.tokens.has(contract),
      answer: (contract) =>
        askAbout(
          async (args) => {
            const { status, body, text } = await stage.ask("get_token_risk_traits", args);
            if (status !== OK) throw new Error(`${contract}: ${status} ${text}`);
            return body.data ?? body;
          },
          { contract, token_address: world.tokens.get(contract) ?? "" },
          workSoFar,
        ),
      close: async () => {
        await stage.close();
        await relay.close();
        await world.stop();
      },
    };
  } catch (error) {
    await relay.close();
    await world.stop();
    throw error;
  }
};
