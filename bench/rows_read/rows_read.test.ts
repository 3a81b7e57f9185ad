// @long: alone
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BlownUp, openBlownUp } from "../blown_up_stage.ts";
import { needless, readByQuestions, tableOf, unreasoned } from "./read.ts";

const TRANSFERS = 10_000_000;
const CALL_MS_MAX = 600_000;

let stage: BlownUp;
beforeAll(async () => {
  stage = await openBlownUp({ transfers: TRANSFERS, data: "", has_recent: false });
}, 1_800_000);
afterAll(() => stage?.close());

test("reads fewer than fifty rows per row of an answer in every query on ten million transfers, except for listed reasons", async () => {
  const read = await readByQuestions({ ...stage, place: { ...stage.place, ms_max: CALL_MS_MAX } });
  process.stdout.write(`\n${tableOf(read)}\n`);
  expect(unreasoned(read)).toEqual([]);
  expect([needless(read), "reasons of queries that no tool ran"]).toEqual([[], "reasons of queries that no tool ran"]);
}, 1_800_000);
