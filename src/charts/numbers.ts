/** Text for an unknown figure. */
const UNKNOWN = "unknown";

const MINUS = "\u2212";
const STEPS = [
  [1e12, "T"],
  [1e9, "B"],
  [1e6, "M"],
  [1e3, "K"],
] as const;

const trimmed = (text: string): string => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);

const digits = (value: number, places: number): string =>
  value.toLocaleString("en-US", { minimumFractionDigits: 0, maximumFractionDigits: places });

/** A size without its sign. */
const written = (size: number): string => {
  if (size === 0) return "0";
  if (size >= 1e15 || size < 1e-6) return size.toExponential(2).replace("e+", "e");
  if (size < 1) return trimmed(size.toPrecision(3));
  if (size < 1_000) return digits(size, 2);
  if (size < 99_999.5) return digits(size, 0);
  const [step, letter] = STEPS.find(([from]) => size >= from * 0.9995) ?? [1e3, "K"];
  return `${trimmed((size / step).toPrecision(3))}${letter}`;
};

/** A tick of an axis: three digits at most. */
const ticked = (size: number): string => {
  if (size === 0) return "0";
  if (size >= 1e15 || size < 1e-6) return trimmed(size.toExponential(1)).replace("e+", "e").replace(".0e", "e");
  const found = STEPS.find(([from]) => size >= from * 0.9995);
  return found === undefined ? trimmed(size.toPrecision(3)) : `${trimmed((size / found[0]).toPrecision(3))}${found[1]}`;
};

const signOf = (value: number): string => (value < 0 ? MINUS : "");

export const amount = (value: number | null): string =>
  value === null ? UNKNOWN : `${signOf(value)}${written(Math.abs(value))}`;

/** Dollars; with cents where cents are read. */
const dollars = (size: number): string => {
  const rounded = size >= 1 && size < 999.995 ? size.toFixed(2) : written(size);
  return rounded.replace(/\.00$/, "");
};

export const usd = (value: number | null): string =>
  value === null ? UNKNOWN : `${signOf(value)}$${dollars(Math.abs(value))}`;

const plus = (value: number | null, text: string): string => (value !== null && value > 0 ? `+${text}` : text);

/** With a sign on both sides of zero. */
export const signedUsd = (value: number | null): string => plus(value, usd(value));
export const signedAmount = (value: number | null): string => plus(value, amount(value));

export const percent = (value: number | null): string =>
  value === null ? UNKNOWN : `${signOf(value)}${written(Math.round(Math.abs(value) * 10) / 10)} %`;

export const tickOf = (value: number, unit: "usd" | "amount" | "percent"): string => {
  const text = ticked(Math.abs(value));
  if (unit === "percent") return `${signOf(value)}${text} %`;
  return `${signOf(value)}${unit === "usd" ? "$" : ""}${text}`;
};

export const DAY_MS = 86_400_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

/** Milliseconds as `3 Aug 2026`, UTC. */
export const day = (time_ms: number): string => {
  const date = new Date(time_ms);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""} ${date.getUTCFullYear()}`;
};

/** Ticks of a time axis: whole hours, days, months or years, at most `most` of them, each with its words. */
export const timeTicks = (from_ms: number, to_ms: number, most: number): readonly { time: number; text: string }[] => {
  const span = to_ms - from_ms;
  if (!(span > 0) || most < 1) return [{ time: from_ms, text: day(from_ms) }];
  const hours = [1, 3, 6, 12, 24, 48, 168, 336].find((count) => span / (count * 3_600_000) <= most);
  if (hours !== undefined) {
    const step = hours * 3_600_000;
    const start = Math.ceil(from_ms / step) * step;
    const count = Math.floor((to_ms - start) / step) + 1;
    return Array.from({ length: Math.max(0, count) }, (_, i) => start + i * step).map((time) => ({
      time,
      text: hours < 24 ? hourText(time) : dayText(time),
    }));
  }
  return monthTicks(from_ms, to_ms, most);
};

const dayText = (time: number): string => {
  const date = new Date(time);
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()] ?? ""}`;
};

const hourText = (time: number): string => {
  const hour = new Date(time).getUTCHours();
  return hour === 0 ? dayText(time) : `${String(hour).padStart(2, "0")}:00`;
};

const monthTicks = (from_ms: number, to_ms: number, most: number): readonly { time: number; text: string }[] => {
  const first = new Date(from_ms);
  const months = (to_ms - from_ms) / (30 * DAY_MS);
  const step = [1, 2, 3, 6, 12, 24, 60, 120, 600, 1_200, 12_000].find((count) => months / count <= most) ?? 120_000;
  const start = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth() + 1) / step) * step;
  const ticks: { time: number; text: string }[] = [];
  for (let month = start; ticks.length < most + 1; month += step) {
    const time = Date.UTC(Math.floor(month / 12), month % 12, 1);
    if (!(time <= to_ms)) break;
    const year = Math.floor(month / 12);
    ticks.push({ time, text: step >= 12 ? String(year) : `${MONTHS[month % 12] ?? ""} ${year}` });
  }
  return ticks;
};
