import { useState } from "preact/hooks";
import type { JsonObject } from "../api/answer.ts";
import { credential } from "../api/credential.ts";
import { useStore } from "../store.ts";
import { Bar, Refusal, Section, Table } from "./parts.tsx";
import { formatNumber, numberColumn, numberOf, rowsOf, useAccountQuery, words } from "./request.ts";

const BY = [
  { by: "day", name: "Day" },
  { by: "tool", name: "Tool" },
  { by: "key_id", name: "Key" },
  { by: "outcome", name: "Outcome" },
];

const DAY_MS = 86_400_000;
const dayOf = (at_ms: number): string => new Date(at_ms).toISOString().slice(0, 10);

/** Every day of a range, also those without a call. */
const daysOf = (from: string, to: string): readonly string[] => {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to) && days.length < 366; at += DAY_MS) days.push(dayOf(at));
  return days;
};

const creditsOf = (row: JsonObject | undefined): number => (row === undefined ? 0 : (numberOf(row, "credits") ?? 0));

/** Credits a day as columns; the table below has the same numbers. */
const Columns = ({ rows, from, to }: { rows: readonly JsonObject[]; from: string; to: string }) => {
  const days = daysOf(from, to);
  const of_day = new Map(rows.map((row) => [words(row, "day"), row]));
  const most = Math.max(1, ...rows.map(creditsOf));
  return (
    <figure class="columns">
      <svg viewBox={`0 0 ${days.length * 4} 40`} preserveAspectRatio="none" role="img" aria-label="Credits a day">
        {days.map((day, at) => {
          const height = (40 * creditsOf(of_day.get(day))) / most;
          return (
            <rect key={day} class="bar-part" x={at * 4 + 0.4} y={40 - height} width="3.2" height={height}>
              <title>{`${day}: ${formatNumber(creditsOf(of_day.get(day)))} credits`}</title>
            </rect>
          );
        })}
      </svg>
      <figcaption>
        <span>{from}</span>
        <span>most: {formatNumber(most)} a day</span>
        <span>{to}</span>
      </figcaption>
    </figure>
  );
};

/** Calls and credits of the last days, by day, tool, key or outcome. */
export const Usage = ({ path, named }: { readonly path: string; readonly named?: ReadonlyMap<string, string> }) => {
  const [by, setBy] = useState("day");
  const [days, setDays] = useState(30);
  const is_session = useStore(credential)?.kind === "session";
  const [to, from] = [dayOf(Date.now()), dayOf(Date.now() - (days - 1) * DAY_MS)];
  const question = `${path}${path.includes("?") ? "&" : "?"}from=${from}&to=${to}&by=${by}`;
  const { answer } = useAccountQuery(question);
  const is_right =
    answer !== null && answer.status !== "error" && Array.isArray(answer.body.by) && answer.body.by[0] === by;
  const rows = is_right ? rowsOf(answer.body, "rows") : [];
  const whole = rows.reduce((sum, row) => sum + creditsOf(row), 0);
  const nameOf = (row: JsonObject): string => named?.get(words(row, by)) ?? words(row, by);
  return (
    <Section
      title="Usage"
      aside={
        <div class="choices">
          <select aria-label="Range" value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {[7, 30, 90, 365].map((count) => (
              <option key={count} value={count}>{`last ${count} days`}</option>
            ))}
          </select>
          <fieldset class="segments">
            <legend>By</legend>
            {BY.map((one) => (
              <button key={one.by} type="button" aria-pressed={one.by === by} onClick={() => setBy(one.by)}>
                {one.name}
              </button>
            ))}
          </fieldset>
          {is_session ? (
            <a href={`${question}&format=csv`} download="usage.csv">
              CSV
            </a>
          ) : null}
        </div>
      }
    >
      <Refusal answer={answer} />
      {by === "day" && rows.length > 0 ? <Columns rows={rows} from={from} to={to} /> : null}
      <Table
        label={`Usage by ${BY.find((one) => one.by === by)?.name.toLowerCase()}`}
        rows={by === "day" ? [...rows].reverse() : rows}
        keyOf={(row) => words(row, by)}
        empty={is_right ? "Nothing was called in this time." : "Loading…"}
        columns={[
          { head: BY.find((one) => one.by === by)?.name ?? "", cell: nameOf },
          numberColumn("Calls", "calls"),
          numberColumn("Credits", "credits"),
          numberColumn("Refunded", "credits_refunded"),
          { head: "Part", cell: (row) => <Bar part={creditsOf(row)} whole={whole} /> },
        ]}
      />
    </Section>
  );
};
