import { T0 } from "./served_world.ts";

/** After the end of the world's history, and before the start of every test run. Unix milliseconds. */
const AFTER_THE_WORLD = (T0 + 100 * 86_400) * 1_000;
const MOMENT = /^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d/;
const OF_THIS_CALL = new Set(["request_id", "took_ms", "response_ms", "age_hours"]);

/** Removes values of this run or call: when lists were imported, when a node or page was read, and how long that took. */
export const still = (text: string): unknown =>
  JSON.parse(text, (name, value) => {
    if (OF_THIS_CALL.has(name)) return null;
    return typeof value === "string" && MOMENT.test(value) && Date.parse(value) > AFTER_THE_WORLD
      ? "of this run"
      : value;
  });
