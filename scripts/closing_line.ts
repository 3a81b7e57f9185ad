import type { Reporter, TestModule } from "vitest/node";

/** Ends the run with one plain line, `N passed, N failed`, that people and machines read alike. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const count = { passed: 0, failed: 0, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) count[test.result().state] += 1;
      if (module.errors().length > 0) count.failed += 1;
    }
    const failed = count.failed + errors.length;
    const skipped = count.skipped + count.pending;
    process.stdout.write(`\n${count.passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}\n`);
  }
}
