import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CaseFile, type CaseResult, emptyCase } from "../../../src/case/format.ts";
import { caseResultOf } from "../../../src/case/pin.ts";
import { run } from "../../../src/commands/case.ts";
import { type CommandIo, EXIT, parseArgs } from "../../../src/commands/command.ts";
import { commandNamed } from "../../../src/commands/index.ts";
import { loadSettings } from "../../../src/config/settings.ts";
import { messageOf } from "../../../src/lib/errors.ts";
import { tools } from "../../../src/tools/index.ts";
import { type SharedWorldService, sharedWorld } from "../served_world.ts";

let stage: SharedWorldService;
let folder: string;
beforeAll(async () => {
  stage = await sharedWorld();
  folder = mkdtempSync(join(tmpdir(), "assay-case-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const BY_BLOCK = ["get_wallet_stats", "get_wallet_counterparties", "get_token_info", "get_wallet_risk_overview"];
/** They take no block: compared only while the chain does not change. */
const LIVE = ["resolve_name", "get_wallet_account_meta", "get_wallet_osint_record"];

const callExample = async (tool: string, id: string): Promise<CaseResult> => {
  const args = { ...tools.find(({ name }) => name === tool)?.example };
  const response = await fetch(`${stage.service.url}/api/tools/${tool}`, {
    method: "POST",
    headers: { authorization: `Bearer ${stage.key}`, "content-type": "application/json" },
    body: JSON.stringify(args),
  });
  return caseResultOf({
    ...{ id, tool, arguments: args, asked_at: "2026-11-25T12:00:00Z" },
    // A tool answers with an object.
    answer: (await response.json()) as Record<string, unknown>,
    request_id: response.headers.get("x-request-id"),
    credits: Number(response.headers.get("x-credits-charged")),
    catalog_version: response.headers.get("x-credit-catalog-version"),
  });
};

const caseOf = (entries: readonly CaseResult[]): CaseFile => ({
  ...emptyCase("Case", "2026-11-25T12:00:00Z"),
  entries,
});

const written = (file: CaseFile | string, name = "case.json"): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof file === "string" ? file : JSON.stringify(file));
  return path;
};

const type = async (words: readonly string[], json = true) => {
  const out: string[] = [];
  const err: string[] = [];
  const env = { ASSAY_DATA_DIR: folder, ASSAY_URL: stage.service.url ?? "", ASSAY_KEY: stage.key };
  const io: CommandIo = {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    ...{ json, tty: false, env, checkout: folder, signal: new AbortController().signal },
    settings: () => loadSettings({ config: null, cwd: folder, home: folder, env }),
  };
  const code = await run(parseArgs(commandNamed("case"), words), io).catch((error: unknown) => messageOf(error));
  return { code, out: out.join(""), err: err.join("") };
};

const verify = async (file: CaseFile | string) => {
  const { code, out, err } = await type(["verify", written(file), "--yes"]);
  const lines = out.split("\n").filter((line) => line !== "");
  return { code, err, verdicts: lines.map((line) => JSON.parse(line)) };
};

test("confirms saved results with a new call, at their block if the tool takes one", async () => {
  const entries = await Promise.all([...BY_BLOCK, ...LIVE].map((tool, i) => callExample(tool, `e${i}`)));
  const { code, verdicts, err } = await verify(caseOf(entries));
  expect(verdicts.map(({ tool, outcome, differing }) => [tool, outcome, differing])).toEqual(
    [...BY_BLOCK, ...LIVE].map((tool) => [tool, "same", []]),
  );
  expect(code).toBe(EXIT.ok);
  // 8 + 25 + 3 + 15 by block, 1 + 1 + 1 live.
  expect(err).toContain("7 of 7 calls will be repeated, for at most 54 credits");
  const told = await type(["show", written(caseOf(entries))], false);
  expect(told.out).toContain("get_wallet_counterparties");
  const page = join(folder, "case.html");
  expect((await type(["export", written(caseOf(entries)), "--html", page])).code).toBe(EXIT.ok);
  expect((await type(["verify", page, "--yes"])).code).toBe(EXIT.ok);
  expect((await type(["export", written(caseOf(entries)), "--html", page])).code).toContain("already exists");
});

test("reports a changed answer by its JSON pointers, whatever its hash", async () => {
  const entry = await callExample("get_wallet_stats", "e1");
  const other = caseResultOf({ ...entry, answer: { ...entry.answer, tx_count: 1_000_000 } });
  const { code, verdicts } = await verify(caseOf([other]));
  expect(verdicts).toMatchObject([{ outcome: "differs", differing: ["/tx_count"], credits: 8 }]);
  expect(code).toBe(EXIT.error);
});

test("reports an altered file without a call, free of charge", async () => {
  const entry = await callExample("get_wallet_stats", "e1");
  const altered = { ...entry, answer: { ...entry.answer, tx_count: 1_000_000 } };
  const moved = { ...entry, id: "e2", as_of: entry.as_of.map((block) => ({ ...block, block_number: 5 })) };
  const { code, verdicts } = await verify(caseOf([altered, moved]));
  expect(verdicts).toMatchObject([
    { outcome: "differs", credits: 0, reason: expect.stringContaining("hash beside it") },
    { outcome: "differs", credits: 0, reason: expect.stringContaining("blocks are not those") },
  ]);
  expect(code).toBe(EXIT.error);
});

test("cannot verify a dropped block, an unavailable network or an unknown tool", async () => {
  const entry = await callExample("get_wallet_stats", "e1");
  const answer = JSON.parse(JSON.stringify(entry.answer).replace(/"block_hash":"0x../, '"block_hash":"0x00'));
  const reorganised = caseResultOf({ ...entry, answer });
  const away = caseResultOf({ ...entry, id: "e2", arguments: { ...entry.arguments, network: "bitcoin" } });
  const { code, verdicts } = await verify(caseOf([reorganised, away, { ...entry, id: "e3", tool: "get_nothing" }]));
  expect(verdicts).toMatchObject([
    { outcome: "cannot_be_asked", reason: expect.stringContaining("is another one now") },
    { outcome: "cannot_be_asked", reason: expect.stringContaining("refused: 422"), credits: 0 },
    { outcome: "cannot_be_asked", reason: expect.stringContaining("no such tool"), credits: 0 },
  ]);
  expect(code).toBe(EXIT.no_data);
});

test("calls nothing before the price is shown and confirmed, and reports a wrong key as such", async () => {
  const path = written(caseOf([await callExample("get_wallet_stats", "e1")]));
  expect((await type(["verify", path])).code).toContain("for at most 8 credits; add --yes to confirm");
  expect((await type(["verify", path, "--yes", "--key", "svc_live_wrong"])).code).toBe(EXIT.auth);
});

test("rejects a file that is not a case, with the reason", async () => {
  expect((await type(["verify", written("{")])).code).toContain("it is not JSON");
  expect((await type(["show", join(folder, "nothing.json")])).code).toContain("the file does not exist");
  expect((await type(["show", folder])).code).toContain("it is a folder");
});
