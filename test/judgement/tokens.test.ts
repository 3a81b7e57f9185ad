/** The benchmark of judgements on tokens is a gate: bench/judgement/tokens, docs/judgement.md. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TOKENS } from "../../bench/judgement/tokens/catalogue.ts";
import { areaUnder, confusionOf, faultsOf, type TokenAnswer } from "../../bench/judgement/tokens/judged.ts";
import { type JudgedService, startJudgedService } from "../../bench/judgement/tokens/serve.ts";
import { eachNth } from "../long.ts";

/** A slice asks about every fourth token, with traps and controls among them. */
const asked = eachNth(TOKENS, 4);

let service: JudgedService;
const answers = new Map<string, TokenAnswer>();
beforeAll(async () => {
  service = await startJudgedService(asked);
  for (const { contract } of asked) answers.set(contract, await service.answer(contract));
});
afterAll(() => service?.close());

const pairs = () =>
  asked.map((token) => {
    const answer = answers.get(token.contract);
    if (answer === undefined) throw new Error(`there is no answer for ${token.contract}`);
    return [token, answer] as const;
  });

test.each(asked)("$contract is judged as its source says", ({ contract }) => {
  expect(
    pairs()
      .filter(([token]) => token.contract === contract)
      .flatMap(faultsOf),
  ).toEqual([]);
});

describe("all tokens together", () => {
  test("no trap scores as high as a token that takes nothing", () => {
    expect(areaUnder(pairs())).toBeGreaterThanOrEqual(0.95);
  });

  test("no trait is missed or invented", () => {
    for (const { trait, wrong, missed } of confusionOf(pairs())) expect([trait, wrong, missed]).toEqual([trait, 0, 0]);
  });
});
