// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { ETHER, FOREVER } from "../../src/demo/evm/act.ts";
import { CHARACTERS, type CharacterName } from "../../src/demo/evm/characters.ts";
import type { EvmScenarioChain } from "../../src/demo/evm/scenario_chain.ts";
import { BUY_WITH_ETHER } from "../../src/demo/evm/scenarios/traders.ts";
import { differences, endingNetwork, PINNED, questionsAbout } from "./past_blocks.ts";
import { caughtUp, openDemoWorld, openTestService, type WorldService } from "./served_world.ts";
import { runMore } from "./truth.ts";

/** An answer at a past block equals the answer of a world that ended there, whatever happens later. */

let stage: WorldService;
/** One of each of these blocks. */
let transactions: readonly string[];
const MINED_AT = [870, 435, 140];

const REMOVAL = "removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)";

const pullHarbor = async (stage: EvmScenarioChain): Promise<void> => {
  const shares = await stage.read("pair_harbor_weth", "balanceOf(address) view returns (uint256)", ["@dave"]);
  await stage.act({ from: "dave", to: "pair_harbor_weth", call: ["approve(address,uint256)", ["@v2_router", shares]] });
  await stage.act({ from: "dave", to: "v2_router", call: [REMOVAL, ["@harbor", shares, 0n, 0n, "@dave", FOREVER]] });
  const purchase = [BUY_WITH_ETHER, [0n, ["@weth", "@harbor"], "@alice", FOREVER]] as const;
  await stage.act({ from: "alice", to: "v2_router", value: 5n * ETHER, call: purchase });
};

/** Every fact that an answer may depend on changes after the newest of the compared blocks. */
const upset = async (stage: EvmScenarioChain): Promise<void> => {
  const { rpc } = stage;
  await stage.act({ from: "tess", to: "trap_ban", call: ["transferOwnership(address)", ["@ivan"]] });
  await stage.act({ from: "dave", to: "vault", call: ["upgradeTo(address)", ["@vault_v1"]] });
  await stage.act({ from: "tess", to: "trap_proxy", call: ["upgradeTo(address)", ["@vault_v1"]] });
  await stage.act({ from: "dave", to: "copper", call: ["mint(address,uint256)", ["@dave", 9_000_000n * ETHER]] });
  await stage.act({ from: "trent", to: "usdc", call: ["blacklist(address)", ["@alice"]] });
  await stage.act({ from: "trent", to: "usdc", call: ["mint(address,uint256)", ["@bob", 5_000_000n]] });
  await pullHarbor(stage);
  // A sanctioned sender.
  await stage.act({ from: "bank", to: "olaf", value: ETHER, gas: 21_000 });
  await stage.act({ from: "olaf", to: "alice", value: ETHER / 10n, gas: 21_000 });
  // A token has another name, and a contract no code any more, without a log.
  const renamed = `0x${Buffer.from("Renamed").toString("hex").padEnd(62, "0")}0e`;
  await rpc.call("anvil_setStorageAt", stage.address("harbor"), `0x${"0".repeat(64)}`, renamed);
  await rpc.call("anvil_setCode", stage.address("postcards"), "0x");
  // The hour and the day of the newest compared block end, and prices, labels and lists are derived of them.
  stage.at(stage.now() + 2 * 86_400);
  for (let n = 0; n < 70; n += 1) await stage.act({ from: "alice", to: "bob", value: ETHER / 1_000n, gas: 21_000 });
  await stage.act({ from: "nina", to: "usdc", call: ["transfer(address,uint256)", ["@carol", 7n]] });
};

const isCharacter = (name: string): name is CharacterName => Object.hasOwn(CHARACTERS, name);
const addressOf = (name: string): string =>
  isCharacter(name) ? CHARACTERS[name].address : (stage.world.contracts[name] ?? name);

beforeAll(async () => {
  stage = await openDemoWorld();
  await runMore(stage, upset);
  const hashes = await Promise.all(
    MINED_AT.map(async (number) => {
      // A block of the JSON-RPC specification.
      const block = (await stage.world.rpc.call("eth_getBlockByNumber", `0x${number.toString(16)}`, false)) as {
        transactions: readonly string[];
      };
      return block.transactions[0] ?? "";
    }),
  );
  transactions = hashes;
});
afterAll(() => stage?.close());

const ABOUT = {
  wallets: ["alice", "dave", "mallory"],
  tokens: ["harbor", "trap_ban", "trap_proxy", "copper", "usdc"],
  contracts: ["vault", "postcards", "trap_ban"],
} as const;

/**
 * An answer at a block is the same for equal `sources` only: the index has newer lists of traders than the world that ended, because more of
 * its days are final.
 */
const OF_SOURCES = /^(metadata\.sources|definitions\.smart_traders_of)/;
/** Names are read from the node, and left out where it does not answer in time. */
const LATE_NAME = /\.(address_)?label(_source)?: (null and "(ens|[^"]+\.eth)"|"(ens|[^"]+\.eth)" and null)$/;
/** Live fields of a tool, by the start of their path: `sanctions.lists_checked[].age_hours`. */
const isLive = (tool: string, path: string): boolean =>
  PINNED.find(({ name }) => name === tool)?.live_fields?.includes(path.replaceAll(/\[\d+\]/g, "[]")) === true;

test("covers every tool that takes as_of_block", () => {
  expect(PINNED.length).toBeGreaterThanOrEqual(20);
});

// Of the world's 870 blocks: the newest one before the changes, and others.
test.each([870, 435, 150])(
  "answers at block %i like a world that ended there",
  { timeout: 1_200_000 },
  async (last) => {
    const { node, enabled } = await endingNetwork(stage.world, last);
    const ended = await openTestService({ networks: [enabled], listed: [enabled.network] });
    const found: string[] = [];
    let compared = 0;
    try {
      await caughtUp(ended.service);
      const about = {
        ...{ wallets: ABOUT.wallets.map(addressOf), tokens: ABOUT.tokens.map(addressOf) },
        ...{ contracts: ABOUT.contracts.map(addressOf) },
        // Of later ones the node behind the world that ended would still tell.
        transactions: transactions.filter((_, i) => (MINED_AT[i] ?? 0) <= last),
      };
      for (const { tool, args } of questionsAbout(about)) {
        const asked = { ...args, network: "demo" };
        const past = await stage.ask(tool, { ...asked, as_of_block: last });
        const then = await ended.ask(tool, asked);
        compared += 1;
        // The index makes its lists of traders of days that were new when it began.
        if (past.body.code === "COVERAGE_INCOMPLETE" && /cohort|smart-trader/.test(past.body.message)) continue;
        const paths = differences(past.body, then.body).filter(
          (text) => !OF_SOURCES.test(text) && !LATE_NAME.test(text) && !isLive(tool, text.split(": ")[0] ?? ""),
        );
        found.push(...paths.map((text) => `${tool} ${Object.values(args)}: ${text}`));
      }
    } finally {
      await ended.close();
      await node.close();
    }

    expect(found).toEqual([]);
    expect(compared).toBeGreaterThan(70);
  },
);
