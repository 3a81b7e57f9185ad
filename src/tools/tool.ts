import type * as z from "zod";
import type { Family } from "../chains/chain.ts";
import type { CallContext } from "../domain/context.ts";
import type { Outcome } from "../lib/outcome.ts";
import type { ParsedByNetwork, ParsedName, ParsedNameOrAddress, ParsedText, PinnedBlock } from "../lib/parsed.ts";
import type { KindBrand } from "./fields.ts";
import type { View } from "./view.ts";

/** Addresses of the demo network that several tools use as examples. */
export const DEMO_EXAMPLES = {
  token: "0x0116686E2291dbd5e317F47faDBFb43B599786Ef",
  trader: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
  deployer: "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
  exposed_wallet: "0x61097BA76cD906d2ba4FD106E757f7Eb455fc295",
  frozen_wallet: "0xFABB0ac9d68B0B445fB7357272Ff202C5651694a",
} as const;

/** Context of `check`: pure facts of this instance. */
export interface CheckContext {
  readonly networks: readonly string[];
  readonly today: string;
}

type ValueOf<V, AddressValue> = V extends KindBrand<"address"> | KindBrand<"token">
  ? AddressValue
  : V extends KindBrand<"addresses">
    ? readonly AddressValue[]
    : V extends KindBrand<"any_address"> | KindBrand<"hash">
      ? ParsedByNetwork
      : V extends KindBrand<"name">
        ? ParsedName
        : V extends KindBrand<"name_or_address">
          ? ParsedNameOrAddress
          : V extends KindBrand<"date">
            ? number
            : V extends KindBrand<"block">
              ? PinnedBlock
              : V extends KindBrand<"network">
                ? string
                : V;

type ValuesOf<T, AddressValue> = { readonly [F in keyof T]: ValueOf<T[F], AddressValue> };

/**
 * The bound input of a tool. An address is bytes (on the network asked, or on each of them
 * where `network` is a choice), a day its first unix second; a network stays an id, which the context knows.
 */
export type ToolInput<I extends z.ZodObject> =
  // Of `any`, as in the registry, nothing is known.
  0 extends 1 & z.output<I>
    ? z.output<I>
    : z.output<I> extends { readonly network: KindBrand<"network"> }
      ? ValuesOf<z.output<I>, ParsedText>
      : ValuesOf<z.output<I>, ParsedByNetwork>;

export interface Tool<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** Below `/api`; left out: `tools/<name>`. With it, no list of tools has it (over_time/index.ts). */
  readonly path?: string;
  readonly title: string;
  readonly description: string;
  /** Price of one call in credits, whatever the size of the result: the seed of the catalog. */
  readonly credits: number;
  readonly families: readonly Family[];
  /** No transforms, no unions at the top. Fields come from `fields.ts`, so that binding knows networks and addresses. */
  readonly input: I;
  /** Strict shape of the data answer; published open (more fields may appear). */
  readonly output: O;
  /** Arguments that answer with data on the demo network. The shown answer is produced by really running them. */
  readonly example: z.input<I>;
  /** How a model reads the answer; left out, by the general rules alone. */
  readonly view?: View;
  /** Paths of live-fetched fields that may differ between two runs at one block. */
  readonly live_fields?: readonly string[];
  /**
   * The inputs that name the addresses which an answer is about, if it needs whole rows of these addresses only; none if it needs rows of
   * no address, but the node's state, lists, and blocks that it names. Without it the tool cannot use the facts of a network that is read
   * on demand.
   */
  readonly subjects?: readonly string[];
  /** These are tokens: the answer needs all movements of each, of whichever holders. */
  readonly are_tokens?: true;
  /** It follows money through counterparties of these, as far as they are read. */
  readonly follows_counterparties?: true;
  /** Cross-field rules that need no store. The sentence of a failure, or null. */
  readonly check?: (input: z.output<I>, context: CheckContext) => string | null;
  readonly run: (asked: ToolInput<I>, context: CallContext) => Promise<Outcome<z.output<O>>>;
}

/** Where a tool is called. */
export const callPath = ({ name, path = `tools/${name}` }: Pick<Tool, "name" | "path">): string => `/api/${path}`;

/** Identity at run time; ties `input`, `output`, `example` and `run` together at compile time. */
export const defineTool = <I extends z.ZodObject, O extends z.ZodObject>(tool: Tool<I, O>): Tool<I, O> => tool;

/** The registry holds tools of different shapes; only `input` and `output` themselves know theirs. */
// biome-ignore lint/suspicious/noExplicitAny: a heterogeneous list of Tool<I, O> needs it once, here.
export type AnyTool = Tool<any, any>;
