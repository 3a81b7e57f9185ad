import type { TraceDirection } from "../../../src/case/graph_model.ts";
import { TRACES } from "../../../src/case/traces.ts";
import { CallButton } from "../ui/call_button.tsx";
import { ageOf } from "../ui/format.ts";
import type { GraphQuestion } from "./question.ts";
import { answeredAt, type CallPrices, type GraphUse, isTraced, priced, tracesKnown } from "./use_graph.ts";

const WORDS: Readonly<Record<TraceDirection, string>> = {
  in: "Trace to the source",
  out: "Trace to where it went",
};

const DIRECTIONS = ["in", "out"] as const;

/** An answer of an earlier visit is of an earlier block. */
const FRESH_MS = 3_600_000;

/** `paid_at`: of an answer that is there already, unix milliseconds. */
const labelOf = (direction: TraceDirection, paid_at: number | null, prices: CallPrices): string => {
  if (paid_at === null) return priced(WORDS[direction], prices.of(TRACES));
  const age = Date.now() - paid_at;
  return `${WORDS[direction]} · already paid${age < FRESH_MS ? "" : `, ${ageOf(age)} old`}`;
};

export interface TraceButtonsProps {
  readonly use: GraphUse;
  readonly address: string;
  readonly question: GraphQuestion;
  readonly prices: CallPrices;
}

/** One answer has both directions, so the second trace of a wallet costs nothing. */
export const TraceButtons = ({ use, address, question, prices }: TraceButtonsProps) => (
  <>
    {DIRECTIONS.map((direction) => {
      const is_here = isTraced(use.board, address, direction);
      const drawn = tracesKnown(use.board, address);
      const paid_at = drawn === undefined ? answeredAt(question, address) : Date.parse(drawn.asked_at);
      return (
        <CallButton
          key={direction}
          class=""
          is_idle={use.waiting !== null || is_here}
          onAsk={() => void use.trace(question, address, direction)}
        >
          {is_here ? `${WORDS[direction]}: done` : labelOf(direction, paid_at, prices)}
        </CallButton>
      );
    })}
  </>
);

interface StartTraceProps {
  /** Null until it names a wallet. */
  readonly question: GraphQuestion | null;
  readonly prices: CallPrices;
  readonly is_waiting: boolean;
  readonly onStart: (direction: TraceDirection) => void;
}

/** Begin a graph with a trace of its wallet. */
export const StartTrace = ({ question, prices, is_waiting, onStart }: StartTraceProps) => (
  <>
    {DIRECTIONS.map((direction) => (
      <CallButton key={direction} class="" is_idle={is_waiting || question === null} onAsk={() => onStart(direction)}>
        {labelOf(direction, question === null ? null : answeredAt(question, question.address), prices)}
      </CallButton>
    ))}
  </>
);
