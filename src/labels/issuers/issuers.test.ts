import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { solana } from "../../chains/networks/known.gen.ts";
import { ISSUER_COINS } from "../../knowledge/issuers.gen.ts";
import { hex } from "../../lib/bytes.ts";
import { ISSUER_FAMILIES, ISSUER_FAMILY_IDS } from "./families.ts";
import { canFreeze, familiesKey, familiesOf, issuerCoins, powersOf, topicOf, viewsOf } from "./index.ts";

const LISTED_COINS = ISSUER_COINS.filter(({ network }) => network !== "solana");
const LISTED_MINTS = ISSUER_COINS.filter(({ network }) => network === "solana");
const EVENTS = ISSUER_FAMILIES.flatMap(({ events }) => events);

/** First four bytes of the topics, written out by hand. */
const PRINTED: Readonly<Record<string, string>> = {
  "AddedBlackList(address)": "42e16015",
  "RemovedBlackList(address)": "d7e9ec6e",
  "DestroyedBlackFunds(address,uint256)": "61e6e66b",
  "BlockPlaced(address)": "406bbf2d",
  "BlockReleased(address)": "665918c9",
  "DestroyedBlockedFunds(address,uint256)": "6a2859ae",
  "Blacklisted(address)": "ffa4e618",
  "UnBlacklisted(address)": "117e3210",
  "FreezeAddress(address)": "1aa66049",
  "UnfreezeAddress(address)": "150465b0",
  "FrozenAddressWiped(address)": "fc5960f1",
  "AddressFrozen(address)": "90811a8e",
  "AddressUnfrozen(address)": "c3776b47",
  "Freeze(address,address)": "51d18786",
  "Unfreeze(address,address)": "4f3ab9ff",
  "FrozenAccountDrained(address,address,uint256)": "76fa81ac",
  "FrozenFundsReallocated(address,address,address,uint256)": "10aa54b8",
  "AccountPaused(address)": "ae7f60c1",
  "AccountUnpaused(address)": "0c18efbd",
  "Blacklisted(address,bool)": "cf3473b8",
  "AccountFrozen(address)": "4f2a367e",
  "AccountUnfrozen(address)": "f915cd9f",
  "AccountThawed(address)": "74bb8c27",
  "AccountsBlocked(address[])": "5444f984",
  "AddedToDenyList(address[])": "02dd2f2a",
  "AddressesFrozen(address[])": "07381cac",
  "Blocklisted(address)": "917c251b",
  "TransferRestrictionImposed(address)": "31180c9d",
  "AccountBanned(address)": "f5ccd95e",
  "AddedBlacklist(address)": "86c04815",
  "Seize(address,address,uint256,string)": "5068c48f",
};

test("the topics computed from the signatures equal the printed ones, and no topic is missing", () => {
  const computed = new Map(EVENTS.map((event) => [event.signature, topicOf(event).slice(0, 8)]));
  for (const [signature, topic] of Object.entries(PRINTED)) expect(computed.get(signature), signature).toBe(topic);
});

const RECORDED = join(import.meta.dirname, "../../../../shared/data/labels/topic0/topic0_events.tsv.gz");

test.skipIf(!existsSync(RECORDED))("recorded topic hashes have the same signatures", () => {
  const lines = gunzipSync(readFileSync(RECORDED)).toString("utf8").split("\n");
  const recorded = new Map(lines.map((line) => line.split("\t")).map(([hash = "", text = ""]) => [hash, text]));
  const bare = (text: string): string =>
    text.replace(
      /\(.*\)/,
      (args) =>
        `(${args
          .slice(1, -1)
          .split(",")
          .map((arg) => arg.trim().split(" ")[0])})`,
    );
  const shared = EVENTS.filter((event) => recorded.has(topicOf(event)));
  // The three of Tether's first contract, Circle's two and TrueUSD's one.
  expect(new Set(shared.map(({ signature }) => signature)).size).toBeGreaterThanOrEqual(6);
  for (const event of shared) {
    const names = (recorded.get(topicOf(event)) ?? "").split(";").map(bare);
    expect(names, event.signature).toContain(event.signature);
  }
});

/** The chain itself shows its freezes, without logs. */
const IN_LOGS = ISSUER_FAMILIES.filter(({ id }) => id !== "token_authority");

test("families have unique names, and every one of them has a power", () => {
  expect(new Set(ISSUER_FAMILY_IDS).size).toBe(ISSUER_FAMILY_IDS.length);
  for (const { id, events } of IN_LOGS) expect(events.length, id).toBeGreaterThan(0);
});

test("a family that freezes also has an event for unfreezing", () => {
  for (const { id, events, powers } of IN_LOGS) {
    if (powers.freeze === false) continue;
    const frees = events.some(({ effect, direction_bool_at }) => effect === "unfreeze" || direction_bool_at !== null);
    expect(frees, id).toBe(true);
  }
});

test("listed coins are contracts of known families, each once", () => {
  const seen = new Set<string>();
  for (const { network, address, families, symbol } of LISTED_COINS) {
    expect(address, symbol).toMatch(/^[0-9a-f]{40}$/);
    for (const family of families) expect(ISSUER_FAMILY_IDS, symbol).toContain(family);
    expect(seen.has(`${network}:${address}`), `${network} ${symbol}`).toBe(false);
    seen.add(`${network}:${address}`);
  }
});

test("listed mints are 32 bytes of a known family, the dollar coins and euros of their network", () => {
  for (const { address, families, symbol } of LISTED_MINTS) {
    expect(address, symbol).toMatch(/^[0-9a-f]{64}$/);
    expect(families).toEqual(["token_authority"]);
  }
  const listed = solana.stablecoins.map(({ symbol, address }) => `${symbol} ${address}`).sort();
  expect(LISTED_MINTS.map(({ symbol, address }) => `${symbol} ${address}`).sort()).toEqual(listed);
});

test("a coin that was upgraded in place is read by both families", () => {
  const usdt = issuerCoins({ id: "polygon" }).find(({ symbol }) => symbol === "USDT");
  const signatures = usdt === undefined ? [] : familiesOf(usdt).flatMap(({ events }) => events.map((e) => e.signature));
  expect(signatures).toContain("AddedBlackList(address)");
  expect(signatures).toContain("BlockPlaced(address)");
});

test("DAI has a known absence of freezes, which differs from an unknown coin", () => {
  const coins = issuerCoins({ id: "ethereum" });
  const dai = coins.find(({ symbol }) => symbol === "DAI");
  expect(dai === undefined ? null : canFreeze(dai)).toBe(false);
  expect(dai === undefined ? null : powersOf(dai)).toEqual({
    freeze: false,
    seize_or_destroy: false,
    pause: false,
    upgradeable: false,
  });
  expect(coins.find(({ symbol }) => symbol === "GUSD")).toBeUndefined();
});

test("an operator's row replaces the listed one of the same contract and adds to the others", () => {
  const usdc = hex("a0b86991c6218b36c1d19d4a2e9eb0ce3606eb48");
  const row = { decimals: null, start_block: 5 };
  const mine = { symbol: "MINE", address: hex("11".repeat(20)), families: ["ripple"], ...row };
  const before = issuerCoins({ id: "ethereum" }).length;
  const coins = issuerCoins({
    id: "ethereum",
    freezes: [{ symbol: "USDC", address: usdc, families: ["paxos_v2", "circle"], ...row }, mine],
  });
  expect(coins).toHaveLength(before + 1);
  const replaced = coins.find(({ address }) => address === usdc);
  expect(replaced === undefined ? null : familiesKey(replaced)).toBe("circle+paxos_v2");
  expect(coins).toContainEqual(mine);
});

test("a view from a source comes before one that is not confirmed yet", () => {
  const coin = { symbol: "X", address: hex("22".repeat(20)), families: ["tether_new", "dual_index"], decimals: null };
  expect(viewsOf({ ...coin, start_block: null }).map(({ signature }) => signature)).toEqual([
    "frozen(address)",
    "isBlocked(address)",
    "isFrozen(address)",
  ]);
});
