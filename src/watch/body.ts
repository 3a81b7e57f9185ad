/** Bodies of webhooks. Each is signed and stored as text, so that every attempt sends the same bytes. */

/** Larger bodies omit details that the receiver can query. */
const BODY_BYTES_MAX = 16_384;

interface BodyFacts {
  readonly id: string;
  readonly rule_id: string;
  readonly at_ms: number;
  readonly says: Readonly<Record<string, unknown>>;
}

export const bodyOf = ({ id, rule_id, at_ms, says }: BodyFacts): string => {
  const { type, ...rest } = says;
  const head = { type, id, created_at: new Date(at_ms).toISOString(), rule_id };
  const text = JSON.stringify({ ...head, ...rest });
  return Buffer.byteLength(text) <= BODY_BYTES_MAX
    ? text
    : JSON.stringify({
        ...head,
        network: rest.network,
        block: rest.block,
        transaction: rest.transaction,
        is_cut: true,
      });
};

/** Revokes an event: repeats the block and subject of its body. */
export const retractionOf = (
  event: { readonly id: string; readonly body: string },
  { id, at_ms }: { readonly id: string; readonly at_ms: number },
): { id: string; body: string } => {
  // Written by `bodyOf`.
  const before = JSON.parse(event.body) as Record<string, unknown>;
  const { rule_id, network, chain_id, block, subject, transaction } = before;
  const says = { type: "retracted", retracts: event.id, retracted_type: before.type };
  return {
    id,
    body: bodyOf({
      ...{ id, at_ms, rule_id: String(rule_id) },
      says: { ...says, network, chain_id, block, subject, transaction },
    }),
  };
};

/** The body that a rule's test sends. */
export const testBody = (
  rule: { readonly id: string; readonly network: string },
  made: { id: string; at_ms: number },
) => bodyOf({ ...made, rule_id: rule.id, says: { type: "test", network: rule.network } });
