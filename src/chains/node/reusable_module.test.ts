import { expect, test } from "vitest";
import { SCAN_MODULE } from "../tron/scan/module.gen.ts";
import { BadAnswer } from "./answer.ts";
import { copyOf, ReusableModule } from "./reusable_module.ts";

interface TestExports {
  readonly memory: WebAssembly.Memory;
  reserve(length: number): number;
}

const KEPT_BYTES = 8 << 20;

const opened = () => {
  const instances: TestExports[] = [];
  const kept = new ReusableModule<TestExports>(SCAN_MODULE, KEPT_BYTES, (one) => instances.push(one));
  return { kept, instances };
};
const SHORT = Buffer.from("[1]");

test("a text is at the position that the module returns, and one instance serves many", () => {
  const { kept, instances } = opened();
  for (const text of [SHORT, Buffer.from("{}")])
    expect(kept.read(text, (module) => copyOf(module, module.reserve(text.length), text.length))).toEqual(text);
  expect(instances).toHaveLength(1);
});

test("an instance that has grown large is discarded, and so is a broken one", () => {
  const { kept, instances } = opened();
  const bytes = (text: Buffer) => kept.read(text, ({ memory }) => memory.buffer.byteLength);
  expect(bytes(Buffer.alloc(2 * KEPT_BYTES, " "))).toBeGreaterThan(2 * KEPT_BYTES);
  expect(bytes(SHORT)).toBeLessThanOrEqual(KEPT_BYTES);
  expect(instances).toHaveLength(2);
  const broken = (error: unknown) => () =>
    kept.read(SHORT, () => {
      throw error;
    });
  for (const error of [new WebAssembly.RuntimeError("unreachable"), new RangeError("offset is out of bounds")])
    expect(broken(error)).toThrow(new BadAnswer("an answer broke what reads it"));
  expect(broken(new TypeError("of ours"))).toThrow(new TypeError("of ours"));
  expect(instances).toHaveLength(4);
  bytes(SHORT);
  expect(instances).toHaveLength(5);
});

test("a rejected answer breaks nothing", () => {
  const { kept, instances } = opened();
  const refused = () =>
    kept.read(SHORT, () => {
      throw new BadAnswer("more than a block may have");
    });
  expect(refused).toThrow("more than a block may have");
  kept.read(SHORT, () => null);
  expect(instances).toHaveLength(1);
});
