import type { Hex } from "../../lib/bytes.ts";

/** emission: a token that only this protocol pays out as a reward; shares: a token of savings; envelope: it carries out what others ask for; messenger: it carries messages between chains; router: trades go through it; bridge: coins leave or come through it; relayer: it pays out for a bridge; market: everything else. */
export type Role = "router" | "bridge" | "relayer" | "market" | "shares" | "emission" | "envelope" | "messenger";

export interface ContractName {
  readonly name: string;
  readonly version: string | null;
  readonly role: Role;
}

/** Contracts of one protocol: network -> addresses as they are written down. `evm`: the same on every network. */
export interface WrittenGroup extends ContractName {
  readonly at: Readonly<Record<string, readonly string[]>>;
}

export interface ContractGroup extends ContractName {
  readonly at: Readonly<Record<string, readonly Hex[]>>;
}
