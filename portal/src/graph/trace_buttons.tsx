import type { TraceDirection } from "../../../src/case/graph_model.ts";
import { TRACES } from "../../../src/case/traces.ts";
import { CallButton } from "../ui/call_button.tsx";
import type { GraphQuestion } from "./question.ts";
import { type CallPrices, type GraphUse, isAnswered, isTraced, priced, tracesKnown } from "./use_graph.ts";

const WORDS: Readonly<Record<TraceDirection, string>> = {
  in: "Trace to the source",
  out: "Trace to where it went",
};

const DIRECTIONS = ["in", "out"] as const;

const labelOf = (direction: TraceDirection, is_paid: boolean, prices: CallPrices): string =>
  is_paid ? `${WORDS[direction]} · already paid` : priced(WORDS[direction], prices.of(TRACES));

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
      const is_paid = tracesKnown(use.board, address) !== undefined || isAnswered(question, address);
      return (
        <CallButton
          key={direction}
          class=""
          is_idle={use.waiting !== null || is_here}
          onAsk={() => void use.trace(question, address, direction)}
        >
          {is_here ? `${WORDS[direction]}: done` : labelOf(direction, is_paid, prices)}
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
        {labelOf(direction, question !== null && isAnswered(question, question.address), prices)}
      </CallButton>
    ))}
  </>
);
