/** What can happen on a random chain: one function a kind of deed, fed by dice. */
import { ETHER } from "./act.ts";
import type { Deed, Stage } from "./stage.ts";

/** A seeded generator: the same seed plays the same chain. */
export interface Dice {
  /** 0 to n - 1. */
  roll(n: number): number;
  pick<T>(from: readonly T[]): T;
}

/** mulberry32, a public-domain generator of 32 bits. */
export const openDice = (seed: number): Dice => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
  const roll = (n: number): number => next() % n;
  return {
    roll,
    pick: (from) => {
      const picked = from[roll(from.length)];
      if (picked === undefined) throw new Error("Nothing to pick from.");
      return picked;
    },
  };
};

export const ACTORS = ["alice", "bob", "carol", "dave", "erin"] as const;
export const FORWARDERS = ["forwarder_a", "forwarder_b", "forwarder_c"] as const;
export const TOKENS = ["weth", "minted", "taxed", "plain"] as const;

export interface Setting {
  readonly dice: Dice;
  readonly stage: Stage;
  /** Contracts that hold coins until somebody destroys them; grows as the chain is played. */
  readonly ephemerals: string[];
  /** Addresses that never send; grows as the chain is played. */
  readonly strangers: string[];
}

type Kind = (setting: Setting) => Deed;

/** Up to 0.1 ether, often 0. */
const wei = ({ roll }: Dice): bigint => (roll(5) === 0 ? 0n : (BigInt(roll(1_000_000)) * ETHER) / 10_000_000n);
const amount = ({ roll }: Dice): bigint => (roll(6) === 0 ? 0n : BigInt(roll(1_000_000)) * 10n ** 13n);

const stranger = ({ dice, strangers }: Setting): string => {
  if (strangers.length > 0 && dice.roll(3) > 0) return dice.pick(strangers);
  const fresh = `0x${"5".repeat(8)}${dice
    .roll(2 ** 31)
    .toString(16)
    .padStart(32, "0")}`;
  strangers.push(fresh);
  return fresh;
};

const anyone = (setting: Setting): string => {
  const { dice, ephemerals } = setting;
  switch (dice.roll(6)) {
    case 0:
      return stranger(setting);
    case 1:
      return dice.pick(FORWARDERS);
    case 2:
      return ephemerals.length > 0 ? dice.pick(ephemerals) : dice.pick(ACTORS);
    case 3:
      return "validator";
    default:
      return dice.pick(ACTORS);
  }
};

const pay: Kind = (setting) => ({ from: setting.dice.pick(ACTORS), to: anyone(setting), value: wei(setting.dice) });

/** A payment through one to four forwarders; now and then the last one swallows a failure. */
const nest: Kind = (setting) => {
  const { dice, stage } = setting;
  let target = anyone(setting);
  let data = "0x";
  for (let depth = dice.roll(4); depth > 0; depth -= 1) {
    const verb = dice.roll(4) === 0 ? "attempt" : "forward";
    data = stage.encode(`${verb}(address,bytes) payable`, [stage.address(target), data]);
    target = dice.pick(FORWARDERS);
  }
  return {
    from: dice.pick(ACTORS),
    to: dice.pick(FORWARDERS),
    value: wei(dice),
    call: ["forward(address,bytes) payable", [`@${target}`, data]],
  };
};

/** An inner call fails and its payment with it, while the transaction succeeds. */
const swallow: Kind = ({ dice, stage }) => {
  const failure =
    dice.roll(2) === 0 ? stage.encode("refuse(uint256)", [BigInt(dice.roll(4))]) : stage.encode("spin()", []);
  return {
    from: dice.pick(ACTORS),
    to: dice.pick(FORWARDERS),
    value: wei(dice),
    gas: 400_000,
    call: ["attempt(address,bytes) payable", [`@${dice.pick(FORWARDERS)}`, failure]],
  };
};

const split: Kind = (setting) => {
  const { dice } = setting;
  const targets = Array.from({ length: 1 + dice.roll(4) }, () => anyone(setting));
  const each = wei(dice);
  // What is not split stays with the forwarder.
  const value = each * BigInt(targets.length) + wei(dice);
  const names = targets.map((target) => `@${target}`);
  return {
    from: dice.pick(ACTORS),
    to: dice.pick(FORWARDERS),
    value,
    call: ["split(address[],uint256) payable", [names, each]],
  };
};

const wrap: Kind = ({ dice }) => {
  const from = dice.pick(ACTORS);
  const value = wei(dice);
  if (dice.roll(2) === 0) return { from, to: "weth", value };
  return { from, to: "weth", value, call: ["deposit() payable", []] };
};

const unwrap: Kind = ({ dice }) => ({
  from: dice.pick(ACTORS),
  to: "weth",
  call: ["withdraw(uint256)", [amount(dice) / 10n]],
  fails: "perhaps",
});

/** A contract wraps, and passes wrapped coins on or unwraps them. */
const wrapInside: Kind = ({ dice, stage }) => {
  const deeds = [
    stage.encode("deposit()", []),
    stage.encode("transfer(address,uint256)", [`@${dice.pick(ACTORS)}`, amount(dice) / 100n]),
    stage.encode("withdraw(uint256)", [amount(dice) / 100n]),
  ] as const;
  const chosen = dice.roll(4);
  const data = deeds[chosen % 3] ?? deeds[0];
  const value = data === deeds[0] ? wei(dice) : 0n;
  const call = ["forward(address,bytes) payable", ["@weth", data]] as const;
  return { from: dice.pick(ACTORS), to: dice.pick(FORWARDERS), value, call, fails: "perhaps" };
};

const transfer: Kind = (setting) => ({
  from: setting.dice.pick(ACTORS),
  to: setting.dice.pick(TOKENS),
  call: ["transfer(address,uint256)", [`@${anyone(setting)}`, amount(setting.dice)]],
  fails: "perhaps",
});

const mint: Kind = (setting) => ({
  from: "alice",
  to: "minted",
  call: ["mint(address,uint256)", [`@${anyone(setting)}`, amount(setting.dice)]],
});

const burn: Kind = ({ dice }) => ({
  from: dice.pick(ACTORS),
  to: dice.pick(["minted", "plain"]),
  call: ["burn(uint256)", [amount(dice)]],
  fails: "perhaps",
});

const refuse: Kind = ({ dice }) => ({
  from: dice.pick(ACTORS),
  to: dice.pick(FORWARDERS),
  value: wei(dice),
  call: ["refuse(uint256) payable", [BigInt(dice.roll(5))]],
  fails: true,
});

const spin: Kind = ({ dice }) => ({
  from: dice.pick(ACTORS),
  to: dice.pick(FORWARDERS),
  value: wei(dice),
  call: ["spin() payable", []],
  gas: 60_000,
  fails: true,
});

const make: Kind = ({ dice }) => {
  const salt = dice.roll(2) === 0 ? 0 : dice.roll(2 ** 31);
  const text = `0x${salt.toString(16).padStart(64, "0")}`;
  // The same salt twice fails.
  return {
    from: dice.pick(ACTORS),
    to: "maker",
    value: wei(dice),
    call: ["make(bytes32) payable", [text]],
    fails: "perhaps",
  };
};

/** Created and destroyed in one transaction; without an heir the coins are burnt. */
const flash: Kind = (setting) => {
  const heir = setting.dice.roll(3) === 0 ? `0x${"0".repeat(40)}` : anyone(setting);
  return {
    from: setting.dice.pick(ACTORS),
    to: "maker",
    value: wei(setting.dice),
    call: ["flash(address) payable", [`@${heir}`]],
  };
};

const destroy: Kind = (setting) => {
  const { dice, ephemerals } = setting;
  if (ephemerals.length === 0) return make(setting);
  return { from: dice.pick(ACTORS), to: dice.pick(ephemerals), call: ["destroy(address)", [`@${anyone(setting)}`]] };
};

/** Each kind as often as it stands here. */
const KINDS: readonly Kind[] = [
  ...[pay, pay, pay, nest, nest, nest, swallow, split, wrap, wrap, unwrap, wrapInside, wrapInside],
  ...[transfer, transfer, transfer, mint, burn, refuse, spin, make, make, flash, destroy],
];

export const randomDeed = (setting: Setting): Deed => setting.dice.pick(KINDS)(setting);
