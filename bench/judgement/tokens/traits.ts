/** Traits that are compared with the truth, as `security_flags` names them. */
export const TRAITS = [
  "is_honeypot",
  "is_mintable",
  "owner_can_change_balance",
  "has_blacklist",
  "transfer_pausable",
  "can_take_back_ownership",
  "tax_modifiable",
  "per_wallet_tax",
  "is_upgradeable",
] as const;
export type Trait = (typeof TRAITS)[number];

/** Null: unknown. */
export type JudgedTraits = Readonly<Record<Trait, boolean | null>>;
