import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A folder for what shared worlds keep, gone with the run: a process of tests is ended, it does not close what it holds. */
export default (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), "assay-worlds-"));
  process.env.TEST_WORLDS = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
};
