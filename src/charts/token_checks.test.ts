import { expect, test } from "vitest";
import { checksOf } from "./token_checks.ts";

test("shows four states of a check, with good flags inverted", () => {
  const security_flags = {
    ...{ is_honeypot: true, is_verified: true, has_blacklist: false, gas_abuse: null, caller_pays_energy: null },
    ...{ is_proxy: false, is_upgradeable: false },
  };
  expect(checksOf({ network: "evm", security_flags })).toEqual([
    { flag: "is_honeypot", name: "honeypot: cannot be sold", verdict: "failed" },
    { flag: "gas_abuse", name: "abuses gas", verdict: "unknown" },
    { flag: "is_verified", name: "source verified", verdict: "passed" },
    { flag: "has_blacklist", name: "no blacklist", verdict: "passed" },
    { flag: "is_proxy", name: "no proxy", verdict: "passed" },
    { flag: "caller_pays_energy", name: "who pays energy", verdict: "not_applicable" },
    { flag: "is_upgradeable", name: "upgradeable", verdict: "not_applicable" },
  ]);
  // On Tron it is a question that is open.
  expect(checksOf({ network: "tron", security_flags: { caller_pays_energy: null } })[0]?.verdict).toBe("unknown");
  // A null authority belongs to no account.
  expect(checksOf({ network: "solana", security_flags: { mint_authority: null, freeze_authority: "A" } })).toEqual([
    { flag: "freeze_authority", name: "holders can be frozen", verdict: "failed" },
    { flag: "mint_authority", name: "minting is disabled", verdict: "passed" },
  ]);
});
