import type { LiveTokenMetadata } from "../../../chains/chain.ts";
import type { Hex } from "../../../lib/bytes.ts";
import type { Sources } from "../../../sources/index.ts";
import { readImplementation } from "../../address/code/account_code.ts";
import type { SnapshotContext } from "../../context.ts";
import { creatorAndTime } from "../contracts/creation.ts";
import { sourcesAmong } from "../contracts/verified_sources.ts";
import { indexedSupply, readHolderSums } from "../holders/sums.ts";
import { readBurned, readSupply } from "../holders/supply.ts";
import { readLiquidity, tradedAs } from "../market/liquidity.ts";
import { changedReadings } from "../metadata/history.ts";
import { listingIn, listingsOf } from "../metadata/lists.ts";
import { readingsOf } from "../metadata/metadata.ts";
import { registryOf } from "../metadata/registry.ts";
import { decimalsOf, tokenOf } from "../metadata/subject.ts";

/** Facts about a token from its contract and from the index: get_token_info. */

/** The contract's own words and supply, and whether it hides behind a proxy. Null when it is no token and never moved. */
export const readLive = async (
  scope: SnapshotContext,
  sources: Sources,
  { hex, at: state }: { readonly hex: Hex; readonly at: number | null },
) => {
  const { chain, signal } = scope;
  if (hex === "") {
    const { symbol, decimals } = chain.network.native;
    const native: LiveTokenMetadata = {
      token: "",
      standard: "native",
      name: symbol,
      symbol,
      decimals,
      total_supply: null,
    };
    return { token: { ...native, standard: "native" }, burned: null, is_proxy: false, source: null, traits: null };
  }
  const at = state ?? undefined;
  const [{ code }, [found], burned] = await Promise.all([
    chain.account(hex, signal, at),
    chain.tokenMetadata([hex], signal, at),
    readBurned(scope, [hex], state),
  ]);
  const words = await tokenOf(scope, found, hex);
  if (words === null) return null;
  const told = state === null ? { ...words, total_supply: await indexedSupply(scope, hex) } : words;
  const [implementation, verified, traits] = await Promise.all([
    readImplementation({ chain, address: hex, code, at, signal }),
    sourcesAmong(scope, sources, [{ address: hex, code }]),
    chain.can.token_accounts ? chain.tokenTraits(hex, signal, at) : null,
  ]);
  const source = verified.get(hex) ?? null;
  return { token: told, burned: burned.get(hex) ?? null, is_proxy: implementation !== null, source, traits };
};

export type LiveToken = NonNullable<Awaited<ReturnType<typeof readLive>>>;

/** Figures of the index about it. */
export const readIndexed = async (scope: SnapshotContext, { token, burned }: LiveToken) => {
  const { facts, snapshot } = scope;
  const hex = token.token;
  const is_whole = snapshot.coverage.complete && snapshot.coverage.logs && (hex !== "" || snapshot.coverage.traces);
  const issued = { token: hex, decimals: decimalsOf(token), total_supply: token.total_supply, burned };
  const [liquidities, creation, holders, supply, labels, listings, readings, registry] = await Promise.all([
    readLiquidity(scope, [hex]),
    hex === "" ? null : creatorAndTime(scope, hex),
    is_whole ? readHolderSums({ facts, snapshot }, hex) : null,
    readSupply(scope, issued),
    hex === "" ? [] : facts.ask(snapshot, "labels_among", { addresses: [hex] }),
    listingsOf({ facts, snapshot }, [hex]),
    hex === "" ? null : readingsOf({ facts, snapshot }, [hex]),
    registryOf(scope),
  ]);
  const liquidity = liquidities.get(hex);
  const is_doubtful = holders?.is_doubtful ?? false;
  const issuer = labels.find(({ category, entity }) => category === "stablecoin_contract" && entity !== "");
  return {
    issuer: issuer?.entity ?? null,
    listing: listingIn(listings, hex),
    registry,
    price: liquidity?.priceOf(tradedAs(scope, hex)) ?? null,
    liquidity: { usd: liquidity?.usd ?? null, reason: liquidity?.reason ?? null },
    supply,
    creation,
    is_followed: snapshot.followed !== undefined,
    readings: changedReadings(readings?.get(hex) ?? [], snapshot.block.number),
    is_doubtful,
    holders: is_doubtful ? null : (holders?.holders ?? null),
  };
};

export type IndexedToken = Awaited<ReturnType<typeof readIndexed>>;
