import { expect, test } from "vitest";
import { Progress } from "./progress.ts";

test("the pace counts blocks after the first sample over the time between", () => {
  const progress = new Progress(10_000);
  expect(progress.blocksPerSecond()).toBeNull();
  progress.add(100, 0);
  progress.add(50, 1_000);
  progress.add(150, 2_000);
  // (50 + 150) blocks in 2 s
  expect(progress.blocksPerSecond()).toBe(100);
});

test("samples older than the window no longer count", () => {
  const progress = new Progress(1_000);
  progress.add(1_000_000, 0);
  progress.add(10, 5_000);
  progress.add(10, 6_000);
  expect(progress.blocksPerSecond()).toBe(10);
});
