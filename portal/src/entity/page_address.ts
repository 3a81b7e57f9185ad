/** URLs of pages. A URL has everything needed to show the same page to others. */

export type EntityKind = "wallet" | "token" | "transaction" | "contract" | "name";

export interface Entity {
  readonly kind: EntityKind;
  /** '' for a name, which belongs to no network. */
  readonly network: string;
  /** Address, hash or name. */
  readonly id: string;
}

export const pageAddress = ({ kind, network, id }: Entity, as_of: string | null = null): string => {
  const parts = network === "" ? [kind, id] : [kind, network, id];
  const path = `/app/${parts.map(encodeURIComponent).join("/")}`;
  return as_of === null || as_of === "" ? path : `${path}?as_of=${encodeURIComponent(as_of)}`;
};

/** The printable report of a wallet, or of a transfer in a transaction. */
export const reportAddress = (
  entity: Entity & { readonly kind: "wallet" | "transaction" },
  as_of: string | null = null,
) => pageAddress(entity, as_of).replace("/app/", "/app/report/");

/** Views of an address. */
export const ADDRESS_KINDS: readonly EntityKind[] = ["wallet", "token", "contract"];

/** The form of a watch rule on the address. */
export const watchAddress = ({ kind, network, id }: Entity): string =>
  `/app/watches?${new URLSearchParams({ network, [kind === "token" ? "token" : "address"]: id })}`;

/** The money graph that starts from the address. */
export const graphAddress = ({ network, id }: Entity): string =>
  `/app/graph?${new URLSearchParams({ network, address: id })}`;

/** Profit of the wallet over time, alone or with other wallets. */
export const profitsAddress = ({ network, id }: Entity): string =>
  `/app/profits?${new URLSearchParams({ wallets: `${network}:${id}` })}`;

export const KIND_NAMES: Readonly<Record<EntityKind, string>> = {
  wallet: "Wallet",
  token: "Token",
  transaction: "Transaction",
  contract: "Contract",
  name: "Name",
};

/** Shortened address or hash. It does not distinguish look-alikes, so the title has the whole. */
export const shortId = (id: string): string => (id.length > 20 ? `${id.slice(0, 8)}…${id.slice(-6)}` : id);
