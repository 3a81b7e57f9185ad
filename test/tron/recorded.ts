import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { TronJson } from "../../src/demo/tron/shapes.ts";

/** Recorded answers beside the checkout. */
const FOLDER = join(import.meta.dirname, "../../../shared/data/tron/metamask");

/** Transactions whose raw data was recorded whole; null without the recording. */
export const readRecordedTron = (): readonly TronJson[] | null =>
  existsSync(FOLDER)
    ? ["native-transfer", "trc20-transfer"].map((name) =>
        JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")),
      )
    : null;
