const DAY_MS = 86_400_000;

const dayAt = (first: string, nth: number): string =>
  new Date(Date.parse(`${first}T00:00:00Z`) + nth * DAY_MS).toISOString().slice(0, 10);

const between = (first: string, day: string): number =>
  Math.round((Date.parse(`${day}T00:00:00Z`) - Date.parse(`${first}T00:00:00Z`)) / DAY_MS);

export interface TimeRangeProps {
  readonly days: { readonly first: string; readonly last: string };
  /** Null: from the first day, or to the last. */
  readonly from: string | null;
  readonly to: string | null;
  readonly onRange: (from: string | null, to: string | null) => void;
}

/** Two thumbs on one line: each is a slider of its own, which arrow keys move by a day. Neither passes the other. */
export const TimeRange = ({ days: { first, last }, from, to, onRange }: TimeRangeProps) => {
  const length = between(first, last);
  const clamped = (day: string): number => Math.min(length, Math.max(0, between(first, day)));
  const low = from === null ? 0 : clamped(from);
  const high = to === null ? length : clamped(to);
  const set = (a: number, b: number): void =>
    onRange(a <= 0 ? null : dayAt(first, a), b >= length ? null : dayAt(first, b));
  return (
    <fieldset class="time-range">
      <legend>
        Payments from {dayAt(first, low)} to {dayAt(first, high)}
      </legend>
      <span class="time-thumbs">
        <input
          type="range"
          aria-label="First day"
          aria-valuetext={dayAt(first, low)}
          min={0}
          max={length}
          value={low}
          onInput={(e) => {
            const at = Math.min(Number(e.currentTarget.value), high);
            e.currentTarget.value = String(at);
            set(at, high);
          }}
        />
        <input
          type="range"
          aria-label="Last day"
          aria-valuetext={dayAt(first, high)}
          min={0}
          max={length}
          value={high}
          onInput={(e) => {
            const at = Math.max(Number(e.currentTarget.value), low);
            e.currentTarget.value = String(at);
            set(low, at);
          }}
        />
      </span>
    </fieldset>
  );
};
