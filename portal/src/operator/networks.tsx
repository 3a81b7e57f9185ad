import { useState } from "preact/hooks";
import { Refusal, Section } from "../account/parts.tsx";
import { formatNumber, numberOf, rowsOf, timeOf, useAccountQuery, words } from "../account/request.ts";
import { type JsonObject, textOf } from "../api/answer.ts";
import { CAUSES, lagOf, lagText } from "./lag.ts";

type Gap = readonly [from: number, to: number];

const gapsOf = ({ gaps }: JsonObject): readonly Gap[] =>
  Array.isArray(gaps)
    ? gaps.flatMap((gap: unknown) => {
        const [from, to] = Array.isArray(gap) ? gap : [];
        return typeof from === "number" && typeof to === "number" ? [[from, to] as const] : [];
      })
    : [];

/** The blocks that are wanted, from the first one to the head, and which of them are missing. */
const Coverage = ({ network }: { readonly network: JsonObject }) => {
  const gaps = gapsOf(network);
  const [head, from] = [numberOf(network, "head") ?? numberOf(network, "indexed"), numberOf(network, "from_block")];
  const first = Math.min(from ?? Number.POSITIVE_INFINITY, ...gaps.map(([start]) => start));
  if (head === null || !Number.isFinite(first)) return <p class="quiet">No block is indexed yet.</p>;
  const whole = Math.max(1, head - first + 1);
  const missing = numberOf(network, "missing_blocks") ?? 0;
  const percent = Math.floor((1_000 * Math.max(0, whole - missing)) / whole) / 10;
  return (
    <figure class="coverage">
      <svg
        viewBox="0 0 1000 14"
        preserveAspectRatio="none"
        role="img"
        aria-label={`${percent} % of blocks ${first} to ${head} are indexed, in ${formatNumber(numberOf(network, "gap_count"))} gaps ${formatNumber(missing)} are missing`}
      >
        <rect class="bar-part" width="1000" height="14" />
        {gaps.map(([start, end]) => (
          <rect
            key={start}
            class="bar-gap"
            x={(1_000 * (start - first)) / whole}
            width={Math.max(2, (1_000 * (end - start + 1)) / whole)}
            height="14"
          >
            <title>{`blocks ${formatNumber(start)} to ${formatNumber(end)} are missing`}</title>
          </rect>
        ))}
      </svg>
      <figcaption>
        <span>{formatNumber(first)}</span>
        <span>
          {percent} % indexed{missing === 0 ? "" : `, ${formatNumber(missing)} blocks missing`}
        </span>
        <span>{formatNumber(head)}</span>
      </figcaption>
    </figure>
  );
};

const VERIFIED: Readonly<Record<string, string>> = {
  full: "in full",
  receipts: "receipts",
  none: "not in every part",
};

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** Seconds up to two minutes, then the larger units. */
const secondsText = (seconds: number | null): string => {
  if (seconds === null) return "—";
  if (seconds < 2 * MINUTE_S) return `${formatNumber(seconds)} s`;
  if (seconds < 2 * HOUR_S) return `${formatNumber(Math.floor(seconds / MINUTE_S))} min`;
  return seconds < 2 * DAY_S
    ? `${formatNumber(Math.floor(seconds / HOUR_S))} h`
    : `${formatNumber(Math.floor(seconds / DAY_S))} days`;
};

const speedOf = (network: JsonObject): string => {
  const speed = numberOf(network, "blocks_per_second");
  return speed === null ? "—" : `${speed.toLocaleString("en-US", { maximumFractionDigits: 1 })} blocks/s`;
};

const SPANS = [
  { minutes: 60, name: "last hour" },
  { minutes: 360, name: "last 6 hours" },
  { minutes: 1_440, name: "last day" },
];

const WIDTH = 600;
const HEIGHT = 40;

/** The known lags as lines, which break where the lag is unknown. */
const pointsOf = (lags: readonly (number | null)[], most: number): readonly string[] => {
  const lines: string[][] = [[]];
  for (const [at, lag] of lags.entries()) {
    if (lag === null) lines.push([]);
    else {
      const [x, y] = [
        (WIDTH * at) / Math.max(1, lags.length - 1),
        HEIGHT - 2 - ((HEIGHT - 4) * lag) / Math.max(1, most),
      ];
      lines.at(-1)?.push(`${x},${y}`);
    }
  }
  return lines.filter((line) => line.length > 0).map((line) => line.join(" "));
};

interface LineProps {
  readonly samples: readonly JsonObject[];
  readonly network: string;
}

/** The lag by minute, as a line, with a sentence. */
const LagLine = ({ samples, network }: LineProps) => {
  const lags = samples.map((sample) => lagOf(sample));
  const most = Math.max(0, ...lags.map((lag) => lag ?? 0));
  const lines = pointsOf(lags, most);
  const text = lagText(samples, timeOf);
  return (
    <>
      <svg
        class="lag"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Lag of ${network}: ${text}`}
      >
        {lines.map((points) => (
          <polyline key={points} points={points} />
        ))}
      </svg>
      <p class="quiet">{text}</p>
    </>
  );
};

/** The present lag with its cause, and its history. */
const Lag = ({ network }: { readonly network: JsonObject }) => {
  const [minutes, setMinutes] = useState(60);
  const id = words(network, "network");
  const { answer } = useAccountQuery(`/api/operator/networks/${encodeURIComponent(id)}/history?minutes=${minutes}`);
  return (
    <>
      <p>
        <strong>{CAUSES[words(network, "lag_cause")] ?? words(network, "lag_cause")}</strong>
      </p>
      <div class="choices">
        <label>
          Lag in the{" "}
          <select
            aria-label={`Time of the lag of ${id}`}
            value={minutes}
            onChange={({ currentTarget: { value } }) => setMinutes(Number(value))}
          >
            {SPANS.map((span) => (
              <option key={span.minutes} value={span.minutes}>
                {span.name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {answer === null || answer.status === "error" ? null : (
        <LagLine network={id} samples={rowsOf(answer.body, "samples")} />
      )}
    </>
  );
};

const Network = ({ network }: { readonly network: JsonObject }) => {
  const problem = textOf(network.problem);
  const elsewhere = textOf(network.indexed_by);
  return (
    <article class="network">
      <h3>
        {words(network, "network")} <small>{words(network, "state")}</small>
      </h3>
      <Coverage network={network} />
      <dl class="figures small">
        {[
          ["Age of the newest block", secondsText(numberOf(network, "lag_seconds"))],
          ["Head", formatNumber(numberOf(network, "head"))],
          ["Indexed to", formatNumber(numberOf(network, "indexed"))],
          ["Behind", formatNumber(numberOf(network, "lag_blocks"))],
          ["Speed", speedOf(network)],
          ["Still to read", formatNumber(numberOf(network, "remaining_blocks"))],
          ["Recomputed", VERIFIED[words(network, "verified")] ?? "—"],
          ["Nodes differed", formatNumber(numberOf(network, "disagreements"))],
        ].map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Lag network={network} />
      {problem === null ? null : <p class="problem">{problem}</p>}
      {elsewhere === null ? null : <p class="quiet">Indexed by {elsewhere}.</p>}
    </article>
  );
};

/** Progress and gaps of each network. */
export const Networks = () => {
  const { answer, again } = useAccountQuery("/api/operator/networks");
  const networks = answer === null ? [] : rowsOf(answer.body, "networks");
  return (
    <Section
      title="Networks"
      aside={
        <button type="button" onClick={again}>
          Read again
        </button>
      }
    >
      <Refusal answer={answer} />
      {networks.map((network) => (
        <Network key={words(network, "network")} network={network} />
      ))}
    </Section>
  );
};
