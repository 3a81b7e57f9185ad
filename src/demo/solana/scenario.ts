/** Ninety days on Solana. */
import { on, type ScenarioAct } from "../evm/act.ts";
import { create, tokenProgram } from "./acts.ts";
import { freeze, mint, payCoins, SOL, sending, sendToken, UNIT, unwrap, wrap } from "./character_transactions.ts";
import { BYSTANDERS, type CharacterName, TOKENS } from "./characters.ts";
import { market } from "./market.ts";
import type { SolanaScenarioChain } from "./scenario_chain.ts";
import { describeItself, pointAtItself, writeMetadata } from "./token_texts.ts";

type SolanaScenario = (stage: SolanaScenarioChain) => readonly ScenarioAct[];

/** All coins that the chain issues in its first block. */
const SUPPLY = 1_000_000n * SOL;

/** Payments of the bank on the first day, in SOL. */
const FUNDS: Readonly<Partial<Record<CharacterName, bigint>>> = {
  alice: 500n,
  bob: 40n,
  carol: 3n,
  dave: 60n,
  erin: 25n,
  frank: 4n,
  peggy: 80n,
  exchange: 900n,
  deposit: 1n,
  trent: 20n,
  mallory: 2n,
  victor: 2n,
  ivan: 2n,
  nina: 300n,
};

/** Dollars that trent mints on the first day. */
const MINTED: Readonly<Partial<Record<CharacterName, bigint>>> = {
  alice: 40_000n,
  bob: 2_500n,
  peggy: 200_000n,
  exchange: 1_000_000n,
  victor: 3_000n,
};

const MINT_BYTES = 82;
/** Up to the kind of account, the fees (type, length, 108 bytes) and the pointer (type, length, 64 bytes). */
const LAMP_BYTES = 165 + 1 + (4 + 108) + (4 + 64);
/** Type, length, authority, mint, three texts, the list of further fields. */
const LAMP_TEXT_BYTES = 4 + 64 + (4 + 7) + (4 + 4) + 4 + 4;
const LAMP_FEE_BASIS_POINTS = 250;
const LAMP_SUPPLY = 1_000_000n * UNIT;

const fund = async (stage: SolanaScenarioChain): Promise<void> => {
  writeMetadata(stage.facade.svm, { mint: TOKENS.wsol.mint, texts: TOKENS.wsol });
  stage.credit("bank", SUPPLY);
  for (const [to, sol] of Object.entries(FUNDS))
    await payCoins(stage, { from: "bank", to: to as CharacterName, amount: sol * SOL }); // a key of FUNDS
};

const issueDollars = async (stage: SolanaScenarioChain): Promise<void> => {
  const { address } = stage.characters.trent;
  const keys = stage.mintKeys("usdc");
  const { program } = TOKENS.usdc;
  const lamports = stage.facade.svm.minimumBalanceForRentExemption(BigInt(MINT_BYTES));
  const made = create({ payer: address, account: keys.address, lamports, space: MINT_BYTES, program });
  const does = [made, tokenProgram(program).initializeMint(keys.address, address)];
  await stage.act({ by: "trent", does, with: [keys] });
  writeMetadata(stage.facade.svm, { mint: keys.address, texts: TOKENS.usdc });
  for (const [to, dollars] of Object.entries(MINTED))
    await mint(stage, "usdc", { from: "trent", to: to as CharacterName, amount: dollars * UNIT }); // a key of MINTED
};

const money: SolanaScenario = (stage) => [
  { at: on(0, 0), run: () => fund(stage) },
  { at: on(0, 1), run: () => issueDollars(stage) },
];

const launchLantern = async (stage: SolanaScenarioChain): Promise<void> => {
  const { address } = stage.characters.dave;
  const keys = stage.mintKeys("lamp");
  const { program } = TOKENS.lamp;
  const lamports = stage.facade.svm.minimumBalanceForRentExemption(BigInt(LAMP_BYTES + LAMP_TEXT_BYTES));
  const newer = tokenProgram(program);
  const does = [
    create({ payer: address, account: keys.address, lamports, space: LAMP_BYTES, program }),
    newer.initializeFee(keys.address, address, LAMP_FEE_BASIS_POINTS),
    pointAtItself(keys.address, address),
    newer.initializeMint(keys.address, address),
    describeItself(keys.address, address, TOKENS.lamp),
  ];
  await stage.act({ by: "dave", does, with: [keys] });
  await mint(stage, "lamp", { from: "dave", to: "dave", amount: LAMP_SUPPLY });
};

/** dave launches Lantern, with a fee of two and a half percent on every transfer. */
const lantern: SolanaScenario = (stage) => [
  { at: on(1, 9), run: () => launchLantern(stage) },
  {
    at: on(1, 11),
    run: () => sendToken(stage, "lamp", { from: "dave", to: "alice", amount: 10_000n * UNIT }),
  },
  { at: on(2, 11), run: () => sendToken(stage, "lamp", { from: "dave", to: "bob", amount: 400n * UNIT }) },
  { at: on(9, 15), run: () => sendToken(stage, "lamp", { from: "alice", to: "carol", amount: 1_000n * UNIT }) },
  ...BYSTANDERS.slice(5, 11).map((to, i) => ({
    at: on(12 + i * 9, 10),
    run: () => sendToken(stage, "lamp", { from: "dave", to, amount: BigInt(i + 1) * 1_000n * UNIT }),
  })),
];

const WAGES = [500n, 600n, 700n, 800n] as const;
const CAROLS_WAGE = 900n;
const WEEKS = 12;

/** peggy pays carol and four others every week at the same hour. */
const payroll: SolanaScenario = (stage) =>
  Array.from({ length: WEEKS }, (_, week) => ({
    at: on(5 + week * 7, 17),
    run: () =>
      stage.act({
        by: "peggy",
        does: [
          ...sending(stage, "usdc", { from: "peggy", to: "carol", amount: CAROLS_WAGE * UNIT }),
          ...WAGES.flatMap((wage, i) => {
            const to = BYSTANDERS[i];
            return to === undefined ? [] : sending(stage, "usdc", { from: "peggy", to, amount: wage * UNIT });
          }),
        ],
      }),
  }));

/** The simple books: `test/fixtures/solana_expected.ts` adds them up. */
const books: SolanaScenario = (stage) => [
  { at: on(3, 12), run: () => wrap(stage, "erin", 10n * SOL) },
  { at: on(10, 12), run: () => sendToken(stage, "wsol", { from: "erin", to: "bob", amount: 2n * SOL }) },
  { at: on(20, 12), run: () => unwrap(stage, "erin") },
  { at: on(21, 12), run: () => wrap(stage, "erin", 3n * SOL) },
  { at: on(15, 19), run: () => sendToken(stage, "usdc", { from: "carol", to: "alice", amount: 1_200n * UNIT }) },
  { at: on(6, 8), run: () => payCoins(stage, { from: "frank", to: "carol", amount: SOL / 10n }) },
  ...[7, 8, 30, 60].map((day) => ({
    at: on(day, 8),
    run: () => payCoins(stage, { from: "frank", to: "carol", amount: 1_000n * SOL, fails: true }),
  })),
];

/** alice deposits three times; the exchange sweeps the same evening. */
const deposits: SolanaScenario = (stage) =>
  [12, 33, 71].flatMap((day) => [
    { at: on(day, 10), run: () => payCoins(stage, { from: "alice", to: "deposit", amount: 30n * SOL }) },
    { at: on(day, 22), run: () => payCoins(stage, { from: "deposit", to: "exchange", amount: 30n * SOL }) },
  ]);

/** bob is robbed, the thief passes some on, and is frozen; victor was frozen for a week by mistake. */
const freezes: SolanaScenario = (stage) => [
  { at: on(40, 14.5), run: () => freeze(stage, "freeze", "victor") },
  { at: on(47, 14.5), run: () => freeze(stage, "thaw", "victor") },
  { at: on(50, 3), run: () => sendToken(stage, "usdc", { from: "bob", to: "mallory", amount: 1_000n * UNIT }) },
  { at: on(52, 3), run: () => sendToken(stage, "usdc", { from: "mallory", to: "ivan", amount: 200n * UNIT }) },
  { at: on(55, 9), run: () => freeze(stage, "freeze", "mallory") },
  {
    at: on(56, 9),
    run: () => sendToken(stage, "usdc", { from: "mallory", to: "ivan", amount: 100n * UNIT, fails: true }),
  },
];

const DAYS = 90;

/** nina pays the exchange every day but Sundays; a slot or two before her are skipped. */
const habits: SolanaScenario = (stage) =>
  Array.from({ length: DAYS - 1 }, (_, day) => day + 1)
    .filter((day) => day % 7 !== 0)
    .map((day) => ({
      at: on(day, 20),
      run: async () => {
        stage.skip(day % 3);
        await payCoins(stage, { from: "nina", to: "exchange", amount: SOL / 2n });
      },
    }));

const SCENES: readonly SolanaScenario[] = [money, lantern, payroll, books, deposits, freezes, habits];

/** Runs all scenes in order of time. `t0` in unix seconds. */
export const runScenario = async (stage: SolanaScenarioChain, t0: number): Promise<void> => {
  // Array.sort is stable: acts of the same second keep the order of the scenes.
  const acts = [...SCENES.flatMap((scene) => scene(stage)), ...(await market(stage))].sort((a, b) => a.at - b.at);
  for (const act of acts) {
    stage.at(t0 + act.at);
    await act.run();
  }
};
