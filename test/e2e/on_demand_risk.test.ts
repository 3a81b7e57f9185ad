import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { CHARACTERS, type CharacterName } from "../../src/demo/evm/characters.ts";
import { sized } from "../long.ts";
import { without } from "./on_demand_figures.ts";
import type { ToolReply } from "./served_world.ts";
import { openWholeAndDemand, type WholeAndDemand } from "./whole_and_demand.ts";

/**
 * Risk on a network that is read on demand: direct exposure at once, the rest after the nearest counterparties were read, and then as on the
 * whole index. An address that is not read is unknown, never clean.
 */

let both: WholeAndDemand;
beforeAll(async () => {
  both = await openWholeAndDemand(true);
});
afterAll(() => both?.close());

const SLICE: readonly CharacterName[] = ["uma", "erin"];
const wallets = sized({ slice: SLICE, long: [...SLICE, "alice", "olaf"] as const });

const codesOf = ({ body }: ToolReply): readonly string[] =>
  body.metadata.warnings.map(({ code }: { readonly code: string }) => code);

/** An answer with data: a loaded machine, a node that refuses, and a history that is still read may delay it. */
const ask = (tool: string, asked: Readonly<Record<string, unknown>>, side: "whole" | "demand" = "demand") =>
  vi.waitFor(
    async () => {
      const found = await both[side].ask(tool, asked);
      expect([found.body.code, typeof found.body.metadata]).toEqual([undefined, "object"]);
      return found;
    },
    { timeout: 240_000, interval: 500 },
  );

/** Exposure, score and the split of the wallet's value: not the number of addresses that were read for it. */
const figuresOf = ({ body }: ToolReply) => {
  const { risk_score, score_range, risk_level, tracing, sanctions, behaviour } = body;
  const { followed_usd, stopped_at_services_usd, bridge_unmatched_usd, not_followed_usd } = tracing;
  return {
    ...{
      risk_score,
      score_range,
      risk_level,
      sanctions,
      behaviour: behaviour.map(({ code }: { code: string }) => code),
    },
    split: [followed_usd, stopped_at_services_usd, bridge_unmatched_usd, not_followed_usd],
    // biome-ignore lint/suspicious/noExplicitAny: rows of an answer.
    categories: body.categories.map(({ sources, evidence: _, ...category }: any) => ({
      ...category,
      sources: sources.map(({ address, usd, hops, direction }: Record<string, unknown>) => [
        ...[address, usd, hops, direction],
      ]),
    })),
  };
};

describe.each(wallets)("the risk of %s", (name) => {
  const asked = { address: CHARACTERS[name].address, network: "demo" };
  const seen: ToolReply[] = [];

  test("equals that of the whole index once the nearest counterparties are read", async () => {
    const expected = await ask("get_wallet_risk_overview", asked, "whole");
    await vi.waitFor(
      async () => {
        const found = await ask("get_wallet_risk_overview", asked);
        seen.push(found);
        expect(codesOf(found)).not.toContain("COUNTERPARTIES_READING");
        expect(figuresOf(found)).toEqual(figuresOf(expected));
      },
      { timeout: 240_000, interval: 500 },
    );
  });

  test("was never clean before", () => {
    for (const early of seen.filter((reply) => codesOf(reply).includes("COUNTERPARTIES_READING"))) {
      const { risk_score, risk_level, unavailable, tracing } = early.body;
      expect([risk_score, risk_level, tracing.is_complete]).toEqual([null, "unknown", false]);
      expect(unavailable.map(({ field }: { field: string }) => field)).toContain("risk_score");
    }
  });

  test("is in its score and its profile", async () => {
    const [overview, score, profile] = [
      seen.at(-1),
      await ask("get_wallet_risk_score", asked),
      await ask("get_wallet_address_profile", asked),
    ];
    expect(score.body.risk_score).toBe(overview?.body.risk_score);
    expect(profile.body.risk.score).toBe(overview?.body.risk_score);
    const whole = await ask("get_wallet_address_profile", asked, "whole");
    expect(profile.body.activity).toEqual(whole.body.activity);
    expect(profile.body.wealth.holdings_value_usd).toBe(whole.body.wealth.holdings_value_usd);
  });
});

/** Answers of both services, the second once `check` passes. */
const checkBoth = async (
  [tool, asked]: readonly [string, Readonly<Record<string, unknown>>],
  check: (expected: ToolReply, found: ToolReply) => void,
): Promise<void> => {
  const expected = await ask(tool, asked, "whole");
  await vi.waitFor(async () => check(expected, await ask(tool, asked)), { timeout: 240_000, interval: 500 });
};

test.each(["uma", "walter", "victor"] as const)("the stablecoins of %s are judged as on the whole index", (name) =>
  checkBoth(
    ["get_wallet_stablecoin_compliance", { address: CHARACTERS[name].address, network: "demo" }],
    (expected, found) => {
      const shown = ({ body }: ToolReply) => {
        const { verdict, verdict_reasons, is_frozen_any, freeze_history, holdings, counterparty_exposure } = body;
        // The method that confirmed a freeze, and the kinds of evidence, are those of the network.
        const reasons = verdict_reasons.map(({ code }: { readonly code: string }) => code);
        return { verdict, reasons, is_frozen_any, freeze_history, holdings, counterparty_exposure };
      };
      expect(without(["checked_block", "check_method"], shown(found))).toEqual(
        without(["checked_block", "check_method"], shown(expected)),
      );
    },
  ),
);

test("the counterparties of uma are those of the whole index, and her indirect exposure there is unknown", () =>
  checkBoth(
    ["get_wallet_counterparties_analysis", { address: CHARACTERS.uma.address, network: "demo", hops: 2 }],
    (expected, found) => {
      for (const part of ["summary", "concentration", "recurrence", "poisoning_attempts"])
        expect([part, found.body[part]]).toEqual([part, expected.body[part]]);
      for (const { indirect_in_usd, indirect_out_usd } of found.body.risk_exposure)
        expect([indirect_in_usd, indirect_out_usd]).toEqual([null, null]);
      expect(codesOf(found)).toContain("INDIRECT_NOT_READ");
    },
  ));

/** Senders that a screening judges. */
const payers: string[] = [];

test("a payment to uma is screened as on the whole index once its sender is read, and is never clear", async () => {
  const { body } = await ask("get_wallet_transactions", { address: CHARACTERS.uma.address, network: "demo" }, "whole");
  const paid = body.data.find(({ direction }: { readonly direction: string }) => direction === "in");
  payers.push(paid.peer.address);
  const asked = { tx_hash: paid.tx_hash, asset: "native", direction: "in", network: "demo" };
  await checkBoth(["analyze_transaction", asked], (expected, found) => {
    expect(found.body.screening.verdict).not.toBe("clear");
    const shown = ({ body: { screening } }: ToolReply) => {
      const { verdict, usd, exposure, origin } = screening;
      const amounts = exposure.map(({ category, direct_usd, indirect_usd }: Record<string, unknown>) => [
        ...[category, direct_usd, indirect_usd],
      ]);
      return { verdict, usd, amounts, origin };
    };
    expect(shown(found)).toEqual(shown(expected));
    // Counterparties of the sender are not read, so its score is unknown.
    expect(found.body.screening.risk_score).toBeNull();
  });
});

test("only counterparties of the wallets are read, as many as their budget allows", async () => {
  const { engine } = both.demand.service.facts;
  const asked = [...wallets, "walter", "victor"] as const;
  const addresses = [...asked.map((name) => CHARACTERS[name].address), ...payers].map((address) =>
    address.slice(2).toLowerCase(),
  );
  const list = addresses.map((address) => `unhex('${address}')`).join(", ");
  const wished = await engine.query(
    `SELECT lower(hex(subject)), blocks_max, subject IN (SELECT peer FROM ledger WHERE network = 'demo' AND address IN (${list}))
     FROM subject_wishes FINAL WHERE network = 'demo' AND wish = 'track' ORDER BY 1`,
  );
  const others = wished.filter(([address]) => !addresses.includes(String(address)));
  expect(others.length).toBeGreaterThan(0);
  expect(others.length).toBeLessThanOrEqual(10 * (addresses.length + 1));
  for (const [address, blocks_max, is_peer] of others)
    expect([address, Number(blocks_max), Number(is_peer)]).toEqual([address, 500, 1]);
});
