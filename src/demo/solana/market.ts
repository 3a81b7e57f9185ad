/**
 * Two pools: the exchange creates one of SOL against dollars, dave one of Lantern against SOL. alice trades in both.
 * The output of each trade follows from the rule in `pool_program.ts`; every transfer of Lantern loses two and a half
 * percent.
 */
import type { Instruction } from "@solana/kit";
import { on, type ScenarioAct } from "../evm/act.ts";
import { openAssociated } from "./associated.ts";
import { SOL, UNIT, wrapping } from "./character_transactions.ts";
import type { CharacterName, TokenName } from "./characters.ts";
import { TOKEN, TOKEN_2022 } from "./made_transaction.ts";
import { makePool, type TestPool } from "./pool_program.ts";
import type { SolanaScenarioChain } from "./scenario_chain.ts";

/** A token account of Token-2022 with its withheld amount: type of account, type, length, eight bytes. */
const FEE_VAULT_BYTES = 165 + 1 + 4 + 8;

interface Pools {
  readonly dollars: TestPool;
  readonly lanterns: TestPool;
}

const poolsOf = async ({ mints }: SolanaScenarioChain): Promise<Pools> => {
  const sol = { mint: mints.wsol, program: TOKEN } as const;
  const lamp = { mint: mints.lamp, program: TOKEN_2022, vault_bytes: FEE_VAULT_BYTES } as const;
  const [dollars, lanterns] = await Promise.all([
    makePool(150, { mint: mints.usdc, program: TOKEN }, sol),
    makePool(160, lamp, sol),
  ]);
  return { dollars, lanterns };
};

interface Opening {
  readonly by: CharacterName;
  readonly pool: TestPool;
  readonly sol: bigint;
  readonly against: readonly [TokenName, bigint];
}

const open = async (
  stage: SolanaScenarioChain,
  { by, pool, sol, against: [token, amount] }: Opening,
): Promise<void> => {
  const creator = stage.characters[by];
  await stage.act({ by, does: wrapping(stage, by, sol) });
  await stage.act({ by, does: pool.create(stage.facade.svm, creator), with: pool.keys });
  const amounts = new Map([
    [stage.mints.wsol, sol],
    [stage.mints[token], amount],
  ]);
  await stage.act({ by, does: pool.initialize(creator.address, amounts) });
};

interface PoolOrder {
  readonly pool: TestPool;
  /** The token that is traded against SOL. */
  readonly token: TokenName;
  /** Base units of the payment. */
  readonly amount: bigint;
}

/** alice pays with wrapped SOL, which she wraps and, after a sale, unwraps. */
const buy = (stage: SolanaScenarioChain, { pool, token, amount }: PoolOrder): Promise<void> => {
  const { address } = stage.characters.alice;
  const does: Instruction[] = [
    ...wrapping(stage, "alice", amount),
    openAssociated(address, stage.held(address, token)),
    pool.swap(address, { sold: stage.mints.wsol, amount }),
  ];
  return stage.act({ by: "alice", does });
};

const sell = (stage: SolanaScenarioChain, { pool, token, amount }: PoolOrder): Promise<void> =>
  stage.act({
    by: "alice",
    does: [pool.swap(stage.characters.alice.address, { sold: stage.mints[token], amount })],
  });

/** The pools of a world, and their events. */
export const market = async (stage: SolanaScenarioChain): Promise<readonly ScenarioAct[]> => {
  const { dollars, lanterns } = await poolsOf(stage);
  const opened = { dollars: 500n * SOL, lanterns: 40n * SOL };
  return [
    {
      at: on(1, 12),
      run: () =>
        open(stage, { by: "exchange", pool: dollars, sol: opened.dollars, against: ["usdc", 100_000n * UNIT] }),
    },
    {
      at: on(1, 14),
      run: () => open(stage, { by: "dave", pool: lanterns, sol: opened.lanterns, against: ["lamp", 200_000n * UNIT] }),
    },
    ...[4, 24, 53, 86].map((day) => ({
      at: on(day, 13),
      run: () => buy(stage, { pool: lanterns, token: "lamp", amount: 4n * SOL }),
    })),
    ...[16, 44, 78].map((day) => ({
      at: on(day, 13),
      run: () => sell(stage, { pool: lanterns, token: "lamp", amount: 5_000n * UNIT }),
    })),
    ...[10, 31, 62].map((day) => ({
      at: on(day, 15),
      run: () => buy(stage, { pool: dollars, token: "usdc", amount: 5n * SOL }),
    })),
    ...[20, 41, 84].map((day) => ({
      at: on(day, 15),
      run: () => sell(stage, { pool: dollars, token: "usdc", amount: 1_000n * UNIT }),
    })),
    { at: on(89, 13), run: () => buy(stage, { pool: lanterns, token: "lamp", amount: SOL }) },
    { at: on(89, 15), run: () => sell(stage, { pool: lanterns, token: "lamp", amount: 2_000n * UNIT }) },
  ];
};
