/** A service on the chain of tokens to judge. */
import { caughtUp, openTestService } from "../../../test/e2e/served_world.ts";
import type { JudgedToken } from "./catalogue.ts";
import { compileTokens } from "./compiled.ts";
import { askAbout, type TokenAnswer } from "./judged.ts";
import { startJudgedWorld, type TokenToJudge } from "./world.ts";

export interface JudgedService {
  answer(contract: string): Promise<TokenAnswer>;
  close(): Promise<void>;
}

const OK = 200;

const toDeploy = (tokens: readonly JudgedToken[]): readonly TokenToJudge[] => {
  const codes = compileTokens();
  return tokens.map(({ contract, setup = [], args }) => {
    const code = codes.get(contract);
    if (code === undefined) throw new Error(`bench/judgement/tokens/sources has no contract ${contract}`);
    return { name: contract, code, setup, ...(args === undefined ? {} : { args }) };
  });
};

export const startJudgedService = async (tokens: readonly JudgedToken[]): Promise<JudgedService> => {
  const world = await startJudgedWorld(toDeploy(tokens));
  try {
    const stage = await openTestService({ networks: [world.network] });
    await caughtUp(stage.service);
    return {
      answer: (contract) =>
        askAbout(
          async (args) => {
            const { status, body, text } = await stage.ask("get_token_risk_traits", args);
            if (status !== OK) throw new Error(`${contract}: ${status} ${text}`);
            return body.data ?? body;
          },
          contract,
          world.tokens.get(contract) ?? "",
        ),
      close: async () => {
        await stage.close();
        await world.stop();
      },
    };
  } catch (error) {
    await world.stop();
    throw error;
  }
};
