import { CloneLabels, type CloneLabelsOptions } from "./clone_labels.ts";
import { Round } from "./day_pass.ts";
import { DepositLabels, SIBLING_DEPOSITS } from "./deposit_labels.ts";
import { FamilyLabels } from "./family_labels.ts";
import { SandwichLabels } from "./sandwich_labels.ts";
import { SiblingLabels } from "./sibling_labels.ts";

/** The rules of derived labels in the order in which they depend on each other (docs/design/labels.md). */
export const labelPasses = (alone: CloneLabelsOptions): readonly { update(signal: AbortSignal): Promise<void> }[] => {
  const round = new Round();
  const parts = { ...alone, round };
  const deposits = new DepositLabels(parts);
  return [
    { update: async () => round.begin() },
    deposits,
    new SandwichLabels(parts),
    new SiblingLabels(parts, deposits),
    new DepositLabels(parts, SIBLING_DEPOSITS),
    new CloneLabels(parts),
    new FamilyLabels(parts),
  ];
};
