import { expect, test } from "vitest";
import { SCOPES } from "../../portal/src/account/scopes.ts";
import { SCOPES as SERVED } from "../../src/accounts/keys.ts";

test("the form of a new key offers every scope that the server knows", () => {
  expect(SCOPES.map(({ scope }) => scope)).toEqual([...SERVED]);
});
