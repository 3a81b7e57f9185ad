import type { HeadlineType } from "./types.ts";

export const SCORES = {
  wrapped: 95,
  routed: 82,
  given: 54,
  traded: 50,
  exchanged: 30,
  zapped: 48,
  converted: 40,
  receipt: 47,
  issued: 47,
  bridge: 60,
  relayed: 70,
  plain: 97,
  sent: 20,
  claimed: 38,
  piece: 43,
} as const;

/** How often the act is what the shape suggests. Chosen below what the recorded transactions show. */
export const CONFIDENCES: Readonly<Record<keyof typeof SCORES, number>> = {
  wrapped: 0.99,
  routed: 0.95,
  given: 0.85,
  traded: 0.85,
  exchanged: 0.75,
  zapped: 0.75,
  converted: 0.75,
  receipt: 0.8,
  issued: 0.7,
  bridge: 0.85,
  relayed: 0.85,
  plain: 0.97,
  sent: 0.8,
  claimed: 0.75,
  piece: 0.8,
};

export interface HeadlineShape {
  readonly type: HeadlineType;
  readonly by: keyof typeof SCORES;
  readonly says: string;
}
