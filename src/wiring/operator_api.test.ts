import { expect, onTestFinished, test } from "vitest";
import { OPERATOR_STATE } from "../../test/operator_state.ts";
import { openTemporary } from "../accounts/testing/temporary.ts";
import { settings } from "../config/settings.ts";
import { silentLog } from "../lib/log.ts";
import { openOperatorApi } from "./operator_api.ts";

const TOKENS = {
  token: "operator-token-for-the-tests",
  read_token: "reading-token-for-the-tests",
  tokens: { alice: "alices-own-token-for-the-tests" },
};

test("each token of the settings has the scope and the audit name of its setting", async () => {
  const accounts = await openTemporary();
  onTestFinished(() => accounts.remove());
  const { operator } = settings.parse({ operator: { listen: "127.0.0.1:0", ...TOKENS } });
  const api = await openOperatorApi(operator, { accounts, state: OPERATOR_STATE, log: silentLog });
  if (api === null) throw new Error("the operator API is off");
  onTestFinished(() => api.close());
  const statuses: number[] = [];
  for (const token of [TOKENS.token, TOKENS.read_token, TOKENS.tokens.alice]) {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "Acme" });
    statuses.push((await fetch(`${api.url}/operator/accounts`, { method: "POST", headers, body })).status);
    statuses.push((await fetch(`${api.url}/operator/accounts`, { headers })).status);
  }
  expect(statuses).toEqual([200, 200, 403, 200, 200, 200]);
  const trail = await accounts.audit({ limit: 2, before_seq: null });
  expect(trail.map(({ actor, action }) => [actor, action])).toEqual([
    ["alice", "account.create"],
    ["operator", "account.create"],
  ]);
});

test("there is no operator API without a token", async () => {
  const accounts = await openTemporary();
  onTestFinished(() => accounts.remove());
  expect(
    await openOperatorApi(settings.parse({}).operator, { accounts, state: OPERATOR_STATE, log: silentLog }),
  ).toBeNull();
});
