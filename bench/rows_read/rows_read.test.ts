// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BlownUp, openBlownUp } from "../blown_up_setup.ts";
import { needless, readByQuestions, tableOf, unreasoned } from "./read.ts";

const TRANSFERS = 10_000_000;
const CALL_MS_MAX = 600_000;

let stage: BlownUp;
beforeAll(async () => {
  stage = await openBlownUp({ transfers: TRANSFERS, data: "", has_recent: false });
}, 1_800_000);
afterAll(() => stage?.close());

test("on ten million transfers no query reads fifty rows for one of its answer, except with a reason", async () => {
  const read = await readByQuestions({ ...stage, place: { ...stage.place, ms_max: CALL_MS_MAX } });
  process.stdout.write(`\n${tableOf(read)}\n`);
  expect(unreasoned(read)).toEqual([]);
  expect([needless(read), "reasons of queries that did not run"]).toEqual([[], "reasons of queries that did not run"]);
}, 1_800_000);
