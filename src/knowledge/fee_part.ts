/** A part of a transaction's fee that an EVM receipt states beside gas, as `knowledge/fees.yaml` describes it. */

/** Receipt fields, and what is done with their values. */
export type FeeAmount =
  | { readonly field: string }
  | {
      /** gas used * scalar * multiplied_by / divided_by + constant, rounded down. */
      readonly scalar: string;
      readonly multiplied_by: bigint;
      readonly divided_by: bigint;
      readonly constant: string;
    };

export interface EvmFeePart {
  readonly part: "layer1" | "operator";
  /** Versions (first byte) of the header's extra data for which it holds, `below` excluded; null for any extra data. */
  readonly extra_data_version: { readonly from: number; readonly below: number } | null;
  readonly amount: FeeAmount;
}
