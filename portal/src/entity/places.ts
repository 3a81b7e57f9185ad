/** Where things are looked at: the address of a page says everything that it needs to be the same for others. */

export type EntityKind = "wallet" | "token" | "transaction" | "contract" | "name";

export interface Entity {
  readonly kind: EntityKind;
  /** '' for a name, which belongs to no network. */
  readonly network: string;
  /** Address, hash or name. */
  readonly id: string;
}

export const placeOf = ({ kind, network, id }: Entity, as_of: string | null = null): string => {
  const parts = network === "" ? [kind, id] : [kind, network, id];
  const path = `/app/${parts.map(encodeURIComponent).join("/")}`;
  return as_of === null || as_of === "" ? path : `${path}?as_of=${encodeURIComponent(as_of)}`;
};

export const KIND_NAMES: Readonly<Record<EntityKind, string>> = {
  wallet: "Wallet",
  token: "Token",
  transaction: "Transaction",
  contract: "Contract",
  name: "Name",
};

/** Enough of an address or hash to tell it from others, never from a look-alike: the whole stands in its title. */
export const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);
