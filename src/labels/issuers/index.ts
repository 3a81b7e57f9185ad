import type { FreezeEvent, FreezeView, IssuerCoin, IssuerFamily, IssuerPowers } from "../../knowledge/issuer.ts";
import { ISSUER_COINS } from "../../knowledge/issuers.gen.ts";
import { type Hex, keccak256, toHex } from "../../lib/bytes.ts";
import { ISSUER_FAMILIES } from "./families.ts";

/**
 * The issuers' registry: which issuer can freeze which coin. Families are data, coins are rows, an operator adds rows
 * by configuration.
 */

const BY_ID: ReadonlyMap<string, IssuerFamily> = new Map(ISSUER_FAMILIES.map((family) => [family.id, family]));

/** Facts about a network that the registry needs. */
export interface IssuerNetwork {
  readonly id: string;
  /** Rows of the operator; a row for a listed contract replaces the listed one. */
  readonly freezes?: readonly IssuerCoin[];
}

/** Every coin of the network with a known freeze mechanism, including known absence. By symbol, then contract. */
export const issuerCoins = (network: IssuerNetwork): readonly IssuerCoin[] => {
  const listed = ISSUER_COINS.filter((coin) => coin.network === network.id).map(
    ({ network: _, issuer: __, ...coin }) => coin,
  );
  const coins = new Map([...listed, ...(network.freezes ?? [])].map((coin) => [coin.address, coin]));
  const key = ({ symbol, address }: IssuerCoin) => `${symbol} ${address}`;
  return [...coins.values()].sort((a, b) => (key(a) < key(b) ? -1 : 1));
};

/** The contract families of a coin. Skips unknown names: configuration rejects them (`config.ts`). */
export const familiesOf = (coin: IssuerCoin): readonly IssuerFamily[] =>
  coin.families.flatMap((id) => BY_ID.get(id) ?? []);

/** True when the coin can be frozen account by account. */
export const canFreeze = (coin: IssuerCoin): boolean => familiesOf(coin).some(({ powers }) => powers.freeze !== false);

/** Views of all families of a coin, each once; confirmed ones first. */
export const viewsOf = (coin: IssuerCoin): readonly FreezeView[] => {
  const views = new Map<string, FreezeView>();
  for (const view of familiesOf(coin).flatMap((family) => family.views)) {
    if (views.get(view.signature)?.is_confirmed !== true) views.set(view.signature, view);
  }
  return [...views.values()].sort((a, b) => Number(b.is_confirmed) - Number(a.is_confirmed));
};

const known = (says: readonly (boolean | null)[]): boolean | null =>
  says.includes(true) ? true : says.includes(null) ? null : false;

/** Powers of the issuer by any of the coin's families; all false for a coin without one. */
export const powersOf = (coin: IssuerCoin): IssuerPowers => {
  const powers = familiesOf(coin).map((family) => family.powers);
  return {
    freeze: known(powers.map(({ freeze }) => freeze)),
    seize_or_destroy: known(powers.map(({ seize_or_destroy }) => seize_or_destroy)),
    pause: known(powers.map(({ pause }) => pause)),
    upgradeable: known(powers.map(({ upgradeable }) => upgradeable)),
  };
};

/** First topic of an event. */
export const topicOf = ({ signature }: FreezeEvent): Hex => toHex(keccak256(new TextEncoder().encode(signature)));

/** The layouts of a coin's events by first topic; a coin of several families can have several of one topic. */
export const layoutsOf = (coin: IssuerCoin): ReadonlyMap<Hex, readonly FreezeEvent[]> => {
  const layouts = new Map<Hex, FreezeEvent[]>();
  for (const event of familiesOf(coin).flatMap((family) => family.events))
    layouts.set(topicOf(event), [...(layouts.get(topicOf(event)) ?? []), event]);
  return layouts;
};

/** The families of a coin's events, as one word: a change of this word requires reading the chain again. */
export const familiesKey = (coin: IssuerCoin): string => [...coin.families].sort().join("+");
