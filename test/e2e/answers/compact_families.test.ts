import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { beforeAll, expect, test } from "vitest";
import { tools } from "../../../src/tools/index.ts";
import { type Questions, solanaQuestions } from "../../fixtures/solana_questions.ts";
import { tronQuestions } from "../../fixtures/tron_questions.ts";
import { eachNth } from "../../long.ts";
import { type SharedFamiliesService, sharedFamilies } from "../served_world.ts";

let stage: SharedFamiliesService;
let asked: readonly (readonly [network: string, questions: Questions])[];
beforeAll(async () => {
  stage = await sharedFamilies();
  asked = [
    ["demo-solana", solanaQuestions(stage.solana)],
    ["demo-tron", tronQuestions(stage.tron.stage)],
  ];
});

const TOOLS = tools.map((tool, at) => [tool.name, at, tool] as const);

// In a slice every other tool, in turn on Solana and on Tron.
test.each(eachNth(TOOLS, 2))(
  "%s has its tokens on Solana and Tron too, where addresses take more of them",
  async (name, at, { input, view }) => {
    for (const [network, questions] of eachNth(asked, 2, (at / 2) % 2)) {
      if (questions[name] === undefined) continue;
      const args = { ...questions[name], ...("network" in input.shape && { network }) };
      const { text } = await stage.ask(`${name}?view=compact`, args);
      expect([network, countTokens(text) <= (view?.tokens ?? 1_500)]).toEqual([network, true]);
    }
  },
);

test("the longest list of a wallet of Solana keeps every row of its page in its tokens", async () => {
  for (const address of eachNth(Object.values(stage.solana.characters), 4)) {
    const { body, text } = await stage.ask("get_wallet_transactions?view=compact", { address, network: "demo-solana" });
    if (body.status !== undefined) continue;
    expect(body.data.rows.length).toBe(body.pagination.returned_count);
    expect(countTokens(text)).toBeLessThanOrEqual(2_000);
  }
});
