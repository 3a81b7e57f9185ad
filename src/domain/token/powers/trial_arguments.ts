import { encode, from } from "ox/AbiParameters";
import { concatHex, type Hex, hex, keccak256, toHex } from "../../../lib/bytes.ts";
import type { CodeFunction } from "./code_functions.ts";
import type { SettingKeys } from "./setting_keys.ts";

/** Arguments that functions of a token are tried with. Pure. */

/** Accounts and amounts around a token that matter to its functions. */
export interface ArgumentSetting {
  readonly token: Hex;
  readonly caller: Hex;
  readonly victim: Hex;
  readonly other: Hex;
  readonly friend: Hex;
  readonly payee: Hex;
  readonly marker: Hex;
  readonly supply: bigint;
  /** Of the victim. */
  readonly balance: bigint;
  /** Unix seconds. */
  readonly time: number;
  /** Identifiers of roles that the contract names. */
  readonly roles: readonly Hex[];
  /** Keys of its settings. */
  readonly keys: SettingKeys;
  /** Call data that a function which makes calls may be given for the token itself. */
  readonly payloads: readonly Hex[];
}

/**
 * One choice of values: the address for the first address argument, for the others, the number, the flag, the role. `posing`:
 * the address in place of the first number, for functions whose address the inference took for a number.
 */
interface ArgumentChoice {
  readonly first: Hex;
  readonly rest: Hex;
  readonly number: bigint;
  readonly flag: boolean;
  readonly role: Hex;
  readonly posing: Hex | null;
  /** The first numbers; the others are `number`. */
  readonly leads: readonly bigint[];
  readonly text: string;
  readonly payload: Hex;
}

const utf8 = new TextEncoder();
const YEAR_S = 365n * 86_400n;
const ZERO_WORD = hex("00".repeat(32));
const WORD_MAX = 2n ** 256n - 1n;
/** OpenZeppelin AccessControl: names by convention. */
const ROLE_NAMES = ["MINTER_ROLE", "PAUSER_ROLE", "BURNER_ROLE", "BLACKLISTER_ROLE", "ADMIN_ROLE"];
const ROLES: readonly Hex[] = ROLE_NAMES.map((name) => toHex(keccak256(utf8.encode(name))));

const [THOUSANDTH, THOUSANDFOLD, HUNDREDTH, TWENTIETH] = [1_000n, 1_000n, 100n, 20n];
/** Functions that do one of several things take its number first. */
const LEADS: readonly bigint[] = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n];

const choice = ([first, rest]: readonly [Hex, Hex], number: bigint, flag: boolean): ArgumentChoice => ({
  ...{ first, rest, number, flag, role: ZERO_WORD, posing: null, leads: [], text: "x", payload: "" },
});

/** Values of settings: 99 of 100 is a tax in percent, a quarter of 10,000 one in hundredths of it. */
const SET_VALUES: readonly bigint[] = [99n, 2_500n];
/** A signature is 27 or 28; other values are no signature, and some tokens let them pass. */
const SIGNATURE_KINDS: readonly bigint[] = [0n, 27n, 28n, 1n, 99n];
/** Call data, or a text. */
export const TAKES_CALLS = /\bbytes(?:\[\]|,|$)/;
const PERMIT = /^address,address,uint256,uint256,uint8,/;

/** Choices for functions of a certain shape. */
const shapedChoices = (types: string, setting: ArgumentSetting): readonly ArgumentChoice[] => {
  const { token, caller, victim, balance, supply, roles, keys, payloads } = setting;
  const named = [...keys.words, ...roles];
  const numbers = [...types.matchAll(/\bu?int/g)].length;
  const keyed = (more: (key: Hex) => Partial<ArgumentChoice>): readonly ArgumentChoice[] =>
    SET_VALUES.flatMap((value) => named.map((key) => ({ ...choice([victim, caller], value, true), ...more(key) })));
  return [
    ...(PERMIT.test(types)
      ? SIGNATURE_KINDS.map((kind) => ({
          ...choice([victim, caller], 0n, true),
          leads: [balance, WORD_MAX, kind],
        }))
      : []),
    ...(TAKES_CALLS.test(types)
      ? [...payloads, ...keys.texts.map((text) => toHex(utf8.encode(text)))].map((payload) => ({
          ...choice([token, caller], SET_VALUES[0] ?? 0n, true),
          payload,
        }))
      : []),
    ...(numbers > 0
      ? keys.numbers.flatMap((number) => [
          choice([victim, caller], number, true),
          ...(numbers > 1 ? [{ ...choice([victim, caller], number, true), leads: [supply / THOUSANDTH] }] : []),
          ...(numbers > 1 ? [{ ...choice([victim, caller], supply / THOUSANDTH, true), leads: [number] }] : []),
        ])
      : []),
    ...(types.startsWith("bytes32,") ? keyed((role) => ({ role })) : []),
    ...(/^uint\d+,/.test(types) && numbers > 1 ? keyed((key) => ({ leads: [BigInt(`0x${key}`)] })) : []),
    ...(types.includes("string")
      ? SET_VALUES.flatMap((value) => keys.texts.map((text) => ({ ...choice([victim, caller], value, true), text })))
      : []),
  ];
};

/** The order matters: the first choices are those of the quick pass. */
const choicesOf = (types: string, setting: ArgumentSetting): readonly ArgumentChoice[] => {
  const { token, caller, victim, other, friend, payee, marker, supply, balance, time, roles } = setting;
  const now = BigInt(time);
  const posing = (address: Hex, number: bigint, flag: boolean): ArgumentChoice => ({
    ...choice([address, address], number, flag),
    posing: address,
  });
  return [
    choice([victim, caller], supply / THOUSANDTH, true),
    choice([caller, caller], supply * THOUSANDFOLD, true),
    posing(victim, 1n, true),
    choice([victim, friend], 99n, true),
    choice([victim, victim], 0n, false),
    ...shapedChoices(types, setting),
    choice([victim, victim], 100n, true),
    choice([victim, caller], 0n, true),
    choice([caller, victim], balance, false),
    choice([payee, victim], 1n, true),
    choice([marker, marker], 10n, true),
    posing(victim, 0n, false),
    posing(caller, supply / THOUSANDTH, true),
    posing(payee, 1n, true),
    posing(victim, 100n, true),
    posing(marker, 1n, true),
    choice([victim, caller], 10_000n, true),
    choice([payee, payee], supply / THOUSANDTH, false),
    choice([payee, caller], balance, true),
    choice([victim, friend], WORD_MAX, true),
    choice([other, other], 25n, true),
    choice([victim, caller], balance / 2n, false),
    choice([caller, caller], 0n, true),
    choice([friend, friend], 50n, true),
    choice([caller, friend], now + YEAR_S, true),
    choice([caller, friend], now - YEAR_S, false),
    choice([caller, caller], 1_000n, true),
    choice([caller, caller], 5n, false),
    choice([caller, friend], 2_500n, true),
    choice([caller, caller], supply / HUNDREDTH, true),
    choice([caller, victim], supply / TWENTIETH, true),
    choice([token, token], 50n, true),
    ...LEADS.map((lead) => ({ ...choice([victim, caller], 99n, true), leads: [lead] })),
    ...[...ROLES, ...roles].map((role) => ({ ...choice([caller, caller], 1n, true), role })),
  ];
};

interface Parameter {
  readonly type: string;
  readonly components?: readonly Parameter[];
}

const fitted = (number: bigint, type: string): bigint => {
  const bits = BigInt(/\d+/.exec(type)?.[0] ?? 256);
  const most = type.startsWith("int") ? 2n ** (bits - 1n) - 1n : 2n ** bits - 1n;
  return number > most ? most : number;
};

/** Values for every parameter of a function. */
class ArgumentWriter {
  readonly #choice: ArgumentChoice;
  #addresses = 0;
  #posed = false;
  #numbers = 0;

  constructor(choice: ArgumentChoice) {
    this.#choice = choice;
  }

  valueOf({ type, components = [] }: Parameter): unknown {
    const list = /^(.*)\[(\d*)\]$/.exec(type);
    if (list !== null) {
      const count = list[2] === "" ? 1 : Number(list[2]);
      return Array.from({ length: count }, () => this.valueOf({ type: list[1] ?? "", components }));
    }
    if (type === "tuple") return components.map((one) => this.valueOf(one));
    if (type === "address") {
      this.#addresses += 1;
      return `0x${this.#addresses === 1 ? this.#choice.first : this.#choice.rest}`;
    }
    if (type === "bool") return this.#choice.flag;
    if (type === "string") return this.#choice.text;
    if (type === "bytes") return `0x${this.#choice.payload}`;
    if (type === "function") return `0x${"00".repeat(24)}`;
    const posed = this.#pose(type);
    if (posed !== null) return type === "bytes32" ? `0x${posed.padStart(64, "0")}` : BigInt(`0x${posed}`);
    if (type.startsWith("bytes")) return `0x${this.#choice.role.slice(0, 2 * Number(type.slice("bytes".length)))}`;
    const { leads, number } = this.#choice;
    this.#numbers += 1;
    return fitted(leads[this.#numbers - 1] ?? number, type);
  }

  /** Once, in a word that is wide enough, where no address came first. */
  #pose(type: string): Hex | null {
    const { posing } = this.#choice;
    if (posing === null || this.#posed || this.#addresses > 0) return null;
    if (!["uint256", "uint160", "bytes32"].includes(type)) return null;
    this.#posed = true;
    return posing;
  }
}

const LIST_MAX = 64;
const parametersOf = (types: string): readonly Parameter[] | null => {
  if (types === "") return [];
  if (/\[(\d+)\]/g.test(types) && [...types.matchAll(/\[(\d+)\]/g)].some(([, count]) => Number(count) > LIST_MAX))
    return null;
  try {
    return from([types]) as readonly Parameter[];
  } catch {
    return null; // the inference gave types that no signature has
  }
};

/** Call data of a function for each choice of arguments, without repetitions; the first `count`. */
export const callsOf = (
  { selector, types }: Pick<CodeFunction, "selector" | "types">,
  setting: ArgumentSetting,
  count: number,
): readonly Hex[] => {
  const parameters = parametersOf(types);
  if (parameters === null) return [selector];
  const calls = new Set<Hex>();
  const numbers = [...types.matchAll(/\bu?int/g)].length;
  for (const one of choicesOf(types, setting)) {
    if (one.leads.length > 0 && (numbers < 2 || one.leads.length > numbers)) continue;
    const writer = new ArgumentWriter(one);
    const values = parameters.map((parameter) => writer.valueOf(parameter));
    // The parser checked the types, and the writer made one value for each.
    const encoded = encode(parameters as Parameters<typeof encode>[0], values as never);
    calls.add(concatHex(selector, hex(encoded.slice(2))));
    if (calls.size >= count) break;
  }
  return [...calls];
};
