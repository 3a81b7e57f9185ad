import type { Reporter, TestModule } from "vitest/node";

const SLOWEST = 10;

/**
 * Names the slowest files of a run of many, and ends it with one plain line, `N passed, N failed`, that people and machines
 * read alike.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      if (module.errors().length > 0) count.failed += 1;
    }
    if (modules.length > SLOWEST) {
      const slowest = modules
        .map((module) => ({ file: module.relativeModuleId, ms: module.diagnostic().duration }))
        .sort((a, b) => b.ms - a.ms)
        .slice(0, SLOWEST);
      process.stdout.write(`\nslowest files\n`);
      for (const { file, ms } of slowest) process.stdout.write(`${(ms / 1000).toFixed(1).padStart(8)} s  ${file}\n`);
    }
    const failed = count.failed + errors.length;
    const skipped = count.skipped + count.pending;
    process.stdout.write(`\n${count.passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}\n`);
  }
}
