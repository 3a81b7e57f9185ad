import type { IssuerFamily } from "../../knowledge/issuer.ts";
import { FREEZE_FAMILIES } from "../../knowledge/issuers.gen.ts";

/** The ways in which issuers freeze, as `knowledge` describes them. */
export const ISSUER_FAMILIES: readonly IssuerFamily[] = FREEZE_FAMILIES;

export const ISSUER_FAMILY_IDS: readonly string[] = ISSUER_FAMILIES.map(({ id }) => id);
