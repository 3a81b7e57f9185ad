import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AUDIT_KINDS, auditText } from "../../portal/src/operator/audit_text.ts";

test("every action that the accounts record has a sentence and a kind on the operator's page", () => {
  const folder = join(import.meta.dirname, "../../src/accounts");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts"),
  );
  const action_words = /action: "([a-z_.]+)"|"((?:key|watch|assistant|session|user|case|risk_rule)\.[a-z_]+)"/g;
  const actions = new Set(
    files.flatMap((path) =>
      [...readFileSync(join(folder, path), "utf8").matchAll(action_words)].map(([, one, other]) => one ?? other ?? ""),
    ),
  );
  expect(actions.size).toBeGreaterThan(25);
  const kinds = AUDIT_KINDS.map(([kind]) => kind);
  for (const action of actions) {
    expect(kinds).toContain(action.split(".")[0]);
    const text = auditText({ action, actor: "alice", subject: "x", before: null, after: null }, new Map());
    expect([action, text]).toEqual([action, expect.not.stringContaining(`did ${action}`)]);
  }
});
