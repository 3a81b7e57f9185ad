import { expect, test } from "vitest";
import { joinStates, type StateChange } from "./joined_states.ts";

const change = (slot: number, before: string, after: string): StateChange => ({ slot, before, after });

test("changes join whatever the order within a slot", () => {
  const joined = joinStates([change(5, "7", "3"), change(5, "0", "7"), change(9, "3", "3"), change(12, "3", "8")]);
  expect(joined).toMatchObject({ start: "0", is_joined: true });
  expect([4, 5, 8, 9, 11, 12, 99].map((slot) => joined.at(slot))).toEqual(["0", "3", "3", "3", "3", "8", "8"]);
});

test.each<[string, readonly StateChange[]]>([
  ["between two slots", [change(1, "0", "5"), change(2, "6", "7")]],
  ["within a slot", [change(1, "0", "5"), change(1, "6", "7")]],
  ["apart from a circle that nothing reaches", [change(1, "0", "5"), change(1, "8", "9"), change(1, "9", "8")]],
  ["twice the same", [change(1, "0", "5"), change(1, "0", "5")]],
])("a missing change shows: %s", (_, changes) => {
  expect(joinStates(changes).is_joined).toBe(false);
});

test("without changes nothing is known", () => {
  const none = joinStates([]);
  expect([none.start, none.is_joined, none.at(3)]).toEqual([null, true, null]);
});

test("a circle begins and ends in one state", () => {
  const circle = joinStates([change(1, "4", "6"), change(1, "6", "4")]);
  expect(circle).toMatchObject({ start: "4", is_joined: true });
  expect(circle.at(1)).toBe("4");
});

test("random walks join in any order of their slots, and no change of state can be left out", () => {
  let state = 1;
  const random = (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  for (let round = 0; round < 300; round += 1) {
    let [slot, value] = [1, random(4)];
    const start = String(value);
    const walk = Array.from({ length: 2 + random(12) }, (): StateChange => {
      slot += random(2);
      const before = value;
      value = random(4);
      return change(slot, String(before), String(value));
    });
    const shuffled = walk.toSorted((a, b) => a.slot - b.slot || random(3) - 1);
    const joined = joinStates(shuffled);
    // The start of a first slot that is a circle is any state of it; the end is then the same.
    expect(joined.is_joined).toBe(true);
    const first_slot = walk.filter((one) => one.slot === walk[0]?.slot);
    if (first_slot.at(-1)?.after !== start) {
      expect(joined.start).toBe(start);
      expect(joined.at(slot)).toBe(String(value));
    }
    const left_out = random(walk.length);
    const one = walk[left_out];
    if (one === undefined || one.before === one.after) continue;
    const rest = joinStates(walk.toSpliced(left_out, 1));
    const is_same = rest.is_joined && rest.start === start && rest.at(slot) === String(value);
    expect(is_same).toBe(false);
  }
});
